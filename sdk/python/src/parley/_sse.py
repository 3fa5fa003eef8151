"""Reads server-sent events from bytes, however they are cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class RawEvent:
    """An event as it is on the wire."""

    event: str
    id: str | None
    data: str


class EventDecoder:
    """Keeps what is incomplete until the rest of it comes.

    Lines end at CR, LF or both, and nowhere else: JSON may hold U+2028, at which `str.splitlines` would cut.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._event = ""
        self._id: str | None = None
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[RawEvent]:
        pending = self._rest + chunk
        # A CR at the very end may be half of a line's end.
        held = b"\r" if pending.endswith(b"\r") else b""
        text = pending[: len(pending) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        self._rest = rest + held
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
