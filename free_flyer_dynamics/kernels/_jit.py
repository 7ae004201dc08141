# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The one decorator of every kernel: compile once, cache, keep NaN visible, let go of the GIL."""

from __future__ import annotations

from functools import cache
import os
from pathlib import Path

from free_flyer_dynamics.kernels._blas import answer_for_blas
from free_flyer_dynamics.kernels._by_address import hand_records_by_address
from free_flyer_dynamics.kernels._quiet import call_parts_as_parts
from free_flyer_dynamics.kernels._sources import digest_of
from free_flyer_dynamics.kernels._turns import one_by_one, quickly, side_of
from free_flyer_dynamics.kernels._unbox import take_records_at_once
from numba import config, njit, types
from numba.extending import intrinsic, register_jitable

# Array arguments and views inside a kernel would cost two atomic operations each without this;
# kernels allocate nothing, so nothing needs counting. Numba calls the option private.
_NO_COUNTING = {'_nrt': False}
_CACHE = os.environ.get('FREE_FLYER_CACHE', '1') != '0'
answer_for_blas()
call_parts_as_parts()
hand_records_by_address()
take_records_at_once()


def drop_stale_cache(folder: Path, *called: Path) -> bool:
    """
    Delete compiled kernels made from other sources, and tell whether any were there.

    Numba looks at a kernel's own file alone; an edited helper, there or in a folder whose kernels
    are called, would leave its callers stale.
    """
    digest = digest_of(folder, *called)
    cache = folder / '__pycache__'
    stamp = cache / 'kernels.sha256'
    try:
        if stamp.exists() and stamp.read_text() == digest:
            return False
        stale = [*cache.glob('*.nbi'), *cache.glob('*.nbc')]
        for file in stale:
            file.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp.write_text(digest)
    except OSError:  # a read-only installation: its sources do not change under us either
        return False
    return bool(stale)


def inlined(function):
    """Compile a part of a kernel that goes whole into every kernel that calls it."""
    return kernel(function, forceinline=True)


def brief(function):
    """
    Compile a kernel that is over before others could use the time: it keeps Python to itself.

    Giving the interpreter's lock away and taking it again is a part of what a short call costs,
    and a thread that takes it in between may keep it for milliseconds.
    """
    return kernel(function, lets_go=False)


def shared(function):
    """Let a function that cuts arrays be called by kernels, compiled, and by Python as it is."""
    return register_jitable(error_model='numpy', **_NO_COUNTING)(function)


def kernel(function, forceinline=False, lets_go=True):
    """
    Compile a function of arrays and numbers that allocates nothing and raises nothing.

    It returns numbers; to another kernel, also arrays that it was given or has `cut`.

    It has two sides: a door for Python, and a part that other kernels take in; or, if it is
    `out_of_line`, code that they call. Each is compiled when somebody first asks for it. Doors
    and code are kept in the cache.
    """
    options = {
        'nogil': lets_go,
        'error_model': 'numpy',
        'fastmath': {'contract'},
        'forceinline': forceinline,  # said even if not, else that of whoever calls it would hold
        **_NO_COUNTING,
    }
    try:
        door = njit(no_cfunc_wrapper=True, **options)(function)
    except KeyError:  # the private option is gone from this Numba
        _NO_COUNTING.clear()
        return kernel(function, forceinline, lets_go)
    if not config.DISABLE_JIT:
        whole = cache(lambda: njit(**options)(function))
        _hand_out(door, cache(lambda: _part(function, options)), whole)
        door.compile = one_by_one(door, cache(lambda: _keep(door)))
    return door


def _part(function, options):
    """Return what other kernels take in, or call: it has no door."""
    from free_flyer_dynamics.kernels._parts import PartCompiler  # Numba's inside, slow to load

    no_door = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
    if _is_code(function):
        code = njit(**no_door, **options)(function)
        code.compile = one_by_one(code, cache(lambda: _keep(code)))
        return code
    part = njit(pipeline_class=PartCompiler, **no_door, **options)(function)
    part.compile = quickly(part.compile)  # whoever asks for it first
    return part


def _is_code(function):
    """Tell whether a function is called where it lies."""
    return 'out_of_line' in function.__code__.co_names


def _keep(dispatcher):
    """Let what is compiled call other code where it lies, and keep it."""
    from free_flyer_dynamics.kernels._code import CodeCache, CodeCompiler, KNOWN
    from free_flyer_dynamics.kernels._names import call_to

    is_door = side_of(dispatcher) == 'door'
    if KNOWN:
        dispatcher._compiler.pipeline_class = CodeCompiler
        if is_door and _is_code(dispatcher.py_func):
            dispatcher._compiler.py_func = call_to(dispatcher)
    if not _CACHE:
        return
    try:
        if KNOWN:
            dispatcher._cache = CodeCache(dispatcher)
        elif is_door:  # else, one would be taken for the other
            dispatcher.enable_caching()
    except RuntimeError:  # nowhere to write: neither beside us nor in the user's cache folder
        return


def _hand_out(door, part, whole):
    """
    Let kernels that call this one take its part in, with 0 and with 4 as with any integer.

    Numba would compile it for each constant it is called with: twice as many as there need be.
    What is no kernel of ours takes in a whole one, compiled as Numba does.
    """
    door.get_call_template = lambda args, keywords: part().get_call_template(
        tuple(map(types.unliteral, args)), keywords
    )

    def get_overload(signature):
        from free_flyer_dynamics.kernels._code import links_parts

        if links_parts(door.targetctx.active_code_library):
            return part().get_overload(signature)
        whole().compile(signature)
        return whole().get_overload(signature)

    door.get_overload = get_overload
    door.part = part


if config.DISABLE_JIT:

    def out_of_line() -> None:
        """Do nothing: uncompiled code is always out of line."""

else:

    @intrinsic
    def out_of_line(_typing_context):
        """
        Keep the kernel that calls this out of its callers' code.

        Left alone, LLVM copies every kernel into every caller, level upon level, and a cold start
        takes minutes.
        """

        def generate(context, builder, _signature, _arguments):
            builder.function.attributes.add('noinline')
            # a register that is put aside lies in one cache line, not across two
            builder.function.attributes.alignstack = 64
            return context.get_dummy_value()

        return types.void(), generate


if _CACHE:
    drop_stale_cache(Path(__file__).parent)
