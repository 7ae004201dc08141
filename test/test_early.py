# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What is a program of ours, and who only uses the library."""

import signal
import subprocess
import sys

from free_flyer_dynamics.early import is_ours
import pytest

PYTHON = '/usr/bin/python3'


@pytest.mark.parametrize(
    'words',
    [
        ['/opt/workspace/lib/free_flyer_dynamics/free_flyer_simulator', '--ros-args'],
        ['-m', 'free_flyer_dynamics.ros.controller_node'],
        ['-X', 'importtime', '-m', 'free_flyer_dynamics.ros.viewer_node'],
        ['/home/me/venv/bin/free-flyer', 'check', 'robot.urdf'],
        ['-m', 'free_flyer_dynamics', 'run', 'capture'],
    ],
)
def test_a_program_is_known_by_its_command_line(words):
    """As a program, as a module, behind options of Python's."""
    assert is_ours([PYTHON, *words])


@pytest.mark.parametrize(
    'words',
    [
        [],
        ['-m', 'free_flyer_dynamics_of_mine'],
        ['-c', 'import free_flyer_dynamics'],
        ['-m', 'pytest'],
        ['simulate.py', 'free_flyer'],
    ],
)
def test_others_are_none(words):
    """Programs of users' own."""
    assert not is_ours([PYTHON, *words])


def test_who_imports_the_library_keeps_his_keyboard():
    """Ctrl-C is an exception there, as ever."""
    code = (
        'import signal, free_flyer_dynamics\n'
        'assert signal.getsignal(signal.SIGINT) is signal.default_int_handler'
    )
    subprocess.run([sys.executable, '-c', code], check=True)
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_DFL


def test_the_command_line_ends_without_a_word_while_it_loads_and_with_one_later():
    """At any moment: by the signal itself, or by the code 130."""
    code = (
        'import os, signal, sys\n'
        "sys.orig_argv = ['python', 'free-flyer']\n"
        'import free_flyer_dynamics.early\n'
        "if 'later' in sys.argv:\n"
        '    from free_flyer_dynamics.cli import main\n'
        '    main.check.command = lambda asked: os.kill(os.getpid(), signal.SIGINT)\n'
        "    sys.argv[1:] = ['check', 'thesis_target']\n"
        '    main.run_and_exit()\n'
        'os.kill(os.getpid(), signal.SIGINT)'
    )
    for given, ended, said in ((), -signal.SIGINT, ''), (('later',), 130, 'interrupted'):
        done = subprocess.run([sys.executable, '-c', code, *given], capture_output=True, text=True)
        assert done.returncode == ended, done.stderr
        assert said in done.stderr
        assert 'Traceback' not in done.stderr
