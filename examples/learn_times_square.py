"""A small network learns Times Square by self-play (PPO on the vector environment) and soon beats a random player.

Run it with `python examples/learn_times_square.py --minutes 1` (needs omnibus-games[rl] and torch; a CPU is enough).

One network plays both seats. Its value is that of the seat to act, so the sign changes where the next decision is the
other seat's: what is good for one is bad for the other.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from omnibus import envs

GAMES = 128  # stepped together
STEPS = 64  # of each game before the network learns from them
EPOCHS = 3
PART = 2048  # samples in a step of the optimizer
CLIP = 0.2
DISCOUNT = 0.997
LAMBDA = 0.95
ENTROPY = 0.01


class Player(nn.Module):
    """A policy and a value for an observation."""

    def __init__(self, high: NDArray[np.uint8], actions: int, width: int = 128) -> None:
        super().__init__()
        self.register_buffer("scale", 1.0 / torch.tensor(high, dtype=torch.float32))
        self.body = nn.Sequential(
            nn.Linear(len(high), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )  # fmt: skip
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """Return a distribution over the legal actions, and the value for the seat to act."""
        seen = self.body(observation.float() * self.scale)
        logits = self.policy(seen).masked_fill(mask == 0, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(seen).squeeze(-1)


def look(turn: envs.Turn) -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations and masks as tensors."""
    return torch.from_numpy(turn.observation), torch.from_numpy(turn.mask)


@torch.no_grad()
def gather(env: envs.Vector, turn: envs.Turn, player: Player) -> tuple[envs.Turn, dict[str, torch.Tensor]]:
    """Play some steps in all games; return the last step and the collected experience."""
    seen: dict[str, list[torch.Tensor]] = {name: [] for name in ("observation", "mask", "action", "chance", "value")}
    rewards, ended, flips = [], [], []
    for _ in range(STEPS):
        observation, mask = look(turn)
        chances, value = player(observation, mask)
        action = chances.sample()
        for name, what in zip(seen, (observation, mask, action, chances.log_prob(action), value), strict=True):
            seen[name].append(what)
        after = env.step(action.numpy())
        rewards.append(torch.from_numpy(after.reward[np.arange(env.games), turn.seat]))
        ended.append(torch.from_numpy(after.over))
        flips.append(torch.from_numpy(np.where(after.seat == turn.seat, 1.0, -1.0).astype(np.float32)))
        turn = after
    last = player(*look(turn))[1]
    advantage = advantages(rewards, seen["value"], ended, flips, last)
    batch = {name: torch.stack(what) for name, what in seen.items()}
    batch["advantage"] = advantage
    batch["return"] = advantage + batch["value"]
    return turn, {name: what.flatten(0, 1) for name, what in batch.items()}


def advantages(
    rewards: list[torch.Tensor],
    values: list[torch.Tensor],
    ended: list[torch.Tensor],
    flips: list[torch.Tensor],
    last: torch.Tensor,
) -> torch.Tensor:
    """Return the advantages of the actions (GAE), with the sign changing between seats."""
    following, gain = last, torch.zeros_like(last)
    found: list[torch.Tensor] = []
    for step in reversed(range(len(rewards))):
        onward = DISCOUNT * flips[step] * (~ended[step]).float()
        surprise = rewards[step] + onward * following - values[step]
        gain = surprise + LAMBDA * onward * gain
        following = values[step]
        found.append(gain)
    return torch.stack(found[::-1])


def learn(player: Player, optimizer: torch.optim.Optimizer, batch: dict[str, torch.Tensor]) -> None:
    """Update the network with the collected experience (PPO)."""
    size = len(batch["action"])
    advantage = batch["advantage"]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in torch.randperm(size).split(PART):
            chances, value = player(batch["observation"][part], batch["mask"][part])
            ratio = (chances.log_prob(batch["action"][part]) - batch["chance"][part]).exp()
            gain = torch.min(ratio * advantage[part], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[part]).mean()
            error = (value - batch["return"][part]).pow(2).mean()
            loss = 0.5 * error - gain - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def wins_against_random(player: Player, games: int, seed: int) -> float:
    """Return the share of games won against a random player, from both seats in turn."""
    env = envs.vector("times_square", games=games, seed=seed)
    turn = env.reset()
    own = np.arange(games) % 2
    result = np.full(games, np.nan)
    while np.isnan(result).any():
        chosen = player(*look(turn))[0].sample().numpy()
        turn = env.step(np.where(turn.seat == own, chosen, env.sample()))
        first = turn.over & np.isnan(result)
        result[first] = turn.reward[first, own[first]]
    return float((result > 0).mean())


def main() -> None:
    """Parse the arguments and learn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", type=int, default=1000, help="games against random at the end")
    given = parser.parse_args()
    torch.set_num_threads(1)  # for a network this small, handing work to threads takes longer than doing it
    torch.manual_seed(given.seed)
    env = envs.vector("times_square", games=GAMES, seed=given.seed, shaping=0.05)
    player = Player(env.layout.high, env.actions)
    optimizer = torch.optim.Adam(player.parameters(), lr=7e-4)
    print(f"before learning: {wins_against_random(player, given.check, 99):.1%} won against random")
    turn = env.reset()
    began, told, decisions = time.monotonic(), 0.0, 0
    while (passed := time.monotonic() - began) < 60 * given.minutes:
        turn, batch = gather(env, turn, player)
        learn(player, optimizer, batch)
        decisions += GAMES * STEPS
        if passed - told > 30:
            told = passed
            share = wins_against_random(player, 200, 98)
            print(f"{passed:4.0f} s, {decisions:,} decisions: {share:.1%} won against random", flush=True)
    share = wins_against_random(player, given.check, 99)
    print(f"after {decisions:,} decisions: {share:.1%} of {given.check} games won against random")


if __name__ == "__main__":
    main()
