# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Which environment we work in: its folder, where its ROS 2 comes from, and its variables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
import platform
import subprocess
import sys

from tools.machine import SetupError

ROOT = Path(__file__).resolve().parent.parent
WHEEL_DISTROS = ('jazzy', 'kilted')
DEFAULT_DISTRO = 'jazzy'


@dataclass(frozen=True)
class Environment:
    """A virtual environment, with ROS 2 from wheels, from a sourced installation, or without."""

    venv: Path
    ros: str  # 'wheels', 'sourced' or 'none'
    distro: str

    @property
    def python(self) -> Path:
        """Return the environment's interpreter."""
        return self.venv / 'bin' / 'python'

    @property
    def site_packages(self) -> Path:
        """Return the folder that the environment's Python packages live in."""
        version = f'python{sys.version_info.major}.{sys.version_info.minor}'
        return self.venv / 'lib' / version / 'site-packages'

    @property
    def requirements(self) -> list[Path]:
        """Return the pinned sets that make the environment."""
        folder = ROOT / 'requirements'
        pinned = [folder / 'python.lock']
        if self.ros == 'wheels':
            pinned.append(folder / f'ros-{self.distro}.lock')
        return pinned

    @property
    def interface_packages(self) -> list[Path]:
        """Return the interface packages to build, in order."""
        if self.ros == 'none':
            return []
        ours = [ROOT / 'free_flyer_interfaces']
        return [ROOT / 'tools' / 'tf2_msgs', *ours] if self.ros == 'wheels' else ours

    def variables(self, outer: dict[str, str]) -> dict[str, str]:
        """Return the environment variables of a command that runs in here."""
        inner = dict(outer)
        inner['VIRTUAL_ENV'] = str(self.venv)
        inner['PATH'] = _joined(self.venv / 'bin', outer.get('PATH', '/usr/bin:/bin'))
        inner.pop('PYTHONHOME', None)
        if self.ros == 'none':
            # No ROS here: leave its tests out, and do not even import them.
            inner['PYTEST_ADDOPTS'] = '-m "not ros" --ignore=test/ros'
            return inner
        inner['ROS_DISTRO'] = self.distro
        libraries = [self.venv / 'lib']
        if self.ros == 'wheels':
            # Nothing of another ROS may leak in. The wheels' own start hook would set the library
            # path by starting Python a second time; it is set here, and the hook told so.
            inner.pop('PYTHONPATH', None)
            libraries += sorted(self.site_packages.glob('ros_*.libs'))
            inner['_ROS_WHEELS_BOOTSTRAP_COMPLETE'] = '1'
            inner['AMENT_PREFIX_PATH'] = inner['CMAKE_PREFIX_PATH'] = str(self.venv)
        else:
            for name in ('AMENT_PREFIX_PATH', 'CMAKE_PREFIX_PATH'):
                inner[name] = _joined(self.venv, outer.get(name, ''))
        inner['LD_LIBRARY_PATH'] = _joined(*libraries, outer.get('LD_LIBRARY_PATH', ''))
        return inner


def choose(outer: dict[str, str]) -> Environment:
    """Return the environment that this machine and these variables ask for."""
    wanted = outer.get('ROS', '')
    sourced = outer.get('ROS_DISTRO', '') if _ros_is_sourced(outer) else ''
    if sourced:
        if wanted not in ('', sourced):
            raise SetupError(
                f'ROS={wanted} was asked for, but ROS 2 {sourced} is sourced in this shell; '
                'use a shell without it, or leave ROS out'
            )
        return Environment(ROOT / f'.venv-sourced-{sourced}', 'sourced', sourced)
    distro = wanted or DEFAULT_DISTRO
    if distro not in WHEEL_DISTROS:
        raise SetupError(f'ROS={distro} is not known; known: {", ".join(WHEEL_DISTROS)}')
    if (platform.system(), platform.machine()) != ('Linux', 'x86_64'):
        print(
            'set-up: ROS 2 wheels exist for Linux x86-64 only; '
            'the library and its tests run here without ROS',
            file=sys.stderr,
        )
        return Environment(ROOT / '.venv', 'none', '')
    folder = '.venv' if distro == DEFAULT_DISTRO else f'.venv-{distro}'
    return Environment(ROOT / folder, 'wheels', distro)


def _ros_is_sourced(outer: dict[str, str]) -> bool:
    if not (outer.get('ROS_DISTRO') and outer.get('AMENT_PREFIX_PATH')):
        return False
    # Our own environment's variables, inherited by a call from inside it, are not a sourced ROS.
    if outer.get('VIRTUAL_ENV', '').startswith(str(ROOT / '.venv')):
        return False
    found = subprocess.run(
        [sys.executable, '-c', 'import rclpy'], env=outer, capture_output=True, check=False
    )
    return found.returncode == 0


def _joined(*parts) -> str:
    return ':'.join(str(part) for part in parts if str(part))
