from __future__ import annotations

import unittest
from typing import Any

import httpx

import parley
from fake_server import Body, FakeServer, events, problem

STARTED = ("message.started", "m:0", {"message_id": "m", "reply_to_id": "v"})
HELLO = ("delta", "m:1", {"text": "Hel"})
REST = ("delta", "m:2", {"text": "lo"})
DONE = ("done", "m:3", {"message": {"id": "m", "role": "assistant", "content": "Hello"}})
DROPPED = httpx.ConnectError("connection refused")


def ask(client: Any) -> Any:
    return client.widget.stream_message("s1", content="Hi", visitor_token="t")


class Streams:
    is_async: bool
    first_event: Any

    def run_with(self, server: FakeServer, act: Any, **options: Any) -> Any:
        return server.run(act, self.is_async, **options)

    def failure(self, server: FakeServer, act: Any, kind: type[BaseException], **options: Any) -> Any:
        with self.assertRaises(kind) as caught:  # type: ignore[attr-defined]
            self.run_with(server, act, **options)
        return caught.exception

    def same(self, actual: Any, expected: Any) -> None:
        self.assertEqual(actual, expected)  # type: ignore[attr-defined]

    def test_yields_events_with_their_data_until_the_last_event(self) -> None:
        server = FakeServer(events(STARTED, HELLO, REST, DONE, ("delta", "m:9", {"text": "never"})))
        received = self.run_with(server, ask)
        self.same([each.event for each in received], ["message.started", "delta", "delta", "done"])
        self.same((received[1].data.text, received[1].id, received[3].data.message.content), ("Hel", "m:1", "Hello"))
        self.same(server.headers("accept"), ["text/event-stream"])

    def test_resumes_after_the_last_event_without_a_second_turn(self) -> None:
        server = FakeServer(events(STARTED, HELLO, breaks=True), DROPPED, events(REST), events(DONE))
        received = self.run_with(server, ask)
        self.same([each.id for each in received], ["m:0", "m:1", "m:2", "m:3"])
        self.same(server.headers("last-event-id"), [None, "m:1", "m:1", "m:2"])
        self.same(len({body["client_id"] for body in server.json}), 1)
        self.same(len(set(server.headers("idempotency-key"))), 1)

    def test_resumes_after_data_that_cannot_be_decompressed(self) -> None:
        corrupt = httpx.Response(200, headers={"content-encoding": "gzip"}, stream=Body([b"no gzip"], breaks=False))
        server = FakeServer(corrupt, events(DONE))
        self.same([each.event for each in self.run_with(server, ask)], ["done"])

    def test_sends_the_given_client_id(self) -> None:
        server = FakeServer(events(DONE))
        self.run_with(server, lambda client: client.widget.stream_message("s1", content="Hi", client_id="mine"), visitor_token="t")
        self.same(server.json[0]["client_id"], "mine")

    def test_stops_after_two_retries(self) -> None:
        server = FakeServer(events(breaks=True))
        self.failure(server, ask, parley.StreamInterruptedError)
        self.same((len(server.requests), len(server.pauses)), (3, 2))

    def test_raises_the_error_of_a_rejected_retry(self) -> None:
        server = FakeServer(events(HELLO, breaks=True), problem(401, "unauthenticated"))
        self.failure(server, ask, parley.AuthenticationError)
        self.same(len(server.requests), 2)

    def test_does_not_retry_a_bot_trial(self) -> None:
        server = FakeServer(events(("delta", "", {"text": "Hel"}), breaks=True))
        error = self.failure(server, lambda client: client.bots.try_streaming("b1", message="Hi"), parley.StreamInterruptedError)
        self.same((len(server.requests), type(error.__cause__)), (1, parley.APIConnectionError))
        self.same(str(error).startswith("The stream ended before its last event. The connection to https://parley.test failed: "), True)
        self.same(str(error).endswith(" The stream cannot be resumed: call the method again."), True)

    def test_reopens_the_inbox_without_a_position(self) -> None:
        first, second = events(("item", "", {"id": "c1"})), events(("item", "", {"id": "c1"}), ("item", "", {"id": "c2"}))
        server = FakeServer(first, second, problem(403, "forbidden"))
        self.failure(server, lambda client: client.inbox.stream(), parley.PermissionDeniedError)
        self.same(server.headers("last-event-id"), [None, None, None])

    def test_sends_no_further_request_after_an_early_exit(self) -> None:
        server = FakeServer(events(STARTED, HELLO, breaks=True))
        self.same(self.run_with(server, self.first_event).event, "message.started")
        self.same(len(server.requests), 1)

    def test_stops_reopening_an_inbox_that_breaks_at_once(self) -> None:
        server = FakeServer(events(("item", "", {"id": "c1"}), breaks=True))
        self.failure(server, lambda client: client.inbox.stream(), parley.StreamInterruptedError)
        self.same(len(server.requests), 3)

    def test_passes_unknown_events_on(self) -> None:
        received = self.run_with(FakeServer(events(("thinking", "m:1", {"about": "fares"}), DONE)), ask)
        self.same((received[0].event, received[0].data), ("thinking", {"about": "fares"}))

    def test_raises_the_error_of_a_rejected_request(self) -> None:
        error = self.failure(FakeServer(problem(402, "quota_exceeded")), ask, parley.QuotaExceededError)
        self.same(error.code, "quota_exceeded")


class SyncStreams(Streams, unittest.TestCase):
    is_async = False

    def first_event(self, client: Any) -> Any:
        with ask(client) as stream:
            return next(stream)


class AsyncStreams(Streams, unittest.TestCase):
    is_async = True

    async def first_event(self, client: Any) -> Any:
        async with ask(client) as stream:
            return await stream.__anext__()

    def test_is_iterated_without_await_like_lists(self) -> None:
        async def names(client: Any) -> list[str]:
            return [event.event async for event in ask(client)]

        self.same(self.run_with(FakeServer(events(STARTED, DONE)), names), ["message.started", "done"])

    def test_is_iterated_after_await(self) -> None:
        async def names(client: Any) -> list[str]:
            return [event.event async for event in await ask(client)]

        server = FakeServer(events(STARTED, DONE))
        self.same(self.run_with(server, names), ["message.started", "done"])
        self.same(len(server.requests), 1)

    def test_is_entered_after_await(self) -> None:
        async def names(client: Any) -> list[str]:
            async with await ask(client) as stream:
                return [event.event async for event in stream]

        server = FakeServer(events(STARTED, DONE))
        self.same(self.run_with(server, names), ["message.started", "done"])
        self.same(len(server.requests), 1)

    def test_has_its_response_when_it_is_open(self) -> None:
        async def request_id(client: Any) -> Any:
            stream = ask(client)
            with self.assertRaises(parley.ParleyError):
                stream.response
            self.same(server.requests, [])
            await stream
            await stream
            await stream.close()
            return stream.response.headers["x-request-id"]

        server = FakeServer(events(DONE))
        self.same(self.run_with(server, request_id), "req_stream")
        self.same(len(server.requests), 1)

    def test_sends_no_request_if_it_is_closed_unread(self) -> None:
        async def close(client: Any) -> None:
            await ask(client).close()

        server = FakeServer(events(DONE))
        self.run_with(server, close)
        self.same(server.requests, [])
