from __future__ import annotations

import inspect
import json
import unittest
from pathlib import Path
from typing import Any

import httpx

from fake_server import FakeServer, events
from parley import AsyncStream, Parley, Stream

ROOT = Path(__file__).parents[3]
DOCUMENTS = [
    json.loads((ROOT / name).read_text(encoding="utf-8"))
    for name in ("openapi.json", "openapi.ext.json")
]
PAGE = {"items": [], "total": 0, "page": 1, "page_size": 20, "has_more": False, "next_cursor": None}

Route = tuple[str, str]
"""A method and a path, with `x` for each parameter."""


def list_documented() -> dict[Route, Any]:
    """Returns a response body for each operation of the OpenAPI documents, without items."""
    return {
        (method.upper(), "/".join("x" if part.startswith("{") else part for part in path.split("/"))): empty_content(operation)
        for document in DOCUMENTS
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def empty_content(operation: Any) -> Any:
    success = next(response for status, response in operation["responses"].items() if status < "4")
    schema = success.get("content", {}).get("application/json", {}).get("schema", {})
    if "PaginatedResponse" in schema.get("$ref", ""):
        return PAGE
    return [] if schema.get("type") == "array" else {}


def list_methods(client: Any) -> list[Any]:
    resources = [getattr(client, name) for name in dir(client) if hasattr(getattr(client, name), "with_raw_response")]
    return [
        method
        for resource in resources
        for name, method in inspect.getmembers(resource, inspect.ismethod)
        if not name.startswith("_")
    ]


def call_with_required(method: Any) -> Any:
    """Calls a method with its required arguments only. Each text is `x`."""
    required = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
    path = ["x" for each in required if each.kind is each.POSITIONAL_OR_KEYWORD]
    values = {"file": ("x.txt", b"x"), "body": b"{}"}
    return method(*path, **{each.name: values.get(each.name, "x") for each in required if each.kind is each.KEYWORD_ONLY})


def call_all(client: Any) -> None:
    for method in list_methods(client):
        result = call_with_required(method)
        if isinstance(result, Stream):
            result.close()


async def call_all_async(client: Any) -> None:
    for method in list_methods(client):
        result = await call_with_required(method)
        if isinstance(result, AsyncStream):
            await result.close()


class Operations(unittest.TestCase):
    def requested(self, call: Any, is_async: bool) -> set[Route]:
        expected = list_documented()

        def reply(request: httpx.Request) -> httpx.Response:
            if request.headers["accept"] == "text/event-stream":
                return events(("done", "m:1", {}))
            return httpx.Response(200, json=expected[request.method, request.url.path])

        server = FakeServer(reply)
        server.run(call, is_async, visitor_token="t")
        return {(request.method, request.url.path) for request in server.requests}

    def test_all_have_a_method(self) -> None:
        self.assertEqual(self.requested(call_all, False), set(list_documented()))

    def test_all_have_an_async_method(self) -> None:
        self.assertEqual(self.requested(call_all_async, True), set(list_documented()))

    def test_all_have_a_docstring(self) -> None:
        for method in list_methods(Parley("key")):
            self.assertIn(":param timeout:", inspect.getdoc(method) or "", method)
