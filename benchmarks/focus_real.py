"""The focused spider itself, through `parcels replay` on webkb: does it fetch what the orders in memory promise?

    python -m benchmarks focus_real

Beside it the plain crawl of as many pages, for the CPU that a page takes. Neither follows links that the corpus lacks.
The focused one stays on the seed's host and those below it: a host is asked once at a time, and while it answers, a
crawl of many hosts goes to the next best one, which an order in memory need not.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.corpora import folder
from benchmarks.focus import tasks
from benchmarks.focus_cost import MOST_MS, scoring_ms
from benchmarks.focus_crawl import crawled, focused
from benchmarks.focus_report import AT
from benchmarks.topics_data import Web, webkb
from crawler.spiders.focused import FocusedGuide
from parcels.store import open_store

SECONDS = 3600
AGREE = 0.10  # harvest of the spider and of the order in memory may differ so much: answers come when they come
MOST_CPU = 1.5  # times the plain crawl's, a page


def main() -> bool:
    found, university = webkb()
    is_good, ratios = True, list[float]()
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        command = [sys.executable, "-m", "parcels.cli"]
        replay = subprocess.Popen(
            [*command, "replay", "--store", str(folder() / "webkb" / "pages.parquet"), "--seconds", str(SECONDS)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ,
        )  # fmt: skip
        assert replay.stdout is not None
        try:
            proxy = replay.stdout.readline().strip()
            for number, (name, web, topic, model) in enumerate(tasks(found, university)):
                if number == 0:
                    cost, before = scoring_ms(FocusedGuide(model.focus(topic)))
                    print(
                        f"topic and links: {cost:.1f} ms a page, after {before:.1f} for parsing and layout", flush=True
                    )
                    is_good &= cost <= MOST_MS
                model.save(work / f"model{number}")
                limit = round(AT * len(web.reachable()))
                order = crawled(web, topic, focused(web, FocusedGuide(model.focus(topic))))
                focus = {"spider": "focused", "focus": f"{work / f'model{number}'}:{topic}", "stay": True}
                urls, ms = crawl(work / f"focused{number}", web, proxy, limit, focus)
                _, usual = crawl(work / f"plain{number}", web, proxy, limit, {"spider": "news"})
                harvest = sum(web.pages[url].topic == topic for url in urls if url in web.pages) / len(urls)
                expected = order.harvest(AT, len(web.reachable()))
                ratios.append(ms / usual)
                print(
                    f"{name} {topic}: {len(urls)} pages, harvest {harvest:.3f} (in memory {expected:.3f}); CPU a page "
                    f"{ms:.1f} ms, plain {usual:.1f} ms, ratio {ms / usual:.2f}",
                    flush=True,
                )
                is_good &= abs(harvest - expected) <= AGREE
        finally:
            replay.terminate()
            replay.wait()
    ratio = sum(ratios) / len(ratios)
    print(f"CPU a page, focused over plain, mean of the crawls: {ratio:.2f}; mark {MOST_CPU}")
    return is_good and ratio <= MOST_CPU


def crawl(store: Path, web: Web, proxy: str, limit: int, settings: dict[str, Any]) -> tuple[list[str], float]:
    """The addresses that a crawl stores, in the order in which they came, and its CPU a page in milliseconds.

    What the start takes is seen with a crawl of one page, and is not counted.
    """
    start = _spent(store.with_name(f"{store.name}-start"), web, proxy, 1, settings)
    spent = _spent(store, web, proxy, limit, settings)
    rows = open_store(store).read("pages", columns=["url", "status", "fetched_at"]).to_pylist()
    rows.sort(key=lambda row: row["fetched_at"])
    urls = [row["url"] for row in rows if row["status"] == 200]
    return urls, 1000 * (spent - start) / max(len(urls) - 1, 1)


def _spent(store: Path, web: Web, proxy: str, limit: int, settings: dict[str, Any]) -> float:
    """Run a crawl; its seconds of CPU."""
    given = {"store": str(store), "seeds": [web.seed], "proxy": proxy, "delay": 0.0, "requests": 1, "limit": limit}
    options, addresses = store.with_suffix(".json"), store.with_suffix(".txt")
    options.write_text(json.dumps(given | settings))
    addresses.write_text("\n".join(web.pages))
    before = _cpu()
    subprocess.run(
        [sys.executable, "-m", "benchmarks.focus_child", str(options), str(addresses)],
        check=True, stdout=subprocess.DEVNULL, timeout=SECONDS,
    )  # fmt: skip
    return _cpu() - before


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
