"""Descriptions of operations, for generated methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from ._models import Model

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
M = TypeVar("M", bound=Model)

Auth = Literal["none", "key", "session", "visitor", "visitorIfAny"]
TimeoutClass = Literal["default", "generation", "transfer", "stream"]
Resume = Literal["lastEventId", "again", "never"]

TIMEOUT_SECONDS: Mapping[TimeoutClass, float] = {"default": 30.0, "generation": 60.0, "transfer": 300.0, "stream": 45.0}
"""Seconds without data after which a call times out."""


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation of the API."""

    method: str
    path: str
    """Path with the names of its parameters, such as `{bot_id}`."""
    decode: Callable[[httpx.Response], T]
    auth: Auth = "key"
    takes_key: bool = False
    """Whether the operation accepts an `Idempotency-Key`."""
    timeout_class: TimeoutClass = "default"
    accept: str = "application/json"


def json(response: httpx.Response) -> Any:
    return response.json()


def text(response: httpx.Response) -> str:
    return response.text


def binary(response: httpx.Response) -> bytes:
    return response.content


def location(response: httpx.Response) -> str:
    """Returns the URL that a browser would be redirected to."""
    return str(response.headers.get("location", ""))


def model(kind: type[M]) -> Callable[[httpx.Response], M]:
    return lambda response: kind(response.json())


def models_of(kind: type[M]) -> Callable[[httpx.Response], list[M]]:
    return lambda response: [kind(item) for item in response.json()]


def one_of(*kinds: type[Model]) -> Callable[[httpx.Response], Any]:
    """Decodes a response as the first model whose required fields it has."""

    def decode(response: httpx.Response) -> Any:
        data = response.json()
        return next((kind for kind in kinds if kind._required <= data.keys()), kinds[0])(data)

    return decode
