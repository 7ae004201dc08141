# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The one explicit vector type: several float64 in one register, added to Numba by its extension API.

LLVM finds no vectors across branches or states by itself. What the functions do is told in
`lanes.py`, which has their plain twins.
"""

from free_flyer_dynamics.kernels.tags import Lane
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model, typeof_impl
import operator

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


def _numbers(count):
    return types.float64 if count == 1 else VectorType(count)


def _count(type_):
    return type_.count if isinstance(type_, VectorType) else 1


def _side(type_):
    return type_ if isinstance(type_, VectorType) else types.float64


def _spread(builder, value, count):
    """Repeat a number; a vector stays as it is."""
    if count == 1 or isinstance(value.type, ir.VectorType):
        return value
    vector = ir.VectorType(DOUBLE, count)
    none = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(none, value, INT32(0))
    zeros = ir.Constant(ir.VectorType(INT32, count), [0] * count)
    return builder.shuffle_vector(first, none, zeros)


def _address(context, builder, sig, args, count):
    """Address of entry k of a block of so many numbers each; indices are never negative here."""
    at, k = (context.cast(builder, args[i], sig.args[i], types.intp) for i in (1, 2))
    index = builder.add(at, builder.mul(k, ir.Constant(k.type, count)))
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    address = builder.gep(data, [index])
    return address if count == 1 else builder.bitcast(address, _vector_pointer(count))


def _vector_pointer(count):
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
        sides = [_spread(builder, arg, sig.return_type.count) for arg in args]
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
                return signature(vectors.pop(), *map(_side, args))

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
def load(_typing, array, at, k, lane):
    count = lane.count

    def generate(context, builder, sig, args):
        return builder.load(_address(context, builder, sig, args, count), align=8)

    return _numbers(count)(array, at, k, lane), generate


@intrinsic
def store(_typing, array, at, k, value):
    count = _count(value)

    def generate(context, builder, sig, args):
        builder.store(args[3], _address(context, builder, sig, args, count), align=8)
        return context.get_dummy_value()

    return types.void(array, at, k, _side(value)), generate


@intrinsic
def constant(_typing, array, at, k, lane):
    count = lane.count if lane.kind == 'branches' else 1

    def generate(context, builder, sig, args):
        found = builder.load(_address(context, builder, sig, args, count), align=8)
        return _spread(builder, found, lane.count)

    return _numbers(lane.count)(array, at, k, lane), generate


@intrinsic
def spread(_typing, number, lane):
    def generate(_context, builder, _sig, args):
        return _spread(builder, args[0], lane.count)

    return _numbers(lane.count)(types.float64, lane), generate


@intrinsic
def total(_typing, value):
    count = _count(value)

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
def part(_typing, value, which):
    def generate(context, builder, sig, args):
        if _count(value) == 1:
            return args[0]
        lane = context.cast(builder, args[1], sig.args[1], types.int32)
        return builder.extract_element(args[0], lane)

    return types.float64(_side(value), which), generate


@intrinsic
def with_part(_typing, value, which, number):
    def generate(context, builder, sig, args):
        if _count(value) == 1:
            return args[2]
        lane = context.cast(builder, args[1], sig.args[1], types.int32)
        return builder.insert_element(args[0], args[2], lane)

    return _side(value)(_side(value), which, types.float64), generate


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
def nearest_integer(_typing, value):
    def generate(_context, builder, _sig, args):
        return _call(builder, 'rint', args)

    return value(value), generate


def _mixed(generate_from):
    """Return an intrinsic of vectors and numbers, all made vectors if any is one."""

    def typed(_typing, *given):
        count = max(map(_count, given))

        def generate(_context, builder, _sig, args):
            return generate_from(builder, [_spread(builder, arg, count) for arg in args])

        return _numbers(count)(*map(_side, given)), generate

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


def _slot_address(context, builder, sig, args, lane, root):
    """Address of entry k of the slot that a lane hangs on; slots are so many numbers wide."""
    array, at, stride, ints, where, k = args
    which = builder.add(where, ir.Constant(where.type, lane))
    table = context.make_array(sig.args[3])(context, builder, ints).data
    slot = builder.load(builder.gep(table, [which]))
    entry = builder.mul(builder.add(builder.mul(slot, stride), k), ir.Constant(k.type, root))
    data = context.make_array(sig.args[0])(context, builder, array).data
    address = builder.gep(data, [builder.add(at, entry)])
    return address if root == 1 else builder.bitcast(address, _vector_pointer(root))


def _slots(given, value, result, act):
    """Type and generate what is done lane by lane for branches, at once for states."""
    by_lane = isinstance(given[-1], LaneType) and given[-1].kind == 'branches'
    count = given[-1].count
    root = 1 if by_lane else count
    index = types.intp
    typed = [given[0], index, index, given[3], index, index]

    def generate(context, builder, sig, args):
        done = None
        for lane in range(count if by_lane else 1):
            address = _slot_address(context, builder, sig, args[:6], lane, root)
            done = act(context, builder, args, address, lane if by_lane else None, done)
        return done if result is not types.void else context.get_dummy_value()

    tail = [given[-1]] if value is None else [value, given[-1]]
    return result(*typed, *tail), generate


@intrinsic
def gather(_typing, array, at, stride, ints, where, k, lane):
    def act(_context, builder, _args, address, which, done):
        found = builder.load(address, align=8)
        if which is None:
            return found
        if done is None:
            done = ir.Constant(ir.VectorType(DOUBLE, lane.count), ir.Undefined)
        return builder.insert_element(done, found, INT32(which))

    given = (array, at, stride, ints, where, k, lane)
    return _slots(given, None, _numbers(lane.count), act)


@intrinsic
def scatter(_typing, array, at, stride, ints, where, k, value, lane):
    def act(_context, builder, args, address, which, _done):
        one = args[6] if which is None else builder.extract_element(args[6], INT32(which))
        builder.store(one, address, align=8)

    given = (array, at, stride, ints, where, k, lane)
    return _slots(given, _numbers(lane.count), types.void, act)


@intrinsic
def scatter_add(_typing, array, at, stride, ints, where, k, value, lane):
    def act(_context, builder, args, address, which, _done):
        one = args[6] if which is None else builder.extract_element(args[6], INT32(which))
        builder.store(builder.fadd(builder.load(address, align=8), one), address, align=8)

    given = (array, at, stride, ints, where, k, lane)
    return _slots(given, _numbers(lane.count), types.void, act)
