"""`python -m omnibus` is the command `omnibus`."""

from omnibus.cli.main import main

main()
