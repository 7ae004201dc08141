# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The command free-flyer: its subcommands, what --help teaches, and the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import logging
import signal
import sys
import warnings

from free_flyer_dynamics import __version__
from free_flyer_dynamics.cli import check, connectivity, plot, replay, run
from free_flyer_dynamics.errors import FreeFlyerError

COMMANDS = (check, run, plot, connectivity, replay)
FAILED, NOT_UNDERSTOOD, INTERRUPTED = 1, 2, 130
_ABOUT = 'Simulate free-floating robots whose structure changes in flight.'
_FIRST_STEPS = """\
first steps:
  free-flyer check thesis_seven_joint         what a robot is made of, and whether it makes sense
  free-flyer run capture --plot               fly a scenario that ships with us, and draw it
  free-flyer run capture --out capture.mcap   keep it as a bag that `ros2 bag` plays
  free-flyer replay capture.mcap              feed its commands back, and compare

`free-flyer COMMAND --help` tells more. A MODEL is a path, a package:// address, or the name of a
robot that ships with this package. The exit code is 0 on success, 1 on failure, and 2 for a wrong
command line.
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog='free-flyer',
        description=_ABOUT,
        epilog=_FIRST_STEPS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    top.set_defaults(command=None)
    commands = top.add_subparsers(metavar='COMMAND')
    for module in COMMANDS:
        name = module.__name__.rpartition('.')[2]
        about, _, epilog = (module.HELP).partition('\n')
        command = commands.add_parser(
            name,
            help=about,
            description=about,
            epilog=epilog.strip('\n'),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
        command.set_defaults(command=module.command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; an error is one sentence, and the code 1."""
    everything = parser()
    asked = everything.parse_args(arguments)
    if asked.command is None:
        everything.print_help(sys.stderr)
        return NOT_UNDERSTOOD
    logging.basicConfig(format='%(message)s', level=logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _one_line
            return asked.command(asked) or 0
    except FreeFlyerError as error:
        print(f'free-flyer: {error}', file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print('free-flyer: interrupted', file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # what reads us has seen enough
        sys.stderr.close()
        return 0


def _one_line(message, category, filename, lineno, file=None, line=None) -> None:
    print(f'warning: {message}', file=sys.stderr)


def run_and_exit() -> None:
    """Be the program, which from now on hears Ctrl-C itself."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
