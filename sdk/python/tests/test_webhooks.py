from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest
from typing import Any
from unittest.mock import patch

from parley import WebhookVerificationError, verify_webhook

SECRET = "whsec_test"
BODY = json.dumps({"event": "document.indexed", "data": {"document_id": "d1", "chunk_count": 3}}).encode()


def signed(body: bytes = BODY, secret: str = SECRET, timestamp: int | None = None) -> dict[str, str]:
    moment = int(time.time()) if timestamp is None else timestamp
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Webhook-Signature": f"t={moment},v1={digest}", "X-Webhook-Delivery": "dl1"}


class Webhooks(unittest.TestCase):
    def refuses(self, body: bytes | str, headers: dict[str, str], secrets: list[str] | str = SECRET) -> None:
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(body, headers, secrets)

    def test_returns_the_event_with_its_data_and_delivery(self) -> None:
        event = verify_webhook(BODY, signed(), [SECRET])
        assert event.event == "document.indexed"
        self.assertEqual((event.data.document_id, event.data.chunk_count, event.delivery_id), ("d1", 3, "dl1"))

    def test_accepts_the_published_test_vector(self) -> None:
        digest = "a00e064fe8adee80fe02433068fd7da0a50c019cec4b48db393a69ce54c9984d"
        body = b'{"event":"lead.captured","data":{"id":"1"}}'
        headers = {"x-webhook-signature": f"t=1767225600,v1={digest}"}
        self.assertEqual(verify_webhook(body, headers, SECRET, tolerance=1e12).event, "lead.captured")
        self.refuses(body, headers)

    def test_accepts_any_of_the_secrets_and_a_body_as_text(self) -> None:
        self.assertEqual(verify_webhook(BODY.decode(), signed(), ["whsec_new", SECRET]).event, "document.indexed")

    def test_ignores_line_breaks_and_blanks_around_a_secret(self) -> None:
        for secrets in (f"{SECRET}\n", f" {SECRET}\r\n", ["whsec_new\n", f"{SECRET}\n"]):
            self.assertEqual(verify_webhook(BODY, signed(), secrets).event, "document.indexed")

    def test_says_what_is_wrong_with_a_secret_if_no_secret_matches(self) -> None:
        issued = f"whsec_{'a' * 43}="
        for secrets, advice in (
            (issued, "Check the secret"),
            ('"whsec_test"', "Check the secret, which does not begin with whsec_"),
            (issued[:-1], "Check the secret, which has 49 characters instead of 50 (is it cut off?)"),
            (f"{issued},{issued}", "Check the secret, which has 101 characters instead of 50"),
            ([issued, "whsec_x"], "Check secrets[1], which has 7 characters instead of 50 (is it cut off?)"),
            ("idsec_x", "Check the secret, which is the identity secret of a bot"),
            ("parley_live_x", "Check the secret, which is an API key"),
            ("pk_x", "Check the secret, which is the public key of a bot"),
        ):
            with self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(b'{"event":"lead.captured","data":{}}', signed(), secrets)
            self.assertEqual(
                str(caught.exception),
                f"The signature does not match this body with any of the secrets. {advice}, and pass the body as received.",
            )

    def test_says_how_to_mend_a_body_that_was_changed(self) -> None:
        body = b'{"event":"lead.captured","data":{}}'
        issued = f"whsec_{'a' * 43}="
        again = "pass the body as received: this one was serialized again"
        for changed, advice in (
            (base64.b64encode(body), "decode the body from base64"),
            (json.dumps(json.loads(body)), again),
            (json.dumps(body.decode()), again),
            (body.replace(b"lead", b"load"), "pass the body as received"),
        ):
            with self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(changed, signed(body, issued), issued)
            self.assertEqual(
                str(caught.exception),
                f"The signature does not match this body with any of the secrets. Check the secret, and {advice}.",
            )

    def test_passes_unknown_events_on(self) -> None:
        body = b'{"event":"robot.built","data":{"arms":2}}'
        event = verify_webhook(body, signed(body), SECRET)
        self.assertEqual((event.event, event.data), ("robot.built", {"arms": 2}))

    def test_refuses_a_wrong_signature(self) -> None:
        self.refuses(BODY + b" ", signed())
        self.refuses(BODY, signed(secret="whsec_other"))
        self.refuses(BODY, {})
        self.refuses("\ud800", signed())

    def test_raises_an_error_that_names_the_wrong_argument(self) -> None:
        raw = "Pass the body as received, before any JSON parser: bytes or str."
        secret = "Pass the secret of the endpoint. Is its variable set?"
        call: Any = verify_webhook
        for kind, message, args in (
            (TypeError, f"raw_body is of the type dict. {raw}", (json.loads(BODY), signed(), SECRET)),
            (TypeError, f"raw_body is None. {raw}", (None, signed(), SECRET)),
            (TypeError, "headers is None. Pass the headers of the request.", (BODY, None, SECRET)),
            (TypeError, "headers is of the type str. Pass the headers of the request.", (BODY, "t=1,v1=00", SECRET)),
            (TypeError, f"secrets is None. {secret}", (BODY, signed(), None)),
            (TypeError, f"secrets[1] is None. {secret}", (BODY, signed(), [SECRET, None])),
            (
                TypeError,
                "secrets is of the type bytes. Pass a str: the whole text that begins with whsec_.",
                (BODY, signed(), SECRET.encode()),
            ),
            (TypeError, "secrets[1] is of the type bytes. Pass a str: the whole text that begins with whsec_.", (BODY, signed(), [SECRET, SECRET.encode()])),
            (ValueError, f"secrets is empty. {secret}", (BODY, signed(), "")),
            (ValueError, f"secrets is empty. {secret}", (BODY, signed(), "\n")),
            (ValueError, "secrets is empty. Pass the secret of the endpoint.", (BODY, signed(), [])),
        ):
            with self.assertRaises(kind) as caught:
                call(*args)
            self.assertEqual(str(caught.exception), message)

    def test_refuses_a_signature_that_is_old_or_in_the_future(self) -> None:
        now = int(time.time())
        self.refuses(BODY, signed(timestamp=now - 400))
        self.refuses(BODY, signed(timestamp=now + 400))
        self.assertEqual(verify_webhook(BODY, signed(timestamp=now - 200), SECRET).event, "document.indexed")

    def test_says_how_old_or_early_a_signature_is(self) -> None:
        now = 1767225600
        for timestamp, message in (
            (now - 301, "The timestamp of the signature is 301 s old; at most 300 s are allowed. Check the clock."),
            (now + 301, "The timestamp of the signature is 301 s in the future; at most 300 s are allowed. Check the clock."),
            (
                now * 1000,
                "The timestamp of the signature is in milliseconds. In the header x-webhook-signature, t is in seconds.",
            ),
        ):
            with patch("time.time", return_value=now), self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(BODY, signed(timestamp=timestamp), SECRET)
            self.assertEqual(str(caught.exception), message)

    def test_says_whether_the_signature_is_missing_or_invalid(self) -> None:
        signature = signed()["X-Webhook-Signature"]
        wsgi = (
            "headers contains WSGI names, such as HTTP_X_WEBHOOK_SIGNATURE. "
            "Pass the headers of the request, such as request.headers."
        )
        form = "The header x-webhook-signature is not valid. Its format must be t=<seconds>,v1=<hex>."
        for headers, message in (
            ({}, "The request has no header x-webhook-signature."),
            ({"HTTP_X_WEBHOOK_SIGNATURE": signature}, wsgi),
            ({"x-webhook-signature": "v1=00"}, form),
            ({"x-webhook-signature": "t=1"}, form),
            ({"x-webhook-signature": "sha256=abcd"}, form),
        ):
            with self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(BODY, headers, SECRET)
            self.assertEqual(str(caught.exception), message)

    def test_says_that_a_body_is_empty_which_a_framework_has_read(self) -> None:
        for body in (b"", ""):
            with self.assertRaises(WebhookVerificationError) as caught:
                verify_webhook(body, signed(), SECRET)
            self.assertEqual(
                str(caught.exception), "The body is empty. A framework has probably read it already: pass its raw bytes."
            )

    def test_refuses_invalid_signature_headers(self) -> None:
        for header in ("", "t=,v1=", "t=1", "v1=00", "t=1e3,v1=00", f"t={'9' * 400},v1=00", "t=1,t=2,v1=00", "t=1,v1=zz"):
            self.refuses(BODY, {"x-webhook-signature": header})

    def test_refuses_bodies_that_are_not_events(self) -> None:
        for body in (b"", b"[]", b"null", b'{"event":"x"}', b"\xff"):
            self.refuses(body, signed(body))
