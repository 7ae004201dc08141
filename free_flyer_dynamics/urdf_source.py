# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Where a robot description comes from: a path, a package:// address, or the text itself."""

from __future__ import annotations

import os
from pathlib import Path
import site
import stat
import sys

from free_flyer_dynamics.errors import ModelError, unknown_name
from free_flyer_dynamics.urdf_xml import check_size, MOST_BYTES

PACKAGE = 'free_flyer_dynamics'
_SCHEME = 'package://'


def read(source: str | os.PathLike) -> str:
    """Return the XML text that a source names or is; a .xacro file is expanded."""
    if not isinstance(source, str | os.PathLike) or isinstance(source, bytes):
        raise ModelError(
            f'The source of a robot is a {type(source).__name__}; expected a path, a '
            'package:// address or XML text.'
        )
    source = os.fspath(source)
    if not isinstance(source, str):
        raise ModelError('The path of a robot description is bytes; expected text.')
    if source.lstrip('\ufeff \t\r\n').startswith('<'):
        return source.lstrip('\ufeff \t\r\n')
    path = resolve(source) if source.startswith(_SCHEME) else Path(source)
    text = _read_file(path)
    if path.name.endswith('.xacro'):
        text = _expand(path)
        check_size(len(text), f"'{path}', expanded,")
    return text


def shipped(name: str) -> Path:
    """
    Return the path of a robot that comes with this package.

    Parameters
    ----------
    name : str
        As `thesis_seven_joint`; the suffix `.urdf` may be left out.

    """
    known = {}
    for share in reversed(own_shares()):
        known.update({path.stem: path for path in sorted((share / 'urdf').glob('*.urdf'))})
    try:
        return known[str(name).removesuffix('.urdf')]
    except KeyError:
        raise ModelError(unknown_name('shipped robot', name, known)) from None


def named(source: str) -> str:
    """Return where a robot comes from; a bare name is that of one that ships with us."""
    bare = bool(source) and not any(mark in source for mark in '</.\\')
    return str(shipped(source)) if bare else source


def _read_file(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ModelError(f"'{path}' is not a file; expected a .urdf or .xacro file.")
        check_size(status.st_size, f"'{path}'")
        with path.open('rb') as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or error
        shown = str(path) if len(str(path)) <= 200 else f'{str(path)[:197]}...'
        raise ModelError(
            f"Cannot read '{shown}': {reason}. Expected a path, a package:// address or XML "
            "text that starts with '<'."
        ) from None
    check_size(len(data), f"'{path}'")
    try:
        return data.decode('utf-8-sig')
    except UnicodeDecodeError as error:
        raise ModelError(
            f"'{path}' is not UTF-8 text (byte {error.start}); save it as UTF-8."
        ) from None


def resolve(address: str) -> Path:
    """Return the file that a package:// address names."""
    package, _, inside = address.removeprefix(_SCHEME).partition('/')
    if not package or not inside or '..' in Path(inside).parts or Path(inside).is_absolute():
        raise ModelError(f"'{address}' is no address; expected package://<package>/<path>.")
    shares = [*_ament_share(package), *(own_shares() if package == PACKAGE else ())]
    shares += _shares_in_environment(package)
    for share in shares:
        if (share / inside).is_file():
            return share / inside
    if not shares:
        raise ModelError(
            f"Package '{package}' of '{address}' is not found; source its workspace "
            '(AMENT_PREFIX_PATH or ROS_PACKAGE_PATH) or give a plain path.'
        )
    raise ModelError(f"Package '{package}' has no file '{inside}' ('{address}').")


def _ament_share(package: str) -> list[Path]:
    try:
        from ament_index_python.packages import get_package_share_directory
    except ImportError:
        return []
    try:
        return [Path(get_package_share_directory(package))]
    except (LookupError, ValueError, OSError):  # OSError: no workspace is sourced
        return []


def own_shares() -> list[Path]:
    """Return the folders that may hold our urdf/: the source tree first, then our own prefix."""
    checkout = Path(__file__).resolve().parent.parent
    prefixes = [*_ancestors_with_share(), Path(sys.prefix), Path(site.getuserbase() or sys.prefix)]
    shares = [prefix / 'share' / PACKAGE for prefix in prefixes]
    if (checkout / 'package.xml').is_file():
        shares.insert(0, checkout)
    found = [share for share in shares if (share / 'urdf').is_dir()]
    return list(dict.fromkeys(found))


def _ancestors_with_share() -> list[Path]:
    """Return the prefix this very package is installed under, wherever that is."""
    here = Path(__file__).absolute().parent
    return [up for up in here.parents if (up / 'share' / PACKAGE / 'urdf').is_dir()][:1]


def _shares_in_environment(package: str) -> list[Path]:
    found = []
    for prefix in filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)):
        found.append(Path(prefix) / 'share' / package)
    for folder in filter(None, os.environ.get('ROS_PACKAGE_PATH', '').split(os.pathsep)):
        found.append(Path(folder) / package)
        if Path(folder).name == package:
            found.append(Path(folder))
    return [share for share in found if share.is_dir()]


def _expand(path: Path) -> str:
    try:
        import xacro
    except ImportError:
        raise ModelError(
            f"'{path}' needs the xacro package; install it, or expand the file beforehand."
        ) from None
    try:
        return xacro.process_file(str(path)).toxml()
    except (Exception, SystemExit) as error:
        raise ModelError(f"xacro cannot expand '{path}': {error}") from None
