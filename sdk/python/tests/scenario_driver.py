"""Makes the calls that stdin describes, one JSON line each: `{client, call}`. Writes `{result}` or `{error}` to stdout.

The argument of the program is `sync` or `async`.
"""

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


def client_options(settings: dict[str, Any]) -> dict[str, Any]:
    options = {name: settings[name] for name in ("base_url", "api_key", "max_retries") if name in settings}
    return {**options, "timeout": settings["timeout_ms"] / 1000} if "timeout_ms" in settings else options


def call_method(client: Any, call: dict[str, Any]) -> Any:
    resource, method = map(snake_case, call["method"].split("."))
    named = {**call.get("body", {}), **call.get("query", {}), **call.get("options", {})}
    if file := call.get("file"):
        named["file"] = (file["name"], file["text"].encode(), file["type"])
    arguments = {f"{name}_" if keyword.iskeyword(name) else name: value for name, value in named.items()}
    return getattr(getattr(client, resource), method)(*call.get("path", []), **arguments)


def to_output(value: Any, take: str) -> Any:
    if take == "events":
        return value.event
    return value.to_dict() if isinstance(value, Model) else value


def describe_error(error: ParleyError) -> dict[str, Any]:
    # Some classes have the prefix API, because their names would otherwise hide built-in classes of Python.
    described: dict[str, Any] = {"class": type(error).__name__.removeprefix("API")}
    if isinstance(error, APIError):
        described.update(status=error.status, code=error.code, retry_after=error.retry_after)
        described["fields"] = [detail.field for detail in error.details]
    return {"error": described}


def run_sync(settings: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    take = call.get("take", "result")
    with Parley(**client_options(settings)) as client:
        try:
            result = call_method(client, call)
            return {"result": to_output(result, take) if take == "result" else [to_output(each, take) for each in result]}
        except ParleyError as error:
            return describe_error(error)


async def run_async(settings: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    take = call.get("take", "result")
    async with AsyncParley(**client_options(settings)) as client:
        try:
            result = call_method(client, call)
            result = await result if inspect.iscoroutine(result) else result
            if take == "result":
                return {"result": to_output(result, take)}
            return {"result": [to_output(each, take) async for each in result]}
        except ParleyError as error:
            return describe_error(error)


def main() -> None:
    is_async = sys.argv[1] == "async"
    for line in sys.stdin:
        request = json.loads(line)
        outcome = (
            asyncio.run(run_async(request["client"], request["call"]))
            if is_async
            else run_sync(request["client"], request["call"])
        )
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
