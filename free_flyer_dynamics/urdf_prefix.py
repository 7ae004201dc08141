# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0


"""The text of a robot whose links and joints bear a prefix, for those who pass it on."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

# Attributes that hold names of links or joints, by the element they are on.
_NAMES = {
    'link': ('name', 'link'),
    'joint': ('name', 'joint'),
    'parent': ('link',),
    'child': ('link',),
    'mimic': ('joint',),
    'reaction_wheel': ('joint',),
    'end_effector': ('link',),
    'imu': ('link',),
    'gazebo': ('reference',),
}


def prefixed(xml: str, prefix: str) -> str:
    """Return a URDF whose links and joints bear a prefix, <ros2_control> joints too."""
    if not prefix:
        return xml
    root = ElementTree.fromstring(xml.encode())
    for element in root.iter():
        for attribute in _NAMES.get(element.tag, ()):
            if attribute in element.attrib:
                element.set(attribute, prefix + element.attrib[attribute])
    return ElementTree.tostring(root, encoding='unicode')
