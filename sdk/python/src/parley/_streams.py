"""Streams of server-sent events, which resume after a broken connection."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import httpx

from ._calls import Call, connection_error
from ._errors import APIConnectionError, ParleyError, StreamInterruptedError
from ._events import Event, event_data
from ._iteration import refuse_async_for, refuse_for
from ._models import Model
from ._operations import Resume
from ._retries import backoff
from ._sse import EventDecoder, RawEvent
from ._transport import AsyncTransport, Transport, pause

E = TypeVar("E")

FINAL_EVENTS = frozenset({"done", "ended", "closed"})
"""Events that end a stream."""
STEADY_SECONDS = 15.0
"""After this time, a connection counts as stable even if it sent no events."""


class Progress:
    """Position in a stream, and whether it may be reopened."""

    def __init__(self, call: Call, resume: Resume, models: Mapping[str, type[Model]]) -> None:
        self.last_event_id: str | None = None
        self.is_over = False
        self._has_failed = False
        self._call = call
        self._resume = resume
        self._models = models
        self._failures = 0
        self.connected()

    def connected(self) -> None:
        self._decoder = EventDecoder()
        self._since = time.monotonic()

    def read(self, chunk: bytes) -> Iterator[Event[Any, Any]]:
        for raw in self._decoder.feed(chunk):
            yield self._take(raw)

    def next_delay(self, cause: APIConnectionError | None) -> float | None:
        """Returns the seconds until the stream is reopened; None if it is complete.

        @raises StreamInterruptedError if the stream cannot be resumed, or after all retries
        """
        if cause is None and self._has_failed:
            return None
        if time.monotonic() - self._since >= STEADY_SECONDS:
            self._failures = 0
        self._failures += 1
        if self._resume == "never" or self._failures > self._call.max_retries:
            advice = "The stream cannot be resumed: call the method again." if self._resume == "never" else ""
            parts = ("The stream ended before its last event.", str(cause or ""), advice)
            raise StreamInterruptedError(" ".join(filter(None, parts))) from cause
        return backoff(self._failures)

    def _take(self, raw: RawEvent) -> Event[Any, Any]:
        self.is_over = raw.event in FINAL_EVENTS
        self._has_failed = raw.event == "error"
        if self._resume == "lastEventId" and raw.id and raw.id != self.last_event_id:
            self.last_event_id = raw.id
            self._failures = 0
        try:
            data = json.loads(raw.data)
        except ValueError as error:
            raise ParleyError(f"The event {raw.event} is not JSON.") from error
        return Event(raw.event, event_data(self._models, raw.event, data), raw.id)


class Stream(Generic[E]):
    """A stream of events. Read it to its end, call `close()`, or use `with`."""

    def __init__(self, transport: Transport, call: Call, resume: Resume, models: Mapping[str, type[Model]]) -> None:
        self._transport = transport
        self._call = call
        self._response = transport.open(call)
        self._progress = Progress(call, resume, models)
        self._events = self._read()

    @property
    def response(self) -> httpx.Response:
        """The current response, for its headers."""
        return self._response

    def __iter__(self) -> Iterator[E]:
        return self._events

    if not TYPE_CHECKING:
        __aiter__ = refuse_async_for

    def __next__(self) -> E:
        return next(self._events)

    def __enter__(self) -> Stream[E]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._events.close()
        self._response.close()

    def _read(self) -> Generator[E, None, None]:
        progress = self._progress
        try:
            while True:
                cause = None
                try:
                    for chunk in self._response.iter_bytes():
                        for event in progress.read(chunk):
                            yield event  # type: ignore[misc]
                            if progress.is_over:
                                return
                except httpx.RequestError as error:
                    cause = connection_error(error, self._call)
                self._response.close()
                delay = progress.next_delay(cause)
                if delay is None:
                    return
                time.sleep(delay)
                self._response = self._transport.open(self._call, progress.last_event_id)
                progress.connected()
        finally:
            self._response.close()


class AsyncStream(Generic[E]):
    """`Stream` for asyncio. The first `async for`, `async with` or `await` opens it."""

    def __init__(
        self, transport: AsyncTransport, call: Call, resume: Resume, models: Mapping[str, type[Model]]
    ) -> None:
        self._transport = transport
        self._call = call
        self._response: httpx.Response | None = None
        self._progress = Progress(call, resume, models)
        self._events = self._read()

    @property
    def response(self) -> httpx.Response:
        """The current response, for its headers. @raises ParleyError before the stream is open"""
        if self._response is None:
            raise ParleyError("The stream is not open yet: await it first.")
        return self._response

    def __await__(self) -> Generator[Any, Any, AsyncStream[E]]:
        return self._open().__await__()

    def __aiter__(self) -> AsyncIterator[E]:
        return self._events

    async def __anext__(self) -> E:
        return await self._events.__anext__()

    if not TYPE_CHECKING:
        __getitem__ = refuse_for

    async def __aenter__(self) -> AsyncStream[E]:
        return await self._open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._events.aclose()
        if self._response is not None:
            await self._response.aclose()

    async def _open(self) -> AsyncStream[E]:
        if self._response is None:
            self._response = await self._transport.open(self._call)
            self._progress.connected()
        return self

    async def _read(self) -> AsyncGenerator[E, None]:
        await self._open()
        progress = self._progress
        try:
            while True:
                cause = None
                try:
                    async for chunk in self.response.aiter_bytes():
                        for event in progress.read(chunk):
                            yield event  # type: ignore[misc]
                            if progress.is_over:
                                return
                except httpx.RequestError as error:
                    cause = connection_error(error, self._call)
                await self.response.aclose()
                delay = progress.next_delay(cause)
                if delay is None:
                    return
                await pause(delay)
                self._response = await self._transport.open(self._call, progress.last_event_id)
                progress.connected()
        finally:
            await self.response.aclose()
