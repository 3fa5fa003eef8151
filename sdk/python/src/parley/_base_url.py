"""The address of Parley."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from ._errors import ParleyError

EXAMPLE = "https://chat.example.com"
_LOOPBACK = re.compile(r"(.+\.)?localhost\.?|127(\.\d{1,3}){3}|::1")
"""Host names and addresses of this machine."""


def normalize_base_url(text: str, source: str) -> str:
    """Returns an address without a trailing slash.

    :param source: name of the setting, for the message
    :raises ParleyError: the text cannot be an address of Parley
    """
    address = text.strip().rstrip("/")
    if re.match(r"parley_(live|test)_", address):
        # The message must not repeat the key.
        raise ParleyError(f"{source} is an API key. Write an address like {EXAMPLE}.")
    if not re.match(r"[a-z][a-z0-9+.-]*://", text.strip(), re.IGNORECASE):
        raise ParleyError(f"{source} does not begin with http:// or https://: write {_suggest(address.lstrip('/'))}.")
    if not _is_plain(_split(address)):
        raise ParleyError(f"{source} is not a valid address of Parley. Write it like {EXAMPLE}.")
    if address.endswith("/api"):
        raise ParleyError(f"{source} ends in /api, which is part of each request's path: write {_without_api(address)}.")
    if address.endswith("/docs"):
        raise ParleyError(f"{source} ends in /docs, the reference's path: write {address.removesuffix('/docs')}.")
    return address


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        # Reading `port` raises an error if it is invalid.
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def _is_plain(parts: SplitResult | None) -> bool:
    if parts is None or parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        return False
    return not (parts.username or parts.password or parts.query or parts.fragment or " " in parts.netloc)


def _suggest(address: str) -> str:
    parts = _split(f"http://{address}")
    if not _is_plain(parts):
        return f"it like {EXAMPLE}"
    is_loopback = parts is not None and _LOOPBACK.fullmatch(parts.hostname or "")
    return _without_api(f"{'http' if is_loopback else 'https'}://{address}")


def _without_api(address: str) -> str:
    return address.removesuffix("/api").rstrip("/")
