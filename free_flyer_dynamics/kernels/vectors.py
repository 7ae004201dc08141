# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The one explicit vector type: several float64 in one register, added to Numba by its extension API.

LLVM finds no vectors across branches or states by itself. What the functions do is told in
`lanes.py`, which has their plain twins.
"""

import operator

from free_flyer_dynamics.kernels.tags import Lane
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model, typeof_impl

DOUBLE, INT32 = ir.DoubleType(), ir.IntType(32)


class VectorType(types.Type):
    """So many float64 side by side."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f'lanes{count}')


class LaneType(types.Type):
    """A lane tag: no value, all type."""

    def __init__(self, kind: str, count: int) -> None:
        self.kind = kind
        self.count = count
        super().__init__(name=f'{kind}{count}')


@register_model(VectorType)
class VectorModel(models.PrimitiveModel):
    """In memory as in a register."""

    def __init__(self, manager, type_) -> None:
        super().__init__(manager, type_, ir.VectorType(DOUBLE, type_.count))


register_model(LaneType)(models.OpaqueModel)


@typeof_impl.register(Lane)
def _type_of(lane, _context):
    return LaneType(lane.kind, lane.count)


@lower_constant(LaneType)
def _lane_constant(context, _builder, _type, _lane):
    return context.get_dummy_value()


def numbers(count):
    return types.float64 if count == 1 else VectorType(count)


def count_of(type_):
    return type_.count if isinstance(type_, VectorType) else 1


def side_of(type_):
    return type_ if isinstance(type_, VectorType) else types.float64


def spread_over(builder, value, count):
    """Repeat a number; a vector stays as it is."""
    if count == 1 or isinstance(value.type, ir.VectorType):
        return value
    vector = ir.VectorType(DOUBLE, count)
    none = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(none, value, INT32(0))
    zeros = ir.Constant(ir.VectorType(INT32, count), [0] * count)
    return builder.shuffle_vector(first, none, zeros)


def vector_pointer(count):
    return ir.VectorType(DOUBLE, count).as_pointer()


def _call(builder, name, arguments):
    kind = arguments[0].type
    suffix = f'v{kind.count}f64' if isinstance(kind, ir.VectorType) else 'f64'
    shape = ir.FunctionType(kind, [kind] * len(arguments))
    found = cgutils.get_or_insert_function(builder.module, shape, f'llvm.{name}.{suffix}')
    return builder.call(found, arguments)


def _arithmetic(symbols, name):
    """Give vectors an operator, with each other and with numbers."""

    def operate(_context, builder, sig, args):
        sides = [spread_over(builder, arg, sig.return_type.count) for arg in args]
        return getattr(builder, name)(*sides)

    for symbol in symbols:

        @infer_global(symbol)
        class _Template(AbstractTemplate):
            """Vector with vector or with number."""

            def generic(self, args, _keywords):
                vectors = {type_ for type_ in args if isinstance(type_, VectorType)}
                known = (VectorType, types.Float, types.Integer)
                if len(vectors) != 1 or not all(isinstance(type_, known) for type_ in args):
                    return None
                return signature(vectors.pop(), *map(side_of, args))

        lower_builtin(symbol, VectorType, VectorType)(operate)
        lower_builtin(symbol, VectorType, types.Float)(operate)
        lower_builtin(symbol, types.Float, VectorType)(operate)
        lower_builtin(symbol, VectorType)(operate)


_arithmetic((operator.add, operator.iadd), 'fadd')
_arithmetic((operator.sub, operator.isub), 'fsub')
_arithmetic((operator.mul, operator.imul), 'fmul')
_arithmetic((operator.truediv, operator.itruediv), 'fdiv')
_arithmetic((operator.neg,), 'fneg')


@intrinsic
def spread(_typing, number, lane):
    def generate(_context, builder, _sig, args):
        return spread_over(builder, args[0], lane.count)

    return numbers(lane.count)(side_of(number), lane), generate


@intrinsic
def total(_typing, value):
    count = count_of(value)

    def generate(_context, builder, _sig, args):
        result, left = args[0], count
        while left > 1:  # upper half onto lower half
            left //= 2
            halves = []
            for first in (0, left):
                which = list(range(first, first + left))
                mask = ir.Constant(ir.VectorType(INT32, left), which)
                none = ir.Constant(result.type, ir.Undefined)
                halves.append(builder.shuffle_vector(result, none, mask))
            result = builder.fadd(*halves)
        return result if count == 1 else builder.extract_element(result, INT32(0))

    return types.float64(value), generate


@intrinsic
def width(_typing, lane):
    def generate(context, _builder, _sig, _args):
        return context.get_constant(types.intp, lane.count)

    return types.intp(lane), generate


@intrinsic
def constant_width(_typing, lane):
    def generate(context, _builder, _sig, _args):
        count = lane.count if lane.kind == 'branches' else 1
        return context.get_constant(types.intp, count)

    return types.intp(lane), generate


@intrinsic
def square_root(_typing, value):
    def generate(_context, builder, _sig, args):
        return _call(builder, 'sqrt', args)

    return value(value), generate


@intrinsic
def quarter_turns(_typing, sine, cosine, shifted):
    """Both turned by as many quarters as the last bits tell: one swaps them, two are a sign."""
    count = count_of(sine)

    def generate(context, builder, sig, args):
        float_type, whole = args[0].type, ir.IntType(64)
        kind = whole if count == 1 else ir.VectorType(whole, count)

        def repeated(number):
            return ir.Constant(kind, number if count == 1 else [number] * count)

        bits = builder.bitcast(args[2], kind)
        odd = builder.icmp_unsigned('!=', builder.and_(bits, repeated(1)), repeated(0))
        turned = builder.select(odd, args[1], args[0]), builder.select(odd, args[0], args[1])
        found = []
        for value, signs in zip(turned, (bits, builder.add(bits, repeated(1))), strict=True):
            sign = builder.shl(builder.and_(signs, repeated(2)), repeated(62))
            flipped = builder.xor(builder.bitcast(value, kind), sign)
            found.append(builder.bitcast(flipped, float_type))
        return context.make_tuple(builder, sig.return_type, found)

    return types.UniTuple(sine, 2)(sine, sine, sine), generate


def _mixed(generate_from):
    """Return an intrinsic of vectors and numbers, all made vectors if any is one."""

    def typed(_typing, *given):
        count = max(map(count_of, given))

        def generate(_context, builder, _sig, args):
            return generate_from(builder, [spread_over(builder, arg, count) for arg in args])

        return numbers(count)(*map(side_of, given)), generate

    return typed


@intrinsic
def fused(_typing, a, b, c):
    return _mixed(lambda builder, sides: _call(builder, 'fma', sides))(_typing, a, b, c)


@intrinsic
def where_above(_typing, a, limit, yes, no):
    def select(builder, sides):
        above = builder.fcmp_ordered('>', sides[0], sides[1])
        return builder.select(above, sides[2], sides[3])

    return _mixed(select)(_typing, a, limit, yes, no)


@intrinsic
def any_above(_typing, a, limit):
    count = count_of(a)

    def generate(_context, builder, _sig, args):
        above = builder.fcmp_ordered('>', args[0], spread_over(builder, args[1], count))
        if count == 1:
            return above
        mask = ir.IntType(count)
        return builder.icmp_unsigned('!=', builder.bitcast(above, mask), mask(0))

    return types.boolean(a, types.float64), generate
