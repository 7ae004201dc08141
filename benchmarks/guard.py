# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Speed is not lost unseen: ratios are held against those recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import json
from pathlib import Path

from benchmarks.figures import Figure

KEPT = 0.8  # of a recorded ratio: what is below has become slower, not unlucky
LOST = 3  # exit code
# Ratios mean the same only where these are the same.
COMPARABLE = ('vectors', 'compiler')


def lost_ratios(figures: Iterable[Figure], recorded: Mapping[str, float]) -> list[str]:
    """Return a sentence for each ratio that has fallen below what is kept."""
    return [
        f'{figure.name} is {figure.value:.3g} x, {figure.value / recorded[figure.name]:.0%} of '
        f'the {recorded[figure.name]:.3g} x recorded'
        for figure in figures
        if figure.unit == 'x'
        and figure.name in recorded
        and figure.value < KEPT * recorded[figure.name]
    ]


def recorded_ratios(folder: Path, machine: Mapping[str, str]) -> dict[str, float]:
    """Return the ratios recorded in a folder, none if they are of another kind of machine."""
    try:
        document = json.loads((folder / 'results.json').read_text())
    except FileNotFoundError:
        return {}
    there = document['machine']
    if any(there.get(key) != machine.get(key) for key in COMPARABLE):
        return {}
    return {
        figure['name']: figure['value'] for figure in document['figures'] if figure['unit'] == 'x'
    }
