"""Paginated lists."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from ._errors import ParleyError
from ._iteration import refuse_async_for, refuse_for
from ._models import Model
from ._notebook import page_html

T = TypeVar("T")
M = TypeVar("M", bound=Model)

Query = Mapping[str, Any]


@dataclass(frozen=True)
class Content(Generic[T]):
    """Content of a page."""

    items: list[T]
    next_query: Query | None
    position: Any
    """Cursor of the next page, or a field of the last item. Each page of a list has a different position."""
    counts: Mapping[str, Any]
    """Other members of the response, such as `total`."""


Reader = Callable[[Any, Query, bool], Content[T]]
"""Reads a page. Arguments: the JSON of the response, the query, and whether the response links to a next page."""


def numbered(model: type[M]) -> Reader[M]:
    """Returns a reader of pages `{ items, total, has_more, next_cursor }`."""

    def read(data: Any, query: Query, has_link: bool) -> Content[M]:
        cursor = data.get("next_cursor")
        following = {**query, "page": None, "cursor": cursor} if data["has_more"] and cursor else None
        return Content([model(item) for item in data["items"]], following, cursor, data)

    return read


def keyset(model: type[M], parameter: str, field: str, default_limit: int) -> Reader[M]:
    """Returns a reader of lists whose next page begins after the last item."""

    def read(data: Any, query: Query, has_link: bool) -> Content[M]:
        items = [model(item) for item in data]
        # The server shortens a page with long messages; the shortened page then links to the next page.
        is_full = len(items) >= (query.get("limit") or default_limit)
        # Backward reading returns one section of a list only.
        is_last = not (is_full or has_link) or _reads_backwards(query, parameter)
        position = None if is_last else items[-1][field]
        return Content(items, None if is_last else {**query, parameter: position}, position, {})

    return read


def _reads_backwards(query: Query, parameter: str) -> bool:
    return parameter == "after" and query.get("before") is not None


_OTHER_NAMES = ("data", "results", "records", "values", "first", "all")
"""Names that other SDKs give the items of a page."""
_ADVICE = "Use page.items for the items of this page, or list(page) for those of all following pages, too."


class _PageContent(Generic[T]):
    def __init__(self, content: Content[T]) -> None:
        self.items = content.items
        """Items of this page."""
        self.total: int | None = content.counts.get("total")
        """Number of all items, if the list is counted."""
        self.next_cursor: str | None = content.counts.get("next_cursor")
        """Cursor of the next page, for a separate call."""
        self._next_query = content.next_query
        self._position = content.position

    @property
    def has_more(self) -> bool:
        return self._next_query is not None

    def _check_end(self, positions: set[str]) -> None:
        """Adds the position of the next page to `positions`. Raises `ParleyError` if a position repeats or the page is empty."""
        if self._next_query is None:
            return
        position = str(self._position)
        if position in positions or not self.items:
            raise ParleyError("The list does not end: the server repeats a page, or returns empty ones.")
        positions.add(position)

    def _repr_html_(self) -> str:
        """Returns a table for notebooks."""
        return page_html(self.items, self.total, self.has_more)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(items={self.items!r}, has_more={self.has_more})"


class Page(_PageContent[T]):
    """A page of a list. Iteration continues with the following pages."""

    def __init__(self, content: Content[T], fetch: Callable[[Query], Page[T]]) -> None:
        super().__init__(content)
        self._fetch = fetch

    def next_page(self) -> Page[T] | None:
        return None if self._next_query is None else self._fetch(self._next_query)

    def pages(self) -> Iterator[Page[T]]:
        """Iterates over this page and all following pages."""
        page: Page[T] | None = self
        positions: set[str] = set()
        while page is not None:
            yield page
            page._check_end(positions)
            page = page.next_page()

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    if not TYPE_CHECKING:  # Type checkers report the mistake themselves.

        def __getitem__(self, _: object) -> NoReturn:
            raise TypeError(f"A page has no index. {_ADVICE}")

        def __len__(self) -> NoReturn:
            raise TypeError(f"A page has no len(). {_ADVICE}")

        def __bool__(self) -> bool:
            return True

        def __getattr__(self, name: str) -> NoReturn:
            advice = f" {_ADVICE}" if name in _OTHER_NAMES else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}.{advice}")

        __aiter__ = refuse_async_for


class AsyncPage(_PageContent[T]):
    """`Page` for asyncio."""

    def __init__(self, content: Content[T], fetch: Callable[[Query], Awaitable[AsyncPage[T]]]) -> None:
        super().__init__(content)
        self._fetch = fetch

    async def next_page(self) -> AsyncPage[T] | None:
        return None if self._next_query is None else await self._fetch(self._next_query)

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Iterates over this page and all following pages."""
        page: AsyncPage[T] | None = self
        positions: set[str] = set()
        while page is not None:
            yield page
            page._check_end(positions)
            page = await page.next_page()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    if not TYPE_CHECKING:  # Type checkers report the mistake themselves.
        __getitem__ = refuse_for


_PAGE_MEMBERS = ("items", "total", "next_cursor", "has_more", "next_page", "pages")


class AsyncPages(Generic[T]):
    """A list that was not requested yet: `await` its first page, or iterate over all items with `async for`."""

    def __init__(self, first: Callable[[], Awaitable[AsyncPage[T]]]) -> None:
        self._first = first

    def __await__(self) -> Generator[Any, Any, AsyncPage[T]]:
        return self._first().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._first():
            yield item

    if not TYPE_CHECKING:
        __getitem__ = refuse_for

        def __getattr__(self, name: str) -> Any:
            if name not in _PAGE_MEMBERS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            raise AttributeError(f"The list has not been requested yet: use (await …).{name}, or iterate with `async for`.")
