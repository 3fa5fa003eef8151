"""The clients `Parley` and `AsyncParley`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ._base_url import normalize_base_url
from ._calls import Options
from ._errors import ParleyError
from ._checks import require_max_retries, require_text, require_timeout
from ._documents import is_indexed, pauses
from ._generated.client import AsyncResources, Resources
from ._transport import AsyncTransport, Transport, pause

if TYPE_CHECKING:
    from ._generated.models import DocumentStatusRead

DEFAULT_BASE_URL = "http://localhost:3000"
DEFAULT_MAX_RETRIES = 2
WAIT_SECONDS = 300.0


class Parley(Resources):
    """The Parley API.

    Create one client and reuse it, since it pools connections. Threads may share it.

    :param api_key: an API key, or the access token of a signed-in user; `PARLEY_API_KEY` by default, unless `base_url` differs
        from the URL of the environment
    :param base_url: URL of Parley; `PARLEY_URL` or `http://localhost:3000` by default
    :param visitor_token: the visitor_token of a widget session, for visitors' operations
    :param timeout: seconds without data after which a call fails; replaces the timeouts of the operations
    :param max_retries: maximum number of retries after temporary failures
    :param http_client: an httpx client with your own proxy, certificates or transport; you close it
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        if isinstance(http_client, httpx.AsyncClient):
            raise ParleyError("http_client is an httpx.AsyncClient. Use AsyncParley, or pass an httpx.Client.")
        self._owns_http = http_client is None
        super().__init__(Transport(http_client or httpx.Client()), _options(api_key, base_url, visitor_token, timeout, max_retries))

    def with_options(
        self,
        *,
        api_key: str | None = None,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Parley:
        """Returns a client with other options and the same connections."""
        other = Parley(base_url=self._options.base_url, http_client=self._transport.http)
        other._transport = self._transport
        other._options = _merge_options(self._options, api_key, visitor_token, timeout, max_retries)
        return other

    def wait_for_document(
        self,
        bot_id: str,
        document_id: str,
        *,
        timeout: float = WAIT_SECONDS,
        on_progress: Callable[[DocumentStatusRead], None] | None = None,
    ) -> DocumentStatusRead:
        """Waits until a document is indexed.

        :param timeout: maximum seconds to wait
        :param on_progress: called with each status that was read
        :raises DocumentFailedError: indexing failed
        :raises WaitTimeoutError: the document is still being indexed
        """
        for seconds in pauses(timeout, document_id):
            status = self.knowledge.get_status(bot_id, document_id)
            if on_progress is not None:
                on_progress(status)
            if is_indexed(status):
                return status
            time.sleep(seconds)
        raise AssertionError("unreachable")

    def close(self) -> None:
        if self._owns_http:
            self._transport.http.close()

    def __enter__(self) -> Parley:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncParley(AsyncResources):
    """`Parley` for asyncio."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        if isinstance(http_client, httpx.Client):
            raise ParleyError("http_client is an httpx.Client. Use Parley, or pass an httpx.AsyncClient.")
        self._owns_http = http_client is None
        super().__init__(AsyncTransport(http_client or httpx.AsyncClient()), _options(api_key, base_url, visitor_token, timeout, max_retries))

    def with_options(
        self,
        *,
        api_key: str | None = None,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncParley:
        """Returns a client with other options and the same connections."""
        other = AsyncParley(base_url=self._options.base_url, http_client=self._transport.http)
        other._transport = self._transport
        other._options = _merge_options(self._options, api_key, visitor_token, timeout, max_retries)
        return other

    async def wait_for_document(
        self,
        bot_id: str,
        document_id: str,
        *,
        timeout: float = WAIT_SECONDS,
        on_progress: Callable[[DocumentStatusRead], None] | None = None,
    ) -> DocumentStatusRead:
        """Waits until a document is indexed.

        :param timeout: maximum seconds to wait
        :param on_progress: called with each status that was read
        :raises DocumentFailedError: indexing failed
        :raises WaitTimeoutError: the document is still being indexed
        """
        for seconds in pauses(timeout, document_id):
            status = await self.knowledge.get_status(bot_id, document_id)
            if on_progress is not None:
                on_progress(status)
            if is_indexed(status):
                return status
            await pause(seconds)
        raise AssertionError("unreachable")

    async def close(self) -> None:
        if self._owns_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _address(base_url: str | None) -> tuple[str, str]:
    """Returns the URL of Parley, and the option or environment variable that sets this URL."""
    if base_url:
        return base_url, "base_url"
    return _environment_url() or (DEFAULT_BASE_URL, "PARLEY_URL or base_url")


def _environment_url() -> tuple[str, str] | None:
    """Returns the URL in the environment, and the name of its variable; None if no variable is set."""
    # PARLEY_BASE_URL is the server's own setting.
    for name in ("PARLEY_URL", "PARLEY_BASE_URL"):
        if url := os.environ.get(name):
            return url, name
    return None


def _environment_key(base_url: str) -> str | None:
    """Returns `PARLEY_API_KEY`; None if `base_url` differs from the environment's URL, since only that URL may get the key."""
    variable = _environment_url()
    is_own = variable is None or variable[0].strip().rstrip("/").lower() == base_url.lower()
    return os.environ.get("PARLEY_API_KEY") if is_own else None


def _options(
    api_key: str | None, base_url: str | None, visitor_token: str | None, timeout: float | None, max_retries: int
) -> Options:
    _check(api_key, visitor_token, timeout, max_retries)
    require_text("base_url", base_url)
    text, url_setting = _address(base_url)
    address = normalize_base_url(text, url_setting)
    return Options(
        base_url=address,
        url_setting=url_setting,
        api_key=api_key or _environment_key(address),
        visitor_token=visitor_token,
        timeout=timeout,
        max_retries=max_retries,
    )


def _merge_options(
    options: Options,
    api_key: str | None,
    visitor_token: str | None,
    timeout: float | None,
    max_retries: int | None,
) -> Options:
    _check(api_key, visitor_token, timeout, max_retries)
    return replace(
        options,
        api_key=api_key or options.api_key,
        visitor_token=visitor_token or options.visitor_token,
        timeout=timeout or options.timeout,
        max_retries=options.max_retries if max_retries is None else max_retries,
    )


def _check(api_key: str | None, visitor_token: str | None, timeout: float | None, max_retries: int | None) -> None:
    """@raises TypeError, ValueError for an option that type checkers would refuse"""
    require_text("api_key", api_key)
    require_text("visitor_token", visitor_token)
    require_timeout(timeout)
    require_max_retries(max_retries)
