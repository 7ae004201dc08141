# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The state carried from one structure to the next: by link, momentum conserved."""

from free_flyer_dynamics.kernels import loads
from free_flyer_dynamics.kernels._jit import kernel, out_of_line
from free_flyer_dynamics.kernels.aba import articulate
from free_flyer_dynamics.kernels.kinematics import forward_kinematics
from free_flyer_dynamics.kernels.links import link_pose, node_twist, read_edges, write_edges
from free_flyer_dynamics.kernels.loops import factor_all_loops, nearest_factored
from free_flyer_dynamics.kernels.momentum import tree_centers, tree_momentum
from free_flyer_dynamics.kernels.records import LINKS, plan_of, scratch_of
from free_flyer_dynamics.kernels.room import bodies_of, links_room_of, workspace_of
from free_flyer_dynamics.kernels.rotation import quat_from_matrix
from free_flyer_dynamics.kernels.spatial import body_momentum, cross_add, rotate, rotate_back
from free_flyer_dynamics.tree import FREE

# What is told of a transfer: energy lost, then momentum after less before, angular and linear, and
# the smallest pivot of the loops' rows, 1 at best.
LOST, GAINED, MARGIN = 0, 1, 7
TOLD = 8


@kernel
def survey(
    # what is joined, compiled, its state, and room
    edges,
    ints,
    reals,
    state,
    room,
    # output: (18 l), (e, 4), (e, 3)
    bodies_out,
    coordinates_out,
    rates_out,
):
    """Axes and origins of all links in world, twists in link axes, and the edges' motion."""
    plan, ws = plan_of(ints, reals), workspace_of(ints, room)
    forward_kinematics(plan.tree, state.q, state.v, ws)
    rotation, position, twist = bodies_of(bodies_out, ints[LINKS])
    for b in range(len(plan.link_node)):
        link_pose(plan, b, ws, rotation[b], position[b])
    _link_twists(plan, ws.v, ws.scratch, twist)
    turns, shifts = scratch_of(reals)
    read_edges(edges, plan, state, ws, turns, shifts, coordinates_out, rates_out)


@kernel
def _link_twists(plan, v, scratch, twist_out):
    """Twists of all links' origins, link axes, from those of the nodes."""
    out_of_line()
    speed = scratch[0, 0]
    for b in range(len(plan.link_node)):
        node_twist(plan, b, v, speed)
        rotate_back(plan.link_rotation[b], speed[:3], twist_out[b, :3])
        rotate_back(plan.link_rotation[b], speed[3:], twist_out[b, 3:])


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
def place(edges, ints, reals, bodies, coordinates, rates, q_out, vel_out):
    """Give a structure coordinates and velocities of a motion that binds nothing anew."""
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    _place(
        edges, plan_of(ints, reals), rotation, position, twist, coordinates, rates, q_out, vel_out
    )


@kernel
def _impulses(links, plan, twist, ws):
    """Fill pA: the momentum of each link acts as an impulse on its node."""
    out_of_line()
    for i in range(len(plan.tree.parent)):
        for k in range(6):
            ws.pA[i, k] = 0.0
    h, turned = ws.scratch[0, 0], ws.scratch[0, 1]
    for b in range(len(links.mass)):
        i = plan.link_node[b]
        if i < 0 or links.mass[b] == 0.0:
            continue
        body_momentum(links.mass[b], links.moment[b], links.inertia[b], twist[b], h)
        rotate(plan.link_rotation[b], h[:3], turned[:3])
        rotate(plan.link_rotation[b], h[3:], turned[3:])
        cross_add(plan.link_position[b], turned[3:], turned[:3])
        for k in range(6):
            ws.pA[i, k] -= turned[k]


@kernel
def _bind(links, plan, twist, q, hold, ws, left, vel_out):
    """
    Find the velocities nearest to the links' in the inertia: v+ = argmin |v - v-|.

    At O(n) cost. What a projection leaves has nothing more to give but rounding, which is taken in
    too; the loops' impulses of the second undo all that is left. Returns the loops' rank.
    """
    tree = plan.tree
    forward_kinematics(tree, q, ws.zero_tau, ws)
    articulate(tree, hold, ws)
    rank = factor_all_loops(tree, hold, ws, vel_out)
    _impulses(links, plan, twist, ws)
    nearest_factored(tree, hold, rank, ws, vel_out)
    _link_twists(plan, ws.a, ws.scratch, left)
    for b in range(len(left)):
        for k in range(6):
            left[b, k] = twist[b, k] - left[b, k]
    _impulses(links, plan, left, ws)
    nearest_factored(tree, hold, rank, ws, ws.tau)
    for k in range(len(vel_out)):
        vel_out[k] += ws.tau[k]
    return rank


@kernel
def _rank(tree, hold, ws):
    """Factor the loops' rows, if there are any, and return their rank."""
    if len(tree.loops.kind) == 0:
        return 0
    articulate(tree, hold, ws)
    return factor_all_loops(tree, hold, ws, ws.tau)


@kernel
def transfer(
    # what is joined, compiled, and room
    links,
    edges,
    ints,
    reals,
    room,
    # what the links come with, whether the structure binds them, edges to tell of
    bodies,
    coordinates,
    rates,
    binds,
    edges_told,
    # output: the state, which comes as new; the impulse on each of those edges, and what is told
    state,
    impulses_out,
    told_out,
):
    """
    Carry a motion into a new structure; return the rank of its loops.

    Where the structure binds what moved freely, velocities jump to the nearest ones in the inertia
    metric; where it only frees, they are those of the motion.
    """
    plan, ws = plan_of(ints, reals), workspace_of(ints, room)
    tree, hold = plan.tree, state.hold
    rotation, position, twist = bodies_of(bodies, ints[LINKS])
    after, load = links_room_of(ints, room)
    _place(edges, plan, rotation, position, twist, coordinates, rates, state.q, state.v)
    for m in range(len(plan.loop_edge)):
        state.loop_angle[m] = coordinates[plan.loop_edge[m], 0]
    rank = 0
    if binds:
        rank = _bind(links, plan, twist, state.q, hold, ws, after, state.v)
    forward_kinematics(tree, state.q, state.v, ws)  # momentum hangs on q and v, not on the way
    if not binds:
        rank = _rank(tree, hold, ws)
    told_out[MARGIN] = 1.0
    for k in range(rank):
        told_out[MARGIN] = min(told_out[MARGIN], ws.F[k, k] * ws.F[k, k])
    tree_momentum(tree, ws, state.momentum)
    tree_centers(tree, ws, ws.pA)
    for r in range(len(state.center)):
        for k in range(3):
            state.center[r, k] = ws.pA[r, k]
    if binds:
        _link_twists(plan, ws.v, ws.scratch, after)
        told_out[LOST] = loads.jumps(links, rotation, position, twist, after, ws, load)
        for b in range(len(load)):
            for k in range(6):
                told_out[GAINED + k] += load[b, k]
        loads.transmit(edges, plan, ws, load)
        for k in range(len(edges_told)):
            e = edges_told[k]
            loads.edge_load(edges, plan, e, load, rotation, position, ws, impulses_out[k])
    return rank
