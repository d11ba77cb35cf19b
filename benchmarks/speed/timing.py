"""CPU time of several functions on the same pages in one run, fair on a busy machine."""

import time
from collections.abc import Callable, Sequence
from typing import Any

REPEATS = 7


def cpu_ms(
    functions: dict[str, Callable[[Any], object]], items: Sequence[Any], *, repeats: int = REPEATS
) -> dict[str, float]:
    """Mean ms of CPU an item: for each item the functions take turns, and each one's smallest time counts."""
    total = dict.fromkeys(functions, 0.0)
    for item in items:
        best = dict.fromkeys(functions, float("inf"))
        for _ in range(repeats):
            for name, function in functions.items():
                started = time.process_time_ns()
                function(item)
                best[name] = min(best[name], time.process_time_ns() - started)
        for name, nanoseconds in best.items():
            total[name] += nanoseconds / 1e6
    return {name: milliseconds / len(items) for name, milliseconds in total.items()}
