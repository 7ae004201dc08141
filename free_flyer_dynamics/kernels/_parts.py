# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Compile what kernels call only as far as they need it.

Numba makes of every function a library of its own, with all that it calls inside: optimised, and
turned into machine code, once for itself and again in each caller. Only code (`_code.py`) has to
be; a part is typed, lowered and tidied up by itself, and what takes it in takes it from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from free_flyer_dynamics.kernels._lower import KernelLowering
from free_flyer_dynamics.kernels._names import name_for_all
from free_flyer_dynamics.kernels._quiet import CALLS_KNOWN, quiet_functions
from llvmlite.binding import ModuleRef
from llvmlite.ir import Module
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

# What is replaced below and in `_code.py` belongs to Numba's inside. Where it is gone, part and
# code are any function.
KNOWN = (
    CALLS_KNOWN
    and all(
        hasattr(JITCodeLibrary, name)
        for name in (
            '_finalize_dynamic_globals',
            '_finalize_final_module',
            '_get_compiled_object',
            '_get_module_for_linking',
            '_optimize_functions',
            '_set_compiled_object',
        )
    )
    and hasattr(Lower, '_find_singly_assigned_variable')
)
_OURS = {NativeLowering: KernelLowering} if KNOWN else {}
# Passes that find nothing to do in our kernels, which have no closures, no `with`, no arithmetic
# of whole arrays; and one that writes for a reader who never comes.
_IDLE = {
    'WithLifting',
    'InlineClosureLikes',
    'RewriteDynamicRaises',
    'MakeFunctionToJitFunction',
    'InlineInlinables',
    'FindLiterallyCalls',
    'LiteralUnroll',
    'LiteralPropagationSubPipelinePass',
    'InlineOverloads',
    'NopythonRewrites',
    'AnnotateTypes',
    'DumpParforDiagnostics',
}


class _NoCode:
    """Stands for a code generator where no code is generated."""

    @staticmethod
    def set_env(_name, _environment) -> None:
        """Do nothing: a part never runs by itself."""


class KernelLibrary(JITCodeLibrary):
    """A function's code, that knows what LLVM found out about the code it calls."""

    counts_from_zero = True  # its indices are never below
    quiet: frozenset[str] = frozenset()  # names of its functions that cannot fail

    def add_ir_module(self, ir_module: Module) -> None:
        """Add what was written, and with it what is known of functions it declares."""
        self.quiet = self.quiet | quiet_functions(ir_module)
        for library in self._linking_libraries:
            for name, (of_all, of_arguments) in getattr(library, 'known', {}).items():
                function = ir_module.globals.get(name)
                if function is not None:
                    set.update(function.attributes, of_all)
                    for argument, its in zip(function.args, of_arguments, strict=True):
                        set.update(argument.attributes, its)
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: ModuleRef) -> None:
        """Leave it to `optimize`, which does as much."""
        ll_module.data_layout = self._codegen._data_layout

    def optimize(self, **how) -> None:
        """Optimise what was written, once: Numba does it three times, to count references less."""
        passes = self._codegen._module_pass_manager(**how)
        if isinstance(passes, tuple):
            passes, builder = passes
            passes.run(self._final_module, builder)
        else:  # of an older Numba
            passes.run(self._final_module)


class PartLibrary(KernelLibrary):
    """A function's code, for others to link in."""

    codegen = _NoCode()
    is_part = True  # and called as parts are

    def finalize(self) -> None:
        """Tidy up what was written; it is optimised where it is taken in."""
        self.optimize(opt=1)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name) -> int:
        """Return no address."""
        self._ensure_finalized()
        return 0


def taken_in(libraries: Iterable[JITCodeLibrary]) -> list[JITCodeLibrary]:
    """Return all that goes into who calls these: each once, and after all that call it."""
    seen = set()

    def called_first(libraries) -> Iterator[JITCodeLibrary]:
        for library in libraries:
            if library not in seen:
                seen.add(library)
                if isinstance(library, PartLibrary):
                    yield from called_first(library._linking_libraries)
                yield library

    return [*called_first(libraries)][::-1]


class PartCompiler(CompilerBase):
    """Numba's own pipeline, into a library without machine code."""

    library: type[JITCodeLibrary] = PartLibrary

    def define_pipelines(self):
        """Return the passes."""
        state = self.state
        if KNOWN:
            name_for_all(state.func_id)
            variant = state.flags.get_mangle_string(), state.args
            name = f'{state.func_id.unique_name}{variant}'
            state.library = self.library(state.targetctx.codegen(), name)
        whole = DefaultPassBuilder.define_nopython_pipeline(state)
        passes = PassManager('part')
        for each, told in whole.passes:
            if each.__name__ not in _IDLE:
                passes.add_pass(_OURS.get(each, each), told)
        passes.finalize()
        return [passes]
