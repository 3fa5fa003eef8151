"""Decodes server-sent events from arbitrary chunks of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class RawEvent:
    """An event with undecoded data."""

    event: str
    id: str | None
    data: str


class EventDecoder:
    """Decodes events, and buffers incomplete ones.

    Lines end at CR, LF or both. JSON may contain U+2028, which `str.splitlines` would take for a line end.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._event = ""
        self._id: str | None = None
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[RawEvent]:
        pending = self._rest + chunk
        # A CR at the end may be the first half of a CR LF.
        incomplete = b"\r" if pending.endswith(b"\r") else b""
        text = pending[: len(pending) - len(incomplete)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        self._rest = rest + incomplete
        for line in lines:
            event = self._take(line.decode("utf-8", "replace"))
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
