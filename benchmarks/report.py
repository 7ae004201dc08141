# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Figures written down: JSON for programs, Markdown for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
import json
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.models import DESCRIPTIONS

RESULTS = Path(__file__).parent / 'results'
INTRODUCTION = (
    'Made by `make bench`: the best of bursts taken in turn, double precision, one thread. A '
    'ratio says how many\ntimes longer the peer takes. Agreement is the largest relative '
    'difference from ours, of accelerations and of a step.'
)
# A benchmark's heading and its figures.
Section = tuple[str, Sequence[Figure]]


def write(folder: Path, machine: Mapping[str, str], sections: Sequence[Section]) -> None:
    """Write results.json and results.md."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = [asdict(figure) for _, rows in sections for figure in rows]
    document = {'machine': dict(machine), 'figures': figures}
    (folder / 'results.json').write_text(json.dumps(document, indent=1) + '\n')
    (folder / 'results.md').write_text(markdown(machine, sections))


def markdown(machine: Mapping[str, str], sections: Sequence[Section]) -> str:
    """Return the page."""
    lines = ['# What it costs', '', INTRODUCTION, '', '| machine | |', '|---|---|']
    lines += [f'| {key} | {value} |' for key, value in machine.items()]
    lines += ['', '| robot | |', '|---|---|']
    lines += [f'| {name} | {what} |' for name, what in DESCRIPTIONS.items()]
    for heading, figures in sections:
        lines += ['', f'## {heading.rstrip(".")}', '']
        lines += _comparison(figures) if _is_comparison(figures) else _listing(figures)
    return '\n'.join([*lines, ''])


def _is_comparison(figures: Sequence[Figure]) -> bool:
    return any(figure.unit == 'x' for figure in figures)


def _listing(figures: Sequence[Figure]) -> list[str]:
    lines = ['| | | | |', '|---|---:|---|---|']
    for figure in figures:
        cells = (
            _words(figure.name.partition('.')[2]),
            _value(figure),
            figure.verdict,
            figure.note,
        )
        lines.append(f'| {" | ".join(cells)} |')
    return lines


def _comparison(figures: Sequence[Figure]) -> list[str]:
    """Return one row for each quantity and robot, one column for each competitor."""
    rows: dict[str, dict[str, Figure]] = {}
    for figure in figures:
        row, _, column = figure.name.rpartition('.')
        rows.setdefault(row, {})[column] = figure
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    columns.sort(key=lambda name: (name.startswith('over_'), name != 'ours'))
    quantities = list(dict.fromkeys(name.partition('.')[0] for name in rows))
    ordered = sorted(rows, key=lambda name: quantities.index(name.partition('.')[0]))
    lines = [f'| | {" | ".join(map(_words, columns))} | |']
    lines.append(f'|---|{"---:|" * len(columns)}---|')
    for name in ordered:
        row = rows[name]
        cells = [_value(row[column]) if column in row else '' for column in columns]
        verdicts = ', '.join(filter(None, (figure.verdict for figure in row.values())))
        lines.append(f'| {_words(name)} | {" | ".join(cells)} | {verdicts} |')
    notes = {
        figure.name.rpartition('.')[2]: figure.note for figure in figures if figure.unit == 'us'
    }
    return [*lines, '', *(f'- {name}: {note}' for name, note in notes.items() if note)]


def _words(name: str) -> str:
    return name.replace('_', ' ').replace('.', ', ')


def _value(figure: Figure) -> str:
    return f'{figure.value:.3g} {figure.unit}'.rstrip()
