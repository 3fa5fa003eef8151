"""Checks of arguments that type checkers would refuse."""

from __future__ import annotations

import math
from numbers import Real


def is_awaitable(value: object) -> bool:
    """Returns whether a value is a call that was not awaited."""
    return hasattr(type(value), "__await__")


def refuse_coroutine(name: str, value: object) -> None:
    """@raises TypeError for a call that was not awaited, such as `request.body()`"""
    if is_awaitable(value):
        raise TypeError(f"{name} is a coroutine. Await it.")


def require_text(name: str, value: object) -> None:
    """@raises TypeError for anything but a str or None"""
    refuse_coroutine(name, value)
    if isinstance(value, (bytes, bytearray)):
        raise TypeError(f"{name} is of the type {type(value).__name__}. Decode it: pass a str.")
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} is of the type {type(value).__name__}. Pass a str.")


def require_timeout(value: object, allows_zero: bool = False, name: str = "timeout") -> None:
    """@raises TypeError, ValueError for anything but a duration or None"""
    expected = f"{name} must be a finite number of seconds, {'at least' if allows_zero else 'above'} 0"
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{expected}, but is of the type {type(value).__name__}.")
    seconds = float(value)
    if not math.isfinite(seconds) or seconds < 0 or (seconds == 0 and not allows_zero):
        raise ValueError(f"{expected}, but is {value}.")


def require_max_retries(value: object) -> None:
    """@raises TypeError, ValueError for anything but a count or None"""
    expected = "max_retries must be a whole number, at least 0"
    if value is None or value == math.inf:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{expected}, but is of the type {type(value).__name__}.")
    if value < 0:
        raise ValueError(f"{expected}, but is {value}.")
