"""Timestamps."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import overload

_FRACTION = re.compile(r"\.(\d{1,9})")


@overload
def parse_time(value: str) -> datetime: ...
@overload
def parse_time(value: None) -> None: ...
@overload
def parse_time(value: str | None) -> datetime | None: ...
def parse_time(value: str | None) -> datetime | None:
    """Parses a timestamp of a response, such as `bot.created_at`. Returns None for None.

    :return: the time in its own zone; UTC if the text has none, as for dates
    :raises ValueError: the text is not a timestamp
    """
    if value is None:
        return None
    # Python 3.10 accepts no Z, and fractions of 3 or 6 digits only.
    text = _FRACTION.sub(lambda found: f".{found[1][:6].ljust(6, '0')}", re.sub("[Zz]$", "+00:00", value))
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{value!r} is not a timestamp, such as 2026-11-21T11:09:01.279Z.") from None
    return time if time.tzinfo is not None else time.replace(tzinfo=timezone.utc)
