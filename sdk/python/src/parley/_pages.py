"""Lists that come in pages, and all their items one after another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._models import Model

T = TypeVar("T")
M = TypeVar("M", bound=Model)

Query = Mapping[str, Any]


@dataclass(frozen=True)
class Content(Generic[T]):
    """What one answer of a list holds."""

    items: list[T]
    next_query: Query | None
    counts: Mapping[str, Any]
    """What came beside the items, such as `total`."""


Reader = Callable[[Any, Query], Content[T]]
"""Reads an answer to a query."""


def numbered(model: type[M]) -> Reader[M]:
    """Pages of `{ items, total, has_more, next_cursor }`."""

    def read(data: Any, query: Query) -> Content[M]:
        cursor = data.get("next_cursor")
        following = {**query, "page": None, "cursor": cursor} if data["has_more"] and cursor else None
        return Content([model(item) for item in data["items"]], following, data)

    return read


def keyset(model: type[M], parameter: str, field: str, default_limit: int) -> Reader[M]:
    """Lists of which the next one begins at the last item of the one before."""

    def read(data: Any, query: Query) -> Content[M]:
        items = [model(item) for item in data]
        # A query for what is before something is one of its own.
        is_last = len(items) < (query.get("limit") or default_limit) or _reads_backwards(query, parameter)
        return Content(items, None if is_last else {**query, parameter: items[-1][field]}, {})

    return read


def _reads_backwards(query: Query, parameter: str) -> bool:
    return parameter == "after" and query.get("before") is not None


class _PageContent(Generic[T]):
    def __init__(self, content: Content[T]) -> None:
        self.items = content.items
        """The items of this page alone."""
        self.total: int | None = content.counts.get("total")
        """How many items there are in all, where the list is counted."""
        self.next_cursor: str | None = content.counts.get("next_cursor")
        """Where the next page begins, for `cursor` of a call of its own."""
        self._next_query = content.next_query

    @property
    def has_more(self) -> bool:
        return self._next_query is not None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(items={self.items!r}, has_more={self.has_more})"


class Page(_PageContent[T]):
    """One page. To iterate over it is to go through its items and those of all pages after it."""

    def __init__(self, content: Content[T], fetch: Callable[[Query], Page[T]]) -> None:
        super().__init__(content)
        self._fetch = fetch

    def next_page(self) -> Page[T] | None:
        return None if self._next_query is None else self._fetch(self._next_query)

    def pages(self) -> Iterator[Page[T]]:
        """This page and all after it."""
        page: Page[T] | None = self
        while page is not None:
            yield page
            page = page.next_page()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items


class AsyncPage(_PageContent[T]):
    """`Page` for asyncio."""

    def __init__(self, content: Content[T], fetch: Callable[[Query], Awaitable[AsyncPage[T]]]) -> None:
        super().__init__(content)
        self._fetch = fetch

    async def next_page(self) -> AsyncPage[T] | None:
        return None if self._next_query is None else await self._fetch(self._next_query)

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """This page and all after it."""
        page: AsyncPage[T] | None = self
        while page is not None:
            yield page
            page = await page.next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item


class AsyncPages(Generic[T]):
    """A list that is not asked for yet: `await` it for its first page, or go through all items by `async for`."""

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[T]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._first():
            yield item
