# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""XML text to elements that know their line: no DTD, no entities, no other file, no network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
import math
import re
from xml.parsers import expat

from free_flyer_dynamics.errors import ModelError

MOST_BYTES = 20 * 1024 * 1024
MOST_DEPTH = 64
_NUMBER = re.compile(r'[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?', re.ASCII)


@dataclass(eq=False)
class Element:
    """One XML element: tag, attributes, children and the line it starts on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def __str__(self) -> str:
        name = self.attributes.get('name')
        return f'<{self.tag}>' if name is None else f"<{self.tag} name='{name}'>"

    def error(self, sentence: str) -> ModelError:
        """Return a ModelError that says where."""
        return ModelError(f'Line {self.line}, {self}: {sentence}')

    def each(self, tag: str) -> Iterator[Element]:
        """Iterate over the children of that tag, in file order."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """Return the child of that tag, None without one; two are an error."""
        found = list(self.each(tag))
        if len(found) > 1:
            raise self.error(f'<{tag}> is given {len(found)} times; expected once.')
        return found[0] if found else None

    def needed(self, tag: str) -> Element:
        """Return the child of that tag, which must be there."""
        child = self.one(tag)
        if child is None:
            raise self.error(f'<{tag}> is missing; URDF requires it here.')
        return child

    def text(self, attribute: str) -> str:
        """Return an attribute that must be there and not be empty."""
        value = self.attributes.get(attribute, '').strip()
        if not value:
            raise self.error(f"the attribute '{attribute}' is missing or empty; it is required.")
        return value

    def number(self, attribute: str, default: float | None = None) -> float:
        """Return an attribute as a finite number; without a default it is required."""
        if default is not None and attribute not in self.attributes:
            return default
        return self._numbers(attribute, self.text(attribute), 1)[0]

    def triple(self, attribute: str, default: tuple[float, ...] | None = None) -> tuple:
        """Return an attribute as three finite numbers."""
        if default is not None and attribute not in self.attributes:
            return default
        return self._numbers(attribute, self.text(attribute), 3)

    def _numbers(self, attribute: str, text: str, count: int) -> tuple[float, ...]:
        words = text.split()
        good = len(words) == count and all(_NUMBER.fullmatch(word) for word in words)
        values = tuple(float(word) for word in words) if good else ()
        if not good or not all(math.isfinite(value) for value in values):
            expected = 'one finite number' if count == 1 else f'{count} finite numbers'
            shown = text if len(text) <= 80 else f'{text[:77]}...'
            raise self.error(f"{attribute}='{shown}'; expected {expected}.")
        return values


def check_size(count: int, what: str) -> None:
    """Refuse a description beyond the limit."""
    if count > MOST_BYTES:
        raise ModelError(
            f'{what} has {count} bytes; a robot description may have at most {MOST_BYTES} '
            '(20 MB). Keep meshes in their own files.'
        )


def parse(text: str) -> Element:
    """
    Return the root element of an XML text.

    A document type declaration is refused as soon as it starts, so that no entity is ever
    declared, let alone expanded or fetched.

    """
    try:
        data = text.encode('utf-8')
    except UnicodeEncodeError:
        raise ModelError('The robot description is not Unicode text; expected UTF-8.') from None
    check_size(len(data), 'The robot description')
    roots: list[Element] = []
    stack: list[Element] = []
    parser = expat.ParserCreate('utf-8')

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        if len(stack) >= MOST_DEPTH:
            raise element.error(f'elements are nested more than {MOST_DEPTH} deep.')
        (stack[-1].children if stack else roots).append(element)
        stack.append(element)

    def refuse(*_) -> None:
        raise ModelError(
            f'Line {parser.CurrentLineNumber}: the robot description has a document type '
            'declaration (<!DOCTYPE ...>). Entities are not supported; remove it.'
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: stack.pop()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ModelError(f'The robot description is not well-formed XML: {error}.') from None
    return roots[0]
