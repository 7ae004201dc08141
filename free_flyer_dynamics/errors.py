# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The errors a user meets: what was given, what would have worked and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
import difflib

_MOST_NAMES = 40


class FreeFlyerError(Exception):
    """Base of every error this package raises on purpose."""


class ModelError(FreeFlyerError):
    """The robot description cannot be used as it is."""


class TopologyError(FreeFlyerError):
    """The structure change cannot be done; nothing was changed."""


class CommandError(FreeFlyerError):
    """The command is refused; nothing was changed."""


class StateError(FreeFlyerError):
    """The state, snapshot or initial condition cannot be used."""


def unknown_name(what: str, given: str, known: Iterable[str]) -> str:
    """Return the sentence for a name nobody bears, with the nearest known ones."""
    names = sorted(known)
    near = difflib.get_close_matches(str(given), names, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ''
    listed = ', '.join(name or "''" for name in names[:_MOST_NAMES]) or 'none'
    more = f' and {len(names) - _MOST_NAMES} more' if len(names) > _MOST_NAMES else ''
    return f"No {what} is named '{given}'.{hint} Known: {listed}{more}."
