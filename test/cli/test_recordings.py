# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""What a flight leaves behind: tables, arrays and bags, and who can read them."""

import csv

from free_flyer_dynamics.cli import run, scenario
from free_flyer_dynamics.cli.main import main
from free_flyer_dynamics.cli.plot import load
import numpy as np
import pytest


@pytest.mark.jit
@pytest.mark.parametrize('suffix', ['.npz', '.csv', '.mcap'])
def test_a_recording_comes_back_as_it_was(two, tmp_path, suffix, capsys):
    """Every number; the joint of an attachment is NaN before and after it."""
    out = tmp_path / f'two{suffix}'
    kept = run.fly(scenario.read(str(two)), out)
    back = load(out)
    assert back.joint_names == kept.joint_names
    assert back.joint_names[-1] == 'grip'
    assert np.isnan(kept.positions[0, -1])
    for name in ('positions', 'velocities', 'efforts', 'poses', 'twists', 'momentum', 'freedoms'):
        np.testing.assert_array_equal(getattr(back, name), getattr(kept, name), err_msg=name)
    np.testing.assert_allclose(back.time, kept.time, atol=1e-9)  # stamps are whole nanoseconds
    np.testing.assert_allclose(back.shares, kept.shares, atol=1e-12)  # a bag's are a difference
    words = 2 if suffix == '.csv' else None  # a table tells the freedoms alone
    assert [what.split()[:words] for _, what in back.changes] == [
        what.split()[:words] for _, what in kept.changes
    ]
    assert main(['plot', str(out)]) == 0
    assert out.with_suffix('.png').read_bytes().startswith(b'\x89PNG')


@pytest.mark.jit
def test_numpy_and_any_csv_reader_understand_what_is_written(two, tmp_path):
    """Every column has its name and unit, and numbers that are the simulator's."""
    two.write_text(two.read_text().replace('joint: revolute', 'joint: prismatic'))
    given = scenario.read(str(two))
    kept = run.fly(given, tmp_path / 'two.npz')
    run.fly(given, tmp_path / 'two.csv')
    arrays = np.load(tmp_path / 'two.npz')
    about = str(arrays['about'])
    assert all(name in about for name in arrays.files if name != 'about')
    assert dict(zip(arrays['joint_names'], arrays['joint_units'], strict=True))['grip'] == 'm'
    np.testing.assert_array_equal(arrays['freedoms'][[0, 50, 75]], [22, 16, 21])  # J1 stays locked
    with (tmp_path / 'two.csv').open(newline='') as file:
        heads = next(csv.reader(file))
    table = np.loadtxt(tmp_path / 'two.csv', delimiter=',', skiprows=1)
    assert len(heads) == len(set(heads)) == table.shape[1]
    for head, values in (
        ('time [s]', kept.time),
        ('J2 position [rad]', kept.positions[:, 1]),
        ('J2 velocity [rad/s]', kept.velocities[:, 1]),
        ('J2 effort [N m]', kept.efforts[:, 1]),
        ('grip position [m]', kept.positions[:, -1]),
        ('grip velocity [m/s]', kept.velocities[:, -1]),
        ('grip effort [N]', kept.efforts[:, -1]),
        ('target/target z [m]', kept.poses[:, 1, 2]),
        ('base qw', kept.poses[:, 0, 6]),
        ('base wz [rad/s]', kept.twists[:, 0, 5]),
        ('angular momentum y [N m s]', kept.momentum[:, 4]),
        ('kinetic energy [J]', kept.momentum[:, 9]),
        ('angular momentum of target x [N m s]', kept.shares[:, 1, 0]),
        ('freedoms', kept.freedoms),
    ):
        np.testing.assert_array_equal(table[:, heads.index(head)], values, err_msg=head)


@pytest.mark.jit
def test_rosbags_reads_a_bag_with_the_types_it_carries(two, tmp_path):
    """Nothing of ours is needed: the file says itself what its messages are."""
    from rosbags.highlevel import AnyReader

    kept = run.fly(scenario.read(str(two)), tmp_path / 'two.mcap')
    with AnyReader([tmp_path / 'two.mcap']) as reader:
        kinds = {connection.topic: connection.msgtype for connection in reader.connections}
        assert kinds['/joint_states'] == 'sensor_msgs/msg/JointState'
        assert kinds['/momentum'] == 'free_flyer_interfaces/msg/Momentum'
        wanted = [c for c in reader.connections if c.topic == '/momentum']
        energies = [
            reader.deserialize(data, connection.msgtype).kinetic_energy
            for connection, _, data in reader.messages(wanted)
        ]
    np.testing.assert_array_equal(energies, kept.momentum[:, 9])


@pytest.mark.jit
def test_a_bag_replays_to_the_same_flight(two, tmp_path, capsys):
    """Commands, a push, structure changes and all; with other commands it does not."""
    out = tmp_path / 'two.mcap'
    assert main(['run', str(two), '--quiet', '--out', str(out)]) == 0
    assert main(['replay', str(out), '--tolerance', '1e-10']) == 0
    assert 'The same within 1e-10' in capsys.readouterr().out
    assert main(['replay', str(out), '--dt', '0.01', '--tolerance', '1e-15']) == 1
    assert 'Not the same' in capsys.readouterr().out


FALLING = """
seconds: 0.5
dt: 0.005
rate: 50
gravity: [0, 0, -9.81]
integrator: dop853
robots:
  arm: {model: thesis_planar_three_joint, fixed: true, joint_positions: {J1: 0.3}}
  rock: {model: thesis_target, prefix: rock/, position: [5, 0, 0], linear_velocity: [0, 0, 4]}
events:
  - {at: 0.1, efforts: {J2: 1.0}}
"""


@pytest.mark.jit
def test_a_bag_knows_the_world_it_was_flown_in(tmp_path, capsys):
    """Time step, gravity, integrator, and who is fixed: nobody has to say it again."""
    path, out = tmp_path / 'falling.yaml', tmp_path / 'falling.mcap'
    path.write_text(FALLING)
    assert main(['run', str(path), '--quiet', '--out', str(out)]) == 0
    assert main(['replay', str(out), '--tolerance', '1e-10']) == 0
    assert 'The same within 1e-10' in capsys.readouterr().out
