"""Makes calls that are told by lines of JSON: `{client, call}` in, `{result}` or `{error}` out. Its argument is sync or async."""

from __future__ import annotations

import asyncio
import inspect
import json
import keyword
import re
import sys
from typing import Any

from parley import APIError, AsyncParley, Model, Parley, ParleyError


def snake_case(name: str) -> str:
    snake = re.sub("([A-Z])", lambda found: "_" + found[0].lower(), name)
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def options_of(settings: dict[str, Any]) -> dict[str, Any]:
    options = {name: settings[name] for name in ("base_url", "api_key", "max_retries") if name in settings}
    return {**options, "timeout": settings["timeout_ms"] / 1000} if "timeout_ms" in settings else options


def made(client: Any, call: dict[str, Any]) -> Any:
    resource, method = map(snake_case, call["method"].split("."))
    named = {**call.get("body", {}), **call.get("query", {}), **call.get("options", {})}
    if file := call.get("file"):
        named["file"] = (file["name"], file["text"].encode(), file["type"])
    arguments = {f"{name}_" if keyword.iskeyword(name) else name: value for name, value in named.items()}
    return getattr(getattr(client, resource), method)(*call.get("path", []), **arguments)


def shown(value: Any, take: str) -> Any:
    if take == "events":
        return value.event
    return value.to_dict() if isinstance(value, Model) else value


def error_of(error: ParleyError) -> dict[str, Any]:
    # The names of some classes would hide those of Python itself.
    told: dict[str, Any] = {"class": type(error).__name__.removeprefix("API")}
    if isinstance(error, APIError):
        told.update(status=error.status, code=error.code, retry_after=error.retry_after)
        told["fields"] = [detail.field for detail in error.details]
    return {"error": told}


def run_sync(settings: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    take = call.get("take", "result")
    with Parley(**options_of(settings)) as client:
        try:
            result = made(client, call)
            return {"result": shown(result, take) if take == "result" else [shown(each, take) for each in result]}
        except ParleyError as error:
            return error_of(error)


async def run_async(settings: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    take = call.get("take", "result")
    async with AsyncParley(**options_of(settings)) as client:
        try:
            result = made(client, call)
            result = await result if inspect.iscoroutine(result) else result
            if take == "result":
                return {"result": shown(result, take)}
            return {"result": [shown(each, take) async for each in result]}
        except ParleyError as error:
            return error_of(error)


def main() -> None:
    is_async = sys.argv[1] == "async"
    for line in sys.stdin:
        given = json.loads(line)
        outcome = (
            asyncio.run(run_async(given["client"], given["call"]))
            if is_async
            else run_sync(given["client"], given["call"])
        )
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
