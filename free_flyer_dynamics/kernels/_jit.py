# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The one decorator of every kernel: compile once, cache, keep NaN visible, free the GIL."""

from __future__ import annotations

import hashlib
import logging
import os
from pathlib import Path

from numba import config, njit, types
from numba.core import event
from numba.extending import intrinsic, register_jitable

# What only kernels call needs no door for Python, which takes longer to compile than a short body.
_NO_DOOR = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
# Array arguments and views inside a kernel would cost two atomic operations each without this;
# kernels allocate nothing, so nothing needs counting. Numba calls the option private.
_NO_COUNTING = {'_nrt': False}
_CACHE = os.environ.get('FREE_FLYER_CACHE', '1') != '0'


def drop_stale_cache(folder: Path) -> bool:
    """
    Delete compiled kernels made from other sources, and tell whether any were there.

    Numba looks at a kernel's own file alone; an edited helper would leave its callers stale.
    """
    digest = hashlib.sha256()
    for source in sorted(folder.glob('*.py')):
        digest.update(source.read_bytes())
    cache = folder / '__pycache__'
    stamp = cache / 'kernels.sha256'
    try:
        if stamp.exists() and stamp.read_text() == digest.hexdigest():
            return False
        stale = [*cache.glob('*.nbi'), *cache.glob('*.nbc')]
        for file in stale:
            file.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp.write_text(digest.hexdigest())
    except OSError:  # a read-only installation: its sources do not change under us either
        return False
    return bool(stale)


class _TellOnce(event.Listener):
    """Says so when the first of our kernels has to be compiled: the caller waits."""

    def on_start(self, event_):
        """Tell, once, if the kernel is ours."""
        if event_.data['dispatcher'].py_func.__module__.startswith(__package__):
            event.unregister('numba:compile', self)
            logging.getLogger('free_flyer_dynamics').warning(
                'Compiling kernels: a minute or two, once. They are kept for the next start.'
            )

    def on_end(self, _event):
        """Say nothing more."""


def inlined(function):
    """Compile a part of a kernel that goes whole into every kernel that calls it."""
    return kernel(function, forceinline=True, **_NO_DOOR)


def part(function):
    """Compile a part of kernels that they share and only they call."""
    return kernel(function, **_NO_DOOR)


def shared(function):
    """Let a function that cuts arrays be called by kernels, compiled, and by Python as it is."""
    return register_jitable(error_model='numpy', **_NO_COUNTING)(function)


def kernel(function, **special):
    """Compile a function of arrays and numbers that allocates nothing and raises nothing."""
    options = {'nogil': True, 'error_model': 'numpy', 'fastmath': {'contract'}, **_NO_COUNTING}
    options['forceinline'] = False  # else that of whoever calls it would hold here too
    options |= _NO_DOOR if function.__name__.startswith('_') else {}
    options.update(special)
    try:
        return _for_all_numbers(njit(cache=_CACHE, **options)(function))
    except RuntimeError:  # nowhere to write: neither beside us nor in the user's cache folder
        return _for_all_numbers(njit(**options)(function))
    except KeyError:  # the private option is gone from this Numba
        _NO_COUNTING.clear()
        return kernel(function, **special)


def _for_all_numbers(dispatcher):
    """
    Let kernels call a kernel with 0 and with 4 as with any integer.

    Numba would compile it for each constant it is called with: twice as many as there need be.
    """
    if not config.DISABLE_JIT:
        resolve = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, keywords: resolve(
            tuple(map(types.unliteral, args)), keywords
        )
    return dispatcher


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
            return context.get_dummy_value()

        return types.void(), generate


if _CACHE:
    drop_stale_cache(Path(__file__).parent)
event.register('numba:compile', _TellOnce())
