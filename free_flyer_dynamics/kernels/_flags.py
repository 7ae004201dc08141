# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Numba's flags compared at once, while kernels are compiled.

For each call it types, Numba compares the compiler's flags, and asks some twenty properties one
after the other for that: a twelfth of what a cold start takes. The answer is the same here.
"""

from __future__ import annotations

from functools import cache

from free_flyer_dynamics.kernels._replaced import Replaced

try:
    from numba.core.targetconfig import TargetConfig
except ImportError:  # Numba is built otherwise
    TargetConfig = None


def is_known(kind: type | None) -> bool:
    """Tell whether flags are kept as we know it."""
    return all(hasattr(kind, name) for name in ('values', '_values', 'options'))


_KNOWN = is_known(TargetConfig)


@cache
def _defaults(kind: type) -> dict:
    return {name: option.default for name, option in kind.options.items()}


def _values(flags) -> dict:
    """Return all flags, set or not."""
    return {**_defaults(type(flags)), **flags._values}


_QUICK = Replaced(*[(TargetConfig, 'values', _values)] if _KNOWN else [])


def quick_flags() -> Replaced:
    """Compare flags at once meanwhile."""
    return _QUICK
