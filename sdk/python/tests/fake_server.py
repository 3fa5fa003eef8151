"""A fake server in memory, which runs calls of the synchronous or the asynchronous client."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any
from unittest.mock import patch

import httpx

from parley import AsyncParley, Parley

Reply = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Body that is sent in pieces. If `breaks` is true, the connection breaks after the last piece."""

    def __init__(self, pieces: list[bytes], breaks: bool) -> None:
        self._pieces = pieces
        self._breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces
        if self._breaks:
            raise httpx.RemoteProtocolError("peer closed connection")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def events(*sent: tuple[str, str, Any], breaks: bool = False) -> httpx.Response:
    """Returns a stream of events, each with name, id and data."""
    pieces = [f"id: {id_}\nevent: {event}\ndata: {json.dumps(data)}\n\n".encode() for event, id_, data in sent]
    headers = {"content-type": "text/event-stream", "x-request-id": "req_stream"}
    return httpx.Response(200, headers=headers, stream=Body([b": open\n\n", *pieces], breaks))


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    content = {"error": {"code": code, "message": f"It is {code}."}, "request_id": "req_1", "details": [], **more}
    return httpx.Response(status, json=content, headers={"x-request-id": "req_1", **(headers or {})})


class FakeServer:
    """Returns its replies one after another, and the last one for all further requests. Stores the requests."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[httpx.Request] = []
        self.bodies: list[bytes] = []
        self.pauses: list[float] = []

    @property
    def json(self) -> list[Any]:
        return [json.loads(body) for body in self.bodies]

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.requests]

    def run(self, act: Callable[[Any], Any], is_async: bool, **options: Any) -> Any:
        """Calls `act` with a client. Returns its result: awaits a coroutine, and collects an iterator in a list."""
        return asyncio.run(self._run_async(act, options)) if is_async else self._run_sync(act, options)

    def _run_sync(self, act: Callable[[Any], Any], options: dict[str, Any]) -> Any:
        http = httpx.Client(transport=httpx.MockTransport(self._sync))
        with Parley(base_url="https://parley.test/", http_client=http, **{"api_key": "key", **options}) as client:
            with patch("time.sleep", self.pauses.append):
                result = act(client)
                return list(result) if isinstance(result, Iterator) or hasattr(result, "pages") else result

    async def _run_async(self, act: Callable[[Any], Any], options: dict[str, Any]) -> Any:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self._async))
        settings = {"api_key": "key", **options}
        async with AsyncParley(base_url="https://parley.test/", http_client=http, **settings) as client:
            with patch("anyio.sleep", pause):
                result = act(client)
                result = await result if inspect.iscoroutine(result) else result
                return [each async for each in result] if hasattr(result, "__aiter__") else result

    def _sync(self, request: httpx.Request) -> httpx.Response:
        return self._reply(request, request.read())

    async def _async(self, request: httpx.Request) -> httpx.Response:
        return self._reply(request, await request.aread())

    def _reply(self, request: httpx.Request, body: bytes) -> httpx.Response:
        self.requests.append(request)
        self.bodies.append(body)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        if callable(reply):
            return reply(request)
        # Copy the reply, because httpx reads a response only once and the last reply is sent repeatedly.
        if isinstance(reply.stream, Body):
            return httpx.Response(reply.status_code, headers=reply.headers, stream=reply.stream)
        return httpx.Response(reply.status_code, headers=reply.headers, content=reply.content)
