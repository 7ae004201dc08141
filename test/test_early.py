# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Who is a node of ours, and who only uses the library."""

import signal
import subprocess
import sys

from free_flyer_dynamics.early import is_node
import pytest

PYTHON = '/usr/bin/python3'


@pytest.mark.parametrize(
    'words',
    [
        ['/opt/workspace/lib/free_flyer_dynamics/free_flyer_simulator', '--ros-args'],
        ['-m', 'free_flyer_dynamics.ros.controller_node'],
        ['-X', 'importtime', '-m', 'free_flyer_dynamics.ros.viewer_node'],
    ],
)
def test_a_node_is_known_by_its_command_line(words):
    """As a program, as a module, behind options of Python's."""
    assert is_node([PYTHON, *words])


@pytest.mark.parametrize(
    'words',
    [[], ['-c', 'import free_flyer_dynamics'], ['-m', 'pytest'], ['simulate.py', 'free_flyer']],
)
def test_others_are_none(words):
    """Programs of users' own."""
    assert not is_node([PYTHON, *words])


def test_who_imports_the_library_keeps_his_keyboard():
    """Ctrl-C is an exception there, as ever."""
    code = (
        'import signal, free_flyer_dynamics\n'
        'assert signal.getsignal(signal.SIGINT) is signal.default_int_handler'
    )
    subprocess.run([sys.executable, '-c', code], check=True)
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_DFL
