# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
Compile what kernels call only as far as they need it.

Numba makes of every function a library of its own, with all that it calls inside: optimised, and
turned into machine code, once for itself and again in each caller. Only what Python calls has to
be; a part is typed, lowered and optimised by itself, and its callers take it from there. A cold
start takes half as long.
"""

from __future__ import annotations

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager

# What is replaced below belongs to Numba's inside. Where it is gone, a part is any function.
_KNOWN = all(
    hasattr(JITCodeLibrary, name)
    for name in ('_optimize_final_module', '_finalize_final_module', '_finalize_dynamic_globals')
)
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


class PartLibrary(JITCodeLibrary):
    """A function's code, for others to link in."""

    codegen = _NoCode()

    def finalize(self) -> None:
        """Optimise by itself what was written; what it calls is linked in as it is."""
        super()._optimize_final_module()
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Leave the whole to the kernels that link this in."""

    def _finalize_final_module(self) -> None:
        """Be ready to be linked, not to be run."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name) -> int:
        """Return no address."""
        self._ensure_finalized()
        return 0


class PartCompiler(CompilerBase):
    """Numba's own pipeline, into a library without machine code."""

    def define_pipelines(self):
        """Return the passes."""
        state = self.state
        if _KNOWN:
            name = state.func_id.func_qualname
            state.library = PartLibrary(state.targetctx.codegen(), name)
        whole = DefaultPassBuilder.define_nopython_pipeline(state)
        passes = PassManager('part')
        for each, told in whole.passes:
            if each.__name__ not in _IDLE:
                passes.add_pass(each, told)
        passes.finalize()
        return [passes]
