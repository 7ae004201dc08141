# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What we write is true: code runs, links lead somewhere, what is named exists."""

from pathlib import Path
import re

import free_flyer_dynamics as ffd
from free_flyer_dynamics.cli import scenario
from free_flyer_dynamics.cli.main import main as command_line
from free_flyer_dynamics.model import ModelWarning
from free_flyer_dynamics.urdf import shipped
import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').glob('*.md'))]
LINK = re.compile(r'\]\(([^)\s]+)\)')
FENCED = re.compile(r'^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)


CONTROL = ROOT / 'docs' / 'control.md'


def blocks(language, page=PAGES[0]):
    """Return a page's code blocks of a language, the README's when none is named."""
    return [text for kind, text in FENCED.findall(page.read_text()) if kind == language]


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Those to files; what is on the network is not asked."""
    for link in LINK.findall(FENCED.sub('', page.read_text())):
        if not link.startswith(('http', '#', 'mailto:')):
            target = (page.parent / link.partition('#')[0]).resolve()
            assert target.exists(), link
            # The site has the pages of docs/ alone.
            assert page.parent.name != 'docs' or target.is_relative_to(page.parent), link


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.model.ModelWarning')
def test_the_python_of_the_readme_runs(capsys):
    """In order, as one program: momentum is kept, the base moves."""
    names = {}
    first, *others = blocks('python')
    exec(first, names)
    change = names['sim'].momentum().angular - names['before'].angular
    assert np.abs(change).max() < 1e-12 * np.abs(names['before'].angular).max()
    for text in others:
        exec(text, names)
    assert len(capsys.readouterr().out.splitlines()) >= 3


@pytest.mark.jit
def test_the_python_of_the_tutorial_catches_and_absorbs(capsys):
    """Its pieces are one program: the base rests, the wheel has the spin, all is let go."""
    names = {}
    for text in blocks('python', ROOT / 'docs' / 'tutorial.md'):
        exec(text, names)
    sim = names['sim']
    assert names['caught'].dof_before - names['caught'].dof_after == 6
    assert abs(sim.twist('base').angular[2]) < 1e-5
    assert abs(sim.velocities[sim.joint_names.index('wheel')]) > 1.0
    assert sim.connectivity().dof == names['caught'].dof_before
    assert len(capsys.readouterr().out.splitlines()) > 10


@pytest.mark.jit
def test_the_python_of_the_command_line_reads_what_it_wrote(tmp_path, monkeypatch, capsys):
    """The arrays say themselves what they are."""
    monkeypatch.chdir(tmp_path)
    assert command_line(['run', 'lock_in_flight', '--quiet', '--out', 'lock_in_flight.npz']) == 0
    (text,) = blocks('python', ROOT / 'docs' / 'command_line.md')
    exec(text, {})
    assert capsys.readouterr().out.splitlines()[-1].endswith(' rad')


@pytest.mark.jit
def test_the_python_of_the_how_to_brakes(capsys):
    """A loop in lockstep without ROS."""
    names = {}
    for text in blocks('python', ROOT / 'docs' / 'controller_in_the_loop.md'):
        exec(text, names)
    assert np.abs(names['sim'].velocities).max() < 0.05


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.model.ModelWarning')
def test_the_python_of_the_page_on_batches_keeps_hands_joined():
    """Two hundred closed chains, each driven otherwise."""
    names = {}
    (text,) = blocks('python', ROOT / 'docs' / 'batches.md')
    exec(text, names)
    assert np.ptp(names['hands']) > 0.1
    assert np.abs(names['gap']).max() < 1e-12


def test_other_python_of_the_pages_is_python():
    """What needs ROS to run is at least compiled, and so is what is only sketched."""
    for page in PAGES:
        for text in blocks('py', page):
            compile(text, page.name, 'exec')


def test_the_scenario_of_the_pages_is_one():
    """YAML that the command line takes."""
    for text in blocks('yaml', ROOT / 'docs' / 'command_line.md'):
        assert scenario.parse(text).events


def test_every_page_is_on_the_site():
    """The site's navigation names every page and no other."""
    text = (ROOT / 'mkdocs.yml').read_text().partition('nav:')[2]
    named = set(re.findall(r'(\w+\.md)', text))
    assert named == {page.name for page in (ROOT / 'docs').glob('*.md')}


@pytest.mark.jit
@pytest.mark.filterwarnings('ignore::free_flyer_dynamics.model.ModelWarning')
def test_the_python_of_the_control_page_keeps_the_base_still():
    """Two seconds of a swinging arm, with wheels that coast."""
    names = {}
    (text,) = blocks('python', CONTROL)
    exec(text, names)
    now = names['now']
    assert np.abs(now.joint_rates[now.arm]).max() > 0.01
    assert np.abs(ffd.control.attitude_error(now.rotation)).max() < np.radians(0.01)


def test_files_and_tests_of_the_control_page_exist():
    """Laws, planners, and what shows each figure."""
    page, package = CONTROL.read_text(), ROOT / 'free_flyer_dynamics'
    tests = ''.join(path.read_text() for path in (ROOT / 'test').rglob('test_*.py'))
    for name in re.findall(r'`(test_\w+)`', page):
        assert f'def {name}(' in tests, name
    for name in re.findall(r'`(\w+\.py)`', page):
        assert (package / 'control' / name).exists(), name
    planners = page.partition('| planner |')[2].partition('\n\n')[0]
    for name in re.findall(r'`(\w+)`', planners):
        assert hasattr(ffd.planning, name), name


def test_the_first_lines_are_few():
    """Ten lines of Python, as promised to the newcomer."""
    lines = [line for line in blocks('python')[0].splitlines() if line.strip()]
    assert len(lines) <= 10


def test_the_tag_of_the_readme_is_read():
    """Put into the robot of the thesis, whose names it uses."""
    (tag,) = blocks('xml')
    text = shipped('thesis_seven_joint').read_text()
    text = re.sub(r'<free_flyer>.*?</free_flyer>', tag, text, flags=re.DOTALL)
    with pytest.warns(ModelWarning):
        model = ffd.load_urdf(text.replace('"end_effector"', '"tool"'))
    assert model.wheels[0].speed_limit == 600


def test_what_the_readme_calls_exists():
    """Every method of the table."""
    table = PAGES[0].read_text().partition('| task |')[2].partition('\n\n')[0]
    named = {name.partition('(')[0] for name in re.findall(r'`([a-z_]+(?:\(\w*\))?)`', table)}
    assert len(named) > 12
    assert not [name for name in named if not hasattr(ffd.Simulator, name)]


def test_what_the_readme_makes_is_in_the_makefile():
    """Every target."""
    targets = re.findall(r'^([a-z-]+):', (ROOT / 'Makefile').read_text(), re.MULTILINE)
    named = set(re.findall(r'`make ([a-z-]+)', ''.join(page.read_text() for page in PAGES)))
    assert named <= set(targets)


def test_files_functions_and_tests_of_the_equations_exist():
    """A row names a file, functions in it and a test."""
    tests = ''.join(path.read_text() for path in (ROOT / 'test').rglob('test_*.py'))
    page = (ROOT / 'docs/equations.md').read_text()
    for row in re.findall(r'^\| [A-Z].*\|$', page, re.MULTILINE):
        function, test = row.strip('|').rsplit('|', 2)[1:]
        for name in re.findall(r'`(test_\w+)`', test):
            assert f'def {name}(' in tests, name
        for file, names in re.findall(r'`([\w/]+\.py)`(?:: ((?:`\w+`(?:, )?)+))?', function):
            source = (ROOT / 'free_flyer_dynamics' / file).read_text()
            for name in re.findall(r'\w+', names):
                assert f'def {name}(' in source, f'{file}: {name}'


def test_every_source_cited_is_listed():
    """A key in brackets, in the kernels or the table, has its line under Sources."""
    page = (ROOT / 'docs/equations.md').read_text()
    table, _, sources = page.partition('## Sources')
    listed = set(re.findall(r'\*\*\[(\w+)\]\*\*', sources))
    assert set(re.findall(r'\[([A-Z]\w+)\]', table)) <= listed
