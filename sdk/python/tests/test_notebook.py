from __future__ import annotations

import unittest

import httpx

from fake_server import FakeServer

BODY = {"total": 3, "page": 1, "page_size": 2, "has_more": True, "next_cursor": "c2"}


class Notebooks(unittest.TestCase):
    def html(self, items: list[dict[str, object]], is_async: bool = False) -> str:
        server = FakeServer(httpx.Response(200, json={**BODY, "items": items}))

        async def first_page(client: object) -> str:
            page = await client.bots.list()  # type: ignore[attr-defined]
            return str(page._repr_html_())

        return str(server.run(first_page if is_async else lambda client: client.bots.list()._repr_html_(), is_async))

    def test_show_pages_as_tables(self) -> None:
        items: list[dict[str, object]] = [
            {"id": "b1", "name": "Help <b>desk</b> & more", "last_error": None, "widget_theme": {"a": 1}},
            {"id": "b2", "name": "x" * 81, "size": 3, "widget_theme": None},
        ]
        expected = (
            "<table><thead><tr><th>id</th><th>name</th><th>last_error</th><th>size</th></tr></thead><tbody>"
            "<tr><td>b1</td><td>Help &lt;b&gt;desk&lt;/b&gt; &amp; more</td><td></td><td></td></tr>"
            f"<tr><td>b2</td><td>{'x' * 79}…</td><td></td><td>3</td></tr>"
            "</tbody></table><p>2 of 3 items; next_page() returns more.</p>"
        )
        for is_async in (False, True):
            self.assertEqual(self.html(items, is_async), expected)

    def test_escape_names_of_fields(self) -> None:
        self.assertIn("<th>&lt;script&gt;</th>", self.html([{"<script>": 1}]))

    def test_show_an_empty_page(self) -> None:
        self.assertIn("<p>0 of 3 items; next_page() returns more.</p>", self.html([]))
