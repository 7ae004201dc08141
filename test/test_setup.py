# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The set-up scripts, the pinned sets, the package files and the interfaces."""

from pathlib import Path
import re
import subprocess
import sys
from xml.etree import ElementTree

import free_flyer_dynamics as ffd
import pytest
from tools import debian, environment, interfaces, machine, prepare

ROOT = Path(__file__).resolve().parent.parent
ASKED = sorted((ROOT / 'requirements').glob('*.in'))
LOCKS = sorted((ROOT / 'requirements').glob('*.lock'))

# The fields that callers count on; a field may be added, none may change.
FIELDS = {
    'msg/TopologyOperation': [
        'string kind',
        'string[] joints',
        'string frame_a',
        'string frame_b',
        'string joint_type',
        'geometry_msgs/Vector3 axis',
        'string name',
        'bool align',
    ],
    'srv/ChangeTopology': [
        'TopologyOperation[] operations',
        '---',
        'bool success',
        'string message',
        'Transition transition',
    ],
    'srv/SetJointTorques': [
        'string[] names',
        'float64[] efforts',
        'float64 duration',
        '---',
        'bool success',
        'string message',
    ],
    'srv/SetWheelTorques': [
        'string[] names',
        'float64[] efforts',
        'float64 duration',
        '---',
        'bool success',
        'string message',
    ],
    'srv/Step': [
        'uint64 steps',
        '---',
        'bool success',
        'string message',
        'builtin_interfaces/Time time',
    ],
    'srv/SaveState': ['string name', '---', 'bool success', 'string message'],
    'srv/LoadState': ['string name', '---', 'bool success', 'string message'],
    'srv/GetConnectivity': [
        '---',
        'bool success',
        'string message',
        'Connectivity connectivity',
    ],
}


def interface_lines(name):
    """Return the fields of an interface file, without comments and constants."""
    kind = name.split('/')[0]
    text = (ROOT / 'free_flyer_interfaces' / f'{name}.{kind}').read_text()
    lines = [line.split('#')[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and '=' not in line]


@pytest.mark.parametrize('name', FIELDS)
def test_an_interface_has_exactly_the_fields_promised(name):
    assert interface_lines(name) == FIELDS[name]


def test_every_field_of_every_interface_has_a_comment_before_it():
    for path in (ROOT / 'free_flyer_interfaces').glob('*/*.*'):
        commented = False
        for line in path.read_text().splitlines():
            if line.startswith('#'):
                commented = True
            elif not line or line == '---':
                commented = False
            else:
                assert commented, f'{path.name}: {line}'


def test_every_interface_file_is_built():
    package = ROOT / 'free_flyer_interfaces'
    listed = re.findall(r'"(\w+/\w+\.\w+)"', (package / 'CMakeLists.txt').read_text())
    files = [str(path.relative_to(package)) for path in package.glob('[ms]*/*.*')]
    assert sorted(listed) == sorted(files)


@pytest.mark.ros
def test_the_built_interfaces_are_the_ones_in_the_sources():
    from free_flyer_interfaces import msg, srv

    for name, lines in FIELDS.items():
        kind, name = name.split('/')
        fields = [line.split()[1] for line in lines if line != '---']
        if kind == 'msg':
            built = list(getattr(msg, name).get_fields_and_field_types())
        else:
            service = getattr(srv, name)
            built = list(service.Request.get_fields_and_field_types())
            built += list(service.Response.get_fields_and_field_types())
        assert built == fields
    transition = msg.Transition().get_fields_and_field_types()
    assert transition['momentum_change'] == 'free_flyer_interfaces/MomentumChange'
    assert list(msg.MomentumChange.get_fields_and_field_types()) == ['linear', 'angular']


@pytest.mark.ros
def test_rclpy_and_the_transform_message_are_there():
    import rclpy
    from tf2_msgs.msg import TFMessage

    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('set_up_probe', context=context)
    publisher = node.create_publisher(TFMessage, 'set_up_probe', 1)
    publisher.publish(TFMessage())
    node.destroy_node()
    rclpy.shutdown(context=context)


@pytest.mark.parametrize('path', ['package.xml', 'free_flyer_interfaces/package.xml'])
def test_a_package_file_names_itself_and_its_licence(path):
    package = ElementTree.parse(ROOT / path).getroot()
    assert package.get('format') == '3'
    assert package.findtext('license') == 'Apache-2.0'
    named = [element.text for element in package if element.tag.endswith('depend')]
    assert len(named) == len(set(named))


def test_the_package_file_names_what_setup_installs():
    package = ElementTree.parse(ROOT / 'package.xml').getroot()
    named = {element.text for element in package.iter('exec_depend')}
    assert {'python3-numpy', 'python3-scipy', 'python3-numba', 'python3-urchin-pip'} <= named
    assert {'xacro', 'rclpy', 'free_flyer_interfaces'} <= named


def test_versions_agree():
    versions = {
        ElementTree.parse(ROOT / path).getroot().findtext('version')
        for path in ('package.xml', 'free_flyer_interfaces/package.xml')
    }
    assert versions == {ffd.__version__}
    assert f"version='{ffd.__version__}'" in (ROOT / 'setup.py').read_text()


@pytest.mark.parametrize('path', LOCKS, ids=lambda path: path.name)
def test_a_pinned_set_holds_versions_and_nothing_of_a_machine(path):
    lines = path.read_text().splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ; [\w.<>=!'*\s]+)?", line), line


@pytest.mark.parametrize('path', ASKED, ids=lambda path: path.name)
def test_what_is_asked_for_is_pinned(path):
    pinned = [ROOT / 'requirements' / 'python.lock', path.with_suffix('.lock')]
    text = ''.join(lock.read_text() for lock in pinned if lock.exists()).lower()
    for line in path.read_text().split():
        name = re.split(r'[\[=<>]', line)[0].lower().replace('_', '-')
        assert f'\n{name}==' in f'\n{text}', name


def test_the_folders_of_the_machine_that_built_the_wheels_are_replaced(tmp_path):
    cmake = tmp_path / 'some_msgs' / 'cmake' / 'export.cmake'
    cmake.parent.mkdir(parents=True)
    cmake.write_text(
        '"/opt/python/cp313-cp313/include/python3.13;'
        '/opt/python/cp313-cp313/lib/python3.13/site-packages/numpy/_core/include;'
        '${_IMPORT_PREFIX}/include"'
    )
    assert interfaces.patch_cmake(tmp_path, '/here/python', '/here/numpy') == 1
    assert cmake.read_text() == '"/here/python;/here/numpy;${_IMPORT_PREFIX}/include"'
    assert interfaces.patch_cmake(tmp_path, '/here/python', '/here/numpy') == 0


@pytest.mark.parametrize('variable, language', [('CC', 'C'), ('CXX', 'C++')])
def test_a_missing_compiler_is_named(variable, language, tmp_path):
    working = dict.fromkeys(('CC', 'CXX'), str(fake_compiler(tmp_path)))
    machine.check_compilers(working)
    with pytest.raises(machine.SetupError) as caught:
        machine.check_compilers({**working, variable: 'no-such-compiler'})
    one_line(caught.value)
    assert f'no {language} compiler: no-such-compiler' in str(caught.value)


def test_missing_headers_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.sysconfig, 'get_paths', lambda: {'include': '/nowhere/python3'})
    monkeypatch.setattr(debian.shutil, 'which', lambda _: None)
    with pytest.raises(machine.SetupError) as caught:
        machine.find_headers(tmp_path)
    one_line(caught.value)
    assert 'Python.h' in str(caught.value)


def test_a_missing_network_is_named_and_other_failures_of_pip_are_told():
    offline = (
        'WARNING: Retrying (Retry(total=0, ...)) after connection broken by '
        "'NewConnectionError('<...>: Failed to establish a new connection')': /numba/\n"
        'ERROR: No matching distribution found for numba==0.1\n'
    )
    assert 'no network' in machine.explain_pip(offline)
    conflict = 'ERROR: Cannot install a and b\nERROR: ResolutionImpossible: see above\n'
    assert machine.explain_pip(conflict) == 'pip failed: ResolutionImpossible: see above'
    assert machine.explain_pip('') == 'pip failed'


def test_an_unknown_distro_is_refused_by_one_line():
    variables = {'PATH': '/usr/bin:/bin', 'ROS': 'melodic'}
    command = [sys.executable, '-m', 'tools.run', 'true']
    run = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == 'set-up: ROS=melodic is not known; known: jazzy, kilted\n'


def test_elsewhere_than_on_linux_x86_64_the_library_is_tested_without_ros(monkeypatch, capsys):
    monkeypatch.setattr(environment.platform, 'machine', lambda: 'aarch64')
    chosen = environment.choose({})
    assert (chosen.ros, chosen.interface_packages) == ('none', [])
    assert [path.name for path in chosen.requirements] == ['python.lock']
    assert 'not ros' in chosen.variables({})['PYTEST_ADDOPTS']
    one_line(capsys.readouterr().err.strip())


def test_a_sourced_ros_is_used_instead_of_wheels(monkeypatch):
    monkeypatch.setattr(environment, '_ros_is_sourced', lambda _: True)
    outer = {'ROS_DISTRO': 'rolling', 'AMENT_PREFIX_PATH': '/ros', 'LD_LIBRARY_PATH': '/ros/lib'}
    chosen = environment.choose(outer)
    assert (chosen.ros, chosen.venv.name) == ('sourced', '.venv-sourced-rolling')
    assert [path.name for path in chosen.interface_packages] == ['free_flyer_interfaces']
    inner = chosen.variables(outer)
    assert inner['AMENT_PREFIX_PATH'] == f'{chosen.venv}:/ros'
    assert inner['LD_LIBRARY_PATH'] == f'{chosen.venv}/lib:/ros/lib'
    with pytest.raises(machine.SetupError):
        environment.choose({**outer, 'ROS': 'jazzy'})


def test_distros_from_wheels_keep_apart():
    folders = {
        environment.Environment(environment.ROOT / '.venv', 'wheels', 'jazzy'),
        environment.Environment(environment.ROOT / '.venv-kilted', 'wheels', 'kilted'),
    }
    stamps = [prepare.stamps(folder, {}) for folder in folders]
    assert all(stamps[0][step] != stamps[1][step] for step in stamps[0])


def fake_compiler(folder):
    """Return a compiler that is content with everything."""
    path = folder / 'compiler'
    path.write_text('#!/bin/sh\nexit 0\n')
    path.chmod(0o755)
    return path


def one_line(error):
    """Check that an error is one line."""
    assert str(error)
    assert '\n' not in str(error)
