"""The command `omnibus`: one module per group of commands."""
