from __future__ import annotations

import io
import os
import pickle
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx

import parley
from fake_server import Body, FakeServer, problem

BOT = httpx.Response(200, json={"id": "b1", "name": "Help"}, headers={"x-request-id": "req_2"})
DOCUMENT = httpx.Response(201, json={"id": "d1", "status": "pending"})
DROPPED = httpx.ConnectError("connection refused")


def corrupt(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, headers={"content-encoding": "gzip"}, stream=Body([b"no gzip"], breaks=False))


class Unseekable(io.RawIOBase):
    """A stream without `seek`, whose bytes can be read only once."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        taken, self._rest = (self._rest, b"") if size < 0 else (self._rest[:size], self._rest[size:])
        return taken


def _to_coroutine(result: Any) -> Any:
    """Wraps an awaitable in a coroutine; returns any other value unchanged."""
    if not hasattr(result, "__await__"):
        return result

    async def wait() -> Any:
        return await result

    return wait()


class Calls:
    is_async: bool

    def run_with(self, server: FakeServer, act: Any, **options: Any) -> Any:
        return server.run(act, self.is_async, **options)

    def failure(self, server: FakeServer, act: Any, kind: type[BaseException], **options: Any) -> Any:
        with self.assertRaises(kind) as caught:  # type: ignore[attr-defined]
            self.run_with(server, act, **options)
        return caught.exception

    def same(self, actual: Any, expected: Any) -> None:
        self.assertEqual(actual, expected)  # type: ignore[attr-defined]

    def test_sends_only_the_given_arguments(self) -> None:
        server = FakeServer(BOT)
        bot = self.run_with(server, lambda client: client.bots.update("b/1 ü", name="Help", description=None))
        [request] = server.requests
        self.same(bot.name, "Help")
        self.same((request.method, str(request.url)), ("PATCH", "https://parley.test/api/bots/b%2F1%20%C3%BC"))
        self.same(server.json, [{"name": "Help", "description": None}])
        self.same(request.headers["authorization"], "Bearer key")
        self.same(request.headers["x-api-version"], "2026-09-03")
        self.same(request.headers["user-agent"], f"parley-sdk-python/{parley.__version__}")
        self.same(request.headers["content-type"], "application/json")

    def test_removes_white_space_around_a_key(self) -> None:
        server = FakeServer(BOT)
        self.run_with(server, lambda client: client.bots.get("b1"), api_key="key\n")
        self.same(server.headers("authorization"), ["Bearer key"])

    def test_sends_a_lone_surrogate_as_a_json_escape(self) -> None:
        server = FakeServer(BOT)
        self.run_with(server, lambda client: client.bots.create(name="Café \ud83d"))
        self.same(server.bodies, ['{"name":"Café \\ud83d"}'.encode()])

    def test_encodes_query_parameters_as_the_api_expects(self) -> None:
        server = FakeServer(httpx.Response(200, json=[]))
        self.run_with(server, lambda client: client.flows.list(bot_id="b1", is_active=True, limit=5))
        self.same(dict(server.requests[0].url.params), {"bot_id": "b1", "is_active": "true", "limit": "5"})

    def test_retries_a_write_with_the_same_body_and_idempotency_key(self) -> None:
        server = FakeServer(DROPPED, problem(500, "internal_error"), BOT)
        self.run_with(server, lambda client: client.bots.create(name="Help"))
        self.same(server.json, [{"name": "Help"}] * 3)
        self.same(len(set(server.headers("idempotency-key"))), 1)
        self.same(len(server.pauses), 2)

    def test_sends_a_new_idempotency_key_for_each_call_or_the_given_one(self) -> None:
        server = FakeServer(BOT)
        self.run_with(server, lambda client: client.bots.create(name="Help"))
        self.run_with(server, lambda client: client.bots.create(name="Help"))
        self.run_with(server, lambda client: client.bots.create(name="Help", idempotency_key="mine"))
        first, second, third = server.headers("idempotency-key")
        self.same((first != second, third), (True, "mine"))

    def test_stops_after_two_retries_or_max_retries(self) -> None:
        server = FakeServer(DROPPED)
        self.failure(server, lambda client: client.bots.get("b1"), parley.APIConnectionError)
        self.same(len(server.requests), 3)
        server = FakeServer(problem(503, "not_ready"))
        self.failure(server, lambda client: client.bots.get("b1"), parley.ServerError, max_retries=0)
        self.same(len(server.requests), 1)

    def test_waits_for_retry_after_up_to_a_minute(self) -> None:
        server = FakeServer(problem(429, "rate_limited", {"retry-after": "7"}), BOT)
        self.run_with(server, lambda client: client.bots.get("b1"))
        self.same(server.pauses, [7.0])
        server = FakeServer(problem(429, "rate_limited", {"retry-after": "61"}))
        error = self.failure(server, lambda client: client.bots.get("b1"), parley.RateLimitError)
        self.same((error.retry_after, len(server.requests), server.pauses), (61.0, 1, []))

    def test_raises_the_error_of_the_status(self) -> None:
        details = [{"field": "name", "in": "body", "code": "invalid", "message": "is required"}]
        server = FakeServer(problem(422, "validation_error", details=details))
        error = self.failure(server, lambda client: client.bots.create(name=""), parley.ValidationError)
        self.same((error.status, error.code, error.message), (422, "validation_error", "It is validation_error."))
        self.same(error.details, (parley.ErrorDetail("name", "body", "invalid", "is required"),))
        self.same((error.request_id, len(server.requests)), ("req_1", 1))
        self.same(str(error), "It is validation_error. (422 validation_error, request req_1)\n  name: is required")
        self.same(pickle.loads(pickle.dumps(error)).code, "validation_error")
        for status, kind in [(401, parley.AuthenticationError), (404, parley.NotFoundError), (418, parley.APIError)]:
            self.failure(FakeServer(problem(status, "x")), lambda client: client.bots.get("b1"), kind)

    def test_converts_responses_of_a_proxy(self) -> None:
        server = FakeServer(httpx.Response(502, text="<h1>Bad Gateway</h1>"))
        error = self.failure(server, lambda client: client.bots.get("b1"), parley.ServerError)
        self.same((error.code, error.message, error.details), ("unknown", "The server responded with status 502.", ()))
        error = self.failure(FakeServer(httpx.Response(404, text="<h1>Not Found</h1>")), lambda client: client.bots.get("b1"), parley.NotFoundError)
        self.same(error.message, "The server responded with status 404, but without a Parley error. Check that base_url is the URL of Parley.")
        moved = httpx.Response(308, headers={"location": "https://parley.test/api/"})
        error = self.failure(FakeServer(moved), lambda client: client.bots.get("b1"), parley.APIError)
        redirected = "The server responded with a redirect to https://parley.test/api/. Check that base_url is the URL of Parley."
        self.same((error.status, error.message, pickle.loads(pickle.dumps(error)).message), (308, redirected, redirected))
        server = FakeServer(httpx.Response(200, text="<h1>Welcome</h1>"))
        error = self.failure(server, lambda client: client.bots.get("b1"), parley.APIConnectionError)
        self.same(str(error), "The response from https://parley.test/api/bots/b1 cannot be read. Check that base_url is the URL of Parley.")
        self.failure(FakeServer(httpx.Response(200, json=[])), lambda client: client.bots.list(), parley.APIConnectionError)
        for content in ("x", None, ["x"], 1):
            server = FakeServer(lambda _: httpx.Response(200, json=content))
            self.failure(server, lambda client: client.bots.get("b1"), parley.APIConnectionError)

    def test_retries_a_response_that_cannot_be_decompressed(self) -> None:
        server = FakeServer(corrupt, BOT)
        self.same(self.run_with(server, lambda client: client.bots.get("b1")).name, "Help")
        error = self.failure(FakeServer(corrupt), lambda client: client.bots.get("b1"), parley.APIConnectionError)
        self.same(type(error.__cause__), httpx.DecodingError)

    def test_raises_a_timeout_error_after_the_timeout_of_the_operation(self) -> None:
        server = FakeServer(httpx.ReadTimeout("slow"))
        self.failure(server, lambda client: client.bots.get("b1"), parley.APITimeoutError)
        self.failure(server, lambda client: client.bots.generate(description="A shop"), parley.APITimeoutError)
        self.failure(server, lambda client: client.bots.get("b1", timeout=2), parley.APITimeoutError, timeout=9)
        waits = [request.extensions["timeout"]["read"] for request in server.requests]
        self.same(waits, [30.0] * 3 + [60.0] * 3 + [2] * 3)

    def test_sends_the_credential_that_the_operation_accepts(self) -> None:
        server = FakeServer(httpx.Response(200, json={}))
        self.run_with(server, lambda client: client.widget.get_config("pk"))
        self.run_with(server, lambda client: client.widget.get_session("s1"), visitor_token="own")
        self.run_with(server, lambda client: client.widget.get_session("s1", visitor_token="given"))
        self.same(server.headers("authorization"), [None, "Bearer own", "Bearer given"])

    def test_sends_no_request_without_a_token_or_id(self) -> None:
        server = FakeServer(BOT)
        self.failure(server, lambda client: client.widget.get_session("s1"), parley.ParleyError)
        for bot_id in (None, "", ".", ".."):
            self.failure(server, lambda client: client.bots.delete(bot_id), parley.ParleyError)
            error = self.failure(server, lambda client: client.bots.get(bot_id), ValueError)
            self.same(str(error), f"bot_id is {bot_id!r}, so no request was sent. Is its variable set?")
            self.same(str(pickle.loads(pickle.dumps(error))), str(error))
        for whole in ({"id": "b1"}, parley.types.BotRead({"id": "b1"})):
            error = self.failure(server, lambda client: client.bots.get(whole), ValueError)
            kind = type(whole).__name__
            self.same(str(error), f"bot_id is of the type {kind}, so no request was sent. Pass its id.")
        second = self.failure(server, lambda client: client.knowledge.get("b1", ""), ValueError)
        self.same(second.argument, "document_id")
        for text in ("clé", "two\nlines"):
            self.failure(server, lambda client: client.bots.get("b1"), parley.ParleyError, api_key=text)
            self.failure(server, lambda client: client.bots.create(name="Help", idempotency_key=text), parley.ParleyError)
        with patch.dict(os.environ, clear=True):
            self.failure(server, lambda client: client.with_options().bots.get("b1"), parley.ParleyError, api_key=None)
        self.same(server.requests, [])

    def test_with_raw_response_returns_the_headers_of_a_result(self) -> None:
        server = FakeServer(BOT)
        raw = self.run_with(server, lambda client: client.bots.with_raw_response.get("b1"))
        self.same((raw.data.name, raw.status, raw.request_id, raw.is_replay), ("Help", 200, "req_2", False))

    def test_with_raw_response_returns_the_headers_of_a_page(self) -> None:
        page = {"items": [{"id": "1"}], "total": 2, "has_more": True, "next_cursor": "c2"}
        server = FakeServer(httpx.Response(200, json=page))
        raw = self.run_with(server, lambda client: _to_coroutine(client.bots.with_raw_response.list()))
        self.same((raw.status, raw.data.total, raw.data.has_more, raw.data.next_cursor), (200, 2, True, "c2"))

    def test_uploads_paths_bytes_and_files_and_retries_from_the_same_position(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "fares.md")
            path.write_bytes(b"A day pass costs 12 euros.")
            opened = io.BytesIO(b"skipped A day pass costs 12 euros.")
            opened.seek(8)
            for file, name in [(path, "fares.md"), (str(path), "fares.md"), (("x.md", path.read_bytes()), "x.md"), (opened, "file")]:
                server = FakeServer(DROPPED, DOCUMENT)
                document = self.run_with(server, lambda client: client.knowledge.upload("b1", file=file, title="Fares"))
                self.same(document.status, "pending")
                for body in server.bodies:
                    self.same(b"A day pass costs 12 euros." in body and b"skipped" not in body, True)
                    self.same(f'filename="{name}"'.encode() in body and b'name="title"\r\n\r\nFares' in body, True)
                self.same(len(set(server.headers("idempotency-key"))), 1)

    def test_sends_a_boolean_field_of_an_upload_as_true_or_false(self) -> None:
        for value, text in ((True, b"true"), (False, b"false")):
            server = FakeServer(DOCUMENT)
            file = ("fares.md", b"# Fares")
            self.run_with(server, lambda client: client.knowledge.put_file("b1", file=file, deduplicate=value))
            self.same(b'name="deduplicate"\r\n\r\n' + text + b"\r\n" in server.bodies[0], True)

    def test_uploads_without_a_title_if_none_is_given(self) -> None:
        server = FakeServer(DOCUMENT)
        self.run_with(server, lambda client: client.knowledge.upload("b1", file=("fares.md", b"# Fares")))
        self.same(b"title" in server.bodies[0], False)

    def test_refuses_to_upload_a_value_that_is_not_content(self) -> None:
        for file in [None, ("a.md", None)]:
            server = FakeServer()
            error = self.failure(server, lambda client: client.knowledge.upload("b1", file=file), TypeError)
            self.same(str(error), "file is of the type NoneType. Pass a path, bytes or an open binary file.")
            self.same(server.requests, [])

    def test_does_not_retry_an_upload_from_an_unseekable_stream(self) -> None:
        server = FakeServer(problem(503, "not_ready"))
        file = ("fares.md", Unseekable(b"A day pass"))
        self.failure(server, lambda client: client.knowledge.upload("b1", file=file), parley.ServerError)
        self.same((len(server.requests), b"A day pass" in server.bodies[0]), (1, True))

    def test_iterates_over_all_pages_by_cursor(self) -> None:
        first = {"items": [{"id": "1"}, {"id": "2"}], "total": 3, "has_more": True, "next_cursor": "c2"}
        last = {"items": [{"id": "3"}], "total": 3, "has_more": False, "next_cursor": None}
        server = FakeServer(httpx.Response(200, json=first), httpx.Response(200, json=last))
        bots = self.run_with(server, lambda client: client.bots.list(page=1, page_size=2, status="active"))
        self.same([bot.id for bot in bots], ["1", "2", "3"])
        queries = [dict(request.url.params) for request in server.requests]
        self.same(queries[0], {"page": "1", "page_size": "2", "status": "active"})
        self.same(queries[1], {"cursor": "c2", "page_size": "2", "status": "active"})

    def test_iterates_over_keyset_lists_by_the_last_item(self) -> None:
        replies = [httpx.Response(200, json=[{"version": 5}, {"version": 4}]), httpx.Response(200, json=[{"version": 3}])]
        server = FakeServer(*replies)
        versions = self.run_with(server, lambda client: client.versions.list("b1", limit=2))
        self.same([each.version for each in versions], [5, 4, 3])
        self.same(dict(server.requests[1].url.params), {"limit": "2", "before": "4"})

    def test_continues_after_a_page_that_the_server_has_shortened(self) -> None:
        link = {"link": '</docs>; rel="deprecation", </api/conversations/c1/messages?after=1>; rel="next"'}
        cut = httpx.Response(200, json=[{"id": "1"}], headers=link)
        server = FakeServer(cut, httpx.Response(200, json=[{"id": "2"}]))
        messages = self.run_with(server, lambda client: client.conversations.list_messages("c1"))
        self.same([each.id for each in messages], ["1", "2"])
        self.same(dict(server.requests[1].url.params), {"after": "1"})

    def test_stops_an_endless_list_of_numbered_pages(self) -> None:
        first = {"items": [{"id": "1"}], "total": 3, "has_more": True, "next_cursor": "c2"}
        second = {**first, "next_cursor": "c3"}
        empty = {**first, "items": []}
        for pages, requests in (((first,), 2), ((first, second, first), 3), ((empty,), 1)):
            server = FakeServer(*(httpx.Response(200, json=page) for page in pages))
            error = self.failure(server, lambda client: client.bots.list(), parley.ParleyError)
            self.same(str(error), "The list does not end: the server repeats a page, or returns empty ones.")
            self.same(len(server.requests), requests)

    def test_stops_an_endless_keyset_list(self) -> None:
        server = FakeServer(httpx.Response(200, json=[{"version": 5}, {"version": 4}]))
        error = self.failure(server, lambda client: client.versions.list("b1", limit=2), parley.ParleyError)
        self.same(str(error), "The list does not end: the server repeats a page, or returns empty ones.")
        self.same(len(server.requests), 2)

    def test_decodes_a_union_as_the_matching_model(self) -> None:
        challenge = {"challenge_token": "t", "expires_in": 300, "mfa_required": True, "recovery_available": True}
        server = FakeServer(httpx.Response(200, json=challenge))
        answer = self.run_with(server, lambda client: client.auth.login(email="a@example.com", password="secret"))
        self.same(type(answer).__name__, "MfaChallengeResponse")

    def test_returns_the_bytes_of_files_and_the_urls_of_redirects(self) -> None:
        server = FakeServer(httpx.Response(200, content=b"%PDF"))
        self.same(self.run_with(server, lambda client: client.billing.download_receipt("r1")), b"%PDF")
        server = FakeServer(httpx.Response(302, headers={"location": "https://parley.test/console"}))
        act = lambda client: client.bookings.calendar_callback("google", state="s")  # noqa: E731
        self.same(self.run_with(server, act), "https://parley.test/console")

    def test_wait_for_document_returns_the_document_or_raises_its_error(self) -> None:
        states = [{"id": "d1", "status": status, "error_message": "no text"} for status in ("pending", "processing", "indexed")]
        seen: list[str] = []
        server = FakeServer(*(httpx.Response(200, json=state) for state in states))
        wait = lambda client: client.wait_for_document("b1", "d1", on_progress=lambda each: seen.append(each.status))  # noqa: E731
        self.same(self.run_with(server, wait).status, "indexed")
        self.same((seen, server.pauses), (["pending", "processing", "indexed"], [0.25, 0.375]))
        server = FakeServer(httpx.Response(200, json={**states[0], "status": "failed"}))
        self.same(str(self.failure(server, wait, parley.DocumentFailedError)), "no text")


class SyncCalls(Calls, unittest.TestCase):
    is_async = False


class AsyncCalls(Calls, unittest.TestCase):
    is_async = True


class Settings(unittest.TestCase):
    def test_come_from_the_environment_if_they_are_not_given(self) -> None:
        for name in ("PARLEY_URL", "PARLEY_BASE_URL"):
            with patch.dict(os.environ, {"PARLEY_API_KEY": "from env", name: "https://env.test/"}):
                client = parley.Parley()
                self.assertEqual((client._options.api_key, client._options.base_url), ("from env", "https://env.test"))

    def test_send_the_key_of_the_environment_only_to_the_url_of_the_environment(self) -> None:
        with patch.dict(os.environ, {"PARLEY_API_KEY": "from env", "PARLEY_URL": "https://Env.test/"}):
            self.assertEqual(parley.Parley(base_url="https://env.test")._options.api_key, "from env")
            elsewhere = parley.Parley(base_url="https://elsewhere.test")
            self.assertIsNone(elsewhere._options.api_key)
            with self.assertRaisesRegex(parley.ParleyError, "only sent to PARLEY_URL"):
                elsewhere.bots.get("b1")
            self.assertEqual(parley.AsyncParley("own", "https://elsewhere.test")._options.api_key, "own")
        with patch.dict(os.environ, {"PARLEY_API_KEY": "from env", "PARLEY_URL": "", "PARLEY_BASE_URL": ""}):
            self.assertEqual(parley.Parley(base_url="https://elsewhere.test")._options.api_key, "from env")

    def test_follow_no_redirect_even_if_the_http_client_does(self) -> None:
        seen: list[httpx.URL] = []

        def redirect(request: httpx.Request) -> httpx.Response:
            seen.append(request.url)
            return httpx.Response(307, headers={"location": "https://elsewhere.test/"})

        http = httpx.Client(transport=httpx.MockTransport(redirect), follow_redirects=True)
        client = parley.Parley("key", "https://parley.test", http_client=http)
        with self.assertRaises(parley.APIError):
            client.bots.get("b1")
        with self.assertRaises(parley.APIError):
            client.bots.try_streaming("b1", message="Hi")
        self.assertEqual({url.host for url in seen}, {"parley.test"})

    def test_do_not_change_the_http_client_of_the_caller(self) -> None:
        for kind, http in [(parley.Parley, httpx.Client()), (parley.AsyncParley, httpx.AsyncClient())]:
            before = dict(http.headers)
            kind("key", "https://parley.test", http_client=http).with_options(max_retries=0)
            self.assertEqual(dict(http.headers), before)

    def test_can_be_changed_without_new_connections(self) -> None:
        client = parley.Parley("key", "https://parley.test")
        other = client.with_options(api_key="other", max_retries=0)
        self.assertIs(other._transport.http, client._transport.http)
        self.assertEqual((other._options.api_key, other._options.max_retries), ("other", 0))
        self.assertEqual((client._options.api_key, other._options.base_url), ("key", "https://parley.test"))
