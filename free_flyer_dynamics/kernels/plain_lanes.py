# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""One number side by side: the plain twins of what vectors can, compiled or not."""

import math

from free_flyer_dynamics.kernels._jit import inlined
from free_flyer_dynamics.kernels.tags import WHOLE


@inlined
def load(array, at, k, _lane):
    """Return entry k of the block that starts at `at`, a number for each lane."""
    return array[at + k]


@inlined
def store(array, at, k, value):
    """Set entry k of the block that starts at `at`."""
    array[at + k] = value


@inlined
def add_in_lane(array, at, k, _which, value, _lane):
    """Add to one branch's entry k of a block; of states, to all of them."""
    array[at + k] += value


@inlined
def spread(number, _lane):
    """Return the same number in all lanes."""
    return number


@inlined
def reciprocal(value):
    """Return one divided by each, to the last digit or two; by nothing, no number or infinity."""
    return 1.0 / value


@inlined
def total(value):
    """Return the sum over the lanes."""
    return value


@inlined
def width(_lane):
    """Return how many numbers stand side by side."""
    return 1


@inlined
def quarter_turns(sine, cosine, shifted):
    """Return both turned by as many quarters as there are beside WHOLE."""
    k = shifted - WHOLE
    quarter = k - 4.0 * (0.25 * k + WHOLE - WHOLE)  # -2, -1, 0, 1 or 2
    if quarter * quarter == 1.0:
        return quarter * cosine, -quarter * sine
    if quarter * quarter == 4.0:
        return -sine, -cosine
    return sine, cosine


@inlined
def square_root(value):
    """Return the square root."""
    return math.sqrt(value)


@inlined
def fused(a, b, c):
    """Return a b + c, rounded once where the processor can."""
    return a * b + c


@inlined
def where_above(a, limit, yes, no):
    """Return yes where a is above the limit, else no."""
    return yes if a > limit else no


@inlined
def any_above(a, limit):
    """Tell whether any lane is above the limit."""
    return a > limit


@inlined
def gather(array, at, stride, ints, where, k, _lane):
    """Return entry k of the slot each lane hangs on, whose numbers are listed in ints."""
    return array[at + ints[where] * stride + k]


@inlined
def scatter(array, at, stride, ints, where, k, value, _lane):
    """Set entry k of each lane's slot."""
    array[at + ints[where] * stride + k] = value


@inlined
def gather_slots(array, at, stride, ints, where, _lane):
    """Return what is collected at the slots the lanes hang on: the first COLLECTED numbers."""
    k = at + ints[where] * stride
    return (
        array[k], array[k + 1], array[k + 2], array[k + 3], array[k + 4], array[k + 5],
        array[k + 6], array[k + 7], array[k + 8], array[k + 9], array[k + 10], array[k + 11],
        array[k + 12], array[k + 13], array[k + 14], array[k + 15], array[k + 16], array[k + 17],
        array[k + 18], array[k + 19], array[k + 20], array[k + 21], array[k + 22], array[k + 23],
        array[k + 24], array[k + 25], array[k + 26],
    )  # fmt: skip


@inlined
def add_to_slots(array, at, stride, ints, where, values, _lane):
    """Add values to the first numbers of each lane's slot."""
    slot = at + ints[where] * stride
    for k in range(len(values)):
        array[slot + k] += values[k]


@inlined
def add_totals(array, at, values, _lane):
    """Add the sums of values over the lanes to the numbers from `at` on."""
    for k in range(len(values)):
        array[at + k] += values[k]


constant, constant_width = load, width  # batched states share their constants
