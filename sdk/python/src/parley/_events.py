"""Events of streams and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._models import Model

N = TypeVar("N", bound=str, covariant=True)
D = TypeVar("D", covariant=True)


@dataclass(frozen=True)
class Event(Generic[N, D]):
    """An event of a stream. One whose name this version of the SDK does not know has plain JSON as its data."""

    event: N
    data: D
    id: str | None = None


@dataclass(frozen=True)
class WebhookEvent(Generic[N, D]):
    """What a webhook was told."""

    event: N
    data: D
    delivery_id: str | None = None
    """The same on all attempts of a delivery. An event that has come before is told by `data.event_id`."""


def event_data(models: Mapping[str, type[Model]], event: str, data: Any) -> Any:
    """Reads the data of an event as its model, where it has one."""
    kind = models.get(event)
    return kind(data) if kind is not None and isinstance(data, Mapping) else data
