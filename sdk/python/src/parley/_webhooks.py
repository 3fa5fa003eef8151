"""Tells deliveries of Parley's webhooks from those of anybody else."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ._errors import WebhookVerificationError
from ._events import WebhookEvent, event_data

if TYPE_CHECKING:
    from ._generated.webhook_events import AnyWebhookEvent

TOLERANCE_SECONDS = 300


class Headers(Protocol):
    """Headers as a dict, as `http.server` or as any framework has them."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(
    raw_body: bytes | str,
    headers: Headers,
    secrets: Sequence[str] | str,
    tolerance: float = TOLERANCE_SECONDS,
) -> AnyWebhookEvent:
    """Returns the event of a delivery.

    :param raw_body: the body as it arrived: JSON that was parsed and written again has another signature
    :param headers: those of the request, by names in any case
    :param secrets: the endpoint's secret, or while it is being replaced the old and the new one
    :param tolerance: seconds by which clocks may differ, and after which a delivery that is sent once more is refused
    :raises WebhookVerificationError: do not believe the request; respond with 400
    """
    body = raw_body.encode(errors="surrogatepass") if isinstance(raw_body, str) else bytes(raw_body)
    fields = {str(name).lower(): value for name, value in headers.items()}
    timestamp, signatures = _signature(fields.get("x-webhook-signature"))
    if abs(time.time() - timestamp) > tolerance:
        raise WebhookVerificationError("The delivery was signed too long ago, or this machine's clock is wrong.")
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not any(_is_signed(body, timestamp, signature, secret) for secret in known for signature in signatures):
        raise WebhookVerificationError("The signature does not fit the body and any of the secrets.")
    return _event(body, fields.get("x-webhook-delivery"))


def _signature(header: object) -> tuple[int, list[bytes]]:
    pairs = [part.strip().partition("=") for part in str(header or "").split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    signatures = [value for name, _, value in pairs if name == "v1"]
    try:
        [timestamp] = times
        if not re.fullmatch("[0-9]{1,12}", timestamp):
            raise ValueError(timestamp)
        return int(timestamp), [bytes.fromhex(signature) for signature in signatures]
    except ValueError:
        raise WebhookVerificationError("The request has no signature that can be read.") from None


def _is_signed(body: bytes, timestamp: int, signature: bytes, secret: str) -> bool:
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).digest()
    return secret != "" and hmac.compare_digest(expected, signature)


def _event(body: bytes, delivery_id: object) -> AnyWebhookEvent:
    # The models are many; an import of the package does without them.
    from ._generated.webhook_events import WEBHOOK_EVENTS

    try:
        content = json.loads(body)
        name, data = content["event"], content["data"]
    except (ValueError, KeyError, TypeError):
        raise WebhookVerificationError("The body is not an event.") from None
    return WebhookEvent(name, event_data(WEBHOOK_EVENTS, name, data), None if delivery_id is None else str(delivery_id))
