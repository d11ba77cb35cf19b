"""Build the package with sanitizers and try mutated pages with it: `python -m benchmarks.fuzz`, or `make sanitize`.

    python -m benchmarks.fuzz --pages 200
    python -m benchmarks.fuzz --one build/sanitize/reports/0001.html     # a saved page again

Exits with 1 where something was reported; the pages and the reports are then in build/sanitize/reports.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.fuzz import pages as sources
from benchmarks.fuzz.build import CannotBuild, build, sanitizer_variables
from benchmarks.fuzz.run import Tally, run

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "sanitize"
TARGET = "benchmarks.fuzz.target:steps"
MUTATED_SECONDS, TEST_SECONDS = 40.0, 240.0  # for one page; most take some 50 ms
MEMORY_MB = 6_000


def main() -> int:
    """Build, run, print the outcomes; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fuzz", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=20_000, help="mutated pages (default 20,000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutated page (default 0)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (default: one per core)")
    parser.add_argument("--no-tests", action="store_true", help="leave out the pages of the tests")
    parser.add_argument("--one", type=Path, metavar="FILE", help="try only this page")
    args = parser.parse_args()
    try:
        variables = sanitizer_variables(MEMORY_MB)
        print("sanitize: building the modules with sanitizers into build/sanitize", file=sys.stderr)
        started = time.monotonic()
        build(ROOT, FOLDER / "tree")
        print(f"sanitize: built in {time.monotonic() - started:.0f} s", file=sys.stderr)
    except CannotBuild as error:
        print(f"sanitize: {error}", file=sys.stderr)
        return 3
    chosen = list(to_try(args))
    tally = run(lazily(chosen), len(chosen), TARGET, FOLDER, variables, workers=args.workers)
    print(summary(tally))
    return 1 if tally.reports else 0


def to_try(args: argparse.Namespace) -> Iterator[sources.FuzzPage | int]:
    """Yield the pages to try, mutated ones by their number: they are made when it is their turn."""
    if args.one:
        yield sources.FuzzPage(str(args.one), args.one.read_bytes(), sources.URL)
        return
    if not args.no_tests:
        yield from sorted(sources.of_tests(), key=lambda page: len(page.html))
    yield from (args.first + number for number in sources.by_size(args.pages))


def lazily(chosen: list[sources.FuzzPage | int]) -> Iterator[tuple[sources.FuzzPage, float]]:
    """Yield every page with the seconds that it may take."""
    real = sources.seeds() if any(isinstance(one, int) for one in chosen) else []
    for one in chosen:
        if isinstance(one, int):
            yield sources.mutated(one, real), MUTATED_SECONDS
        else:
            yield one, TEST_SECONDS


def summary(tally: Tally) -> str:
    """Return what became of the pages, and the kinds of reports."""
    lines = [f"{count:8,}  {outcome}" for outcome, count in tally.outcomes.most_common()]
    lines.append(f"slowest page: {tally.slowest[0]:.1f} s, {tally.slowest[1]}")
    kinds = Counter(report.kind for report in tally.reports)
    lines += [f"{count:8,}  REPORT {kind}" for kind, count in kinds.most_common()]
    seconds = time.monotonic() - tally.started
    lines.append(f"{tally.done:,} pages in {seconds:.0f} s: {len(tally.reports)} reports")
    if tally.reports:
        lines.append(
            f"the pages and reports are in {FOLDER / 'reports'}; one again: python -m benchmarks.fuzz --one FILE"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
