"""Waiting for documents to be indexed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._checks import require_timeout
from ._errors import DocumentFailedError, WaitTimeoutError

if TYPE_CHECKING:
    from ._generated.models import DocumentStatusRead

FIRST_PAUSE_SECONDS = 0.25
MAX_PAUSE_SECONDS = 5.0


def is_indexed(status: DocumentStatusRead) -> bool:
    """@raises DocumentFailedError if indexing failed"""
    if status.status == "failed":
        raise DocumentFailedError(status.id, status.error_message)
    return status.status == "indexed"


def pauses(timeout: float, document_id: str) -> Iterator[float]:
    """Yields growing pauses between polls, in seconds. @raises WaitTimeoutError after the timeout"""
    require_timeout(timeout, allows_zero=True)
    end = time.monotonic() + timeout
    pause = FIRST_PAUSE_SECONDS
    while (left := end - time.monotonic()) > 0:
        yield min(pause, left)
        pause = min(pause * 1.5, MAX_PAUSE_SECONDS)
    raise WaitTimeoutError(f"The document {document_id} is not indexed after {timeout:g} s (timeout). Indexing continues.")
