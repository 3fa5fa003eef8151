from __future__ import annotations

import json
import unittest
from pathlib import Path

from parley._sse import EventDecoder, RawEvent

# The tests of the TypeScript SDK read the same file.
VECTORS = json.loads((Path(__file__).parents[3] / "test/sdk/event-stream-vectors.json").read_text("utf-8"))


class Decoding(unittest.TestCase):
    def test_decodes_each_stream_in_chunks_of_any_size(self) -> None:
        for vector in VECTORS:
            stream = vector["stream"].encode()
            expected = [RawEvent(event["event"], event["id"], event["data"]) for event in vector["events"]]
            for size in (1, 2, 3, 5, len(stream) + 1):
                with self.subTest(vector["title"], size=size):
                    decoder = EventDecoder()
                    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
                    self.assertEqual([event for chunk in chunks for event in decoder.feed(chunk)], expected)
