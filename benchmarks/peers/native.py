# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""C++ compiled at run time, as fast as the compiler at hand makes it."""

from __future__ import annotations

from collections.abc import Sequence
import ctypes
import hashlib
import os
from pathlib import Path
import shutil
import subprocess
import sys

FLAGS = ('-std=c++17', '-O3', '-march=native', '-DNDEBUG', '-fPIC', '-shared', '-w')
BUILT = Path(__file__).parent / '__pycache__'


def compiler() -> str | None:
    """Return the C++ compiler: $CXX, else clang++, which does better here than g++, else g++."""
    for name in filter(None, (os.environ.get('CXX'), 'clang++', 'g++', 'c++')):
        found = shutil.which(name)
        if found:
            return found
    return None


def compiler_version() -> str:
    """Return what the compiler calls itself, or say there is none."""
    found = compiler()
    if found is None:
        return 'none'
    said = subprocess.run([found, '--version'], capture_output=True, text=True, check=False)
    return said.stdout.splitlines()[0] if said.stdout else Path(found).name


def load(source: Path, definitions: Sequence[str], includes: Sequence[Path]) -> ctypes.CDLL:
    """
    Return the library compiled from a source, made now if it was not made before.

    Raises OSError with a sentence when it cannot be.
    """
    found = compiler()
    if found is None:
        raise OSError('there is no C++ compiler')
    command = [found, *FLAGS, '-fvisibility=hidden']
    command += [f'-D{name}' for name in definitions] + [f'-I{folder}' for folder in includes]
    key = hashlib.sha256(repr((command, compiler_version())).encode() + source.read_bytes())
    library = BUILT / f'{source.stem}-{key.hexdigest()[:16]}.so'
    if not library.exists():
        print(f'compiling {source.name}, about a minute, once', file=sys.stderr)
        BUILT.mkdir(exist_ok=True)
        partial = library.with_suffix(f'.{os.getpid()}')
        command += [str(source), '-o', str(partial)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if 'error' in line]
            reason = errors[0].rpartition('error')[2].lstrip(': ') if errors else 'no reason given'
            raise OSError(f'{source.name} does not compile: {reason}')
        partial.replace(library)
    return ctypes.CDLL(str(library))
