"""Compares getBot by the Python SDK with httpx alone, and tells how long its import takes; prints seconds as JSON."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import httpx

from parley import Parley

ROUNDS = 15
CALLS = 100
WARM_UP_CALLS = 200
IMPORTS = 15

IMPORT = """
import time
began = time.perf_counter(), time.process_time()
from parley import Parley
print(time.perf_counter() - began[0], time.process_time() - began[1])
"""


def seconds_of_call(way: Callable[[], object], calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        way()
    return (time.perf_counter() - began) / calls


def compared(ways: dict[str, Callable[[], object]]) -> list[dict[str, float]]:
    for way in ways.values():
        seconds_of_call(way, WARM_UP_CALLS)
    # What comes later has no advantage over all rounds.
    orders = [list(ways), list(reversed(ways))]
    return [{name: seconds_of_call(ways[name], CALLS) for name in orders[round % 2]} for round in range(ROUNDS)]


def seconds_of_import() -> list[float]:
    printed = subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout
    return [float(each) for each in printed.split()]


def main() -> None:
    base_url, api_key, bot_id = sys.argv[1:]
    client = Parley(api_key, base_url)
    bare = httpx.Client(headers={"Authorization": f"Bearer {api_key}"})
    url = f"{base_url}/api/bots/{bot_id}"
    rounds = compared({"bare": lambda: bare.get(url).json(), "sdk": lambda: client.bots.get(bot_id)})
    # The first one writes what Python compiles.
    imports = [seconds_of_import() for _ in range(IMPORTS + 1)][1:]
    wall, cpu = (statistics.median(each) for each in zip(*imports))
    print(json.dumps({"rounds": rounds, "import": {"wall": wall, "cpu": cpu}}))


if __name__ == "__main__":
    main()
