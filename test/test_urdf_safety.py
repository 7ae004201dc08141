# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""A robot description may come from anyone: it opens nothing, fetches nothing, breaks nothing."""

import subprocess
import sys
import warnings

from free_flyer_dynamics.errors import ModelError
from free_flyer_dynamics.urdf import load_urdf, shipped
from hypothesis import given, HealthCheck, settings, strategies
import pytest

from test.urdf_text import joint, link, MASSIVE, pair, robot

MESH = '<visual><geometry><mesh filename="{}"/></geometry></visual>'
TEXT = shipped('thesis_seven_joint').read_text(encoding='utf-8')


@pytest.mark.parametrize(
    'subset',
    [
        '<!ENTITY a "1">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a SYSTEM "http://localhost/x.dtd"> %a;',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
    ],
)
def test_a_document_type_is_refused_before_anything_is_declared(subset):
    """No entity is ever expanded or fetched."""
    with pytest.raises(ModelError, match='document type'):
        load_urdf(f'<!DOCTYPE robot [{subset}]>' + robot(link('a')))


def test_a_document_type_that_names_a_file_is_refused():
    """Nor is an external subset."""
    with pytest.raises(ModelError, match='document type'):
        load_urdf('<!DOCTYPE robot SYSTEM "http://localhost/x.dtd">' + robot(link('a')))


def test_meshes_are_only_names(tmp_path):
    """Nothing but the description itself is opened, and no address looked up, while it loads."""
    mesh = tmp_path / 'mesh.stl'
    mesh.write_text('not a mesh')
    names = [str(mesh), 'package://nowhere/x.dae', 'http://localhost/x.stl', '/dev/zero']
    path = tmp_path / 'a.urdf'
    path.write_text(robot(link('a', MASSIVE + ''.join(MESH.format(name) for name in names))))
    load_urdf(path)
    events = []
    watching = [True]

    def hook(event, arguments):
        if watching[0] and event.startswith(('open', 'os.open', 'socket', 'urllib', 'subprocess')):
            events.append((event, str(arguments[0])))

    sys.addaudithook(hook)  # stays for good, so it is switched off below
    load_urdf(path)
    watching[0] = False
    assert events == [('open', str(path))]


def test_a_text_beyond_twenty_megabytes_is_refused():
    """And says how large it is."""
    with pytest.raises(ModelError, match='20 MB'):
        load_urdf('<robot name="a"><!--' + 'x' * (20 * 1024 * 1024) + '--></robot>')


def test_a_file_beyond_twenty_megabytes_is_refused_unread(tmp_path):
    """The size is asked of the file system first."""
    path = tmp_path / 'large.urdf'
    with path.open('wb') as file:
        file.truncate(10**12)
    with pytest.raises(ModelError, match='20 MB'):
        load_urdf(path)


def test_deep_nesting_is_refused():
    """Before it can exhaust anything."""
    with pytest.raises(ModelError, match='nested more than 64 deep'):
        load_urdf('<robot name="r">' + '<a>' * 10000)


def test_many_links_load_in_proportion():
    """A long file is slow, not endless."""
    n = 3000
    frames = [link(f'l{i}', '') for i in range(n)]
    mounts = [joint(f'j{i}', 'a' if i == 0 else f'l{i - 1}', f'l{i}', 'fixed') for i in range(n)]
    assert len(load_urdf(robot(link('a'), *frames, *mounts)).fixed_joints) == n


@pytest.mark.parametrize(
    'source',
    ['', '   ', '.', 'no/such.urdf', 'a\0b', 'x' * 10000, 'http://localhost/a.urdf', '/dev/zero'],
)
def test_what_is_no_file_is_said(source):
    """A missing file, a folder, a device and an address are no descriptions."""
    with pytest.raises(ModelError):
        load_urdf(source)


@pytest.mark.parametrize('source', [None, 3, b'<robot/>', ['a']])
def test_what_is_no_source_is_said(source):
    """Only paths and text are."""
    with pytest.raises(ModelError, match='expected a path'):
        load_urdf(source)


@pytest.mark.parametrize(
    'address',
    [
        'package://',
        'package://free_flyer_dynamics',
        'package://free_flyer_dynamics/',
        'package://free_flyer_dynamics/../secret.urdf',
        'package://free_flyer_dynamics/urdf/no_such.urdf',
        'package://no_such_package/a.urdf',
    ],
)
def test_a_wrong_package_address_is_said(address):
    """With what an address looks like."""
    with pytest.raises(ModelError, match='package://'):
        load_urdf(address)


@pytest.mark.parametrize('inside', ['../package.xml', 'urdf/../../x', '/etc/hostname'])
def test_a_package_address_stays_inside_its_package(inside):
    """Even where the file exists."""
    with pytest.raises(ModelError, match='is no address'):
        load_urdf(f'package://free_flyer_dynamics/{inside}')


@pytest.mark.parametrize('variable', ['AMENT_PREFIX_PATH', 'ROS_PACKAGE_PATH'])
def test_packages_are_found_through_the_environment(tmp_path, monkeypatch, variable):
    """In a ROS workspace without its Python tools, the search paths are enough."""
    share = tmp_path / ('share/other' if variable == 'AMENT_PREFIX_PATH' else 'other')
    share.mkdir(parents=True)
    (share / 'x.urdf').write_text(pair())
    monkeypatch.setenv(variable, str(tmp_path))
    assert load_urdf('package://other/x.urdf').name == 'r'


def test_bytes_that_are_no_utf8_are_refused(tmp_path):
    """Whatever the declaration claims."""
    path = tmp_path / 'latin.urdf'
    path.write_bytes('<?xml version="1.0" encoding="latin-1"?><robot name="é"/>'.encode('latin-1'))
    with pytest.raises(ModelError, match='not UTF-8'):
        load_urdf(path)


def test_a_byte_order_mark_is_fine(tmp_path):
    """In a file as in text."""
    path = tmp_path / 'bom.urdf'
    path.write_text('\ufeff' + pair(), encoding='utf-8')
    assert load_urdf(path).name == load_urdf('\ufeff \n' + pair()).name == 'r'


def test_a_xacro_file_is_expanded(tmp_path):
    """By its suffix only."""
    pytest.importorskip('xacro')
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    value = '<xacro:property name="m" value="${1 + 2}"/>'
    text = f'<robot name="x" {space}>{value}{link("a", MASSIVE)}</robot>'
    text = text.replace('mass value="2"', 'mass value="${m}"')
    path = tmp_path / 'x.urdf.xacro'
    path.write_text(text)
    assert load_urdf(path).mass == 3.0
    with pytest.raises(ModelError, match='expected one finite number'):
        load_urdf(text)


def test_a_broken_xacro_file_is_a_model_error(tmp_path):
    """With the file's name and xacro's own complaint."""
    pytest.importorskip('xacro')
    path = tmp_path / 'x.xacro'
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    for text in (f'<robot name="x" {space}>${{no_such}}</robot>', '<robot', '<robot/><robot/>'):
        path.write_text(text)
        with pytest.raises(ModelError):
            load_urdf(path)


def load_or_refuse(text):
    """Load the text; a ModelError is an answer, anything else a bug."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            load_urdf(text)
        except ModelError as error:
            assert str(error)


def test_a_truncated_file_is_refused():
    """At every thirtieth byte."""
    for end in range(1, len(TEXT) - 12, 30):
        with pytest.raises(ModelError):
            load_urdf(TEXT[:end])


FLIPS = strategies.lists(
    strategies.tuples(strategies.integers(0, 10**6), strategies.binary(min_size=1, max_size=3)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(FLIPS)
def test_flipped_bytes_load_or_are_refused(tmp_path_factory, flips):
    """Never a traceback from below."""
    data = bytearray(TEXT.encode())
    for where, what in flips:
        at = where % len(data)
        data[at : at + len(what)] = what
    path = tmp_path_factory.getbasetemp() / 'flipped.urdf'
    path.write_bytes(data)
    load_or_refuse(path)


WORDS = ['0', '-1', '1e308', '1e-320', 'nan', '', 'base', 'link3', 'J2', 'fixed', '1 1 1', '<a/>']


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.integers(0, 10**6), strategies.sampled_from(WORDS), strategies.integers(1, 3))
def test_exchanged_attributes_load_or_are_refused(which, word, count):
    """Huge numbers, tiny ones, wrong names."""
    pieces = TEXT.split('"')
    for k in range(count):
        at = 2 * ((which * (k + 1)) % (len(pieces) // 2)) + 1
        pieces[at] = word.replace('<', '&lt;')
    load_or_refuse('"'.join(pieces))


def test_importing_does_not_import_urchin():
    """It takes half a second, which only a load should cost."""
    code = 'import sys, free_flyer_dynamics.urdf; sys.exit("urchin" in sys.modules)'
    subprocess.run([sys.executable, '-c', code], check=True)


def test_loading_puts_off_what_urchin_wants_for_meshes_until_it_is_asked_for():
    """It takes a third of a second; whoever uses it, urchin included, finds it whole."""
    code = (
        'import sys; from free_flyer_dynamics import load_urdf; load_urdf(sys.argv[1]);'
        'assert "trimesh.base" not in sys.modules and "networkx.classes" not in sys.modules;'
        'import trimesh, networkx.algorithms, urchin;'
        'assert abs(urchin.Box([1, 2, 3]).meshes[0].volume - 6) < 1e-12;'
        'assert trimesh.creation.box().volume == 1;'
        'assert networkx.path_graph(3).number_of_edges() == 2;'
    )
    subprocess.run([sys.executable, '-c', code, TEXT], check=True)
