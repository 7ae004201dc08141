# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Unpack Debian or Ubuntu packages into a folder: no rights needed, nothing installed."""

from __future__ import annotations

from pathlib import Path
import shutil
import subprocess
import tempfile


def unpack(packages: list[str], into: Path) -> bool:
    """Download the packages and unpack them; return False where that does not work."""
    if not (shutil.which('apt-get') and shutil.which('dpkg-deb')):
        return False
    with tempfile.TemporaryDirectory() as folder:
        private = Path(folder)
        if not _download(packages, private, []):
            # A machine that never ran `apt-get update`: use package lists of our own.
            lists = _private_lists(private)
            if not _succeeds(['apt-get', *lists, 'update'], private):
                return False
            if not _download(packages, private, lists):
                return False
        archives = list(private.glob('*.deb'))
        into.mkdir(parents=True, exist_ok=True)
        return bool(archives) and all(
            _succeeds(['dpkg-deb', '-x', str(archive), str(into)], private) for archive in archives
        )


def _download(packages: list[str], folder: Path, options: list[str]) -> bool:
    return _succeeds(['apt-get', *options, 'download', *packages], folder)


def _private_lists(folder: Path) -> list[str]:
    for name in ('lists/partial', 'archives/partial'):
        (folder / name).mkdir(parents=True)
    settings = (
        f'Dir::State::Lists={folder}/lists',
        f'Dir::Cache={folder}',
        f'Dir::Cache::Archives={folder}/archives',
        'APT::Sandbox::User=root',
    )
    return [part for setting in settings for part in ('-o', setting)]


def _succeeds(command: list[str], folder: Path) -> bool:
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
