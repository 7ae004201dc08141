# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""
The <free_flyer> tag: what a robot in space has and URDF lacks.

    <robot name="...">
      <free_flyer>
        <reaction_wheel joint="J8" torque_limit="0.2" speed_limit="600" momentum_limit="12"/>
        <end_effector link="tool"/>
        <imu link="imu_link"/>
      </free_flyer>
    </robot>

Limits are in N m, rad/s and N m s; each may be left out. Other tools ignore the tag.

"""

from __future__ import annotations

from typing import TypedDict

from free_flyer_dynamics.model import UNLIMITED, Wheel
from free_flyer_dynamics.urdf_xml import Element

TAG = 'free_flyer'
LIMITS = ('torque_limit', 'speed_limit', 'momentum_limit')
_ATTRIBUTES = {
    'reaction_wheel': ('joint', *LIMITS),
    'end_effector': ('link',),
    'imu': ('link',),
}


class Extras(TypedDict):
    """The fields of Model that the tag fills."""

    wheels: tuple[Wheel, ...]
    end_effectors: tuple[str, ...]
    imu: str | None


def parse(robot: Element) -> Extras:
    """Return what the tag says; Model checks the names."""
    tag = robot.one(TAG) or Element(TAG, {}, robot.line)
    _refuse_unknown('attribute', tag, tag.attributes, ())
    for child in tag.children:
        _refuse_unknown('tag', tag, (child.tag,), tuple(_ATTRIBUTES))
        _refuse_unknown('attribute', child, child.attributes, _ATTRIBUTES[child.tag])
    imu = tag.one('imu')
    return {
        'wheels': tuple(_wheel(element) for element in tag.each('reaction_wheel')),
        'end_effectors': tuple(element.text('link') for element in tag.each('end_effector')),
        'imu': None if imu is None else imu.text('link'),
    }


def _wheel(element: Element) -> Wheel:
    return Wheel(element.text('joint'), *(element.number(key, UNLIMITED) for key in LIMITS))


def _refuse_unknown(what: str, where: Element, given, known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            listed = ', '.join(known) or 'none'
            raise where.error(f"the {what} '{name}' is unknown; expected {listed}.")
