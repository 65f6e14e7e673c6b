"""`dev.py bench`: which program measures what."""

import os

from tools.compiled_core import compiled_core
from tools.environment import environment
from tools.project import PYTHON, ROOT, SOURCE
from tools.subprocesses import call
from tools.system_packages import postgres

PROGRAMS = {  # in benchmarks/, with the extra of pyproject.toml each needs
    "--attack": ("attack.py", "bench"),
    "--delay": ("bot_delay.py", "bench"),
    "--container": ("container.py", "bench"),
    "--proxies": ("proxies.py", "dev"),
    "--tournament": ("tournament.py", "bench"),
    "--click": ("click_reaction.py", "dev"),
    "--offline": ("offline.py", "dev"),
    "--load": ("load.py", "bench"),
    "--memory": ("memory.py", "dev"),
    "--kills": ("kills.py", "dev"),
}


def bench(arguments: "list[str]") -> int:
    """Run the benchmarks, the fuzz test and the kill test; with arguments only the selected ones."""
    if not arguments:
        return speed([]) or program("--load", []) or fuzz([]) or program("--kills", [])
    if arguments[0] == "--fuzz":
        return fuzz(arguments[1:])
    if "--wheel" in arguments:
        return wheel([each for each in arguments if each != "--wheel"])
    for flag in PROGRAMS:
        if flag in arguments:
            return program(flag, [each for each in arguments if each != flag])
    return speed(arguments)


def speed(arguments: "list[str]") -> int:
    """Compare the speed of the engines, bots and environments with others."""
    environment("bench")
    measure = [str(PYTHON), str(ROOT / "benchmarks" / "bench.py"), *arguments]
    return call([*measure, "--compiled", str(compiled_core() or "")])


def program(flag: str, arguments: "list[str]") -> int:
    """Run one of the programs in benchmarks/ on the compiled core."""
    script, extra = PROGRAMS[flag]
    environment(extra)
    if flag == "--kills":
        postgres()
    return on_core([str(ROOT / "benchmarks" / script), *arguments])


def on_core(arguments: "list[str]") -> int:
    """Run Python on the compiled core, with what supports the tests at hand."""
    core = compiled_core()
    path = os.pathsep.join([str(core or SOURCE.parent), str(ROOT / "tests")])
    return call([str(PYTHON), *arguments], core, {"PYTHONPATH": path})


def wheel(arguments: "list[str]") -> int:
    """Compare the speed of the wheel with that of the compiled core here."""
    environment("compile")
    command = [str(PYTHON), str(ROOT / "benchmarks" / "wheel.py"), "--core", str(compiled_core() or "")]
    return call([*command, *arguments])


def fuzz(arguments: "list[str]") -> int:
    """Send the server hostile inputs."""
    environment("dev")
    return on_core(["-m", "support.fuzz", *arguments])
