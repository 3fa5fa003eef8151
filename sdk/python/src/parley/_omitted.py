"""Distinguishes an omitted field from one that is sent as None."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final


class Omitted:
    """The type of `OMITTED`."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Final = Omitted()
"""Value of an omitted field. `None` is sent as null, which clears the field or restores its default."""


def drop_omitted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields whose value is not `OMITTED`."""
    return {name: value for name, value in fields.items() if value is not OMITTED}
