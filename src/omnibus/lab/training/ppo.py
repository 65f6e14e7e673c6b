"""Proximal policy optimization: gather experience, estimate advantages, improve the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from omnibus.lab.training.actors import GROUPS
from omnibus.lab.training.model import Model
from omnibus.lab.training.on_ray import AnyActors


@dataclass(frozen=True, slots=True)
class Settings:
    """How it learns. The names are those of the field."""

    width: int = 512
    depth: int = 3
    horizon: int = 32
    """Decisions in each game between two rounds of learning."""
    epochs: int = 2
    minibatch: int = 16384
    clip: float = 0.2
    trace: float = 0.95
    """λ of the advantages and of the critic's targets."""
    rate: float = 6e-4
    last_rate: float = 3e-5
    entropy: float = 0.03
    last_entropy: float = 0.005
    average: float = 0.97
    """Decay per round of the averaged weights, which are the ones that play."""


class Experience:
    """What happened in all games over a horizon, in tensors of (time, game)."""

    def __init__(self, model: Model, actors: AnyActors, horizon: int, device: Any) -> None:
        games = GROUPS * actors.games
        wide = model.seats * model.numbers
        bytes_: dict[str, tuple[int, ...]] = {
            "rows": (horizon + 1, games, wide),
            "between": (horizon, games, wide),
            "mask": (horizon, games, actors.actions),
            "paused": (horizon, games),
            "over": (horizon, games),
        }
        self.bytes = {name: torch.zeros(shape, dtype=torch.uint8, device=device) for name, shape in bytes_.items()}
        self.seat = torch.zeros((horizon + 1, games), dtype=torch.int64, device=device)
        self.action = torch.zeros((horizon, games), dtype=torch.int64, device=device)
        self.chance = torch.zeros((horizon, games), device=device)
        self.shares = torch.zeros((horizon, games, model.seats), device=device)
        self.horizon = horizon


@torch.no_grad()
def gather(model: Model, actors: AnyActors, experience: Experience, device: Any) -> None:
    """Let the policy play in all games for the length of the horizon."""
    for time in range(experience.horizon + 1):
        for group in range(GROUPS):
            games = slice(group * actors.games, (group + 1) * actors.games)
            arrays = actors.wait(group)
            told = {name: torch.from_numpy(array).to(device) for name, array in arrays.items() if name != "action"}
            seat = told["seat"].long()
            if time:
                before = experience.seat[time - 1, games]
                experience.bytes["between"][time - 1, games] = model.turned(told["between"], before)
                for name in ("paused", "over"):
                    experience.bytes[name][time - 1, games] = told[name]
                experience.shares[time - 1, games] = told["shares"]
            rows = model.turned(told["full"], seat)
            experience.bytes["rows"][time, games] = rows
            experience.seat[time, games] = seat
            if time < experience.horizon:
                turn = model.mirrored_moves[seat]
                mask = told["mask"].gather(1, turn)
                chances = torch.log_softmax(model.logits(rows, mask), 1)
                noise = torch.empty_like(chances).exponential_()
                action = (chances.exp() / noise).argmax(1, keepdim=True)  # a sample of the policy
                experience.bytes["mask"][time, games] = mask
                experience.action[time, games] = action[:, 0]
                experience.chance[time, games] = chances.gather(1, action)[:, 0]
                arrays["action"][:] = turn.gather(1, action)[:, 0].int().cpu().numpy()
                actors.play(group)


@torch.no_grad()
def returns(model: Model, experience: Experience, trace: float) -> tuple[Tensor, Tensor]:
    """Return the advantage of every action, and the shares the critic should have seen, the actor's first."""
    rows = experience.bytes["rows"]
    seats = torch.arange(model.seats, device=rows.device)
    relative = torch.cat([model.shares(part).softmax(1) for part in rows.flatten(0, 1).split(1 << 16)])
    relative = relative.view(*rows.shape[:2], model.seats)
    values = relative.gather(2, (seats - experience.seat[..., None]) % model.seats)  # by seat
    following = values[-1]
    found = []
    for time in reversed(range(experience.horizon)):
        onward = (1 - trace) * values[time + 1] + trace * following
        following = torch.where(experience.bytes["over"][time, :, None] > 0, experience.shares[time], onward)
        found.append(following)
    targets = torch.stack(found[::-1])
    seat = experience.seat[:-1, :, None]
    advantage = (targets - values[:-1]).gather(2, seat)[..., 0]
    return advantage, targets.gather(2, (seats + seat) % model.seats)


class Learner:
    """Improves a model with experience, and keeps an average of its weights."""

    def __init__(self, model: Model, settings: Settings) -> None:
        self.model = model
        self.settings = settings
        fused = next(model.parameters()).is_cuda
        self.policy = torch.optim.Adam(model.policy.parameters(), lr=settings.rate, fused=fused)
        self.critic = torch.optim.Adam(model.critic.parameters(), lr=settings.rate, fused=fused)
        self.rounds = 0
        self.average = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on later."""
        return {
            "model": self.model.state_dict(),
            "policy": self.policy.state_dict(),
            "critic": self.critic.state_dict(),
            "average": self.average,
            "rounds": self.rounds,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.model.load_state_dict(state["model"])
        self.policy.load_state_dict(state["policy"])
        self.critic.load_state_dict(state["critic"])
        self.average = state["average"]
        self.rounds = state["rounds"]

    def learn(self, experience: Experience, progress: float) -> dict[str, float]:
        """Learn from experience; `progress` goes from 0 to 1 over the whole training. Return what is worth knowing."""
        s = self.settings
        for optimizer in (self.policy, self.critic):
            for group in optimizer.param_groups:
                group["lr"] = s.rate + (s.last_rate - s.rate) * progress
        advantage, targets = returns(self.model, experience, s.trace)
        entropy = s.entropy + (s.last_entropy - s.entropy) * progress
        told = self._learn_policy(experience, advantage, entropy)
        told["critic"] = self._learn_critic(experience, targets)
        self._follow()
        return told

    def _learn_policy(self, experience: Experience, advantage: Tensor, weight: float) -> dict[str, float]:
        s = self.settings
        rows = experience.bytes["rows"][:-1].flatten(0, 1)
        mask = experience.bytes["mask"].flatten(0, 1)
        action, chance = experience.action.flatten(), experience.chance.flatten()
        gains = advantage.flatten()
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        entropies, moved = [], []
        for _ in range(s.epochs):
            for part in torch.randperm(len(rows), device=rows.device).split(s.minibatch):
                chances = torch.log_softmax(self.model.logits(rows[part], mask[part]), 1)
                change = chances.gather(1, action[part, None])[:, 0] - chance[part]
                ratio, gain = change.exp(), gains[part]
                surrogate = torch.min(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain).mean()
                entropy = -(chances.exp() * chances).sum(1).mean()
                self._step(self.policy, self.model.policy, -surrogate - weight * entropy)
                entropies.append(entropy.detach())
                moved.append((ratio.detach() - 1 - change.detach()).mean())
        return {"entropy": float(torch.stack(entropies).mean()), "kl": float(torch.stack(moved).mean())}

    def _learn_critic(self, experience: Experience, targets: Tensor) -> float:
        s = self.settings
        paused = experience.bytes["paused"].flatten().nonzero()[:, 0]
        rows = torch.cat(
            [experience.bytes["rows"][:-1].flatten(0, 1), experience.bytes["between"].flatten(0, 1)[paused]]
        )
        wanted = targets.flatten(0, 1)
        wanted = torch.cat([wanted, wanted[paused]])  # before chance acts the shares are those after the action
        losses = []
        for _ in range(s.epochs):
            for part in torch.randperm(len(rows), device=rows.device).split(s.minibatch):
                loss = nn.functional.cross_entropy(self.model.shares(rows[part]), wanted[part])
                self._step(self.critic, self.model.critic, loss)
                losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    def _step(self, optimizer: torch.optim.Optimizer, part: nn.Module, loss: Tensor) -> None:
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        nn.utils.clip_grad_norm_(part.parameters(), 0.5)
        optimizer.step()

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the averaged weights toward the present ones, at first quickly."""
        decay = min(self.settings.average, self.rounds / (self.rounds + 10))
        self.rounds += 1
        for name, tensor in self.model.state_dict().items():
            if tensor.is_floating_point():
                self.average[name].lerp_(tensor, 1 - decay)
