# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""Structure, its changes and what they did, to messages and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from free_flyer_dynamics import operation_fields
from free_flyer_dynamics.connectivity import Connectivity
from free_flyer_dynamics.ros.conversions import header, vector_to_msg
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


def operation_to_msg(operation: Sequence) -> own.TopologyOperation:
    """Return an operation as a message."""
    fields = operation_fields.fields_of(operation)
    return own.TopologyOperation(**{**fields, 'axis': vector_to_msg(fields['axis'])})


def operations_from_msg(messages: Iterable[own.TopologyOperation]) -> list[tuple]:
    """Return operations as 'change' takes them."""
    return [operation_fields.operation_of(message) for message in messages]


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
