# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Compile to machine code once what many call, and let it be called where it lies.

As object files do: a door, or a kernel that is `out_of_line`, is an object with the parts that it
takes in; other code it calls by name. What is kept of it has with it all the objects it needs, so
that it can be loaded by itself.
"""

from __future__ import annotations

import os
from typing import Any

from free_flyer_dynamics.kernels._parts import (
    KernelLibrary,
    KNOWN,
    PartCompiler,
    PartLibrary,
    taken_in,
)
from free_flyer_dynamics.kernels._sources import our_digest
from free_flyer_dynamics.kernels._turns import side_of, turn
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary

_loaded: set[str] = set()  # names of the objects that this process has


class CodeLibrary(KernelLibrary):
    """Machine code that calls other machine code."""

    def __init__(self, codegen: Any, name: str) -> None:
        """Begin an empty one."""
        super().__init__(codegen, name)
        self.enable_object_caching()
        self.object = b''
        self.is_last = True
        self.symbols: list[str] = []
        self.known: dict[str, tuple] = {}  # of functions
        self.needs: dict[str, bytes] = {}  # what is called by what comes later comes first

    def finalize(self) -> None:
        """Take in parts, and leave other code where it is."""
        for library in taken_in(self._linking_libraries):
            if isinstance(library, CodeLibrary):
                self.needs |= {**library.needs, library.name: library.object}
            else:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self.optimize()
        self._finalize_final_module()
        self.object = self._get_compiled_object()
        functions = [each for each in self._final_module.functions if not each.is_declaration]
        self.symbols = [each.name for each in functions]
        self.known = {each.name: known for each in functions if (known := _known(each))}
        _loaded.add(self.name)

    def get_pointer_to_function(self, name: str) -> int:
        """Return where a function lies; zero if it is not here."""
        self._ensure_finalized()
        if name not in self.symbols:
            return 0
        return self._codegen._engine.get_function_address(name)

    def serialize_using_object_code(self) -> tuple:
        """Return what is kept of it: no more than `load` wants."""
        self._ensure_finalized()
        return self.name, self.symbols, self.known, self.quiet, self.needs, self.object

    @classmethod
    def load(cls, codegen: Any, kept: tuple) -> CodeLibrary:
        """Load what was kept, and before it what it calls."""
        name, symbols, known, quiet, needs, code = kept
        others = [cls(codegen, needed) for needed in needs if needed not in _loaded]
        for other in others:
            other.is_last = False
            other._take(needs[other.name])
        library = cls(codegen, name)
        library.symbols, library.known, library.needs = symbols, known, needs
        library.quiet = quiet
        library._take(code)
        return library

    def _take(self, code: bytes) -> None:
        self.object = code
        _loaded.add(self.name)
        self._set_compiled_object(code)
        self._finalize_final_module()

    def _finalize_specific(self) -> None:
        """Load all at once that was put together: then it lies together, too."""
        if self.is_last:
            super()._finalize_specific()


def _known(function: Any) -> tuple[list[str], list[list[str]]] | None:
    """Return what LLVM found out about code and its arguments: what of memory it leaves alone."""
    of_all = [text for each in function.attributes if 'noinline' in (text := each.decode())]
    of_arguments = [[each.decode() for each in its.attributes] for its in function.arguments]
    return (of_all, of_arguments) if of_all else None


def links_parts(library: JITCodeLibrary) -> bool:
    """Tell of a library whether it knows what to do with parts and code."""
    return not KNOWN or isinstance(library, (PartLibrary, CodeLibrary))


class CodeCompiler(PartCompiler):
    """Numba's own pipeline, into a library that calls others."""

    library = CodeLibrary


class _Kept(CompileResultCacheImpl):
    """How machine code with all it needs is written down."""

    def rebuild(self, target_context, payload):
        """Return code that was kept."""
        codegen = target_context.codegen()
        codegen.unserialize_library = lambda kept: CodeLibrary.load(codegen, kept)
        try:
            return super().rebuild(target_context, payload)
        finally:
            del codegen.unserialize_library


class CodeCache(FunctionCache):
    """Keeps machine code: that of a door, or, beside it, of what kernels call."""

    _impl_class = _Kept

    def __init__(self, dispatcher: Any) -> None:
        """Keep it where Numba would."""
        super().__init__(dispatcher.py_func)
        self._side = side_of(dispatcher)

    def _index_key(self, sig, codegen):
        lanes = os.environ.get('FREE_FLYER_LANES', '')  # kernels of another width are others
        # Of our kernels there is something in others' too. What looks for ends is other code, too.
        ours = self._side, lanes, bool(config.BOUNDSCHECK), our_digest()
        return *super()._index_key(sig, codegen), *ours

    def save_overload(self, sig, data):
        """Keep it; several variants are listed in one file, which only one process may write."""
        with turn(self.cache_path, self._impl.filename_base):
            super().save_overload(sig, data)
