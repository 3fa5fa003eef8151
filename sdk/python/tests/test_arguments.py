from __future__ import annotations

import io
import math
import pickle
import unittest
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx

import parley
from fake_server import FakeServer
from parley import verify_webhook

BOT = httpx.Response(200, json={"id": "b1", "name": "Help"})
NAMED = "Pass (name, content) or (name, content, media_type)."


async def late() -> str:
    return "late"


class Arguments(unittest.TestCase):
    def refuses(self, act: Callable[[Any], Any], kind: type[Exception], message: str, **options: Any) -> Exception:
        """Checks that both clients refuse a call with this message, and send no request."""
        caught: Exception | None = None
        for is_async in (False, True):
            server = FakeServer(BOT)
            with self.assertRaises(kind) as raised:
                server.run(act, is_async, **options)
            caught = raised.exception
            self.assertEqual((str(caught), server.requests), (message, []))
        assert caught is not None
        return caught

    def test_name_a_coroutine_that_was_not_awaited(self) -> None:
        coroutine: Any = late()
        self.addCleanup(coroutine.close)
        sent = "is a coroutine, so no request was sent. Await it."
        wrong = parley.InvalidArgumentError
        self.refuses(lambda client: client.bots.get(coroutine), wrong, f"bot_id {sent}")
        self.refuses(lambda client: client.knowledge.get_external("b1", coroutine), wrong, f"external_id {sent}")
        self.refuses(lambda client: client.bots.list(status=coroutine), wrong, f"status {sent}")
        self.refuses(lambda client: client.bots.create(name=coroutine), TypeError, "name: coroutine cannot be sent as JSON; await it.")
        for file in (coroutine, ("a.md", coroutine)):
            self.refuses(lambda client: client.knowledge.upload("b1", file=file), TypeError, "file is a coroutine. Await it.")
        awaits = "is a coroutine. Await it."
        self.refuses(lambda client: client.knowledge.upload("b1", file=("a.md", b"A"), title=coroutine), TypeError, f"title {awaits}")
        self.refuses(lambda client: client.bots.update("b1", if_match=coroutine), TypeError, f"If-Match {awaits}")
        for name in ("api_key", "visitor_token"):
            self.refuses(lambda client: client.bots.get("b1"), TypeError, f"{name} {awaits}", **{name: coroutine})
        self.refuses(lambda client: client.bots.create(name="A", idempotency_key=coroutine), TypeError, f"idempotency_key {awaits}")
        for name, args in (
            ("raw_body", (coroutine, {}, "whsec_test")),
            ("headers", (b"{}", coroutine, "whsec_test")),
            ("secrets", (b"{}", {}, coroutine)),
            ("secrets[1]", (b"{}", {}, ["whsec_test", coroutine])),
        ):
            with self.assertRaises(TypeError) as caught:
                verify_webhook(*args)
            self.assertEqual(str(caught.exception), f"{name} {awaits}")

    def test_name_bytes_in_place_of_text(self) -> None:
        self.refuses(
            lambda client: client.bots.get(b"b1"),
            parley.InvalidArgumentError,
            "bot_id is of the type bytes, so no request was sent. Decode it: pass a str.",
        )
        message = "api_key is of the type bytes. Decode it: pass a str."
        self.refuses(lambda client: client.bots.get("b1"), TypeError, message, api_key=b"key")
        self.refuses(lambda client: client.with_options(api_key=b"key"), TypeError, message)
        self.refuses(
            lambda client: client.widget.get_session("s1", visitor_token=5), TypeError, "visitor_token is of the type int. Pass a str."
        )
        with self.assertRaises(TypeError) as caught:
            parley.Parley("key", 5)  # type: ignore[arg-type]
        self.assertEqual(str(caught.exception), "base_url is of the type int. Pass a str.")

    def test_say_what_a_timeout_and_max_retries_must_be(self) -> None:
        above = "timeout must be a finite number of seconds, above 0, but is"
        for timeout, kind, shown in (
            ("5s", TypeError, "of the type str"),
            (True, TypeError, "of the type bool"),
            (0, ValueError, "0"),
            (-1, ValueError, "-1"),
            (math.nan, ValueError, "nan"),
            (math.inf, ValueError, "inf"),
        ):
            message = f"{above} {shown}."
            self.refuses(lambda client: client.bots.get("b1", timeout=timeout), kind, message)
            self.refuses(lambda client: client.with_options(timeout=timeout), kind, message)
            self.refuses(lambda client: client.bots.get("b1"), kind, message, timeout=timeout)
        for retries, kind, shown in (("none", TypeError, "of the type str"), (1.5, TypeError, "of the type float"), (-1, ValueError, "-1")):
            message = f"max_retries must be a whole number, at least 0, but is {shown}."
            self.refuses(lambda client: client.with_options(max_retries=retries), kind, message)
            self.refuses(lambda client: client.bots.get("b1"), kind, message, max_retries=retries)
        self.refuses(
            lambda client: client.wait_for_document("b1", "d1", timeout="5s"),
            TypeError,
            "timeout must be a finite number of seconds, at least 0, but is of the type str.",
        )

    def test_name_the_timeout_that_was_exceeded(self) -> None:
        server = FakeServer(httpx.ReadTimeout("slow"))
        for timeout, shown in ((0.0001, "0.0001"), (None, "30")):
            with self.assertRaises(parley.APITimeoutError) as caught:
                server.run(lambda client: client.bots.get("b1", timeout=timeout), False)
            self.assertEqual(str(caught.exception), f"https://parley.test did not respond within {shown} s (timeout, ReadTimeout).")

    def test_show_the_items_of_a_wrong_file_tuple(self) -> None:
        for file, kinds in (
            ((b"abc", "a.txt"), "bytes, str"),
            (("a.txt",), "str"),
            (("a.txt", b"abc", "text/plain", {}), "str, bytes, str, dict"),
        ):
            self.refuses(
                lambda client: client.knowledge.upload("b1", file=file), TypeError, f"file is a tuple of ({kinds}). {NAMED}"
            )
        self.refuses(
            lambda client: client.knowledge.upload("b1", file=("a.txt", b"abc", 5)),
            TypeError,
            "The media type of file is of the type int. Pass a str.",
        )

    def test_say_that_a_text_in_place_of_a_file_is_a_path(self) -> None:
        advice = "A str is a path. To send text, pass (name, text.encode())"
        for content, kind in (("# Prices", FileNotFoundError), ("A" * 5000, OSError)):
            for is_async in (False, True):
                server = FakeServer(BOT)
                with self.assertRaises(kind) as caught:
                    server.run(lambda client: client.knowledge.upload("b1", file=("a.md", content)), is_async)
                self.assertIn(f". {advice}: '{content}'", str(caught.exception))
                self.assertEqual(server.requests, [])

    def test_name_the_character_that_a_header_or_key_cannot_have(self) -> None:
        only = "but can only contain printable ASCII characters."
        for key, shown in (("order-€", "“€”"), ("a\nb", "U+000A")):
            self.refuses(
                lambda client: client.bots.create(name="A", idempotency_key=key),
                parley.ParleyError,
                f"The header Idempotency-Key contains the character {shown}, {only}",
            )
        self.refuses(
            lambda client: client.bots.get("b1"),
            parley.ParleyError,
            "The key or token contains the character U+200B, which is not allowed in keys and tokens. Copy the whole key.",
            api_key="parley_live_\u200b0",
        )

    def test_name_the_field_that_cannot_be_sent_as_json(self) -> None:
        for value, kind, fault in (
            (datetime(2026, 12, 1), TypeError, "name: datetime cannot be sent as JSON; pass value.isoformat()."),
            (Decimal("0.5"), TypeError, "name: Decimal cannot be sent as JSON; pass float(value)."),
            (b"A", TypeError, "name: bytes cannot be sent as JSON; pass value.decode()."),
            ([{"A"}], TypeError, "name: set cannot be sent as JSON; pass list(value)."),
            (object(), TypeError, "name: object cannot be sent as JSON; pass strings, numbers, lists and dicts."),
            (math.nan, ValueError, "name is not a finite number, so no request was sent."),
            ([math.inf], ValueError, "name contains a number that is not finite, or contains itself, so no request was sent."),
        ):
            self.refuses(lambda client, name=value: client.bots.create(name=name), kind, fault)

    def test_name_a_file_that_was_read_to_its_end(self) -> None:
        file = io.BytesIO(b"A")
        file.read()
        message = "file was already read to its end. Call seek(0) on it first."
        self.refuses(lambda client: client.knowledge.upload("b1", file=file), ValueError, message)

    def test_say_what_a_tolerance_must_be(self) -> None:
        expected = "tolerance must be a finite number of seconds, at least 0, but is of the type"
        for tolerance, kind in (("5", "str"), (timedelta(minutes=5), "timedelta")):
            with self.assertRaises(TypeError) as caught:
                verify_webhook(b"{}", {}, "whsec_test", tolerance=tolerance)  # type: ignore[arg-type]
            self.assertEqual(str(caught.exception), f"{expected} {kind}.")

    def test_send_a_list_of_tags_as_json(self) -> None:
        for tags in (["manual", "für Räder"], ("manual", "für Räder"), '["manual", "für Räder"]'):
            for is_async in (False, True):
                server = FakeServer(BOT)
                server.run(lambda client: client.knowledge.put_file("b1", file=("a.md", b"A"), tags=tags), is_async)
                self.assertIn('\r\n["manual", "für Räder"]\r\n'.encode(), server.bodies[0])

    def test_replace_headers_in_any_case(self) -> None:
        for is_async in (False, True):
            server = FakeServer(BOT)
            server.run(lambda client: client.bots.get("b1", headers={"Origin": "https://shop.example", "ACCEPT": "*/*"}), is_async)
            self.assertEqual((server.headers("origin"), server.headers("accept")), (["https://shop.example"], ["*/*"]))
        self.refuses(lambda client: client.bots.get("b1", headers="Origin"), TypeError, "headers is of the type str. Pass a dict.")
        self.refuses(lambda client: client.bots.get("b1", headers={"Origin": 5}), TypeError, "Origin is of the type int. Pass a str.")

    def test_refuse_external_ids_that_would_address_another_operation(self) -> None:
        for external_id in ("upload", ".", ".."):
            message = f"external_id is {external_id!r}, so no request was sent. external_id must not be '.', '..' or 'upload'."
            for act in (
                lambda client: client.knowledge.put("b1", external_id, source_type="raw_text", raw_text="A"),
                lambda client: client.knowledge.get_external("b1", external_id),
                lambda client: client.knowledge.delete_external("b1", external_id),
            ):
                error = self.refuses(act, parley.InvalidArgumentError, message)
                self.assertEqual(str(pickle.loads(pickle.dumps(error))), message)
