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
    """An event of a stream. The data of an unknown event is plain JSON."""

    event: N
    data: D
    id: str | None = None


@dataclass(frozen=True)
class WebhookEvent(Generic[N, D]):
    """The event of a webhook."""

    event: N
    data: D
    delivery_id: str | None = None
    """Id of the delivery, the same for all its attempts. Detect repeated events by `data.event_id`."""


def event_data(models: Mapping[str, type[Model]], event: str, data: Any) -> Any:
    """Converts the data of an event to its model, if it has one."""
    kind = models.get(event)
    return kind(data) if kind is not None and isinstance(data, Mapping) else data
