# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the machine must have: compilers, headers and pip, or one line on what to install."""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from tools import debian

NETWORK_SIGNS = (
    'NewConnectionError',
    'ConnectTimeoutError',
    'Failed to establish a new connection',
    'Temporary failure in name resolution',
    'Name or service not known',
    'ProxyError',
    'ReadTimeoutError',
    'Max retries exceeded',
    'Connection refused',
    'Network is unreachable',
)


class SetupError(Exception):
    """What is missing on this machine and how to get it, in one line."""


def check_compilers(outer: Mapping[str, str]) -> None:
    """Compile and link a line of C and of C++; say which of the two cannot be."""
    for language, variable, command, suffix, line in (
        ('C', 'CC', 'gcc', '.c', '#include <stdio.h>\nint main(void) { return 0; }\n'),
        ('C++', 'CXX', 'g++', '.cpp', '#include <string>\nint main() { return 0; }\n'),
    ):
        compiler = outer.get(variable) or command
        if not _compiles(compiler, suffix, line, outer):
            raise SetupError(
                f'no {language} compiler: {compiler} cannot build a program; install it '
                '(Debian, Ubuntu: apt install gcc g++ libc6-dev) and run this again'
            )


def find_headers(venv: Path) -> Path:
    """
    Return the folder with Python.h for this interpreter.

    Debian and Ubuntu keep it in a package of its own. Where that is not installed, it is unpacked
    into the environment, which needs no rights.
    """
    folder = Path(sysconfig.get_paths()['include'])
    if (folder / 'Python.h').is_file():
        return folder
    unpacked = venv / 'debian' / folder.relative_to('/')
    version = f'{sys.version_info.major}.{sys.version_info.minor}'
    if not (unpacked / 'Python.h').is_file():
        debian.unpack([f'libpython{version}-dev'], venv / 'debian')
    if not (unpacked / 'Python.h').is_file():
        raise SetupError(
            f'no Python headers: Python.h of Python {version} is missing; install it '
            f'(Debian, Ubuntu: apt install python{version}-dev) and run this again'
        )
    return unpacked


def make_venv(venv: Path, system_site_packages: bool) -> None:
    """Make an empty virtual environment with pip in it."""
    if venv.exists():
        shutil.rmtree(venv)
    options = ['--system-site-packages'] if system_site_packages else []
    made = _quietly([sys.executable, '-m', 'venv', *options, str(venv)])
    if made.returncode == 0 and _has_pip(venv):
        return
    # Debian and Ubuntu keep pip for new environments in a package of its own, too.
    shutil.rmtree(venv, ignore_errors=True)
    made = _quietly([sys.executable, '-m', 'venv', '--without-pip', *options, str(venv)])
    if made.returncode == 0:
        debian.unpack(['python3-pip-whl'], venv / 'debian')
        for wheel in (venv / 'debian').glob('usr/share/python-wheels/pip-*.whl'):
            pip = [str(venv / 'bin' / 'python'), f'{wheel}/pip']
            if _quietly([*pip, 'install', '--no-index', str(wheel)]).returncode == 0:
                return
    shutil.rmtree(venv, ignore_errors=True)
    version = f'{sys.version_info.major}.{sys.version_info.minor}'
    raise SetupError(
        f'no venv and pip for Python {version}; install them '
        f'(Debian, Ubuntu: apt install python{version}-venv) and run this again'
    )


def explain_pip(log: str) -> str:
    """Return one line that says why pip failed."""
    if any(sign in log for sign in NETWORK_SIGNS):
        return 'no network: the package index cannot be reached; connect and run this again'
    errors = [line for line in log.splitlines() if line.startswith('ERROR:')]
    return f'pip failed: {errors[-1].removeprefix("ERROR:").strip()}' if errors else 'pip failed'


def _compiles(compiler: str, suffix: str, line: str, outer: Mapping[str, str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f'probe{suffix}'
        source.write_text(line)
        command = [*compiler.split(), str(source), '-o', str(source.with_suffix(''))]
        try:
            built = subprocess.run(command, env=dict(outer), capture_output=True, check=False)
        except OSError:
            return False
    return built.returncode == 0


def _has_pip(venv: Path) -> bool:
    return _quietly([str(venv / 'bin' / 'python'), '-m', 'pip', '--version']).returncode == 0


def _quietly(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    # A start hook of a sourced or activated environment must not reach into the new one.
    outer = {name: value for name, value in os.environ.items() if name != 'PYTHONHOME'}
    return subprocess.run(command, env=outer, capture_output=True, check=False)
