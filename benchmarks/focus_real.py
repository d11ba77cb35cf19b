"""The focused spider itself, through `parcels replay` on webkb: does it fetch what the orders in memory promise?

python -m benchmarks focus_real
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.corpora import folder
from benchmarks.focus import AT, tasks
from benchmarks.focus_crawl import crawled, focused
from benchmarks.topics_data import webkb
from parcels.store import open_store

SECONDS = 3600
AGREE = 0.10  # harvest of the spider and of the order in memory may differ so much: answers come when they come
MOST_CPU = 1.5  # times the plain crawl's, a page


def main() -> bool:
    found, university = webkb()
    is_good = True
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
                model.save(work / f"model{number}")
                limit = round(AT * len(web.reachable()))
                order = crawled(web, topic, focused(web, model.focus(topic)))
                words = ["--stay", "--spider", "focused", "--focus", f"{work / f'model{number}'}:{topic}"]
                urls, cpu = crawl(work / f"focused{number}", web.seed, proxy, limit, words)
                plain, usual = crawl(work / f"plain{number}", web.seed, proxy, limit, ["--spider", "news"])
                known = [url for url in urls if url in web.pages]
                harvest = sum(web.pages[url].topic == topic for url in known) / max(len(known), 1)
                expected = order.harvest(AT, len(web.reachable()))
                ratio = (cpu / len(urls)) / (usual / len(plain))
                print(
                    f"{name} {topic}: {len(urls)} pages, harvest {harvest:.3f} (in memory {expected:.3f}); CPU a page "
                    f"{1000 * cpu / len(urls):.1f} ms, plain {1000 * usual / len(plain):.1f} ms, ratio {ratio:.2f}",
                    flush=True,
                )
                is_good &= abs(harvest - expected) <= AGREE and ratio <= MOST_CPU
        finally:
            replay.terminate()
            replay.wait()
    return is_good


def crawl(store: Path, seed: str, proxy: str, limit: int, words: list[str]) -> tuple[list[str], float]:
    """The addresses that a crawl stores, in the order in which they came, and its seconds of CPU."""
    before = _cpu()
    subprocess.run(
        [sys.executable, "-m", "parcels.cli", "crawl", seed, "--store", str(store), "--proxy", proxy, "--delay", "0",
         "--requests", "1", "--limit", str(limit), "--no-progress", *words],
        check=True, stdout=subprocess.DEVNULL, timeout=SECONDS,
    )  # fmt: skip
    spent = _cpu() - before
    rows = open_store(store).read("pages", columns=["url", "status", "fetched_at"]).to_pylist()
    rows.sort(key=lambda row: row["fetched_at"])
    return [row["url"] for row in rows if row["status"] == 200], spent


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
