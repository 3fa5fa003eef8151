from __future__ import annotations

import unittest
from collections.abc import Callable, Iterable
from typing import Any

import httpx

from fake_server import FakeServer

HINT = "is for `async for`, not for `for` or an index. Without asyncio, use Parley instead of AsyncParley."
PAGE = {"items": [], "total": 0, "page": 1, "page_size": 20, "has_more": False, "next_cursor": None}


def ask(client: Any) -> Any:
    return client.widget.stream_message("s1", content="Hi", visitor_token="t")


class Iteration(unittest.TestCase):
    def test_with_for_names_async_for(self) -> None:
        async def page(client: Any) -> Any:
            return await client.bots.list()

        async def check(client: Any) -> list[str]:
            results = (client.bots.list(), await page(client), ask(client))
            self.assertFalse(any(isinstance(each, Iterable) for each in results))
            return [describe(lambda: list(each)) for each in results]

        received = FakeServer(httpx.Response(200, json=PAGE)).run(check, True)
        self.assertEqual(received, [f"TypeError: {name} {HINT}" for name in ("AsyncPages", "AsyncPage", "AsyncStream")])

    def test_of_a_page_by_index_or_length_names_its_items(self) -> None:
        page = FakeServer(httpx.Response(200, json=PAGE)).run(lambda client: (client.bots.list(),), False)[0]
        advice = "Use page.items for the items of this page, or list(page) for those of all following pages, too."
        received = [describe(lambda: page[0]), describe(lambda: len(page))]
        self.assertEqual(received, [f"TypeError: A page has no {what}. {advice}" for what in ("index", "len()")])
        self.assertEqual((bool(page), list(page)), (True, []))

    def test_with_async_for_names_for(self) -> None:
        page = FakeServer(httpx.Response(200, json=PAGE)).run(lambda client: (client.bots.list(),), False)[0]
        hint = "Page is for `for`, not for `async for`. With asyncio, use AsyncParley instead of Parley."
        self.assertEqual(describe(page.__aiter__), f"TypeError: {hint}")

    def test_of_a_page_by_the_name_of_another_sdk_names_its_items(self) -> None:
        page = FakeServer(httpx.Response(200, json=PAGE)).run(lambda client: (client.bots.list(),), False)[0]
        advice = "Use page.items for the items of this page, or list(page) for those of all following pages, too."
        self.assertEqual(describe(lambda: page.data), f"AttributeError: 'Page' object has no attribute 'data'. {advice}")
        self.assertEqual(describe(lambda: page.nothing), "AttributeError: 'Page' object has no attribute 'nothing'.")

    def test_of_a_list_that_was_not_awaited_names_await(self) -> None:
        async def check(client: Any) -> list[str]:
            return [describe(lambda: client.bots.list().items), describe(lambda: client.bots.list().first)]

        self.assertEqual(
            FakeServer().run(check, True),
            [
                "AttributeError: The list has not been requested yet: use (await …).items, or iterate with `async for`.",
                "AttributeError: 'AsyncPages' object has no attribute 'first'",
            ],
        )


def describe(act: Callable[[], object]) -> str:
    try:
        act()
    except (TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"
