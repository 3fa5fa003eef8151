from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
import unittest
from collections.abc import Callable
from unittest.mock import patch

import httpx

import parley
from parley._connection_cause import describe_connection_cause


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def refuse(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def refuse_by_proxy(_: httpx.Request) -> httpx.Response:
    raise httpx.ProxyError("403 Forbidden")


def fail_sync(url: str) -> str:
    with parley.Parley("key", url, max_retries=0, timeout=5) as client:
        try:
            client.bots.list()
        except parley.APIConnectionError as error:
            return str(error)
    raise AssertionError("The call succeeded.")


def fail_async(url: str) -> str:
    async def run() -> str:
        async with parley.AsyncParley("key", url, max_retries=0, timeout=5) as client:
            try:
                await client.bots.list()
            except parley.APIConnectionError as error:
                return str(error)
        raise AssertionError("The call succeeded.")

    return asyncio.run(run())


class BaseUrls(unittest.TestCase):
    def test_refuse_a_key_with_an_ellipsis_or_quotation_mark_before_a_request(self) -> None:
        for key, wrong, advice in (
            ("parley_live_…", "…", ""),
            ("“parley_live_0”", "“", ", without quotation marks"),
        ):
            with parley.Parley(key, "http://127.0.0.1:1", max_retries=0) as client:
                with self.assertRaises(parley.ParleyError) as caught:
                    client.bots.list()
            self.assertEqual(
                str(caught.exception),
                f"The key or token contains the character “{wrong}”, which is not allowed in keys and tokens. Copy the whole key{advice}.",
            )

    def test_refuse_a_key_that_begins_with_bearer(self) -> None:
        with parley.Parley("Bearer parley_live_0", "http://127.0.0.1:1", max_retries=0) as client:
            with self.assertRaisesRegex(parley.ParleyError, "^The key or token begins with “Bearer ”\\. Omit this word\\.$"):
                client.bots.list()

    def test_of_the_other_kind_of_client_are_refused(self) -> None:
        with self.assertRaisesRegex(parley.ParleyError, "^http_client is an httpx.AsyncClient. Use AsyncParley, or"):
            parley.Parley("parley_live_0", "http://127.0.0.1:1", http_client=httpx.AsyncClient())  # type: ignore[arg-type]
        with self.assertRaisesRegex(parley.ParleyError, "^http_client is an httpx.Client. Use Parley, or"):
            parley.AsyncParley("parley_live_0", "http://127.0.0.1:1", http_client=httpx.Client())  # type: ignore[arg-type]

    def test_are_refused_before_any_request(self) -> None:
        no_scheme = "does not begin with http:// or https://: write"
        with_api = "ends in /api, which is part of each request's path: write"
        no_address = "is not a valid address of Parley. Write it like https://chat.example.com."
        for url, fault in {
            "parley_live_0123": "is an API key. Write an address like https://chat.example.com.",
            "localhost:5200": f"{no_scheme} http://localhost:5200.",
            "localhost:5200/api/": f"{no_scheme} http://localhost:5200.",
            "127.0.0.1": f"{no_scheme} http://127.0.0.1.",
            "chat.example.com/parley/": f"{no_scheme} https://chat.example.com/parley.",
            "//chat.example.com": f"{no_scheme} https://chat.example.com.",
            "https://a.test/docs/": "ends in /docs, the reference's path: write https://a.test.",
            "http://localhost:3000/api": f"{with_api} http://localhost:3000.",
            "https://a.test/chat/api/": f"{with_api} https://a.test/chat.",
            "ftp://a.test": no_address,
            "http://": no_address,
            "https://a.test:port": no_address,
            "https://me:secret@a.test": no_address,
            "https://a.test/?bot=1": no_address,
        }.items():
            for client in (parley.Parley, parley.AsyncParley):
                with self.assertRaises(parley.ParleyError) as caught:
                    client("key", url)
                self.assertEqual(str(caught.exception), f"base_url {fault}", url)
                with patch.dict(os.environ, {"PARLEY_URL": url}), self.assertRaises(parley.ParleyError) as caught:
                    client("key")
                self.assertEqual(str(caught.exception), f"PARLEY_URL {fault}", url)

    def test_of_the_environment_are_ignored_if_the_client_has_its_own(self) -> None:
        with patch.dict(os.environ, {"PARLEY_URL": "localhost:5200"}):
            client = parley.Parley("key", "https://a.test").with_options(max_retries=0)
        self.assertEqual(client._options.base_url, "https://a.test")


class Connections(unittest.TestCase):
    def check(self, url: str, expected: str) -> None:
        for fail in (fail_sync, fail_async):
            self.assertRegex(fail(url), f"^The connection to {url} failed: {expected} To use another address, set base_url\\.$")

    def serve(self, act: Callable[[socket.socket], None]) -> int:
        """Listens on a port, and calls `act` with each of two connections. Returns the port."""
        server = socket.create_server(("127.0.0.1", 0))

        def accept() -> None:
            with server:
                for _ in range(2):
                    with server.accept()[0] as connection:
                        connection.recv(65536)
                        act(connection)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 5)
        return int(server.getsockname()[1])

    def test_name_the_address_and_a_refused_connection(self) -> None:
        port = closed_port()
        for host in ("127.0.0.1", "localhost"):
            self.check(f"http://{host}:{port}", r"nothing accepts connections there \(ECONNREFUSED\)\.")

    def test_name_a_host_without_an_address(self) -> None:
        self.check("http://parley.invalid", r"the host name could not be resolved \(.+\)\.")

    def test_name_a_server_without_tls(self) -> None:
        port = self.serve(lambda connection: connection.sendall(b"HTTP/1.1 400 Bad\r\n\r\n"))
        self.check(f"https://127.0.0.1:{port}", r"the server does not speak TLS there, so write http:// \(\w+\)\.")

    def test_name_the_setting_of_the_url(self) -> None:
        unset = {"PARLEY_URL": "", "PARLEY_BASE_URL": ""}
        for variables, setting in (
            ({"PARLEY_URL": "https://a.test"}, "PARLEY_URL"),
            ({"PARLEY_BASE_URL": "https://a.test"}, "PARLEY_BASE_URL"),
            ({}, "PARLEY_URL or base_url"),
        ):
            http = httpx.Client(transport=httpx.MockTransport(refuse))
            with patch.dict(os.environ, {**unset, **variables}):
                client = parley.Parley("key", http_client=http).with_options(max_retries=0)
            with self.assertRaises(parley.APIConnectionError) as caught:
                client.bots.get("b1")
            self.assertRegex(str(caught.exception), f" failed: refused\\. To use another address, set {setting}\\.$")
        with patch.dict(os.environ, {**unset, "PARLEY_BASE_URL": "localhost:5200"}), self.assertRaises(parley.ParleyError) as wrong:
            parley.Parley("key")
        self.assertEqual(str(wrong.exception), "PARLEY_BASE_URL does not begin with http:// or https://: write http://localhost:5200.")

    def test_name_the_proxy_of_the_environment(self) -> None:
        proxied = {"HTTPS_PROXY": "http://user:secret@proxy.test:8080/", "NO_PROXY": "exempt.test"}
        for url, proxy in (
            ("https://a.test", " The environment sets the proxy proxy.test:8080 for it; NO_PROXY exempts a host."),
            ("https://exempt.test", ""),
        ):
            http = httpx.Client(transport=httpx.MockTransport(refuse_by_proxy))
            client = parley.Parley("key", url, http_client=http, max_retries=0)
            with patch.dict(os.environ, proxied, clear=True), self.assertRaises(parley.APIConnectionError) as caught:
                client.bots.get("b1")
            self.assertEqual(
                str(caught.exception),
                f"The connection to {url} failed: the proxy refused the connection (403 Forbidden).{proxy} To use another address, set base_url.",
            )

    def test_name_the_variable_that_trusts_a_certificate(self) -> None:
        untrusted = ssl.SSLCertVerificationError(1, "certificate verify failed")
        untrusted.verify_message = "self-signed certificate"
        self.assertEqual(
            describe_connection_cause(untrusted),
            "TLS failed: self-signed certificate. To trust the certificate authority, set SSL_CERT_FILE to the file with its certificate",
        )

    def test_describe_causes_without_a_code(self) -> None:
        self.assertEqual(describe_connection_cause(httpx.ReadError("")), "ReadError")
        self.assertEqual(describe_connection_cause(httpx.RemoteProtocolError("peer closed")), "peer closed")
        self.assertEqual(describe_connection_cause(httpx.RemoteProtocolError("Server disconnected.")), "Server disconnected")


class EventLoops(unittest.TestCase):
    def test_refuse_a_client_of_another_event_loop(self) -> None:
        answer = httpx.MockTransport(lambda _: httpx.Response(200, json={"id": "b1"}))
        client = parley.AsyncParley("key", "https://a.test", http_client=httpx.AsyncClient(transport=answer))

        async def call(used: parley.AsyncParley) -> str:
            await used.bots.get("b1")
            return (await used.bots.get("b1")).id

        self.assertEqual(asyncio.run(call(client)), "b1")
        for used in (client, client.with_options(max_retries=0)):
            with self.assertRaises(parley.ParleyError) as caught:
                asyncio.run(call(used))
            self.assertEqual(
                str(caught.exception),
                "This AsyncParley was used in a different event loop, to which its connections belong. "
                "Create one client within each asyncio.run(), or use Parley, which needs no event loop.",
            )
