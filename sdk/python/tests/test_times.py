from __future__ import annotations

import unittest
from datetime import datetime, timedelta, timezone

from parley import parse_time


class Times(unittest.TestCase):
    def test_are_parsed_with_their_zone(self) -> None:
        for text, microsecond in (
            ("2026-11-21T11:09:01Z", 0),
            ("2026-11-21T11:09:01.2Z", 200_000),
            ("2026-11-21T11:09:01.279Z", 279_000),
            ("2026-11-21T11:09:01.279123Z", 279_123),
            ("2026-11-21T11:09:01.279123456+00:00", 279_123),
        ):
            self.assertEqual(parse_time(text), datetime(2026, 11, 21, 11, 9, 1, microsecond, timezone.utc), text)
        self.assertEqual(parse_time("2026-11-21T11:09:01+02:00").utcoffset(), timedelta(hours=2))

    def test_of_a_date_are_in_utc(self) -> None:
        self.assertEqual(parse_time("2026-11-21"), datetime(2026, 11, 21, tzinfo=timezone.utc))

    def test_of_none_are_none(self) -> None:
        self.assertIsNone(parse_time(None))

    def test_are_refused_with_their_text_if_invalid(self) -> None:
        for text in ("", "yesterday", "2026-13-01T00:00:00Z"):
            with self.assertRaises(ValueError) as caught:
                parse_time(text)
            self.assertEqual(str(caught.exception), f"{text!r} is not a timestamp, such as 2026-11-21T11:09:01.279Z.")
