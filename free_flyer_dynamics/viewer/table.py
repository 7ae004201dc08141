# Copyright 2026 The free_flyer_dynamics authors
# SPDX-License-Identifier: Apache-2.0

"""The connectivity as a table in the page."""

from __future__ import annotations

from html import escape

from free_flyer_dynamics.viewer.latest import Table

_HEADS = ('', 'link', 'parent', 'tool', 'connect', 'cflag')
_STYLE = (
    '<style>.ff{width:100%;border-collapse:collapse;font-size:11px;margin:4px 0}'
    '.ff td,.ff th{padding:2px 5px;text-align:right;border-bottom:1px solid rgba(150,165,185,.2)}'
    '.ff td:nth-child(2),.ff th:nth-child(2){text-align:left}'
    '.ff .locked{color:#ff6961}.ff-note{font-size:12px;margin:2px 0 6px}</style>'
)


def html(table: Table) -> str:
    """Return the table, its heading, and what holds."""
    head = ''.join(f'<th>{name}</th>' for name in _HEADS)
    rows = ''.join(_row(row) for row in table.rows)
    facts = [f'<b>{table.dof} DOF</b>, base <b>{escape(table.base)}</b>']
    for title, names in (
        ('locked', table.locked),
        ('held by', table.attachments),
        ('loops', table.loops),
    ):
        if names:
            facts.append(f'{title} {escape(", ".join(names))}')
    return (
        f'{_STYLE}<div style="padding:0 10px"><div class="ff-note">{"; ".join(facts)}</div>'
        f'<table class="ff"><tr>{head}</tr>{rows}</table></div>'
    )


def _row(row: tuple) -> str:
    number, name, parent, tool, connect, cflag = row
    kind = ' class="locked"' if connect else ''
    cells = (number, name, parent, tool or '', connect or '', cflag if cflag >= 0 else '')
    return f'<tr{kind}>' + ''.join(f'<td>{escape(str(cell))}</td>' for cell in cells) + '</tr>'
