"""Tests the package's types: mypy and pyright check this file, which is never run. `type: ignore` marks expected errors."""

from __future__ import annotations

from datetime import datetime

from typing_extensions import assert_type

from parley import AsyncParley, NotFoundError, Page, Parley, RawResponse, parse_time, verify_webhook
from parley.types import BotRead, KnowledgeSearchHit, MfaChallengeResponse, TokenResponse, WidgetEvent, WidgetThemeParam


def calls(client: Parley) -> None:
    theme: WidgetThemeParam = {"primary_color": "#0a7"}
    client.bots.create(name="Help desk", widget_theme=theme, status_quo=1)  # type: ignore
    assert_type(client.bots.get("b1"), BotRead)
    client.bots.update("b1", name=None, description=None, widget_theme=theme)
    client.bots.update("b1", temperature="hot")  # type: ignore
    client.knowledge.put_file("b1", file=b"A", tags=["a"], headers={"Origin": "https://shop.example"})
    client.bots.get("b1", headers=["Origin"])  # type: ignore
    client.bots.update("b1", llm_provider="other")  # type: ignore
    client.bots.update("b1", widget_theme={"colour": "#0a7"})  # type: ignore
    assert_type(client.knowledge.search("b1", query="fares").items, "list[KnowledgeSearchHit]")
    assert_type(client.auth.login(email="a@example.com", password="x"), "TokenResponse | MfaChallengeResponse")


def models(bot: BotRead) -> None:
    assert_type(bot.name, str)
    assert_type(bot.last_error, "str | None")
    assert_type(parse_time(bot.created_at), datetime)
    assert_type(parse_time(bot.last_error), "datetime | None")
    assert_type(parse_time(None), None)
    if bot.custom_endpoint_config is not None:
        assert_type(bot.custom_endpoint_config.endpoint_url, str)
    bot.nmae  # type: ignore
    if bot.status == "hibernating":
        assert_type(bot["mood"], object)  # type: ignore


def pages(client: Parley) -> None:
    page = client.bots.list(status="active")
    assert_type(page, Page[BotRead])
    for bot in page:
        assert_type(bot, BotRead)
    assert_type(client.bots.with_raw_response.list(), RawResponse[Page[BotRead]])


def events(client: Parley) -> None:
    for event in client.widget.stream_message("s1", content="Hi"):
        assert_type(event, WidgetEvent)
        if event.event == "delta":
            assert_type(event.data.text, str)
        elif event.event == "done":
            assert_type(event.data.message.content, str)
    received = verify_webhook(b"", {}, ["whsec_"])
    if received.event == "document.indexed":
        assert_type(received.data.chunk_count, int)


def errors(error: NotFoundError) -> None:
    assert_type(error.status, int)
    assert_type([detail.field for detail in error.details], "list[str]")
    assert_type(error.retry_after, "float | None")


async def asynchronous(client: AsyncParley) -> None:
    async for bot in client.bots.list():
        assert_type(bot, BotRead)
    assert_type((await client.bots.list()).items, "list[BotRead]")
    async for event in client.widget.stream_message("s1", content="Hi"):
        assert_type(event, WidgetEvent)
        if event.event == "delta":
            assert_type(event.data.text, str)
    async for event in await client.widget.stream_message("s1", content="Hi"):
        assert_type(event, WidgetEvent)
    async with client.widget.stream_message("s1", content="Hi") as stream:
        async for event in stream:
            assert_type(event, WidgetEvent)
    async with await client.widget.stream_message("s1", content="Hi") as opened:
        assert_type(opened.response.status_code, int)
    assert_type((await client.bots.with_raw_response.get("b1")).data, BotRead)
