# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The state carried from one structure to the next: by link, momentum conserved."""

from typing import NamedTuple

from free_flyer_dynamics.kernels import loads
from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.blocks import cross, dot, minus, plus, times
from free_flyer_dynamics.kernels.edges import edges_of
from free_flyer_dynamics.kernels.kinematics import place_nodes
from free_flyer_dynamics.kernels.links import read_edges, write_edges
from free_flyer_dynamics.kernels.passage import (
    missing_impulse,
    momentum_of,
    move_nodes,
    passage_of,
    pose_of,
    twist_of,
    weigh,
)
from free_flyer_dynamics.kernels.records import LINKS, plan_of, scratch_of
from free_flyer_dynamics.kernels.room import bodies_of
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.rows import matrix_of, set_matrix, set_vector, vector_of
from free_flyer_dynamics.tree import FREE
import numpy as np

# What is told of an impact: energy lost, then momentum after less before, angular and linear.
LOST, GAINED = 0, 1
TOLD = 7


class Coordinates(NamedTuple):
    """What of a state tells where everything is and how it moves."""

    q: np.ndarray
    v: np.ndarray
    loop_angle: np.ndarray


@kernel
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
    move_nodes(plan.tree, v, ws)
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
def _place(edges, plan, rotation, position, twist, coordinates, rates, q_out, vel_out):
    """Give a new structure the links' poses and, as far as its joints can, their velocities."""
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


@kernel
def place(edge_ints, edge_reals, ints, reals, bodies, coordinates, rates, q_out, vel_out):
    """Give a structure coordinates and velocities of a motion that binds nothing anew."""
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    _place(edges, plan, rotation, position, twist, coordinates, rates, q_out, vel_out)


@kernel
def take_over(
    # what is joined, compiled, and room
    links,
    edge_ints,
    edge_reals,
    ints,
    reals,
    room,
    # what the links come with, and whether the structure binds them
    bodies,
    coordinates,
    rates,
    binds,
    # output: a state, which comes as new
    q_out,
    v_out,
    momentum_out,
    center_out,
    loop_angle_out,
):
    """
    Carry a motion into a new structure as far as its joints can take it.

    Where the structure binds what moved freely, the impulse that is missing is left in the room;
    it is for the inertia to say what follows from it, see `strike.py`, and for `tell` to say.
    """
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    ws = passage_of(ints, room)
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    _place(edges, plan, rotation, position, twist, coordinates, rates, q_out, v_out)
    for m in range(len(plan.loop_edge)):
        loop_angle_out[m] = coordinates[plan.loop_edge[m], 0]
    place_nodes(plan.tree, q_out, ws)
    move_nodes(plan.tree, v_out, ws)
    if binds:
        missing_impulse(links, plan, twist, ws)
    else:
        for k in range(len(ws.impulse)):
            ws.impulse[k] = 0.0
        weigh(plan.tree, ws, momentum_out, center_out)


@kernel
def _jumps(links, plan, rotation, position, before, ws):
    """
    Fill the links' momenta after less before, about the world origin, world axes.

    Returns the energy lost on the way: half of |after - before| squared in the inertia.
    """
    out_of_line()
    lost = 0.0
    for b in range(len(links.mass)):
        w, u = twist_of(plan, b, ws)
        w, u = minus(w, vector_of(before, b, 0)), minus(u, vector_of(before, b, 3))
        n, f = momentum_of(links.mass, links.moment, links.inertia, b, w, u)
        lost += 0.5 * (dot(n, w) + dot(f, u))
        R = matrix_of(rotation, b)
        n, f = times(R, n), times(R, f)
        set_vector(ws.load, b, 0, plus(n, cross(vector_of(position, b, 0), f)))
        set_vector(ws.load, b, 3, f)
    return lost


@kernel
def tell(
    # what is joined, compiled, and room as `take_over` left it
    links,
    edge_ints,
    edge_reals,
    ints,
    reals,
    room,
    # what the links came with, what the loops bore, edges to tell of, velocities after the impact
    bodies,
    wrench,
    edges_told,
    v,
    # output: the state's sums; the impulse on each of those edges, and what is told
    momentum_out,
    center_out,
    impulses_out,
    told_out,
):
    """Tell what an impact did."""
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    ws = passage_of(ints, room)
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    move_nodes(plan.tree, v, ws)
    weigh(plan.tree, ws, momentum_out, center_out)
    load = ws.load
    told_out[LOST] = _jumps(links, plan, rotation, position, twist, ws)
    for k in range(6):
        told_out[GAINED + k] = 0.0
        for b in range(len(load)):
            told_out[GAINED + k] += load[b, k]
    for m in range(len(plan.loop_edge)):
        for k in range(6):
            ws.loop_wrench[m, k] = wrench[6 * m + k]
    loads.transmit(edges, plan, ws, load)
    for k in range(len(edges_told)):
        e = edges_told[k]
        loads.edge_load(edges, plan, e, load, rotation, position, ws, impulses_out[k])
