# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The state carried from one structure to the next: by link, momentum conserved."""

from typing import NamedTuple

from free_flyer_dynamics.kernels._jit import brief, kernel, out_of_line
from free_flyer_dynamics.kernels.edges import edges_of
from free_flyer_dynamics.kernels.kinematics import place_nodes
from free_flyer_dynamics.kernels.links import read_edges, write_edges
from free_flyer_dynamics.kernels.passage import (
    move_nodes,
    passage_of,
    pose_of,
    twist_of,
    weigh,
)
from free_flyer_dynamics.kernels.records import LINKS, plan_of, scratch_of
from free_flyer_dynamics.kernels.room import bodies_of
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.rows import set_matrix, set_vector
from free_flyer_dynamics.tree import FREE
import numpy as np


class Coordinates(NamedTuple):
    """What of a state tells where everything is and how it moves."""

    q: np.ndarray
    v: np.ndarray
    loop_angle: np.ndarray


@brief
def survey(
    # what is joined, compiled, its state, and room
    edge_ints,
    edge_reals,
    ints,
    reals,
    q,
    v,
    loop_angle,
    room,
    # output: (18 l), (e, 4), (e, 3)
    bodies_out,
    coordinates_out,
    rates_out,
):
    """Axes and origins of all links in world, twists in link axes, and the edges' motion."""
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    ws = passage_of(ints, room)
    rotation, position, twist = bodies_of(bodies_out, ints[LINKS])
    place_nodes(plan.tree, q, ws)
    move_nodes(ints, reals, v, room)
    for b in range(len(plan.link_node)):
        A, x = pose_of(plan, b, ws)
        set_matrix(rotation, b, A)
        set_vector(position, b, 0, x)
        w, u = twist_of(plan, b, ws)
        set_vector(twist, b, 0, w)
        set_vector(twist, b, 3, u)
    turns, shifts = scratch_of(reals)
    state = Coordinates(q, v, loop_angle)
    read_edges(edges, plan, state, ws, turns, shifts, coordinates_out, rates_out)


@kernel
def place(edge_ints, edge_reals, ints, reals, bodies, coordinates, rates, q_out, vel_out):
    """Give a structure the links' poses and, as far as its joints can, their velocities."""
    out_of_line()
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    tree = plan.tree
    for i in range(len(tree.parent)):
        if tree.kind[i] != FREE:
            continue
        base = plan.node_link[i]
        at = tree.q_at[i]
        quat_from_matrix(rotation[base], q_out[at + 3 : at + 7])
        for k in range(3):
            q_out[at + k] = position[base, k]
        for k in range(6):
            vel_out[tree.v_at[i] + k] = twist[base, k]
    write_edges(edges, plan, coordinates, rates, q_out, vel_out)


@brief
def take_over(
    # what is joined, compiled, and room
    edge_ints,
    edge_reals,
    ints,
    reals,
    room,
    # what the links come with
    bodies,
    coordinates,
    rates,
    # output: a state, which comes as new
    q_out,
    v_out,
    momentum_out,
    center_out,
    loop_angle_out,
):
    """Carry a motion into a new structure, which binds nothing that moved freely."""
    joined = edge_ints, edge_reals, ints, reals, room
    state = q_out, v_out, momentum_out, center_out, loop_angle_out
    carry_over(joined, (bodies, coordinates, rates), state)


@kernel
def carry_over(joined, motion, state):
    """Do so, for kernels."""
    out_of_line()
    edge_ints, edge_reals, ints, reals, room = joined
    bodies, coordinates, rates = motion
    q, v, momentum, center, loop_angle = state
    plan, ws = plan_of(ints, reals), passage_of(ints, room)
    place(edge_ints, edge_reals, ints, reals, bodies, coordinates, rates, q, v)
    for m in range(len(plan.loop_edge)):
        loop_angle[m] = coordinates[plan.loop_edge[m], 0]
    place_nodes(plan.tree, q, ws)
    move_nodes(ints, reals, v, room)
    weigh(ints, reals, room, momentum, center)
    for k in range(len(ws.impulse)):
        ws.impulse[k] = 0.0
