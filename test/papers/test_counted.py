# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The counts behind the claims: work by links, depth by half of them or by their logarithm."""

from benchmarks.counted import Counted, counts, root
import numpy as np
import pytest

STEP = 8
SIZES = tuple(range(STEP, 6 * STEP, STEP))


def test_numbers_count_themselves():
    """Work is what was done by all; depth only what had to wait."""
    Counted.operations = 0
    x, y = Counted(3.0), Counted(4.0)
    hypotenuse = root(x * x + y * y)
    assert (float(hypotenuse), hypotenuse.depth, Counted.operations) == (5.0, 3, 4)
    assert ((-x).depth, float(1.0 - x), (2.0 / y).depth) == (0, -2.0, 1)


@pytest.mark.slow
def test_work_and_depth_grow_as_the_papers_say():
    """
    The kernels themselves, run on numbers that count; their answers agree or it would fail.

    To the last operation the recursions' work is a line in N, and that of mass_matrix a polynomial
    of third degree that begins with N^3 / 3, Cholesky's.
    """
    found = counts(SIZES)
    a, b, c = STEP, 2 * STEP, 4 * STEP
    for name, row in found.items():
        work, depth = ({n: pair[k] for n, pair in row.items()} for k in (0, 1))
        by_size = [work[n] for n in SIZES]
        if name.startswith('mass_matrix'):
            assert not np.diff(by_size, 4).any()
            assert np.diff(by_size, 3) / (6 * STEP**3) == pytest.approx(1 / 3, abs=1e-12)
            continue
        if 'odd-even' in name:  # as many levels as log2 of N, rounded up
            assert (work[c] - work[b]) / (work[b] - work[a]) == pytest.approx(2, rel=0.1)
        else:
            assert not np.diff(by_size, 2).any()
        added = (depth[c] - depth[b]) / (depth[b] - depth[a])
        assert added == pytest.approx(1 if 'odd-even' in name else 2, rel=0.15)
    deep = {name: row[c][1] - row[b][1] for name, row in found.items()}
    assert deep['base_invariant, meeting'] <= deep['articulated_body'] / 2
    assert deep['base_invariant'] < 0.8 * deep['articulated_body']
