"""Rules of retries."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 8.0
MAX_RETRY_AFTER_SECONDS = 60.0


def is_retryable(status: int, code: str) -> bool:
    """Returns whether a retry may succeed."""
    return status in (408, 429) or status >= 500 or code == "idempotency_in_progress"


def backoff(failures: int, chance: Callable[[], float] = random.random) -> float:
    """Returns a random pause in seconds, below a limit that doubles with each consecutive failure, from 1."""
    maximum = min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** (failures - 1))
    return chance() * maximum


def retry_delay(
    failures: int, retry_after: float | None, chance: Callable[[], float] = random.random
) -> float | None:
    """Returns the pause before a retry in seconds; None if the server requests a longer pause than `MAX_RETRY_AFTER_SECONDS`."""
    if retry_after is None:
        return backoff(failures, chance)
    return retry_after if retry_after <= MAX_RETRY_AFTER_SECONDS else None


def retry_after_seconds(value: str | None) -> float | None:
    """Parses a `Retry-After`: seconds or a date."""
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
