# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
A motion that comes to a structure: taken over, and where it is bound struck, weighed and told of.

All in one call: the engine's arena is furnished, what links come with is read where it lies, and
the arena is left with the state that follows.
"""

from free_flyer_dynamics.kernels import loads
from free_flyer_dynamics.kernels._jit import brief, inlined, kernel
from free_flyer_dynamics.kernels.blocks import plus, Vector
from free_flyer_dynamics.kernels.closures import closures_of
from free_flyer_dynamics.kernels.cut import cut
from free_flyer_dynamics.kernels.edges import edges_of
from free_flyer_dynamics.kernels.furnish import fill_arena
from free_flyer_dynamics.kernels.given import set_efforts
from free_flyer_dynamics.kernels.kinematics import place_nodes
from free_flyer_dynamics.kernels.lanes import BRANCHES, ONE
from free_flyer_dynamics.kernels.layout import course_of
from free_flyer_dynamics.kernels.passage import compare, move_nodes, passage_of, weigh
from free_flyer_dynamics.kernels.records import HELD, LINKS, NQ, NV, plan_of, ROOTS
from free_flyer_dynamics.kernels.room import bodies_of
from free_flyer_dynamics.kernels.rows import set_vector, vector_of
from free_flyer_dynamics.kernels.strike import strike
from free_flyer_dynamics.kernels.transfer import carry_over, place
from free_flyer_dynamics.kernels.ways import fill_closures
from free_flyer_dynamics.tree import FREE

# What is done: a motion let be or bound by an arena that is furnished for it; or the impulse in
# the room struck, or only what it would do found.
LET, BIND, STRIKE, TRY = 0, 1, 2, 3
# What is told of an impact: energy lost, then momentum after less before, angular and linear; then
# the impulses on the edges that were to be told of.
LOST, GAINED, TOLD = 0, 1, 7
# What a strike leaves missing, beside all that moves, is rounding up to here [-].
ROUNDED = 1e-14


@inlined
def _rounding(tree, ws):
    """Return what rounding may leave of the momentum of nodes that move so: of all their sizes."""
    size = 0.0
    for i in range(len(tree.parent)):
        J, v = tree.inertia[i], ws.v[i]
        size += (J[0, 0] + J[1, 1] + J[2, 2]) * (abs(v[0]) + abs(v[1]) + abs(v[2]))
        size += tree.mass[i] * (abs(v[3]) + abs(v[4]) + abs(v[5]))
    return ROUNDED * size


@inlined
def _is_missing(tree, impulse, small, on_joints):
    """Tell whether more than that is missing to a root's momentum, or to a joint's."""
    for i in range(len(tree.parent)):
        at = tree.v_at[i]
        end = tree.v_at[i + 1] if i + 1 < len(tree.parent) else len(impulse)
        if on_joints or tree.kind[i] == FREE:
            for k in range(at, end):
                if abs(impulse[k]) > small:
                    return True
    return False


@inlined
def _tell(edges, plan, bodies, wrench, edges_told, ws, told_out):
    """Tell what each edge gave its link, loops by their wrenches; the passage has the loads."""
    rotation, position, _twist = bodies
    load = ws.load
    angular = linear = Vector(0.0, 0.0, 0.0)
    for b in range(len(load)):
        angular = plus(angular, vector_of(load, b, 0))
        linear = plus(linear, vector_of(load, b, 3))
    gained = cut(told_out, GAINED, (1, 6))
    set_vector(gained, 0, 0, angular)
    set_vector(gained, 0, 3, linear)
    for m in range(len(plan.loop_edge)):
        for k in range(6):
            ws.loop_wrench[m, k] = wrench[6 * m + k]
    loads.transmit(edges, plan, ws, load)
    impulses = cut(told_out, TOLD, (len(edges_told), 6))
    for k in range(len(edges_told)):
        e = edges_told[k]
        loads.edge_load(edges, plan, e, load, rotation, position, ws, impulses[k])


@inlined
def _bind(closures, links, record, ints, reals, lane):
    """Take a motion over as far as joints can, strike what is missing, tell; see `for_lanes`."""
    edge_ints, edge_reals, of_ints, of_reals, room, bodies, coordinates, rates, told_of, out = (
        record
    )
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(of_ints, of_reals)
    ws, course = passage_of(of_ints, room), course_of(ints)
    q, v = cut(reals, course.user_q, (of_ints[NQ],)), cut(reals, course.user_v, (of_ints[NV],))
    of = of_ints, of_reals
    place(edge_ints, edge_reals, *of, bodies, coordinates, rates, q, v)
    if closures is not None:
        angle = closures_of(closures).angle
        for m in range(len(angle)):
            angle[m] = coordinates[plan.loop_edge[m], 0]
    place_nodes(plan.tree, q, ws)
    move_nodes(*of, v, room)
    compare(links, *of, bodies, room)
    small = _rounding(plan.tree, ws)
    # What loops bear is missing to the joints on their ways, too: there roots alone can tell.
    plain = closures is None
    margin, again = 1.0, False
    while True:
        pivot = strike(ints, reals, closures, ws.impulse, True, again, lane)
        margin = margin if again else pivot
        move_nodes(*of, v, room)
        out[LOST] = compare(links, *of, bodies, room)
        sure = plain or of_ints[HELD] == 0
        if again or (sure and not _is_missing(plan.tree, ws.impulse, small, plain)):
            break
        again = True
    roots = of_ints[ROOTS]
    momentum = cut(reals, course.momentum, (roots, 6))
    weigh(*of, room, momentum, cut(reals, course.center, (roots, 6)))
    wrench = ws.impulse if closures is None else closures_of(closures).wrench
    _tell(edges, plan, bodies_of(bodies, of_ints[LINKS]), wrench, told_of, ws, out)
    return margin


@inlined
def _let(closures, record, ints, reals):
    """Take a motion over that nothing binds; no impulse is left in the room."""
    edge_ints, edge_reals, of_ints, of_reals, room = record[:5]
    course, roots = course_of(ints), of_ints[ROOTS]
    angle = cut(reals, 0, (0,)) if closures is None else closures_of(closures).angle
    state = (
        cut(reals, course.user_q, (of_ints[NQ],)),
        cut(reals, course.user_v, (of_ints[NV],)),
        cut(reals, course.momentum, (roots, 6)),
        cut(reals, course.center, (roots, 6)),
        angle,
    )
    carry_over((edge_ints, edge_reals, of_ints, of_reals, room), record[5:8], state)


@inlined
def _act(closures, links, record, laid, ints, reals, how, lane):
    of_ints, of_reals, room = record[2:5]
    ws = passage_of(of_ints, room)
    if how <= BIND:
        effort, loop_effort, gravity, table, frames, count = laid
        fill_arena(of_ints, of_reals, table, frames, count, ints, reals)
        set_efforts(effort, gravity, 1, ints, reals)
        if closures is not None:
            fill_closures(of_ints, of_reals, frames, ints, loop_effort, closures)
    if how == BIND:
        return _bind(closures, links, record, ints, reals, lane)
    if how == LET:
        _let(closures, record, ints, reals)
        if closures is None:
            return 1.0
    return strike(ints, reals, closures, ws.impulse, how == STRIKE, False, lane)


@brief
def halt(
    # what is joined, compiled, and room
    links,
    edge_ints,
    edge_reals,
    ints,
    reals,
    room,
    # what the links come with, edges to tell of
    bodies,
    edges_told,
    # output
    told_out,
):
    """Tell what it took to bring a motion to a structure that cannot move at all."""
    edges, plan = edges_of(edge_ints, edge_reals), plan_of(ints, reals)
    ws = passage_of(ints, room)
    told_out[LOST] = compare(links, ints, reals, bodies, room)
    _tell(edges, plan, bodies_of(bodies, ints[LINKS]), ws.impulse, edges_told, ws, told_out)


def for_lanes(lane):
    """Return the kernels that act without and with closed loops, for rows of so many lanes."""

    @brief
    def act(
        links, edge_ints, edge_reals, structure_ints, structure_reals, room,
        bodies, coordinates, rates, edges_told, told_out,
        effort, gravity, table, frames, count, ints, reals, how
    ):  # fmt: skip
        """
        Do one of the four above; return the loops' smallest pivot, 1 at best.

        Wrenches are to be put in afterwards: an impact does not feel them.
        """
        joined = edge_ints, edge_reals, structure_ints, structure_reals, room
        record = (*joined, bodies, coordinates, rates, edges_told, told_out)
        laid = effort, None, gravity, table, frames, count
        return _act(None, links, record, laid, ints, reals, how, lane)

    @kernel  # not brief: loops take the cube of their number
    def act_closed(
        closures, loop_effort,
        links, edge_ints, edge_reals, structure_ints, structure_reals, room,
        bodies, coordinates, rates, edges_told, told_out,
        effort, gravity, table, frames, count, ints, reals, how
    ):  # fmt: skip
        """Do the same with loops that stay closed."""
        joined = edge_ints, edge_reals, structure_ints, structure_reals, room
        record = (*joined, bodies, coordinates, rates, edges_told, told_out)
        laid = effort, loop_effort, gravity, table, frames, count
        return _act(closures, links, record, laid, ints, reals, how, lane)

    return act, act_closed


IMPACTS = {1: for_lanes(ONE), **{count: for_lanes(lane) for count, lane in BRANCHES.items()}}
