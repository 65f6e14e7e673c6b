"""Do the work of the lab on a Ray cluster of two workers and in processes, and write what came out into a file as JSON.

It runs in a process of its own, for the test of Ray: one start of a cluster for everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from omnibus import Match, games
from omnibus.cli.main import app
from omnibus.lab import ray_cluster
from omnibus.lab.analysis.runner import analyse
from omnibus.lab.arena.contestants import contestant
from omnibus.lab.arena.results_log import ResultsLog
from omnibus.lab.arena.runner import contest, run
from omnibus.lab.arena.standings import ContestResults
from omnibus.lab.errors import WorkerDied
from omnibus.lab.processes import spread
from omnibus.lab.puzzles.runner import make_puzzles
from omnibus.lab.ray_cluster import LOCAL, connected
from omnibus.lab.simulate import Series, simulate
from omnibus.lab.training.actors import ACTION, GROUPS, Actors, Task
from omnibus.lab.training.on_ray import RayActors, RayPlayers
from omnibus.lab.training.self_play import Lesson, Players, Playing

JOBS = 2
GAMES = 6


def arena(ray: str | None, log: ResultsLog | None = None, stop_after: int = GAMES) -> list[list[Any]]:
    """Play a contest; return numbers, shares and records. It may be interrupted after some games."""
    made = _contest()
    results = ContestResults(made, GAMES, None)

    def tick() -> None:
        if len(results.played) >= stop_after < GAMES:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        run(results, jobs=JOBS, ray=ray, log=log, tick=tick)
    return [[number, list(game.shares), game.record] for number, game in sorted(results.played.items())]


def _contest() -> Any:
    bots = [contestant(name, None, None) for name in ("hard:simulations=5", "easy")]
    return contest("times_square", bots, seed=3)


def resumed(folder: Path) -> list[int]:
    """Interrupt a contest on Ray and resume it; return how many games were kept after each part."""
    arena(LOCAL, ResultsLog(folder, _contest()), stop_after=2)
    kept = len(ResultsLog(folder, _contest()).played)
    arena(LOCAL, ResultsLog(folder, _contest()))
    return [kept, len(ResultsLog(folder, _contest()).played)]


def simulated(ray: str | None) -> str:
    series = Series("times_square", 2, Match.new("times_square", dice=False).options, ["random", "random"], 7)
    return repr(simulate(series, 250, jobs=JOBS, ray=ray))


def puzzles(folder: Path, record: str, ray: str | None) -> list[str]:
    """Search a record for puzzles, with looks so short that they are always the same; return the log."""
    game, out, texts = games.find("times_square"), folder / f"{ray}.json", [Match.read(record).at(40).record()]
    log = make_puzzles(game, out, number=0, records=texts, seats=2, seconds=1e-9, jobs=JOBS, ray=ray)
    found = [f"{each.name} {position}" for each in log.searched.values() for position in each.positions]
    return [*log.searched, *found, *(f"{key} {each.why}" for key, each in sorted(log.judged.items()))]


def analysed(record: str, ray: str | None) -> list[list[Any]]:
    """Judge a game for so short a time that only the decisions can be compared, not what they lost."""
    decisions = analyse(record, seconds=0.001, jobs=JOBS, ray=ray).decisions
    return [[each.ply, each.seat, each.line] for each in decisions]


def fragile(folder: Path, number: int) -> int:
    """Kill the worker that is given the number 1 for the first time, and every worker that is given 13."""
    first = folder / str(number)
    if number == 13 or (number == 1 and not first.exists()):
        first.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def died(folder: Path) -> str:
    """Return what is said of an item that kills every worker."""
    try:
        list(spread(partial(fragile, folder), [13], JOBS, ray=LOCAL))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def failed() -> str:
    """Return what is said of an error in the work itself."""
    try:
        list(spread(int, ["1", "x"], JOBS, ray=LOCAL))
    except ValueError as error:
        return str(error)
    return ""


def stepped(ray: str | None) -> list[str]:
    """Play the first legal action in the games of actors; return digests of what they published.

    On Ray, notice the loss of an actor then, and let others take over.
    """
    task = Task("times_square", 2, Match.new("times_square", dice=False).options)
    actors: Any = RayActors(task, JOBS, 3, 1, ray) if ray else Actors(task, JOBS, 3, 1)
    seen = []

    def play_first(group: int) -> None:
        arrays = actors.wait(group)
        told = b"".join(arrays[name].tobytes() for name in ("full", "mask", "seat", "over", "shares"))
        seen.append(hashlib.sha256(told).hexdigest())
        arrays[ACTION][:] = arrays["mask"].argmax(1)
        actors.play(group)

    with closing(actors):
        for group in 8 * list(range(GROUPS)):
            play_first(group)
        found = seen[:]
        if ray:
            import ray as cluster

            cluster.kill(actors.actors[0])
            with suppress(WorkerDied):
                while True:  # what it has published already may still be read
                    play_first(0)
            actors.renew()
            assert actors.wait(0)["mask"].any(1).all()
    return found


def taught(ray: str | None) -> list[str]:
    """Return digests of the first lesson of a player; on Ray, of the first one after that player has vanished, too."""
    task = Task("metromania", 2, Match.new("metromania", seats=2, dice=False).options)
    playing = Playing(games=1, sent=1)
    players = RayPlayers(task, playing, 1, 3, ray) if ray else Players(task, playing, {}, 1, 3)
    heard: list[Lesson] = []
    try:
        while not heard:
            heard += players.lessons(60)
        if isinstance(players, RayPlayers):
            import ray as cluster

            cluster.kill(players.processes[0].player)
            known = len(heard)
            while players.processes[0].starts < 2 or len(heard) == known:
                heard += players.lessons(60)
    finally:
        players.close()
    return [hashlib.sha256(lesson.rows.tobytes() + lesson.shares.tobytes()).hexdigest() for lesson in heard]


def addresses() -> list[str]:
    """Return the addresses the cluster listens on."""
    import ray

    nodes: Any = ray.nodes  # untyped in some versions of Ray
    return [node["NodeManagerAddress"] for node in nodes()]


def main(folder: Path) -> dict[str, Any]:
    """Do it all."""
    for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        os.environ.pop(name, None)  # this process is measured, the cluster's many processes need not be
    ray_cluster.TRIES = 1  # each one starts a worker
    with connected(LOCAL, JOBS):
        record = arena(LOCAL)[0][2]
        command = ["arena", "times_square", "easy", "random", "--games", "4", "--ray", LOCAL]
        return {
            "addresses": addresses(),
            "arena": [arena(None), arena(LOCAL)],
            "simulated": [simulated(None), simulated(LOCAL)],
            "puzzles": [puzzles(folder / "kept", record, None), puzzles(folder / "kept", record, LOCAL)],
            "analysed": [analysed(record, None), analysed(record, LOCAL)],
            "resumed": resumed(folder / "kept"),
            "fragile": sorted(spread(partial(fragile, folder), range(8), JOBS, ray=LOCAL)),
            "vanished": [path.name for path in folder.iterdir() if path.is_file()],
            "died": died(folder),
            "failed": failed(),
            "stepped": [stepped(None), stepped(LOCAL)],
            "taught": [taught(None), taught(LOCAL)],
            "command": CliRunner().invoke(app, command).output,
        }


if __name__ == "__main__":
    done = main(Path(sys.argv[1]))  # Ray itself writes to standard output that workers have died
    Path(sys.argv[2]).write_text(json.dumps(done), encoding="utf-8")
