# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Draw the plots of the examples for the documentation: make figures."""

from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / 'docs' / 'figures'
NAMES = ('batch', 'tumble', 'lock_in_flight', 'close_a_loop', 'anchor_and_rebase', 'reactionless')
ASKED = ('capture', 'demo')  # by what a command line would say


def main() -> None:
    """Draw them all."""
    for name in NAMES:
        import_module(f'examples.{name}').main(FOLDER / f'{name}.png')
    for name in ASKED:
        import_module(f'examples.{name}').main(['--out', str(FOLDER / f'{name}.png')])


if __name__ == '__main__':
    main()
