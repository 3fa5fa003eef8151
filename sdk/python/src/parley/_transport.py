"""Sends calls, with retries."""

from __future__ import annotations

import time
from itertools import count

import httpx

from ._calls import BodyParts, Call, connection_error
from ._errors import APIConnectionError, APIError, ParleyError


class Transport:
    """Sends calls on pooled connections."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def send(self, call: Call) -> httpx.Response:
        """@raises APIConnectionError, APIError"""
        return self._send_with_retries(call, None, as_stream=False)

    def open(self, call: Call, last_event_id: str | None = None) -> httpx.Response:
        """Returns a response with an unread body. @raises APIConnectionError, APIError"""
        return self._send_with_retries(call, last_event_id, as_stream=True)

    def _send_with_retries(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        for failures in count(1):
            try:
                return self._attempt(call, last_event_id, as_stream)
            except (APIConnectionError, APIError) as error:
                time.sleep(call.delay_after(error, failures))
        raise AssertionError("unreachable")

    def _attempt(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        try:
            with call.request(self.http, last_event_id) as request:
                response = self.http.send(request, stream=True, follow_redirects=False)
            if not as_stream or not response.is_success:
                response = _read(response, call)
        except httpx.RequestError as error:
            raise connection_error(error, call) from error
        if refusal := call.refusal(response):
            raise refusal
        return response


def _read(response: httpx.Response, call: Call) -> httpx.Response:
    parts = BodyParts(call)
    try:
        for part in response.iter_bytes():
            parts.add(part)
    finally:
        response.close()
    return parts.response(response)


async def _aread(response: httpx.Response, call: Call) -> httpx.Response:
    parts = BodyParts(call)
    try:
        async for part in response.aiter_bytes():
            parts.add(part)
    finally:
        await response.aclose()
    return parts.response(response)


async def pause(seconds: float) -> None:
    """Waits in the running event loop."""
    import anyio

    await anyio.sleep(seconds)


def _running_loop() -> object | None:
    """Returns the event loop of asyncio; None with another library."""
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class AsyncTransport:
    """`Transport` for asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self._loop: object | None = None
        """The event loop of the pooled connections."""

    async def send(self, call: Call) -> httpx.Response:
        """@raises APIConnectionError, APIError"""
        return await self._send_with_retries(call, None, as_stream=False)

    async def open(self, call: Call, last_event_id: str | None = None) -> httpx.Response:
        """Returns a response with an unread body. @raises APIConnectionError, APIError"""
        return await self._send_with_retries(call, last_event_id, as_stream=True)

    def _check_loop(self) -> None:
        loop = _running_loop()
        if self._loop is None:
            self._loop = loop
        if self._loop is not loop:
            raise ParleyError(
                "This AsyncParley was used in a different event loop, to which its connections belong. "
                "Create one client within each asyncio.run(), or use Parley, which needs no event loop."
            )

    async def _send_with_retries(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        self._check_loop()
        for failures in count(1):
            try:
                return await self._attempt(call, last_event_id, as_stream)
            except (APIConnectionError, APIError) as error:
                await pause(call.delay_after(error, failures))
        raise AssertionError("unreachable")

    async def _attempt(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        try:
            with call.request(self.http, last_event_id) as request:
                response = await self.http.send(request, stream=True, follow_redirects=False)
            if not as_stream or not response.is_success:
                response = await _aread(response, call)
        except httpx.RequestError as error:
            raise connection_error(error, call) from error
        if refusal := call.refusal(response):
            raise refusal
        return response
