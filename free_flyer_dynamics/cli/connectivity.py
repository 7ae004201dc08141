# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""free-flyer connectivity: the paper's table of a robot, or of a scenario at each change."""

from __future__ import annotations

import argparse
from pathlib import Path

from free_flyer_dynamics.cli import scenario
from free_flyer_dynamics.cli.flight import Flight
from free_flyer_dynamics.errors import CommandError
from free_flyer_dynamics.simulator import Simulator
from free_flyer_dynamics.urdf import load_known
from free_flyer_dynamics.urdf_source import named

HELP = """Print the connectivity table: each link's parent, locked joints, closed loops.
examples:
  free-flyer connectivity thesis_seven_joint
  free-flyer connectivity thesis_seven_joint --lock J2 J3 --rebase link4
  free-flyer connectivity capture             a scenario: a table after each of its changes

Links count from 1, the base is 0. connect is the number of locked joints in the rigid body a link
is part of; cflag the link it closes a loop with, -1 for none.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument('source', help='a robot as for check, or a scenario as for run')
    parser.add_argument('--lock', nargs='+', metavar='JOINT', default=[], help='lock these first')
    parser.add_argument('--anchor', metavar='LINK', help='hold this link in inertial space')
    parser.add_argument('--rebase', metavar='LINK', help='make this body the base')


def command(asked: argparse.Namespace) -> int:
    """Print the table, or the tables."""
    is_file = Path(asked.source).suffix in ('.yaml', '.yml')
    if is_file or asked.source in scenario.shipped():
        if asked.lock or asked.anchor or asked.rebase:
            raise CommandError(
                f"The scenario '{asked.source}' has changes of its own; --lock, --anchor and "
                '--rebase are for a robot.'
            )
        return _of_scenario(asked.source)
    sim = Simulator()
    sim.add(load_known(named(asked.source)))  # `check` warns
    changes = [('lock', *asked.lock)] if asked.lock else []
    changes += [('anchor', asked.anchor)] if asked.anchor else []
    changes += [('rebase', asked.rebase)] if asked.rebase else []
    if changes:
        sim.change(changes)
    print(sim.connectivity())
    return 0


def _of_scenario(source: str) -> int:
    flight = Flight(scenario.read(source))
    tables = []
    for record in flight.fly():
        if record.connectivity is not None:
            tables.append(f't = {record.time:g} s\n{record.connectivity}')
    print('\n\n'.join(tables))
    return 0
