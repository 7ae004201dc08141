# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Build ROS 2 interface packages into the environment with the real rosidl generators."""

from __future__ import annotations

import os
from pathlib import Path
import re
import shutil
import subprocess

from tools.environment import Environment
from tools.machine import SetupError

# The wheels' exported CMake files name folders of the machine that built them.
NUMPY_INCLUDE = re.compile(
    r'/opt/python/cp\d+-cp\d+t?/lib/python3\.\d+t?/site-packages/numpy/(?:_core|core)/include'
)
PYTHON_INCLUDE = re.compile(r'/opt/python/cp\d+-cp\d+t?/include/python3\.\d+t?')


def patch_cmake(share: Path, python_include: str, numpy_include: str) -> int:
    """
    Put this machine's include folders into the CMake files under share.

    Return how many files changed: none, when it has been done before.
    """
    changed = 0
    for path in share.rglob('*.cmake'):
        before = path.read_text()
        after = NUMPY_INCLUDE.sub(lambda _: numpy_include, before)
        after = PYTHON_INCLUDE.sub(lambda _: python_include, after)
        if after != before:
            path.write_text(after)
            changed += 1
    return changed


def build(environment: Environment, package: Path, headers: Path, log: Path) -> None:
    """Configure, build and install one interface package."""
    folder = environment.venv / 'build' / package.name
    shutil.rmtree(folder, ignore_errors=True)
    site_packages = environment.site_packages.relative_to(environment.venv)
    variables = environment.variables(dict(os.environ))
    # Unpacked headers include others by their path from the folder above.
    variables['CPATH'] = f'{headers.parent}:{variables.get("CPATH", "")}'.rstrip(':')
    configure = [
        'cmake',
        *('-G', 'Ninja', '-S', str(package), '-B', str(folder)),
        '-DCMAKE_BUILD_TYPE=Release',
        '-DBUILD_TESTING=OFF',
        f'-DCMAKE_INSTALL_PREFIX={environment.venv}',
        f'-DPYTHON_INSTALL_DIR={site_packages}',
        f'-DPython3_EXECUTABLE={environment.python}',
        f'-DPython3_INCLUDE_DIR={headers}',
    ]
    for command in (configure, ['cmake', '--build', str(folder), '--target', 'install']):
        with log.open('ab') as out:
            done = subprocess.run(
                command, env=variables, stdout=out, stderr=subprocess.STDOUT, check=False
            )
        if done.returncode:
            raise SetupError(f'building {package.name} failed; its output is in {log.name}')
