from __future__ import annotations

import unittest

from parley._sse import EventDecoder, RawEvent

STREAM = (
    b": open\n\nid: 1\nevent: delta\ndata: {\"text\":\"a\xe2\x80\xa8b\"}\n\n"
    b"id: 2\r\nevent: delta\r\ndata: one\r\ndata: two\r\n\r\n"
    b"data:no space\rretry: 5\r\r: keep-alive\n\nevent: empty\n\nid: 3\nevent: done\ndata: {}\n\n"
)
EVENTS = [
    RawEvent("delta", "1", '{"text":"a\u2028b"}'),
    RawEvent("delta", "2", "one\ntwo"),
    RawEvent("message", "2", "no space"),
    RawEvent("done", "3", "{}"),
]


class Decoding(unittest.TestCase):
    def test_reads_events_whole(self) -> None:
        self.assertEqual(list(EventDecoder().feed(STREAM)), EVENTS)

    def test_reads_the_same_wherever_the_stream_is_cut(self) -> None:
        for size in range(1, len(STREAM)):
            decoder = EventDecoder()
            pieces = [STREAM[start : start + size] for start in range(0, len(STREAM), size)]
            self.assertEqual([event for piece in pieces for event in decoder.feed(piece)], EVENTS, size)

    def test_does_not_tell_an_event_that_is_incomplete(self) -> None:
        self.assertEqual(list(EventDecoder().feed(b"event: done\ndata: {}\n")), [])
