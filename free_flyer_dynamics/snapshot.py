# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A whole world as bytes: structure, state, inputs and time; the same world gives the same bytes.

Layout: a magic word with the format's version, the SHA-256 of all that follows, the length of a
JSON head, the head, and the arrays it lists, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
import hashlib
import json
from typing import Any

from free_flyer_dynamics.assembly import Assembly
from free_flyer_dynamics.edge_table import EdgeTable
from free_flyer_dynamics.errors import StateError
from free_flyer_dynamics.graph import Edges
from free_flyer_dynamics.inputs import Commands, HeldWrench
from free_flyer_dynamics.joint_table import JointTable
from free_flyer_dynamics.model import Model
from free_flyer_dynamics.structure import compile_assembly, Structure
from free_flyer_dynamics.tree import State
import numpy as np

MAGIC = b'free_flyer_dynamics snapshot '
VERSION = 2
_DIGEST = hashlib.sha256().digest_size


def pack(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return head and arrays as bytes."""
    listed = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    text = json.dumps({**head, 'arrays': listed}, sort_keys=True).encode()
    body = len(text).to_bytes(8, 'little') + text
    body += b''.join(np.ascontiguousarray(arrays[name]).tobytes() for name in sorted(arrays))
    return MAGIC + VERSION.to_bytes(4, 'little') + hashlib.sha256(body).digest() + body


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return head and arrays, or say why these bytes are no snapshot that can be used."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise StateError(f'A snapshot is bytes, got {type(data).__name__}.')
    data = bytes(data)
    start = len(MAGIC) + 4
    if not data.startswith(MAGIC):
        raise StateError('These bytes are not a snapshot. Give what Simulator.snapshot returned.')
    version = int.from_bytes(data[len(MAGIC) : start], 'little')
    if version != VERSION:
        raise StateError(
            f'The snapshot is of format {version}, this library reads format {VERSION}. '
            'Take it again with this version.'
        )
    body = data[start + _DIGEST :]
    if hashlib.sha256(body).digest() != data[start : start + _DIGEST]:
        raise StateError('The snapshot is damaged: its checksum does not fit its contents.')
    size = int.from_bytes(body[:8], 'little')
    head = json.loads(body[8 : 8 + size])
    arrays = {}
    at = 8 + size
    for name, (dtype, shape) in head.pop('arrays').items():
        count = int(np.prod(shape))
        array = np.frombuffer(body, dtype=dtype, count=count, offset=at).reshape(shape)
        arrays[name] = array.copy()
        at += array.nbytes
    return head, arrays


def fingerprint(model: Model) -> str:
    """Return a digest of everything in a model that dynamics and names depend on."""
    digest = hashlib.sha256()
    for part in (model.bodies, model.joints, model.fixed_joints, model.wheels):
        for item in part:
            for name in item.__dataclass_fields__:
                value = getattr(item, name)
                raw = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
                digest.update(raw + b'\0')
        digest.update(b'\1')
    digest.update(repr((model.name, model.end_effectors, model.imu)).encode())
    return digest.hexdigest()


def snapshot(
    structure: Structure,
    state: State,
    coordinates: np.ndarray,
    commands: Commands,
    clock: Mapping[str, float],
) -> bytes:
    """Return a world as bytes."""
    assembly = structure.assembly
    wrenches = sorted(commands.wrenches.items())
    head = {
        'robots': [[robot.prefix, fingerprint(robot.model)] for robot in assembly.robots],
        'revision': assembly.revision,
        'edge_names': assembly.edge_names,
        'edge_sources': assembly.edge_sources,
        'bases': assembly.bases,
        'clock': dict(clock),
        'efforts': sorted(effort for effort in commands.efforts.items() if effort[1]),
        'wrenches': [[link, held.in_world] for link, held in wrenches],
        'clips': commands.clips,
    }
    held = [np.concatenate((w.force, w.torque, w.point)) for _, w in wrenches]
    arrays = {
        **{f'edges.{name}': getattr(assembly.edges, name) for name in Edges._fields},
        'locked': assembly.locked,
        'coordinates': coordinates,
        **{f'state.{name}': getattr(state, name) for name in State._fields},
        'wrenches': np.array(held).reshape(len(held), 9),
        'gravity': commands.gravity,
    }
    return pack(head, arrays)


def restored(
    assembly: Assembly, data: bytes
) -> tuple[Structure, State, np.ndarray, Commands, dict[str, float]]:
    """Return the world of a snapshot, for the robots that this assembly holds."""
    head, arrays = unpack(data)
    here = [[robot.prefix, fingerprint(robot.model)] for robot in assembly.robots]
    if head['robots'] != here:
        theirs = ', '.join(f"'{prefix}'" for prefix, _ in head['robots']) or 'none'
        ours = ', '.join(f"'{prefix}'" for prefix, _ in here) or 'none'
        raise StateError(
            'The snapshot is of other robots: it holds the prefixes '
            f'{theirs}, this world {ours}, and their models must be the same too. '
            'Add the same models in the same order before restoring.'
        )
    edges = Edges(*(arrays[f'edges.{name}'] for name in Edges._fields))
    names = tuple(head['edge_names'])
    back = replace(
        assembly,
        revision=head['revision'],
        edge_table=EdgeTable.of(edges),
        edge_names=names,
        edge_sources=tuple(head['edge_sources']),
        locked=arrays['locked'],
        bases=tuple(head['bases']),
        joints=JointTable.of(names, edges),
        edge_index={name: e for e, name in enumerate(names)},
    )
    structure = compile_assembly(back, arrays['coordinates'])
    state = State(*(arrays[f'state.{name}'] for name in State._fields))
    commands = Commands(arrays['gravity'])
    commands.efforts = dict(head['efforts'])
    commands.clips = head['clips']
    for (link, in_world), row in zip(head['wrenches'], arrays['wrenches'], strict=True):
        commands.wrenches[link] = HeldWrench(row[:3], row[3:6], in_world, row[6:])
    return structure, state, arrays['coordinates'], commands, head['clock']
