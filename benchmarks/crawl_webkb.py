"""All of webkb crawled through `parcels replay`: every page that links lead to must be stored with its bytes.

What is reachable is found by a search of its own over the stored pages, with the standard library's parser, which
shares no code with the crawler's; only the form of an address (`parcels.urls.canonical`) is the same, since it says
which page is which.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pyarrow.parquet as pq

from benchmarks.corpora import folder
from crawler.frontier.contract import Offer, Policy
from crawler.frontier.traps import refusal
from parcels.store import open_store
from parcels.urls import canonical, host_of

SECONDS = 6 * 3600  # a busy machine takes its time


def main() -> bool:
    path = folder() / "webkb" / "pages.parquet"
    stored = read(path)
    seeds = front_pages(stored)
    reachable = search(stored, seeds)
    with tempfile.TemporaryDirectory() as work:
        found = crawled(path, seeds, Path(work))
    missing = {url for url in reachable if url not in found}
    wrong = {url for url in found if url in stored and found[url] != stored[url]}
    beyond = {url for url in found if url in stored} - reachable
    hosts, kept = len(set(map(host_of, stored))), len(reachable & set(found))
    print(
        f"{len(stored):,} pages on {hosts:,} hosts; {len(seeds):,} front pages as seeds, from which {len(reachable):,} "
        f"pages can be reached; {kept:,} of these are stored, {len(missing)} missing; {len(wrong)} pages with other "
        f"bytes; {len(beyond)} more were found by the crawler's parser alone"
    )
    for name, urls in (("missing", missing), ("wrong bytes", wrong), ("found by the crawler alone", beyond)):
        for url in sorted(urls)[:10]:
            print(f"  {name}: {url}")
    return not missing and not wrong


def read(path: Path) -> dict[str, bytes]:
    """The pages by their address; of two at one address the first, as replay has it."""
    stored: dict[str, bytes] = {}
    for row in pq.read_table(path, columns=["url", "html"]).to_pylist():
        if url := canonical(row["url"]):
            stored.setdefault(url, row["html"])
    return stored


def front_pages(stored: Iterable[str]) -> list[str]:
    """The shortest address of every host."""
    first: dict[str, str] = {}
    for url in sorted(stored, key=lambda url: (len(url), url)):
        first.setdefault(host_of(url) or "", url)
    return sorted(first.values())


def search(stored: dict[str, bytes], seeds: Iterable[str]) -> set[str]:
    """What can be reached from the seeds over links of stored pages, without what is refused as a trap."""
    reached = set(seeds)
    queue = deque(reached)
    refused: Counter[str] = Counter()
    while queue:
        url = queue.popleft()
        for target in links(stored[url], url):
            if target in stored and target not in reached:
                if letter := refusal(Offer(target), Policy()):
                    refused[letter] += 1
                    continue
                reached.add(target)
                queue.append(target)
    if refused:
        print(f"refused as traps: {dict(refused)}")
    return reached


class _Anchors(HTMLParser):
    """Targets of `a` and `area`, and the base."""

    def __init__(self) -> None:
        super().__init__()
        self.base: str | None = None
        self.targets: list[str] = []
        self.is_closed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        if tag == "base" and given.get("href") and self.base is None:
            self.base = given["href"]
        elif tag in ("a", "area") and "nofollow" not in given.get("rel", "").lower() and given.get("href"):
            self.targets.append(given["href"].strip())
        elif tag == "meta" and given.get("name", "").strip().lower() in ("robots", "parcels"):
            said = given.get("content", "").lower()
            self.is_closed |= "nofollow" in said or "none" in said


def links(html: bytes, url: str) -> set[str]:
    """The addresses that a page links to."""
    parser = _Anchors()
    with contextlib.suppress(AssertionError):  # of the library, on declarations that it cannot read
        parser.feed(html.decode("latin-1"))
        parser.close()
    if parser.is_closed:
        return set()
    base = urljoin(url, parser.base) if parser.base else url
    found = (canonical(target, base) for target in parser.targets)
    return {target for target in found if target}


def crawled(path: Path, seeds: list[str], work: Path) -> dict[str, bytes]:
    """The pages that a crawl stores, by address."""
    (work / "seeds.txt").write_text("\n".join(seeds))
    command = [sys.executable, "-m", "parcels.cli"]
    replay = subprocess.Popen(
        [*command, "replay", "--store", str(path), "--seconds", str(SECONDS)], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=os.environ,
    )  # fmt: skip
    assert replay.stdout is not None
    try:
        words = ["--store", str(work / "store"), "--proxy", replay.stdout.readline().strip(), "--delay", "0"]
        told = subprocess.run(
            [*command, "crawl", str(work / "seeds.txt"), *words, "--no-progress"], capture_output=True, text=True,
            check=True, timeout=SECONDS,
        )  # fmt: skip
    finally:
        replay.terminate()
        replay.wait()
    print(told.stdout.rstrip())
    rows = open_store(work / "store").read("pages", columns=["url", "status", "html"]).to_pylist()
    if len(rows) != len({row["url"] for row in rows}):
        print("some pages are there twice")
        return {}
    return {row["url"]: row["html"] for row in rows if row["status"] == 200}
