from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

from parley._retries import backoff, is_retryable, retry_after_seconds, retry_delay


class Retries(unittest.TestCase):
    def test_retries_temporary_failures(self) -> None:
        cases = [
            (408, "request_timeout", True),
            (429, "rate_limited", True),
            (500, "internal_error", True),
            (502, "unknown", True),
            (503, "not_ready", True),
            (409, "idempotency_in_progress", True),
            (409, "conflict", False),
            (400, "malformed_json", False),
            (401, "unauthenticated", False),
            (402, "quota_exceeded", False),
            (403, "forbidden", False),
            (404, "not_found", False),
            (412, "precondition_failed", False),
            (422, "validation_error", False),
            (423, "key_unavailable", False),
        ]
        for status, code, expected in cases:
            self.assertEqual(is_retryable(status, code), expected, (status, code))

    def test_pauses_randomly_below_a_limit_that_doubles(self) -> None:
        longest = [backoff(failures, lambda: 1.0) for failures in range(1, 8)]
        self.assertEqual(longest, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0])
        self.assertEqual(backoff(3, lambda: 0.0), 0.0)

    def test_pauses_for_retry_after_up_to_a_minute(self) -> None:
        self.assertEqual(retry_delay(1, 7.0), 7.0)
        self.assertEqual(retry_delay(1, 60.0), 60.0)
        self.assertIsNone(retry_delay(1, 61.0))
        self.assertEqual(retry_delay(2, None, lambda: 1.0), 1.0)

    def test_parses_retry_after_as_seconds_or_a_date(self) -> None:
        self.assertEqual(retry_after_seconds("12"), 12.0)
        self.assertEqual(retry_after_seconds("0"), 0.0)
        self.assertIsNone(retry_after_seconds(None))
        self.assertIsNone(retry_after_seconds("soon"))
        self.assertEqual(retry_after_seconds(format_datetime(datetime(2020, 1, 1, tzinfo=timezone.utc), usegmt=True)), 0.0)
        ahead = retry_after_seconds(format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True))
        assert ahead is not None
        self.assertTrue(3500 < ahead <= 3600, ahead)
