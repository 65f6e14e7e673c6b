"""Training of the networks for `master` by self-play (docs/training.md). Needs the extra `train`."""
