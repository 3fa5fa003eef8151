"""Explains `for` where `async for` is needed, and the reverse."""

from __future__ import annotations

from typing import Any, NoReturn


def refuse_for(self: Any, _: object) -> NoReturn:
    """Raises the error of `for` as `__getitem__`, because `__iter__` would count as an iterable for other packages."""
    raise TypeError(
        f"{type(self).__name__} is for `async for`, not for `for` or an index. Without asyncio, use Parley instead of AsyncParley."
    )


def refuse_async_for(self: Any) -> NoReturn:
    """Raises the error of `async for` as `__aiter__`."""
    raise TypeError(f"{type(self).__name__} is for `for`, not for `async for`. With asyncio, use AsyncParley instead of Parley.")
