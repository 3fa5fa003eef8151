"""When a request is sent again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 8.0
LONGEST_RETRY_AFTER_SECONDS = 60.0


def is_retryable(status: int, code: str) -> bool:
    """Whether a refusal may be over when the same request is sent again."""
    return status in (408, 429) or status >= 500 or code == "idempotency_in_progress"


def backoff(failures: int, chance: Callable[[], float] = random.random) -> float:
    """Seconds to wait after so many failures in a row, from 1: anything up to a time that doubles each time."""
    longest = min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** (failures - 1))
    return chance() * longest


def delay_of_retry(
    failures: int, retry_after: float | None, chance: Callable[[], float] = random.random
) -> float | None:
    """Returns None where the server asks for more patience than a call has."""
    if retry_after is None:
        return backoff(failures, chance)
    return retry_after if retry_after <= LONGEST_RETRY_AFTER_SECONDS else None


def retry_after_seconds(value: str | None) -> float | None:
    """Reads a `Retry-After`, which is a number of seconds or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
