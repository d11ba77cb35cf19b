"""Mutated pages through `blocks`: no crash, no hang, every failure a named reason.

    python -m benchmarks.quality.mutations [COUNT] [SEED]

Every worker process works alone on a share of the pages; one that dies is counted as a crash, with its seed.
"""

import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from parcels.errors import SkipRecord
from parcels.results import blocks

HANG_SECONDS = 5.0  # of CPU
DIVIDERS = ("fine", "coarse", "blockify")
HOSTILE = [
    b"<div>" * 3000, b"</p>" * 3000, b"<table><tr><td>" * 200, b"<b><i><p>" * 300, b"\0" * 500, b"\xff\xfe\x00\xd8",
    b"<![CDATA[", b"<!--", b"-->", b"<script>", b"</script>", b"<style>", b"<svg><foreignObject>", b"<plaintext>",
    b"<frameset><frame>", b"<select><option>" * 100, b"<textarea>", b"<template>", b"<math><mi>", b"<?xml ?>",
    b"<meta charset=utf-16>", b"<meta charset=shift_jis>", b"<base href='javascript:'>", b"&#x110000;&#0;&#xD800;&no;",
    b"<a " + b"x=1 " * 3000 + b">", b"<p style='display:none", b"\x80\x81\xfe" * 50, b"<html><body>" * 50,
    b"<br>" * 2000, b"</body></html>" * 20, b"<form><form><form>", b"<img alt='" + b"y" * 20000, b"<p\x0chidden>",
    b"<", b">", b'"', b"'",
]  # fmt: skip


def mutate(html: bytes, rng: random.Random) -> bytes:
    """The page with one to eight random changes."""
    for _ in range(rng.randint(1, 8)):
        html = rng.choice(_MUTATORS)(html, rng)
    return html


def _span(html: bytes, rng: random.Random, longest: int) -> tuple[int, int]:
    start = rng.randrange(len(html) + 1)
    return start, min(len(html), start + rng.randint(0, longest))


def flip_bits(html: bytes, rng: random.Random) -> bytes:
    data = bytearray(html)
    for _ in range(min(len(data), rng.randint(1, 200))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def cut(html: bytes, rng: random.Random) -> bytes:
    start, end = _span(html, rng, 5000)
    return html[:start] + html[end:]


def cut_off(html: bytes, rng: random.Random) -> bytes:
    return html[: rng.randrange(len(html) + 1)]


def repeat(html: bytes, rng: random.Random) -> bytes:
    start, end = _span(html, rng, 2000)
    return html[:end] + html[start:end] * rng.randint(1, 50) + html[end:]


def nest(html: bytes, rng: random.Random) -> bytes:
    start, end = _span(html, rng, 20000)
    return html[:start] + html[start:end].replace(b"</div>", b"").replace(b"</td>", b"") + html[end:]


def insert_hostile(html: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(html) + 1)
    return html[:at] + rng.choice(HOSTILE) + html[at:]


def swap(html: bytes, rng: random.Random) -> bytes:
    a, b = sorted((rng.randrange(len(html) + 1), rng.randrange(len(html) + 1)))
    return html[b:] + html[a:b] + html[:a]


def drop_quotes(html: bytes, rng: random.Random) -> bytes:
    start, end = _span(html, rng, 5000)
    return html[:start] + html[start:end].replace(b'"', b"") + html[end:]


_MUTATORS: list[Callable[[bytes, random.Random], bytes]] = [
    flip_bits, cut, cut_off, repeat, nest, insert_hostile, swap, drop_quotes
]  # fmt: skip


def try_page(html: bytes, divider: str) -> str:
    """Return the outcome of one page: `ok`, the reason it was skipped, or a fault that begins with `!`."""
    started = time.process_time()
    try:
        result = blocks(html, divider=divider)
        outcome = "ok" if result.blocks else "ok, no leaves"
    except SkipRecord as skipped:
        outcome = skipped.reason
    except Exception as error:  # noqa: BLE001 - this is what the run looks for
        return f"!{type(error).__name__}: {error}"
    seconds = time.process_time() - started
    return outcome if seconds <= HANG_SECONDS else f"!hang of {seconds:.1f} s ({outcome})"


def share(task: tuple[Sequence[bytes], Iterable[int]]) -> Counter[str]:
    """Outcomes of the pages with these seeds."""
    pages, seeds = task
    outcomes: Counter[str] = Counter()
    for seed in seeds:
        rng = random.Random(seed)
        outcome = try_page(mutate(rng.choice(pages), rng), rng.choice(DIVIDERS))
        outcomes[f"{outcome} [seed {seed}]" if outcome.startswith("!") else outcome] += 1
    return outcomes


def main(count: int = 10_000, seed: int = 1) -> bool:
    from benchmarks import corpora

    pages = [page.html for page in corpora.pages("news17") if len(page.html) < 600_000]
    size = 100
    tasks = [(pages, range(seed + at, seed + min(at + size, count))) for at in range(0, count, size)]
    outcomes: Counter[str] = Counter()
    started = time.monotonic()
    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=10) as pool:
        for number, result in enumerate(pool.imap_unordered(share, tasks), 1):
            outcomes += result
            if number % 20 == 0:
                print(f"  {number * size:,} pages, {time.monotonic() - started:.0f} s", file=sys.stderr)
    for outcome, times in outcomes.most_common():
        print(f"  {times:6}  {outcome}")
    faults = sum(times for outcome, times in outcomes.items() if outcome.startswith("!"))
    print(f"{sum(outcomes.values()):,} mutated pages: {faults} faults (crash, hang, unnamed error)")
    return faults == 0 and sum(outcomes.values()) == count


if __name__ == "__main__":
    raise SystemExit(0 if main(*map(int, sys.argv[1:])) else 4)
