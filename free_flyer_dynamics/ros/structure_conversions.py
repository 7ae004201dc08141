# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Structure, its changes and what they did, to messages and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.ros.conversions import header, vector_to_msg, xyz_from_msg
from free_flyer_dynamics.transition import Transition
from free_flyer_interfaces import msg as own


def connectivity_to_msg(stamp: int, world: str, connectivity: Connectivity) -> own.Connectivity:
    """Return how the world hangs together."""
    return own.Connectivity(
        header=header(stamp, world),
        revision=connectivity.revision,
        dof=connectivity.dof,
        base=connectivity.base,
        links=[own.ConnectivityLink(**row._asdict()) for row in connectivity.links],
        locked=list(connectivity.locked),
        attachments=list(connectivity.attachments),
        loops=list(connectivity.loops),
    )


def operation_from_msg(message: own.TopologyOperation) -> tuple:
    """Return an operation as 'change' takes it; what a kind does not use must be left empty."""
    kind = message.kind
    if kind in ('lock', 'unlock'):
        return (kind, *message.joints)
    if kind == 'rebase':
        return (kind, message.frame_a)
    if kind == 'detach':
        return (kind, message.name)
    axis = xyz_from_msg(message.axis)
    options = {
        'joint': message.joint_type or 'fixed',
        'axis': axis if any(axis) else (0.0, 0.0, 1.0),
        'name': message.name or None,
    }
    if kind == 'attach':
        return (kind, message.frame_a, message.frame_b, {**options, 'align': message.align})
    return (kind, message.frame_a, options) if kind == 'anchor' else (kind,)


def operation_to_msg(operation: Sequence) -> own.TopologyOperation:
    """Return an operation as a message."""
    kind, *arguments = operation
    options = arguments.pop() if arguments and isinstance(arguments[-1], Mapping) else {}
    message = own.TopologyOperation(kind=kind)
    if kind in ('lock', 'unlock'):
        message.joints = list(arguments)
    elif kind == 'detach':
        message.name = arguments[0]
    else:
        message.frame_a = arguments[0]
    if kind in ('attach', 'anchor'):
        message.joint_type = options.get('joint', 'fixed')
        message.axis = vector_to_msg(options.get('axis', (0, 0, 1)))
        message.name = options.get('name') or ''
    if kind == 'attach':
        message.frame_b = arguments[1]
        message.align = bool(options.get('align', False))
    return message


def operations_from_msg(messages: Iterable[own.TopologyOperation]) -> list[tuple]:
    """Return operations as 'change' takes them."""
    return [operation_from_msg(message) for message in messages]


def transition_to_msg(transition: Transition) -> own.Transition:
    """Return what a change of structure did."""
    return own.Transition(
        revision=transition.revision,
        operations=[operation_to_msg(operation) for operation in transition.operations],
        impulses=[
            own.Impulse(
                name=name,
                linear=vector_to_msg(impulse.linear),
                angular=vector_to_msg(impulse.angular),
            )
            for name, impulse in transition.impulses.items()
        ],
        energy_lost=float(transition.energy_lost),
        momentum_change=own.MomentumChange(
            linear=vector_to_msg(transition.momentum_change.linear),
            angular=vector_to_msg(transition.momentum_change.angular),
        ),
        dof_before=transition.dof_before,
        dof_after=transition.dof_after,
        seconds=transition.seconds,
    )
