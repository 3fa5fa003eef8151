"""Decodes server-sent events from arbitrary chunks of bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class RawEvent:
    """An event with undecoded data."""

    event: str
    id: str | None
    data: str


class EventDecoder:
    """Decodes events according to the HTML standard, and buffers incomplete events.

    Lines end at CR, LF or both. JSON may contain U+2028, which `str.splitlines` would take for a line end.
    """

    def __init__(self) -> None:
        # Drops a byte order mark at the start, even if the mark is split over chunks.
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []
        self._ended_with_cr = False
        self._event = ""
        self._id: str | None = None
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[RawEvent]:
        text = self._decoder.decode(chunk)
        if text == "":
            return
        # The LF of a CR LF ends no line of its own, even in the next chunk.
        start = 1 if self._ended_with_cr and text[0] == "\n" else 0
        self._ended_with_cr = text.endswith("\r")
        first, *others = _LINE_END.split(text[start:])
        self._line.append(first)
        for following in others:
            event = self._take("".join(self._line))
            self._line = [following]
            if event is not None:
                yield event

    def _take(self, line: str) -> RawEvent | None:
        if line == "":
            return self._complete()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _complete(self) -> RawEvent | None:
        event, data = self._event or "message", self._data
        self._event, self._data = "", []
        return RawEvent(event, self._id, "\n".join(data)) if data else None
