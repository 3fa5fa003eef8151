"""Results with their responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, ParamSpec, TypeVar, cast

import httpx

P = ParamSpec("P")
T = TypeVar("T")


class RawResponse(Generic[T]):
    """Result of a method of `with_raw_response`."""

    def __init__(self, response: httpx.Response, data: T) -> None:
        self.data = data
        """Result of the method without `with_raw_response`."""
        self.response = response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def headers(self) -> httpx.Headers:
        return self.response.headers

    @property
    def request_id(self) -> str | None:
        """Id of the request, for support."""
        return header(self.response, "x-request-id")

    @property
    def is_replay(self) -> bool:
        """Whether this is the stored response to an earlier request with the same idempotency key."""
        return header(self.response, "idempotent-replay") == "true"


def header(response: httpx.Response, name: str) -> str | None:
    value: str | None = response.headers.get(name)
    return value


# The following functions cast methods to their raw results, since the methods declare only their normal results.


def raw(method: Callable[P, T]) -> Callable[P, RawResponse[T]]:
    return cast("Callable[P, RawResponse[T]]", method)


def async_raw(method: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[RawResponse[T]]]:
    return cast("Callable[P, Awaitable[RawResponse[T]]]", method)
