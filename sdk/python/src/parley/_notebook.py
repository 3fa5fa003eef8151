"""HTML of pages for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

MAX_COLUMNS = 12
MAX_CELL_CHARACTERS = 80


def page_html(items: Sequence[Any], total: int | None, has_more: bool) -> str:
    """Returns a table of a page's items, with the fields that hold a single value. All texts are escaped."""
    columns = _columns(items)
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    rows = "".join(f"<tr>{_row(item, columns)}</tr>" for item in items)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{_caption(items, total, has_more)}</p>"


def _columns(items: Sequence[Any]) -> list[str]:
    fields: dict[str, bool] = {}
    for item in items:
        for key, value in item.items() if isinstance(item, Mapping) else ():
            fields[str(key)] = fields.get(str(key), True) and not isinstance(value, (Mapping, list))
    return [field for field, is_single in fields.items() if is_single][:MAX_COLUMNS]


def _row(item: Any, columns: Sequence[str]) -> str:
    if not isinstance(item, Mapping):
        return f"<td>{_cell(item)}</td>"
    return "".join(f"<td>{_cell(item.get(column))}</td>" for column in columns)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return escape(text if len(text) <= MAX_CELL_CHARACTERS else f"{text[: MAX_CELL_CHARACTERS - 1]}…")


def _caption(items: Sequence[Any], total: int | None, has_more: bool) -> str:
    shown = f"{len(items)} of {total} items" if total is not None else f"{len(items)} items"
    return f"{shown}; next_page() returns more." if has_more else f"{shown}."
