"""`python -m omnibus` is the command `omnibus`."""

from omnibus.cli import main

main()
