# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A named array cut from a flat one, at the cost of writing down where it starts and its shape.

A slice that is reshaped is checked at each step: sixty instructions an array, and a structure is
cut into three dozen, in each kernel that takes one.
"""

import math

from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array


def cut(flat, at, shape):
    """Return the array of a shape that lies in a flat one, or in one read flat, from there on."""
    return flat.reshape(-1)[at : at + math.prod(shape)].reshape(shape)


@type_callable(cut)
def _type_cut(_context):
    def typed(flat, _at, shape):
        return types.Array(flat.dtype, len(shape), 'C', not flat.mutable, aligned=flat.aligned)

    return typed


@lower_builtin(cut, types.Array, types.Integer, types.BaseTuple)
def _lower_cut(context, builder, signature, arguments):
    """Write the array down; nobody vouches for its memory, as nobody counts in kernels."""
    flat, at, shape = signature.args
    of, place, lengths = arguments
    place = context.cast(builder, place, at, types.intp)
    lengths = [
        context.cast(builder, length, kind, types.intp)
        for length, kind in zip(cgutils.unpack_tuple(builder, lengths), shape, strict=True)
    ]
    number = context.get_data_type(flat.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(number))
    strides = [size]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    result = make_array(signature.return_type)(context, builder)
    data = builder.gep(make_array(flat)(context, builder, of).data, [place])
    populate_array(result, data, lengths, strides, size, None)
    return result._getvalue()
