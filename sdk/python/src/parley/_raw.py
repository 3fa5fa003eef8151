"""Responses with what is around their content."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec, TypeVar, cast

import httpx

P = ParamSpec("P")
T = TypeVar("T")


class RawResponse(Generic[T]):
    """What a method of `with_raw_response` returns."""

    def __init__(self, response: httpx.Response, data: T) -> None:
        self.data = data
        """What the method returns by itself."""
        self.response = response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def headers(self) -> httpx.Headers:
        return self.response.headers

    @property
    def request_id(self) -> str | None:
        """What support asks for."""
        return header(self.response, "x-request-id")

    @property
    def is_replay(self) -> bool:
        """Whether the request was a repeat, and this is what the first one was answered."""
        return header(self.response, "idempotent-replay") == "true"


def header(response: httpx.Response, name: str) -> str | None:
    value: str | None = response.headers.get(name)
    return value


# What a resource returns once it is raw is known to these two alone: methods are written for what they return by themselves.


def raw(method: Callable[P, T]) -> Callable[P, RawResponse[T]]:
    return cast("Callable[P, RawResponse[T]]", method)


def async_raw(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[RawResponse[T]]]:
    return cast("Callable[P, Awaitable[RawResponse[T]]]", method)
