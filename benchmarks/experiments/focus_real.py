"""The focused spider itself, through `parcels replay` on webkb: does it fetch what the orders in memory promise?

    python -m benchmarks focus_real

Beside it the plain crawl of the same pages, for the CPU that a page takes: both fetch all that links lead to from the
seed, on its host and those below it, and neither follows links that the corpus lacks. They take turns, each in a
process of its own that reads its own clock after the first pages; medians count, since other work on a machine makes
CPU dearer too.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks.corpora import folder
from benchmarks.experiments.focus import tasks
from benchmarks.experiments.focus_crawl import crawled, focused
from benchmarks.experiments.focus_report import AT
from benchmarks.quality.topics_data import Web, webkb
from benchmarks.speed.focus_cost import MOST_MS, costs
from crawler.spiders.focused import FocusedLinkPolicy
from parcels.store import open_store

SECONDS = 3600
REPETITIONS = 3
AGREE = 0.10  # harvest of the spider and of the order in memory may differ so much: answers come when they come
MOST_CPU = 1.5  # times the plain crawl's, a page


def main() -> bool:
    found, university = webkb()
    is_good, ratios, parts = True, list[float](), None
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
                if parts is None:
                    parts = costs(FocusedLinkPolicy(model.focus(topic)))
                    print(f"CPU a page by part: {parts}", flush=True)
                    is_good &= parts.scoring <= MOST_MS
                model.save(work / f"model{number}")
                limit = round(AT * len(web.reachable()))
                order = crawled(web, topic, focused(web, FocusedLinkPolicy(model.focus(topic))))
                focus = {"spider": "focused", "focus": f"{work / f'model{number}'}:{topic}", "stay": True}
                own, plain = list[float](), list[float]()
                for turn in range(REPETITIONS):
                    urls, ms = crawl(work / f"focused{number}-{turn}", web, proxy, focus)
                    others, usual = crawl(work / f"plain{number}-{turn}", web, proxy, {"spider": "news"})
                    if set(urls) != set(others):
                        raise AssertionError(f"{len(set(urls) ^ set(others))} pages were fetched by one crawl alone")
                    own.append(ms)
                    plain.append(usual)
                harvest = mean(web.pages[url].topic == topic for url in urls[:limit])
                expected = order.harvest(AT, len(web.reachable()))
                ratios.append(median(own) / median(plain))
                print(
                    f"{name} {topic}: {len(urls)} pages; harvest of the first {limit} {harvest:.3f} (in memory "
                    f"{expected:.3f}); CPU a page {_told(own)} ms, plain {_told(plain)} ms, ratio {ratios[-1]:.2f}",
                    flush=True,
                )
                is_good &= abs(harvest - expected) <= AGREE
        finally:
            replay.terminate()
            replay.wait()
    print(f"CPU a page, focused over plain, mean of the crawls: {mean(ratios):.2f}; mark {MOST_CPU}")
    return is_good and mean(ratios) <= MOST_CPU


def _told(values: list[float]) -> str:
    return f"{median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def crawl(store: Path, web: Web, proxy: str, settings: dict[str, Any]) -> tuple[list[str], float]:
    """The addresses that a crawl stores, in the order in which they came, and its CPU a page in milliseconds."""
    given = {"store": str(store), "seeds": [web.seed], "proxy": proxy, "delay": 0.0, "requests": 1}
    options, addresses = store.with_suffix(".json"), store.with_suffix(".txt")
    options.write_text(json.dumps(given | settings))
    addresses.write_text("\n".join(web.pages))
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.speed.focus_child", str(options), str(addresses)],
        check=True, stdout=subprocess.PIPE, text=True, timeout=SECONDS,
    )  # fmt: skip
    rows = open_store(store).read("pages", columns=["url", "status", "fetched_at"]).to_pylist()
    rows.sort(key=lambda row: row["fetched_at"])
    return [row["url"] for row in rows if row["status"] == 200], json.loads(ran.stdout)["ms"]
