# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A named number, and how a benchmark is asked for some."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """
    How long to measure.

    Parameters
    ----------
    rounds : int
        Bursts of each competitor, taken in turn; the best one counts.
    burst : float
        Length of a burst [s].
    starts : int
        Processes started for each start-up time.
    compile_peers : bool
        Whether the peers' C++ loops may be compiled; without, their Python calls stand in.

    """

    rounds: int = 40
    burst: float = 0.002
    starts: int = 5
    compile_peers: bool = True


SMOKE = Settings(rounds=2, burst=0.0005, starts=1, compile_peers=False)


@dataclass(frozen=True)
class Figure:
    """
    One number of one benchmark.

    Parameters
    ----------
    name : str
        Dotted: benchmark, robot, quantity.
    value : float
    unit : str
        'us', 's', ... or 'x' for a ratio: how many times longer the peer takes.
    goal : float, optional
        A ratio is to reach it, everything else to stay below.
    note : str
        What a reader has to know: which build, which options.

    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ''

    @property
    def met(self) -> bool | None:
        """Tell whether the goal is met, if there is one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.unit == 'x' else self.value <= self.goal

    @property
    def verdict(self) -> str:
        """Return the goal and whether it is met, in words."""
        if self.goal is None:
            return ''
        relation = '>=' if self.unit == 'x' else '<='
        return f'goal {relation} {self.goal:g} {self.unit}, {"met" if self.met else "MISSED"}'

    def __str__(self) -> str:
        """Return the line that is printed."""
        line = f'{self.name:<48} {self.value:>10.4g} {self.unit:<4} {self.verdict}'
        return line.rstrip()
