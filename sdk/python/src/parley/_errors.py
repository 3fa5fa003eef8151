"""Exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._checks import is_awaitable
from ._retries import retry_after_seconds

if TYPE_CHECKING:
    import httpx


RESERVED_EXTERNAL_IDS = (".", "..", "upload")
"""Ids that a path cannot have, because they would address another operation."""


class ParleyError(Exception):
    """Base class of all exceptions of this package."""


class MissingCredentialError(ParleyError):
    """A call needs a key, or the token of a visitor, that the client does not have."""


class InvalidArgumentError(ParleyError, ValueError):
    """An argument cannot be sent, such as an empty id."""

    def __init__(self, argument: str, value: object) -> None:
        self.argument = argument
        self.value = value
        super().__init__(argument, value)

    def __str__(self) -> str:
        if is_awaitable(self.value):
            return f"{self.argument} is a coroutine, so no request was sent. Await it."
        if self.argument == "external_id" and self.value in RESERVED_EXTERNAL_IDS:
            return f"external_id is {self.value!r}, so no request was sent. external_id must not be '.', '..' or 'upload'."
        if isinstance(self.value, bytes):
            return f"{self.argument} is of the type bytes, so no request was sent. Decode it: pass a str."
        if self.value is not None and not isinstance(self.value, str):
            return f"{self.argument} is of the type {type(self.value).__name__}, so no request was sent. Pass its id."
        return f"{self.argument} is {self.value!r}, so no request was sent. Is its variable set?"


class APIConnectionError(ParleyError):
    """The API could not be reached, the connection broke, or the response is invalid."""


class APITimeoutError(APIConnectionError):
    """The API did not respond in time."""


class StreamInterruptedError(APIConnectionError):
    """A stream was interrupted and cannot be resumed, or not within the allowed retries."""


class WebhookVerificationError(ParleyError):
    """The request was not signed with one of the secrets, or is too old."""


class DocumentFailedError(ParleyError):
    """Indexing of a document failed; the message says why."""

    def __init__(self, document_id: str, reason: str | None) -> None:
        self.document_id = document_id
        super().__init__(reason or "The document could not be indexed.")

    def __reduce__(self) -> tuple[type[DocumentFailedError], tuple[str, str]]:
        return type(self), (self.document_id, str(self))


class WaitTimeoutError(ParleyError):
    """The wait timed out. The server continues."""


@dataclass(frozen=True)
class ErrorDetail:
    """An invalid field."""

    field: str
    """Path of the field, such as `fields[0].key`."""
    location: str
    """Part of the request: body, path, query or header."""
    code: str
    """Code of the violated rule."""
    message: str


class APIError(ParleyError):
    """The API rejected a request, or failed."""

    def __init__(
        self, status: int, headers: Mapping[str, str], problem: Mapping[str, Any], url_setting: str = "PARLEY_URL or base_url"
    ) -> None:
        self._url_setting = url_setting
        error = _mapping(problem.get("error"))
        self.status = status
        self.code: str = str(error.get("code") or "unknown")
        """Error code, such as `not_found`."""
        self.message: str = str(error.get("message") or problem.get("title") or _describe_status(status, headers, url_setting))
        """Description for people."""
        self.details: Sequence[ErrorDetail] = _details(problem.get("details"))
        """Invalid fields."""
        self.request_id: str | None = headers.get("x-request-id") or problem.get("request_id")
        """Id of the request, for support."""
        self.retry_after: float | None = retry_after_seconds(headers.get("retry-after"))
        """Seconds to wait before a retry, if the server says so."""
        self.headers = headers
        self.body = problem
        """Complete body of the response."""
        super().__init__(f"{self.message} ({status} {self.code}, request {self.request_id}){self._omitted_details()}")

    def _omitted_details(self) -> str:
        """Returns a line for each invalid field that the message omits, because the message names only the first fields."""
        return "".join(
            f"\n  {each.field}: {each.message}"
            for each in self.details
            if f"{each.field} {each.message}" not in self.message
        )

    def __reduce__(self) -> tuple[type[APIError], tuple[int, dict[str, str], dict[str, Any], str]]:
        return type(self), (self.status, dict(self.headers), dict(self.body), self._url_setting)


class BadRequestError(APIError):
    """400: the request is malformed."""


class AuthenticationError(APIError):
    """401: the key or token is missing, wrong or expired."""


class QuotaExceededError(APIError):
    """402: a limit of the plan is reached."""


class PermissionDeniedError(APIError):
    """403: the key or its owner lacks the permission, or the resource belongs to another workspace."""


class NotFoundError(APIError):
    """404: the resource does not exist."""


class ConflictError(APIError):
    """409: the current state does not allow the operation."""


class PreconditionFailedError(APIError):
    """412: the resource has changed since its `ETag` was read."""


class PayloadTooLargeError(APIError):
    """413: the body or the file is too large."""


class ValidationError(APIError):
    """422: the request is invalid; `details` lists the fields."""


class KeyUnavailableError(APIError):
    """423: the workspace's own encryption key is unavailable."""


class RateLimitError(APIError):
    """429: too many requests; `retry_after` says when to retry."""


class ServerError(APIError):
    """5xx: the server failed or is not ready."""


_BY_STATUS: Mapping[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: QuotaExceededError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    422: ValidationError,
    423: KeyUnavailableError,
    429: RateLimitError,
}


def status_error(response: httpx.Response, url_setting: str) -> APIError:
    """Converts an error response that was read.

    :param url_setting: option or variable that sets the URL of Parley, for the message
    """
    status = response.status_code
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
    try:
        problem = _mapping(response.json())
    except ValueError:
        problem = {}
    return kind(status, response.headers, problem, url_setting)


def _describe_status(status: int, headers: Mapping[str, str], url_setting: str) -> str:
    advice = f"Check that {url_setting} is the URL of Parley."
    if 300 <= status < 400:
        target = headers.get("location")
        return f"The server responded with a redirect{f' to {target}' if target else ''}. {advice}"
    # Responses without a description come from other servers: 408, 429 and 5xx may come from a proxy before Parley.
    is_foreign = 400 <= status < 500 and status not in (408, 429)
    return f"The server responded with status {status}{f', but without a Parley error. {advice}' if is_foreign else '.'}"


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _details(value: object) -> Sequence[ErrorDetail]:
    if not isinstance(value, list):
        return ()
    return tuple(
        ErrorDetail(
            field=str(each.get("field", "")),
            location=str(each.get("in", "")),
            code=str(each.get("code", "")),
            message=str(each.get("message", "")),
        )
        for each in map(_mapping, value)
    )
