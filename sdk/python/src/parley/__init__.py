"""The Parley API for Python."""

from ._client import AsyncParley, Parley
from ._errors import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    DocumentFailedError,
    ErrorDetail,
    InvalidArgumentError,
    KeyUnavailableError,
    MissingCredentialError,
    NotFoundError,
    ParleyError,
    PayloadTooLargeError,
    PermissionDeniedError,
    PreconditionFailedError,
    QuotaExceededError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    ValidationError,
    WaitTimeoutError,
    WebhookVerificationError,
)
from ._models import Model
from ._omitted import OMITTED, Omitted
from ._pages import AsyncPage, AsyncPages, Page
from ._raw import RawResponse
from ._streams import AsyncStream, Stream
from ._times import parse_time
from ._uploads import FileInput
from ._version import __version__
from ._webhooks import verify_webhook

__all__ = [
    "OMITTED",
    "APIConnectionError",
    "APIError",
    "APITimeoutError",
    "AsyncPage",
    "AsyncPages",
    "AsyncParley",
    "AsyncStream",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "DocumentFailedError",
    "ErrorDetail",
    "FileInput",
    "InvalidArgumentError",
    "KeyUnavailableError",
    "MissingCredentialError",
    "Model",
    "NotFoundError",
    "Omitted",
    "Page",
    "Parley",
    "ParleyError",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "QuotaExceededError",
    "RateLimitError",
    "RawResponse",
    "ServerError",
    "Stream",
    "StreamInterruptedError",
    "ValidationError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "__version__",
    "parse_time",
    "verify_webhook",
]
