# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What the figures were measured on, without saying where."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
import os
from pathlib import Path
import platform

from benchmarks.peers.native import compiler_version
from free_flyer_dynamics.kernels import lanes

PACKAGES = ('numpy', 'numba', 'llvmlite', 'scipy', 'pin', 'mujoco')


def describe() -> dict[str, str]:
    """Return the processor, the system and the versions of all that matters."""
    return {
        'processor': processor(),
        'cores': str(os.cpu_count()),
        'vectors': vectors(),
        'engine': lanes.WHY,
        'system': f'{platform.system()} {platform.machine()}',
        'python': platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
        'compiler': compiler_version(),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return 'not installed'


def _cpuinfo(key: str) -> str:
    try:
        lines = Path('/proc/cpuinfo').read_text().splitlines()
    except OSError:
        return ''
    return next((line.partition(':')[2].strip() for line in lines if line.startswith(key)), '')


def processor() -> str:
    """Return the name of the processor, with family and model where a name says little."""
    name = _cpuinfo('model name') or platform.processor() or 'unknown'
    family, model = _cpuinfo('cpu family'), _cpuinfo('model\t')
    return f'{name} (family {family}, model {model})' if family else name


def vectors() -> str:
    """Return the widest vector instructions of the processor."""
    flags = _cpuinfo('flags').split()
    for flag, name in (('avx512f', 'AVX-512'), ('avx2', 'AVX2'), ('sse2', 'SSE2')):
        if flag in flags:
            return name
    return 'unknown'
