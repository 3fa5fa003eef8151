"""Descriptions of failed connections."""

from __future__ import annotations

import errno
import socket
import ssl

_WORDS = {
    "ECONNREFUSED": "nothing accepts connections there",
    "ECONNRESET": "the server closed the connection",
    "EHOSTUNREACH": "the network has no route to the host",
    "ENETUNREACH": "the network has no route to the host",
    "ETIMEDOUT": "the host did not respond",
}
_MAX_CAUSES = 20


def describe_connection_cause(error: BaseException) -> str:
    """Returns why no connection was made, with the code of the system if there is one."""
    causes = _causes(error)
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return _describe_tls(cause)
        if isinstance(cause, socket.gaierror):
            return f"DNS does not know the host ({cause.strerror})"
    for cause in causes:
        if isinstance(cause, OSError) and (code := errno.errorcode.get(cause.errno or 0)):
            return f"{_WORDS.get(code, cause.strerror)} ({code})"
    return str(error).rstrip(".") or type(error).__name__


def _describe_tls(error: ssl.SSLError) -> str:
    if error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return f"the server does not speak TLS there, so write http:// ({error.reason})"
    detail = getattr(error, "verify_message", "") or error.reason or str(error)
    return f"TLS failed: {detail}"


def _causes(error: BaseException) -> list[BaseException]:
    """Returns an error and its causes, outermost first."""
    causes: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending and len(causes) < _MAX_CAUSES:
        cause = pending.pop(0)
        if cause is None or cause in causes:
            continue
        causes.append(cause)
        # If a host name has several addresses, each failed attempt has its own error.
        pending += [*getattr(cause, "exceptions", ()), cause.__cause__, cause.__context__]
    return causes
