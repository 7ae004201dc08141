# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Run a command in our own environment, after making that environment where it is missing or old.

Usage: python3 -m tools.run COMMAND [ARGUMENT ...]

ROS=jazzy (the default) or ROS=kilted chooses the wheels; a sourced ROS 2 is used instead.
"""

import os
import sys

OLDEST = (3, 10)
NEWEST = (3, 13)


def main():
    """Prepare the environment, then become the command; a failure is one line."""
    found = sys.version_info[:2]
    if not OLDEST <= found <= NEWEST:
        print(
            'set-up: Python 3.10 to 3.13 is needed, and this is {}.{}; '
            'choose another one: make PYTHON=python3.11 ...'.format(*found),
            file=sys.stderr,
        )
        return 1
    # Only now: what follows is written for a Python that we support.
    from tools.machine import SetupError
    from tools.prepare import prepare

    try:
        environment = prepare(os.environ)
    except SetupError as error:
        print(f'set-up: {error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('set-up: interrupted; the next call goes on from here', file=sys.stderr)
        return 130
    command = sys.argv[1:]
    if not command:
        return 0
    variables = environment.variables(os.environ)
    sys.stdout.flush()
    try:
        os.execvpe(command[0], command, variables)
    except OSError as error:
        print(f'set-up: cannot run {command[0]}: {error.strerror}', file=sys.stderr)
        return 127


if __name__ == '__main__':
    sys.exit(main())
