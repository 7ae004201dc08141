# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A quicker way to call a kernel whose arguments are always of the same types."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numba import typeof


class Direct:
    """
    A kernel called without being asked each time what it is called with.

    Numba looks at every array of every tuple to find the variant that is meant, which is most of
    what a short call costs. Here it is that the first call's. Whoever calls vouches for the types.
    """

    __slots__ = '_kernel', '_run', 'address'

    def __init__(self, kernel: Callable) -> None:
        self._kernel: Any = kernel
        self._run: Callable | None = None
        self.address = 0  # where an open kernel's machine code begins, for other kernels to call

    @property
    def name(self) -> str:
        """Return the kernel's name."""
        return self._kernel.__name__

    @property
    def is_open(self) -> bool:
        """Tell whether the kernel has been called, and is known."""
        return self._run is not None

    def bound(self, *arguments) -> Callable:
        """Return a call with the first arguments given; of an open kernel, nothing between."""
        return partial(self._run or self, *arguments)

    def compile_for(self, *arguments) -> None:
        """Compile the kernel for arguments of these types, and keep it; call nothing."""
        self._kernel.compile(tuple(map(typeof, arguments)))

    def __call__(self, *arguments):
        """Call the kernel; the first call compiles it, or loads it."""
        if self._run is None:
            result = self._kernel(*arguments)
            self._open(arguments)
            return result
        return self._run(*arguments)

    def _open(self, arguments: tuple) -> None:
        """Keep the variant that has been called."""
        variants = getattr(self._kernel, 'overloads', {})
        variant = variants.get(tuple(map(typeof, arguments)))
        if variant is None:
            self._run = self._kernel
            return
        self._run = variant.entry_point
        self.address = variant.library.get_pointer_to_function(variant.fndesc.llvm_func_name)
