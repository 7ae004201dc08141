# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where compiled kernels are kept, and when they are thrown away."""

import gc
import os
from pathlib import Path
import shutil
import subprocess
import sys

from free_flyer_dynamics.kernels._jit import drop_stale_cache, kernel
from numba import TypingError
from numba.core import event
import pytest

PACKAGE = Path(__file__).parents[2] / 'free_flyer_dynamics'
TURN = """
import numpy as np
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
quat = np.zeros(4)
quat_from_matrix(np.eye(3), quat)
print(quat.tolist())
"""


TWO = """
@kernel
def after(k):
    return k + 1

@kernel
def sum_of_two():
    return after(0) + after(4)
"""


@pytest.mark.jit
def test_a_part_is_compiled_once_for_all_integers():
    """Numba alone would compile it for 0, and again for 4."""
    room = {'__name__': __name__, 'kernel': kernel}
    exec(TWO, room)  # of no file, so nothing comes from a cache
    assert room['sum_of_two']() == 6
    assert len(room['after'].part().signatures) == 1


@pytest.mark.jit
@pytest.mark.parametrize('collects', [True, False])
def test_no_garbage_is_collected_while_a_kernel_is_compiled_and_then_as_before(collects):
    """Well or badly; and not where nobody wanted it."""

    def length_of_a_number():
        return len(3)

    meanwhile = []

    class Listener(event.Listener):
        """Notes whether garbage is collected."""

        def on_start(self, _event):
            meanwhile.append(gc.isenabled())

        def on_end(self, _event):
            meanwhile.append(gc.isenabled())

    was = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        with event.install_listener('numba:compile', Listener()):
            with pytest.raises(TypingError):
                kernel(length_of_a_number)()
            assert gc.isenabled() == collects
            room = {'__name__': __name__, 'kernel': kernel}
            exec(TWO, room)  # of no file, so nothing comes from a cache
            room['sum_of_two']()
            assert gc.isenabled() == collects
    finally:
        (gc.enable if was else gc.disable)()
    assert meanwhile
    assert not any(meanwhile)


@pytest.mark.jit
def test_a_door_is_compiled_when_python_asks_for_it():
    """Kernels take in the part alone; there is no door to fall through."""
    room = {'__name__': __name__, 'kernel': kernel}
    exec(TWO, room)
    assert room['sum_of_two']() == 6
    after = room['after']
    assert not after.signatures
    assert after(2) == 3
    assert len(after.signatures) == 1


@pytest.mark.jit
def test_a_cache_that_cannot_be_written_goes_to_the_user_folder(tmp_path):
    """A file stands where the folder would be: not even root can write into it."""
    copy = tmp_path / 'site' / 'free_flyer_dynamics'
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns('__pycache__'))
    (copy / 'kernels' / '__pycache__').write_text('')
    environment = {
        **os.environ,
        'PYTHONPATH': str(tmp_path / 'site'),
        'XDG_CACHE_HOME': str(tmp_path / 'home'),
        'PYTHONDONTWRITEBYTECODE': '1',
    }
    environment.pop('NUMBA_CACHE_DIR', None)
    for expected in ('Compiling kernels', ''):  # compiled at first, then found where it was put
        run = subprocess.run(
            [sys.executable, '-c', TURN],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == '[1.0, 0.0, 0.0, 0.0]'
        assert expected in run.stderr
        assert bool(expected) == bool(run.stderr.strip())
    assert list((tmp_path / 'home').rglob('*.nbi'))


def test_kernels_of_other_sources_are_thrown_away(tmp_path):
    """An edited helper would leave its callers stale: Numba looks at each file alone."""
    source, cache = tmp_path / 'helper.py', tmp_path / '__pycache__'
    source.write_text('a = 1')
    cache.mkdir()
    (cache / 'caller.nbi').write_text('')
    assert drop_stale_cache(tmp_path)
    assert not list(cache.glob('*.nb?'))
    (cache / 'caller.nbi').write_text('')
    assert not drop_stale_cache(tmp_path)
    source.write_text('a = 2')
    assert drop_stale_cache(tmp_path)
    called = tmp_path / 'called'
    called.mkdir()
    (called / 'kernel.py').write_text('a = 1')
    drop_stale_cache(tmp_path, called)
    (cache / 'caller.nbi').write_text('')
    (called / 'kernel.py').write_text('a = 2')
    assert drop_stale_cache(tmp_path, called)
