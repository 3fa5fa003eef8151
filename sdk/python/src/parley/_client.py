"""The clients."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

import httpx

from ._calls import Options
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

    Make one client and keep it: it keeps connections. It may be used by several threads.

    :param api_key: an API key, or the access token of somebody who is signed in; `PARLEY_API_KEY` by default, unless `base_url` is
        another address than that of the environment
    :param base_url: where Parley is; `PARLEY_URL` or `http://localhost:3000` by default
    :param visitor_token: the visitor_token of a widget session, for what visitors do
    :param timeout: seconds of silence after which a call fails, in place of those that operations have by themselves
    :param max_retries: how often a call is repeated that may succeed then
    :param http_client: an httpx client with a proxy, certificates or a transport of your own; you close it
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
        self._is_own = http_client is None
        super().__init__(Transport(http_client or httpx.Client()), _options(api_key, base_url, visitor_token, timeout, max_retries))

    def with_options(
        self,
        *,
        api_key: str | None = None,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Parley:
        """The same client with other options, on the same connections."""
        other = Parley(http_client=self._transport.http)
        other._options = _changed(self._options, api_key, visitor_token, timeout, max_retries)
        return other

    def wait_for_document(
        self,
        bot_id: str,
        document_id: str,
        *,
        timeout: float = WAIT_SECONDS,
        on_progress: Callable[[DocumentStatusRead], None] | None = None,
    ) -> DocumentStatusRead:
        """Returns once a document is indexed.

        :param timeout: seconds to wait for it
        :param on_progress: told of each look at it
        :raises DocumentFailedError: it could not be indexed
        :raises WaitTimeoutError: it is not indexed yet
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
        if self._is_own:
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
        self._is_own = http_client is None
        super().__init__(AsyncTransport(http_client or httpx.AsyncClient()), _options(api_key, base_url, visitor_token, timeout, max_retries))

    def with_options(
        self,
        *,
        api_key: str | None = None,
        visitor_token: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncParley:
        """The same client with other options, on the same connections."""
        other = AsyncParley(http_client=self._transport.http)
        other._options = _changed(self._options, api_key, visitor_token, timeout, max_retries)
        return other

    async def wait_for_document(
        self,
        bot_id: str,
        document_id: str,
        *,
        timeout: float = WAIT_SECONDS,
        on_progress: Callable[[DocumentStatusRead], None] | None = None,
    ) -> DocumentStatusRead:
        """Returns once a document is indexed.

        :param timeout: seconds to wait for it
        :param on_progress: told of each look at it
        :raises DocumentFailedError: it could not be indexed
        :raises WaitTimeoutError: it is not indexed yet
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
        if self._is_own:
            await self._transport.http.aclose()

    async def __aenter__(self) -> AsyncParley:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _url_of_environment() -> str | None:
    # The latter is what a server is told that it is at.
    return os.environ.get("PARLEY_URL") or os.environ.get("PARLEY_BASE_URL")


def _key_of_environment(base_url: str) -> str | None:
    """The key is for the address beside it, and is sent to no other."""
    url = _url_of_environment()
    is_own = not url or url.rstrip("/").lower() == base_url.lower()
    return os.environ.get("PARLEY_API_KEY") if is_own else None


def _options(
    api_key: str | None, base_url: str | None, visitor_token: str | None, timeout: float | None, max_retries: int
) -> Options:
    address = (base_url or _url_of_environment() or DEFAULT_BASE_URL).rstrip("/")
    return Options(
        base_url=address,
        api_key=api_key or _key_of_environment(address),
        visitor_token=visitor_token,
        timeout=timeout,
        max_retries=max_retries,
    )


def _changed(
    options: Options,
    api_key: str | None,
    visitor_token: str | None,
    timeout: float | None,
    max_retries: int | None,
) -> Options:
    return replace(
        options,
        api_key=api_key or options.api_key,
        visitor_token=visitor_token or options.visitor_token,
        timeout=timeout or options.timeout,
        max_retries=options.max_retries if max_retries is None else max_retries,
    )
