# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The counts behind the claims: work by links, depth by half of them or by their logarithm."""

from benchmarks.counted import Counted, counts, root
import pytest

SIZES = (8, 16, 32)


def test_numbers_count_themselves():
    """Work is what was done by all; depth only what had to wait."""
    Counted.operations = 0
    x, y = Counted(3.0), Counted(4.0)
    hypotenuse = root(x * x + y * y)
    assert (float(hypotenuse), hypotenuse.depth, Counted.operations) == (5.0, 3, 4)
    assert ((-x).depth, float(1.0 - x), (2.0 / y).depth) == (0, -2.0, 1)


@pytest.mark.slow
def test_work_and_depth_grow_as_the_papers_say():
    """The kernels themselves, run on numbers that count; their answers agree or it would fail."""
    found = counts(SIZES)
    a, b, c = SIZES
    for name, row in found.items():
        work, depth = ({n: pair[k] for n, pair in row.items()} for k in (0, 1))
        if name.startswith('mass_matrix'):
            assert work[c] / work[b] > 3  # on its way from N^2 to N^3
            continue
        assert (work[c] - work[b]) / (work[b] - work[a]) == pytest.approx(2, rel=0.1)
        added = (depth[c] - depth[b]) / (depth[b] - depth[a])
        assert added == pytest.approx(1 if 'odd-even' in name else 2, rel=0.15)
    deep = {name: row[c][1] - row[b][1] for name, row in found.items()}
    assert deep['base_invariant, meeting'] <= deep['articulated_body'] / 2
    assert deep['base_invariant'] < 0.8 * deep['articulated_body']
