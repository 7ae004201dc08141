# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What sources kernels are made from."""

from __future__ import annotations

from functools import cache
import hashlib
from pathlib import Path


def digest_of(*folders: Path) -> str:
    """Return what tells the Python files of these folders from any others."""
    digest = hashlib.sha256()
    for source in [path for folder in folders for path in sorted(folder.glob('*.py'))]:
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def our_digest() -> str:
    """Return that of the kernels in this folder, as they were when first asked."""
    return digest_of(Path(__file__).parent)
