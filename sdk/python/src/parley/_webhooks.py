"""Verification of webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ._checks import refuse_coroutine, require_timeout
from ._errors import WebhookVerificationError
from ._events import WebhookEvent, event_data

if TYPE_CHECKING:
    from ._generated.webhook_events import AnyWebhookEvent

TOLERANCE_SECONDS = 300
SECRET_PREFIX = "whsec_"
SECRET_LENGTH = 50
"""Length of the secrets that Parley issues: the prefix, and 32 bytes in base64."""
OTHER_SECRETS = {"idsec_": "the identity secret of a bot", "parley_live_": "an API key", "pk_": "the public key of a bot"}
"""Other values that Parley issues, by their prefixes."""
SIGNATURE_HEADER = "x-webhook-signature"
WSGI_HEADER = "http_x_webhook_signature"
MIN_MILLISECONDS = 100_000_000_000
"""Minimum timestamp that counts as milliseconds. In seconds, this number would be in the year 5138."""


class Headers(Protocol):
    """Headers as a dict, or of `http.server` or a framework."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


def verify_webhook(
    raw_body: bytes | str,
    headers: Headers,
    secrets: Sequence[str] | str,
    tolerance: float = TOLERANCE_SECONDS,
) -> AnyWebhookEvent:
    """Verifies a webhook and returns its event.

    :param raw_body: body as received; JSON that was parsed and serialized again has another signature
    :param headers: headers of the request; names in any case
    :param secrets: the endpoint's secret; both secrets during a rotation; blanks and line breaks around it are ignored
    :param tolerance: maximum difference between the signature's time and now, in seconds
    :raises WebhookVerificationError: the request is not a recent webhook of Parley; respond with 400
    :raises TypeError: an argument has a wrong type, such as a parsed body
    :raises ValueError: a secret is empty
    """
    require_timeout(tolerance, allows_zero=True, name="tolerance")
    body = _body(raw_body)
    known = _secrets(secrets)
    fields = _fields(headers)
    timestamp, signatures = _signature(_signature_header(fields))
    _require_recent(timestamp, tolerance)
    if body == b"":
        raise WebhookVerificationError("The body is empty. A framework has probably read it already: pass its raw bytes.")
    if not any(_is_signed(body, timestamp, signature, secret) for secret in known for signature in signatures):
        raise WebhookVerificationError(
            "The signature does not match this body with any of the secrets. "
            f"{_secret_check(known)}, and {_body_check(body)}."
        )
    return _event(body, fields.get("x-webhook-delivery"))


def _body(raw_body: object) -> bytes:
    """@raises TypeError if the body is neither text nor bytes, such as a parsed body"""
    if isinstance(raw_body, str):
        return raw_body.encode(errors="surrogatepass")
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    refuse_coroutine("raw_body", raw_body)
    raise TypeError(f"raw_body is {_kind(raw_body)}. Pass the body as received, before any JSON parser: bytes or str.")


def _secrets(secrets: object) -> list[str]:
    """@raises TypeError, ValueError if a secret is missing"""
    if isinstance(secrets, str):
        return [_secret(secrets, "secrets")]
    if not isinstance(secrets, Iterable) or isinstance(secrets, (bytes, bytearray, memoryview)):
        raise _secret_error(secrets, "secrets")
    known = [_secret(secret, f"secrets[{index}]") for index, secret in enumerate(secrets)]
    if not known:
        raise ValueError("secrets is empty. Pass the secret of the endpoint.")
    return known


def _secret(secret: object, name: str) -> str:
    if not isinstance(secret, str):
        raise _secret_error(secret, name)
    # A secret that was read from a file ends with a line break.
    text = secret.strip()
    if text == "":
        raise ValueError(f"{name} is empty. Pass the secret of the endpoint. Is its variable set?")
    return text


def _secret_error(secret: object, name: str) -> TypeError:
    refuse_coroutine(name, secret)
    if isinstance(secret, (bytes, bytearray, memoryview)):
        return TypeError(f"{name} is {_kind(secret)}. Pass a str: the whole text that begins with {SECRET_PREFIX}.")
    return TypeError(f"{name} is {_kind(secret)}. Pass the secret of the endpoint. Is its variable set?")


def _body_check(body: bytes) -> str:
    """Says what a program has done to the body, if its beginning differs from that of a webhook."""
    beginning = body[:10]
    if re.fullmatch(rb"eyJ[\w+/]+", beginning):
        return "decode the body from base64"
    if beginning[:1] in (b"{", b'"') and not b'{"event":"'.startswith(beginning):
        return "pass the body as received: this one was serialized again"
    return "pass the body as received"


def _secret_check(secrets: Sequence[str]) -> str:
    """Names the first secret that differs from those that Parley issues. A secret of `parley webhooks tail` may differ."""
    for index, secret in enumerate(secrets):
        fault = _secret_fault(secret)
        if fault is not None:
            name = "the secret" if len(secrets) == 1 else f"secrets[{index}]"
            return f"Check {name}, which {fault}"
    return "Check the secret"


def _secret_fault(secret: str) -> str | None:
    for prefix, name in OTHER_SECRETS.items():
        if secret.startswith(prefix):
            return f"is {name}"
    if not secret.startswith(SECRET_PREFIX):
        return f"does not begin with {SECRET_PREFIX}"
    if len(secret) == SECRET_LENGTH:
        return None
    cause = " (is it cut off?)" if len(secret) < SECRET_LENGTH else ""
    return f"has {len(secret)} characters instead of {SECRET_LENGTH}{cause}"


def _fields(headers: Any) -> dict[str, Any]:
    """@raises TypeError for anything but headers"""
    refuse_coroutine("headers", headers)
    if not hasattr(headers, "items"):
        raise TypeError(f"headers is {_kind(headers)}. Pass the headers of the request.")
    return {str(name).lower(): value for name, value in headers.items()}


def _kind(value: object) -> str:
    return "None" if value is None else f"of the type {type(value).__name__}"


def _signature_header(fields: dict[str, Any]) -> str:
    """@raises WebhookVerificationError if the request has no signature"""
    header = str(fields.get(SIGNATURE_HEADER) or "")
    if header == "" and WSGI_HEADER in fields:
        raise WebhookVerificationError(
            f"headers contains WSGI names, such as {WSGI_HEADER.upper()}. Pass the headers of the request, such as request.headers."
        )
    if header == "":
        raise WebhookVerificationError(f"The request has no header {SIGNATURE_HEADER}.")
    return header


def _signature(header: str) -> tuple[int, list[bytes]]:
    pairs = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in pairs if name == "t"]
    signatures = [value for name, _, value in pairs if name == "v1"]
    try:
        [timestamp] = times
        if not signatures or not re.fullmatch("[0-9]{1,13}", timestamp):
            raise ValueError(timestamp)
        return int(timestamp), [bytes.fromhex(signature) for signature in signatures]
    except ValueError:
        raise WebhookVerificationError(f"The header {SIGNATURE_HEADER} is not valid. Its format must be t=<seconds>,v1=<hex>.") from None


def _require_recent(timestamp: int, tolerance: float) -> None:
    """@raises WebhookVerificationError if the time of a signature differs too much from now"""
    if timestamp >= MIN_MILLISECONDS:
        raise WebhookVerificationError(
            f"The timestamp of the signature is in milliseconds. In the header {SIGNATURE_HEADER}, t is in seconds."
        )
    age = time.time() - timestamp
    if abs(age) <= tolerance:
        return
    difference = f"{math.ceil(abs(age))} s {'old' if age > 0 else 'in the future'}"
    raise WebhookVerificationError(
        f"The timestamp of the signature is {difference}; at most {tolerance:g} s are allowed. Check the clock."
    )


def _is_signed(body: bytes, timestamp: int, signature: bytes, secret: str) -> bool:
    expected = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(expected, signature)


def _event(body: bytes, delivery_id: object) -> AnyWebhookEvent:
    # Imported on demand, because the models would slow down the import of the package.
    from ._generated.webhook_events import WEBHOOK_EVENTS

    try:
        content = json.loads(body)
        name, data = content["event"], content["data"]
    except (ValueError, KeyError, TypeError):
        raise WebhookVerificationError("The body is not an event.") from None
    return WebhookEvent(name, event_data(WEBHOOK_EVENTS, name, data), None if delivery_id is None else str(delivery_id))
