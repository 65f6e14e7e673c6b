"""Run the command `omnibus` with `python -m omnibus`."""

from omnibus.cli.main import main

main()
