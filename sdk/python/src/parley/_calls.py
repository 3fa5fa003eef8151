"""A call of an operation: the parts that all its attempts share."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from ._checks import is_awaitable, require_text, require_timeout
from ._connection_cause import describe_connection_cause, describe_proxy
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    RESERVED_EXTERNAL_IDS,
    InvalidArgumentError,
    MissingCredentialError,
    ParleyError,
    status_error,
)
from ._generated.version import API_VERSION
from ._models import Model
from ._omitted import drop_omitted
from ._operations import TIMEOUT_SECONDS, Operation, binary, location
from ._retries import retry_delay, is_retryable
from ._uploads import Upload
from ._version import __version__

_BODY_HEADERS = {"content-encoding", "content-length", "transfer-encoding"}
_COMMON_HEADERS = {"User-Agent": f"parley-sdk-python/{__version__}", "X-API-Version": API_VERSION}


_QUOTATION_MARKS = "“”„‟‘’‚‛«»‹›"
"""Quotation marks that are not ASCII."""

MAX_ANSWER_BYTES = 64 * 1024 * 1024
"""Maximum size of a response that is held in memory, after decompression. The longest transcripts have half this size."""

@dataclass(frozen=True)
class Options:
    """Options of a client."""

    base_url: str
    url_setting: str
    """Option or variable that sets the URL, for error messages."""
    api_key: str | None
    visitor_token: str | None
    timeout: float | None
    """Replaces the timeouts of the operations, in seconds."""
    max_retries: int


@dataclass(frozen=True)
class CallOptions:
    """Options of a call."""

    idempotency_key: str | None = None
    timeout: float | None = None
    visitor_token: str | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Inputs:
    """Arguments of a call."""

    path: tuple[str | int, ...] = ()
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: Any = None
    upload: Upload | None = None


class Call:
    """The request of a call. All attempts send the same body and the same idempotency key."""

    def __init__(self, operation: Operation[Any], options: Options, inputs: Inputs, call: CallOptions) -> None:
        require_timeout(call.timeout)
        require_text("idempotency_key", call.idempotency_key)
        require_text("visitor_token", call.visitor_token)
        self.method = operation.method
        self.base_url = options.base_url
        self.url_setting = options.url_setting
        self.url = options.base_url + _fill_path(operation.path, inputs.path)
        self.params = _query(inputs.query)
        self.timeout = call.timeout or options.timeout or TIMEOUT_SECONDS[operation.timeout_class]
        self.max_retries = options.max_retries
        self.expects_redirect = operation.decode is location
        self.max_bytes = None if operation.decode is binary else MAX_ANSWER_BYTES
        self.headers = _headers(operation, options, inputs, call)
        self.upload = inputs.upload
        self.content = None if inputs.body is None else _content(inputs.body)
        if self.content is not None:
            self.headers.setdefault("Content-Type", "application/json")

    @property
    def is_repeatable(self) -> bool:
        return self.upload is None or self.upload.is_repeatable

    @contextmanager
    def request(
        self, http: httpx.Client | httpx.AsyncClient, last_event_id: str | None = None
    ) -> Generator[httpx.Request, None, None]:
        """Builds the request of an attempt, and keeps its file open."""
        headers = self.headers if last_event_id is None else {**self.headers, "Last-Event-ID": last_event_id}
        if self.upload is None:
            yield self._build(http, headers, content=self.content)
            return
        with self.upload.opened() as form:
            yield self._build(http, headers, **form)

    def refusal(self, response: httpx.Response) -> APIError | None:
        """Returns the error of a response that was read; None if it succeeded."""
        if response.is_success or (response.is_redirect and self.expects_redirect):
            return None
        return status_error(response, self.url_setting)

    def delay_after(self, error: APIConnectionError | APIError, failures: int) -> float:
        """Returns the seconds until the next attempt. @raises error if there is no further attempt"""
        if failures > self.max_retries or not self.is_repeatable:
            raise error
        retry_after = None
        if isinstance(error, APIError):
            if not is_retryable(error.status, error.code):
                raise error
            retry_after = error.retry_after
        delay = retry_delay(failures, retry_after)
        if delay is None:
            raise error
        return delay

    def _build(
        self, http: httpx.Client | httpx.AsyncClient, headers: Mapping[str, str], **body: Any
    ) -> httpx.Request:
        return http.build_request(
            self.method, self.url, params=self.params, headers=headers, timeout=self.timeout, **body
        )


class BodyParts:
    """Collects the decompressed body of a response, up to a maximum size."""

    def __init__(self, call: Call) -> None:
        self._max_bytes = call.max_bytes
        self._url_setting = call.url_setting
        self._size = 0
        self._parts: list[bytes] = []

    def add(self, part: bytes) -> None:
        """@raises ParleyError if the body is too large"""
        self._size += len(part)
        if self._max_bytes is not None and self._size > self._max_bytes:
            raise ParleyError(f"The response exceeds {self._max_bytes} bytes. Check that {self._url_setting} is the URL of Parley.")
        self._parts.append(part)

    def response(self, received: httpx.Response) -> httpx.Response:
        """Returns the response with the decompressed body."""
        headers = [(name, value) for name, value in received.headers.multi_items() if name not in _BODY_HEADERS]
        return httpx.Response(
            received.status_code, headers=headers, content=b"".join(self._parts), request=received.request
        )


def connection_error(error: httpx.RequestError, call: Call) -> APIConnectionError:
    base_url = call.base_url
    if isinstance(error, httpx.TimeoutException):
        return APITimeoutError(f"{base_url} did not respond within {call.timeout:g} s (timeout, {type(error).__name__}).")
    reason = describe_connection_cause(error)
    proxy = describe_proxy(base_url)
    return APIConnectionError(
        f"The connection to {base_url} failed: {reason}.{proxy} To use another address, set {call.url_setting}."
    )


def _fill_path(path: str, values: Sequence[str | int]) -> str:
    remaining = iter(values)

    def fill(parameter: re.Match[str]) -> str:
        value = next(remaining)
        if parameter[1] == "external_id" and value in RESERVED_EXTERNAL_IDS:
            raise InvalidArgumentError(parameter[1], value)
        # An empty path segment or dots would address another operation.
        if value in (None, "", ".", "..") or hasattr(value, "id") or is_awaitable(value) or isinstance(value, (Mapping, list, tuple, bytes)):
            raise InvalidArgumentError(parameter[1], value)
        return quote(str(value), safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _headers(operation: Operation[Any], options: Options, inputs: Inputs, call: CallOptions) -> dict[str, str]:
    headers = {**_COMMON_HEADERS, "Accept": operation.accept}
    if token := _token(operation, options, call):
        # A key that was read from a file ends with a newline.
        headers["Authorization"] = f"Bearer {token.strip()}"
    if operation.takes_key:
        headers["Idempotency-Key"] = call.idempotency_key or str(uuid.uuid4())
    for name, value in inputs.headers.items():
        require_text(name, value)
        if value is not None:
            headers[name] = value
    if call.headers is not None:
        headers = _replace_headers(headers, call.headers)
    token = headers.get("Authorization", "").removeprefix("Bearer ")
    if re.match(r"bearer\s", token, re.IGNORECASE):
        raise ParleyError("The key or token begins with “Bearer ”. Omit this word.")
    if wrong := re.search("[^!-~]", token):
        advice = ", without quotation marks" if wrong[0] in _QUOTATION_MARKS else ""
        raise ParleyError(f"The key or token contains the character {_describe(wrong[0])}, which is not allowed in keys and tokens. Copy the whole key{advice}.")
    for name, value in headers.items():
        if wrong := re.search("[^ -~]", value):
            raise ParleyError(
                f"The header {name} contains the character {_describe(wrong[0])}, but can only contain printable ASCII characters."
            )
    return headers


def _replace_headers(headers: dict[str, str], others: object) -> dict[str, str]:
    """Merges `others` into `headers`, regardless of the case of names. @raises TypeError for anything but a mapping of str"""
    if not isinstance(others, Mapping):
        raise TypeError(f"headers is of the type {type(others).__name__}. Pass a dict.")
    for name, value in others.items():
        require_text("A name in headers", name)
        require_text(name, value)
    added = {name: value for name, value in others.items() if value is not None}
    replaced = {name.lower() for name in added}
    return {**{name: value for name, value in headers.items() if name.lower() not in replaced}, **added}


def _describe(character: str) -> str:
    """Quotes a character; for an invisible character, such as a byte order mark, returns its code point."""
    return f"“{character}”" if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"


def _token(operation: Operation[Any], options: Options, call: CallOptions) -> str | None:
    if operation.auth == "none":
        return None
    is_visitor = operation.auth in ("visitor", "visitorIfAny")
    token = (call.visitor_token or options.visitor_token) if is_visitor else options.api_key
    if token or operation.auth == "visitorIfAny":
        return token
    raise MissingCredentialError(
        "This operation is for visitors: use client.with_options(visitor_token=…) with the visitor_token of their session."
        if is_visitor
        else "This operation needs credentials: pass api_key to the client, or set PARLEY_API_KEY, which is only sent to PARLEY_URL."
    )


def _query(query: Mapping[str, Any]) -> dict[str, str] | None:
    """Converts parameters to strings, without parameters that are None. Returns None if no parameters remain."""
    texts = {name: _text(name, value) for name, value in query.items() if value is not None}
    return texts or None


def _text(name: str, value: Any) -> str:
    if is_awaitable(value):
        raise InvalidArgumentError(name, value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _content(body: Any) -> bytes:
    """Encodes a body as JSON; bytes are sent unchanged."""
    if isinstance(body, bytes):
        return body
    fields = drop_omitted(body) if isinstance(body, Mapping) else body
    try:
        text = _dumps(fields)
    except (TypeError, ValueError):
        _check_fields(fields)
        raise
    # A lone surrogate becomes a JSON escape, as in other languages.
    return text.encode(errors="backslashreplace")


def _dumps(value: object) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _check_fields(fields: object) -> None:
    """@raises TypeError, ValueError that name the first field that cannot be sent"""
    for name, value in fields.items() if isinstance(fields, Mapping) else ():
        try:
            _dumps(value)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        except ValueError:
            fault = "is not a finite number" if isinstance(value, float) else "contains a number that is not finite, or contains itself"
            raise ValueError(f"{name} {fault}, so no request was sent.") from None


_CONVERSIONS = {
    "datetime": "value.isoformat()",
    "date": "value.isoformat()",
    "Decimal": "float(value)",
    "bytes": "value.decode()",
    "set": "list(value)",
    "UUID": "str(value)",
    "PosixPath": "str(value)",
    "WindowsPath": "str(value)",
}
"""What to pass in place of values of these types."""


def _plain(value: object) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if is_awaitable(value):
        raise TypeError("coroutine cannot be sent as JSON; await it.")
    kind = type(value).__name__
    advice = f"pass {_CONVERSIONS[kind]}" if kind in _CONVERSIONS else "pass strings, numbers, lists and dicts"
    raise TypeError(f"{kind} cannot be sent as JSON; {advice}.")
