# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What Numba loads to learn whether there is a BLAS."""

import subprocess
import sys

from numba import config
import pytest

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason='Numba compiles nothing')

FIRST_STEP = """
import sys, warnings
warnings.simplefilter('ignore')
import free_flyer_dynamics as ffd
from free_flyer_dynamics.urdf import shipped
sim = ffd.Simulator()
sim.add(ffd.load_urdf(shipped('thesis_seven_joint')))
sim.step()
assert 'numba.np.arraymath' in sys.modules
assert 'scipy.linalg' not in sys.modules
"""
PRODUCT = """
import free_flyer_dynamics
from numba import njit
import numpy as np
a = np.arange(6.0).reshape(2, 3)
assert (njit(lambda a, b: np.dot(a, b))(a, a.T) == a @ a.T).all()
from numba.np import arraymath, linalg
assert arraymath._HAVE_BLAS
assert arraymath.ensure_blas is linalg.ensure_blas
linalg.ensure_blas()
"""


@pytest.mark.parametrize('program', [FIRST_STEP, PRODUCT])
def test_a_blas_is_loaded_by_those_who_multiply_by_it(program):
    subprocess.run([sys.executable, '-c', program], check=True, timeout=120)
