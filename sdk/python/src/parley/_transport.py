"""Sends calls as often as that takes."""

from __future__ import annotations

import time
from itertools import count

import httpx

from ._calls import Call, connection_error
from ._errors import APIConnectionError, APIError


class Transport:
    """Sends one call after another on kept connections."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def send(self, call: Call) -> httpx.Response:
        """@raises APIConnectionError, APIError"""
        return self._attempted(call, None, as_stream=False)

    def open(self, call: Call, last_event_id: str | None = None) -> httpx.Response:
        """Returns a response whose body is still to be read. @raises APIConnectionError, APIError"""
        return self._attempted(call, last_event_id, as_stream=True)

    def _attempted(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        for failures in count(1):
            try:
                return self._attempt(call, last_event_id, as_stream)
            except (APIConnectionError, APIError) as error:
                time.sleep(call.delay_after(error, failures))
        raise AssertionError("unreachable")

    def _attempt(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        try:
            with call.request(self.http, last_event_id) as request:
                response = self.http.send(request, stream=as_stream, follow_redirects=False)
            if as_stream and not response.is_success:
                response.read()
        except httpx.RequestError as error:
            raise connection_error(error) from error
        if refusal := call.refusal(response):
            raise refusal
        return response


async def pause(seconds: float) -> None:
    """Waits in the event loop that is running."""
    import anyio

    await anyio.sleep(seconds)


class AsyncTransport:
    """`Transport` for asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def send(self, call: Call) -> httpx.Response:
        """@raises APIConnectionError, APIError"""
        return await self._attempted(call, None, as_stream=False)

    async def open(self, call: Call, last_event_id: str | None = None) -> httpx.Response:
        """Returns a response whose body is still to be read. @raises APIConnectionError, APIError"""
        return await self._attempted(call, last_event_id, as_stream=True)

    async def _attempted(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        for failures in count(1):
            try:
                return await self._attempt(call, last_event_id, as_stream)
            except (APIConnectionError, APIError) as error:
                await pause(call.delay_after(error, failures))
        raise AssertionError("unreachable")

    async def _attempt(self, call: Call, last_event_id: str | None, as_stream: bool) -> httpx.Response:
        try:
            with call.request(self.http, last_event_id) as request:
                response = await self.http.send(request, stream=as_stream, follow_redirects=False)
            if as_stream and not response.is_success:
                await response.aread()
        except httpx.RequestError as error:
            raise connection_error(error) from error
        if refusal := call.refusal(response):
            raise refusal
        return response
