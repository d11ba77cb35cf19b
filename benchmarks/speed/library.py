"""Time `parcels.blocks` and `parcels.extract` beside `trafilatura.extract`, as a library user calls them.

    python -m benchmarks library

A fresh process on one core, without variables that limit threads, calls each function on every page of news-fields.
They take turns on each page. A page's first call counts, after eight pages to warm up, so nothing of it is cached.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable

from benchmarks import corpora
from benchmarks.quality.layout import one_core

EVERY = int(os.environ.get("PARCELS_BENCH_EVERY", "1"))
WARM_UP = 8  # pages
MARKS = {"parcels.blocks": 1.2, "parcels.extract": 1.6}  # times trafilatura's pages per second
PEER = "trafilatura.extract"
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> bool:
    environ = {name: value for name, value in os.environ.items() if name not in THREADS}
    with one_core():
        return (
            subprocess.run([sys.executable, "-m", "benchmarks.speed.library"], env=environ, check=False).returncode == 0
        )


def measure() -> bool:
    """Print the CPU and wall time per page of each function; return whether every ratio reaches its mark."""
    from trafilatura import extract

    import parcels

    functions: dict[str, Callable[[bytes], object]] = {
        PEER: extract,
        "parcels.blocks": parcels.blocks,
        "parcels.extract": parcels.extract,
    }
    pages = [raw.html for raw in corpora.pages("news-fields")][::EVERY]
    cpu, wall = dict.fromkeys(functions, 0.0), dict.fromkeys(functions, 0.0)
    for number, html in enumerate([*pages[-WARM_UP:], *pages[:-WARM_UP]]):
        for name, function in functions.items():
            started, begin = time.process_time(), time.perf_counter()
            function(html)
            if number >= WARM_UP:
                cpu[name] += time.process_time() - started
                wall[name] += time.perf_counter() - begin
    count = len(pages) - WARM_UP
    print(f"news-fields, {count} pages, one core, no variables for threads; ms per page")
    for name in functions:
        ratio = f", {cpu[PEER] / cpu[name]:.2f} times trafilatura's pages per second" if name in MARKS else ""
        mark = f" (mark {MARKS[name]:g})" if name in MARKS else ""
        print(f"  {name:<20} CPU {1000 * cpu[name] / count:6.2f}, wall {1000 * wall[name] / count:6.2f}{ratio}{mark}")
    return all(cpu[PEER] / cpu[name] >= mark for name, mark in MARKS.items())


if __name__ == "__main__":
    raise SystemExit(0 if measure() else 4)
