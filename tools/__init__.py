"""The parts of dev.py. They need nothing but Python, and an old Python must be able to parse them."""
