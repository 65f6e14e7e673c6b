"""The arena: contests between bots and outside programs, in which every contestant has every seat equally often."""
