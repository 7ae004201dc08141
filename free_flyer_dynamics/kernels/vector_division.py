# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
What one is divided by, eight numbers at a time: see `lanes.py`.

A division of eight keeps the next row waiting. AVX-512 has an approximation to 14 bits, and the
sum of a geometric series makes it whole while a division would still be at work.
"""

from free_flyer_dynamics.kernels.vectors import count_of
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

APPROXIMATED = 8  # so many at a time
_MASK = ir.IntType(8)


def _call(builder, name, *arguments):
    kind = arguments[0].type
    shape = ir.FunctionType(kind, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, shape, name), arguments)


@intrinsic
def reciprocal(_typing, value):
    count = count_of(value)

    def divide(_context, builder, _sig, args):
        (a,) = args
        return builder.fdiv(ir.Constant(a.type, 1.0 if count == 1 else [1.0] * count), a)

    def approximate(_context, builder, _sig, args):
        (a,) = args
        one = ir.Constant(a.type, [1.0] * count)
        none = ir.Constant(a.type, ir.Undefined)
        x = _call(builder, 'llvm.x86.avx512.rcp14.pd.512', a, none, _MASK(-1))
        # 1 / (1 - e) is (1 + e) (1 + e^2) (1 + e^4) ..., of which e^4 is less than a last digit
        e = _call(builder, 'llvm.fma.v8f64', builder.fneg(a), x, one)
        y = _call(builder, 'llvm.fma.v8f64', x, e, x)
        return _call(builder, 'llvm.fma.v8f64', y, builder.fmul(e, e), y)

    return value(value), approximate if count == APPROXIMATED else divide
