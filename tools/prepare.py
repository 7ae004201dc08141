# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Make the environment, step by step, doing again only what its inputs ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
import fcntl
import hashlib
import json
import os
from pathlib import Path
import subprocess
import sys

from tools import interfaces, machine
from tools.environment import choose, Environment, ROOT
from tools.machine import SetupError

DATA_FOLDERS = ('launch', 'config', 'urdf')


def prepare(outer: Mapping[str, str]) -> Environment:
    """Return an environment that holds the pinned packages, the interfaces and this package."""
    environment = choose(dict(outer))
    wanted = stamps(environment, outer)
    if _done(environment) == wanted:
        return environment
    with _only_one(environment):
        done = _done(environment)
        if done.get('packages') != wanted['packages']:
            done = {}
            _install_packages(environment, outer)
            done = _record(environment, done, 'packages', wanted)
        if done.get('interfaces') != wanted['interfaces']:
            _build_interfaces(environment, outer)
            done = _record(environment, done, 'interfaces', wanted)
        if done.get('project') != wanted['project']:
            _install_project(environment)
            done = _record(environment, done, 'project', wanted)
    return environment


def stamps(environment: Environment, outer: Mapping[str, str]) -> dict[str, str]:
    """Return, for each step, a digest of everything that its result depends on."""
    underlay = outer.get('AMENT_PREFIX_PATH', '') if environment.ros == 'sourced' else ''
    identity = [sys.version, sys.base_prefix, str(environment.venv), environment.ros, underlay]
    packages = _digest(identity, environment.requirements)
    sources = [ROOT / 'tools' / 'interfaces.py']
    for package in environment.interface_packages:
        sources += _files_under(package)
    project = [ROOT / name for name in ('setup.py', 'setup.cfg', 'pyproject.toml', 'package.xml')]
    for name in DATA_FOLDERS:
        project += _files_under(ROOT / name)
    return {
        'packages': packages,
        'interfaces': _digest([packages], sources),
        'project': _digest([packages], project),
    }


def _install_packages(environment: Environment, outer: Mapping[str, str]) -> None:
    if environment.ros != 'none':
        machine.check_compilers(outer)
    machine.make_venv(environment.venv, environment.ros == 'sourced')
    if environment.ros != 'none':
        machine.find_headers(environment.venv)
    _say(f'installing the pinned packages into {environment.venv.name}, once; takes minutes')
    files = [part for path in environment.requirements for part in ('-r', str(path))]
    _pip(environment, '--prefer-binary', *files)


def _build_interfaces(environment: Environment, outer: Mapping[str, str]) -> None:
    if environment.ros == 'none':
        return
    machine.check_compilers(outer)
    headers = machine.find_headers(environment.venv)
    if environment.ros == 'wheels':
        share = environment.venv / 'share'
        interfaces.patch_cmake(share, str(headers), _numpy_include(environment))
    for package in environment.interface_packages:
        _say(f'building {package.name}')
        interfaces.build(environment, package, headers, _log(environment))


def _install_project(environment: Environment) -> None:
    _say('installing this package, editable')
    _pip(environment, '--no-deps', '--no-index', '--no-build-isolation', '--editable', str(ROOT))


def _pip(environment: Environment, *arguments: str) -> None:
    command = [str(environment.python), '-m', 'pip', 'install', '--no-input', *arguments]
    command.insert(4, '--disable-pip-version-check')
    with _log(environment).open('ab') as log:
        start = log.tell()
        variables = environment.variables(dict(os.environ))
        done = subprocess.run(
            command, env=variables, stdout=log, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        said = _log(environment).read_bytes()[start:].decode(errors='replace')
        raise SetupError(machine.explain_pip(said))


def _numpy_include(environment: Environment) -> str:
    command = [str(environment.python), '-c', 'import numpy; print(numpy.get_include())']
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _log(environment: Environment) -> Path:
    return environment.venv / 'setup.log'


def _say(text: str) -> None:
    print(f'set-up: {text}', file=sys.stderr, flush=True)


def _done(environment: Environment) -> dict[str, str]:
    try:
        return json.loads((environment.venv / 'prepared.json').read_text())
    except (OSError, ValueError):
        return {}


def _record(
    environment: Environment, done: dict[str, str], step: str, wanted: dict[str, str]
) -> dict[str, str]:
    done = {**done, step: wanted[step]}
    (environment.venv / 'prepared.json').write_text(json.dumps(done))
    return done


@contextmanager
def _only_one(environment: Environment) -> Iterator[None]:
    """Keep a second set-up of the same environment waiting."""
    with Path(f'{environment.venv}.lock').open('w') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            _say('waiting for another set-up of this environment')
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _files_under(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob('*') if path.is_file())


def _digest(words: list[str], files: list[Path]) -> str:
    digest = hashlib.sha256()
    for word in words:
        digest.update(word.encode() + b'\0')
    for path in files:
        content = path.read_bytes() if path.exists() else b''
        digest.update(str(path.relative_to(ROOT)).encode() + b'\0')
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
