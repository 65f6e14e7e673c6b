"""What a server process needs, loaded by importing this: processes are forked from one that has imported it."""

from __future__ import annotations

import gc

from omnibus.server.app import load_routes
from omnibus.server.serve import load_games

load_games()
load_routes()
gc.collect()
gc.freeze()  # nobody goes through it any more, so processes go on sharing the memory it is in
