"""Descriptions of failed connections."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from urllib.parse import urlsplit

import httpx

_WORDS = {
    "ECONNREFUSED": "nothing accepts connections there",
    "ECONNRESET": "the server closed the connection",
    "EHOSTUNREACH": "the network has no route to the host",
    "ENETUNREACH": "the network has no route to the host",
    "ETIMEDOUT": "the host did not respond",
}
_UNTRUSTED = "self.signed|local issuer"
"""Matches the errors of certificates whose authority is not trusted, such as a company's own."""
_TRUST_ADVICE = ". To trust the certificate authority, set SSL_CERT_FILE to the file with its certificate"
_MAX_CAUSES = 20


def describe_connection_cause(error: BaseException) -> str:
    """Returns why no connection was made, with the operating system's error code if there is one."""
    causes = _causes(error)
    if isinstance(error, httpx.ProxyError):
        return f"the proxy refused the connection ({str(error).rstrip('.') or type(error).__name__})"
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return _describe_tls(cause)
        if isinstance(cause, socket.gaierror):
            return f"the host name could not be resolved ({cause.strerror})"
    for cause in causes:
        if isinstance(cause, OSError) and (code := errno.errorcode.get(cause.errno or 0)):
            return f"{_WORDS.get(code, cause.strerror)} ({code})"
    return str(error).rstrip(".") or type(error).__name__


def describe_proxy(url: str) -> str:
    """Returns a sentence about the proxy that the environment sets for a URL; empty if there is none."""
    # Imported on demand, because only failed connections need it.
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme.lower()) or proxies.get("all")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return ""
    # Omits the credentials of the proxy.
    host = proxy.rpartition("@")[2].rpartition("//")[2].rstrip("/")
    return f" The environment sets the proxy {host} for this URL; NO_PROXY exempts a host."


def _describe_tls(error: ssl.SSLError) -> str:
    reason = getattr(error, "reason", "")
    if reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
        return f"the server does not speak TLS there, so write http:// ({reason})"
    detail = getattr(error, "verify_message", "") or reason or str(error)
    return f"TLS failed: {detail}{_TRUST_ADVICE if re.search(_UNTRUSTED, detail) else ''}"


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
