"""The games as learning environments. Needs the extra `rl`.

from omnibus import envs

env = envs.aec("bus", seats=4)                      # PettingZoo, one agent after the other
env = envs.vector("times_square", games=256)        # many games at once, numpy arrays in and out
env = gymnasium.make("Omnibus/TimesSquare-v1")      # one seat against bots; importing this module registers it
import omnibus.envs.openspiel                       # OpenSpiel: pyspiel.load_game("omnibus_metromania")
"""

try:
    import gymnasium as _gymnasium
    import numpy as _numpy
    import pettingzoo as _pettingzoo
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"omnibus.envs needs {error.name}: install omnibus-games[rl]", name=error.name, path=error.path
    ) from None

from omnibus.envs.arrays import FeatureLayout
from omnibus.envs.gymnasium_env import Single
from omnibus.envs.pettingzoo_env import AEC, aec
from omnibus.envs.registry import register
from omnibus.envs.setup import actions
from omnibus.envs.vector import Turn, Vector, vector

del _gymnasium, _numpy, _pettingzoo
register()

__all__ = ["AEC", "FeatureLayout", "Single", "Turn", "Vector", "actions", "aec", "vector"]
