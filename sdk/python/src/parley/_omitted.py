"""The difference between a field that is not sent and one that is sent as None."""

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
"""A field that is not sent. `None` is sent as null, which clears the field or sets its default again."""


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that are to be sent."""
    return {name: value for name, value in fields.items() if value is not OMITTED}
