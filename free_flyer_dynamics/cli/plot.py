# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""free-flyer plot: draw a recording."""

from __future__ import annotations

import argparse
from pathlib import Path

from free_flyer_dynamics.cli import arrays, bag_read, plots, table
from free_flyer_dynamics.cli.recording import Recording
from free_flyer_dynamics.errors import CommandError

_BAGS = ('.mcap', '.db3')

HELP = """Draw a recording: attitude, momentum by robot, energy, joints, structure changes.
examples:
  free-flyer plot flight.npz                  leaves flight.png; a .csv likewise
  free-flyer plot flight.mcap --out a.svg     what `free-flyer run --out flight.mcap` wrote
  free-flyer plot rosbag2_2026_01_01/         what `ros2 bag record --all` wrote of the node
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument('recording', type=Path, help='.npz, .csv, .mcap, or folder of rosbag2')
    parser.add_argument('--out', type=Path, help='.png, .svg or .pdf (RECORDING.png)')


def command(asked: argparse.Namespace) -> int:
    """Draw."""
    out = asked.out or asked.recording.with_suffix('.png')
    plots.draw(load(asked.recording), asked.recording.stem, out)
    print(f'plot: {out}')
    return 0


def load(path: Path) -> Recording:
    """Return a recording, whatever the kind of its file."""
    if not path.exists():
        raise CommandError(f"Cannot read '{path}': No such file or directory.")
    if path.suffix == '.npz':
        return arrays.load_npz(path)
    if path.suffix == '.csv':
        return table.load_csv(path)
    if path.suffix not in _BAGS and not path.is_dir():
        raise CommandError(
            f"Cannot draw '{path}': expected a recording: .npz, .csv, .mcap, .db3, or a folder of "
            'rosbag2.'
        )
    return bag_read.recording(bag_read.read(path))
