"""Measures getBot by the Python SDK and by httpx alone, and the import of the SDK. Prints seconds as JSON."""

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


def measure_call_seconds(call: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - began) / times


def compare_calls(calls: dict[str, Callable[[], object]]) -> list[dict[str, float]]:
    for call in calls.values():
        measure_call_seconds(call, WARM_UP_CALLS)
    # Alternate the order, because the position within a round may affect the time.
    orders = [list(calls), list(reversed(calls))]
    return [{name: measure_call_seconds(calls[name], CALLS) for name in orders[round % 2]} for round in range(ROUNDS)]


def measure_import_seconds() -> list[float]:
    output = subprocess.run([sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True).stdout
    return [float(each) for each in output.split()]


def main() -> None:
    base_url, api_key, bot_id = sys.argv[1:]
    client = Parley(api_key, base_url)
    bare = httpx.Client(headers={"Authorization": f"Bearer {api_key}"})
    url = f"{base_url}/api/bots/{bot_id}"
    rounds = compare_calls({"bare": lambda: bare.get(url).json(), "sdk": lambda: client.bots.get(bot_id)})
    # Omit the first import, during which Python compiles the modules.
    imports = [measure_import_seconds() for _ in range(IMPORTS + 1)][1:]
    wall, cpu = (statistics.median(each) for each in zip(*imports))
    print(json.dumps({"rounds": rounds, "import": {"wall": wall, "cpu": cpu}}))


if __name__ == "__main__":
    main()
