"""All of webkb crawled through `parcels replay`: every page that links lead to must be stored with its bytes.

What is reachable is found by a search of its own over the stored pages, with an HTML5 parser (Lexbor), which reads as a
browser does and shares no code with the crawler's; only the form of an address (`parcels.urls.canonical`) is the same,
since it says which page is which. Plain text that a page links to is no page: the crawler says so in `rejects`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urljoin

import pyarrow.parquet as pq
from resiliparse.parse.html import HTMLTree

from benchmarks.corpora import folder
from crawler.frontier.contract import FrontierPolicy, Offer
from crawler.frontier.traps import refusal
from parcels.store import open_store
from parcels.urls import canonical, host_of

_CLOSED = re.compile("nofollow|none")
_TYPE = re.compile(r"(?im)^content-type:.*$")
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
    """The HTML pages by their address; of two at one address the first, as replay has it."""
    stored: dict[str, bytes] = {}
    kinds: dict[str, str] = {}
    for row in pq.read_table(path, columns=["url", "http_headers", "html"]).to_pylist():
        if url := canonical(row["url"]):
            stored.setdefault(url, row["html"])
            kinds.setdefault(url, (_TYPE.search(row["http_headers"] or "") or [""])[0].lower())
    return {url: html for url, html in stored.items() if not kinds[url] or "html" in kinds[url]}


def front_pages(stored: Iterable[str]) -> list[str]:
    """The shortest address of every host."""
    first: dict[str, str] = {}
    for url in sorted(stored, key=lambda url: (len(url), url)):
        first.setdefault(host_of(url) or "", url)
    return sorted(first.values())


def search(stored: dict[str, bytes], seeds: Iterable[str]) -> set[str]:
    """Return the addresses that links of stored pages reach from the seeds, without those refused as traps."""
    reached = set(seeds)
    queue = deque(reached)
    refused: Counter[str] = Counter()
    while queue:
        url = queue.popleft()
        for target in links(stored[url], url):
            if target in stored and target not in reached:
                if letter := refusal(Offer(target), FrontierPolicy()):
                    refused[letter] += 1
                    continue
                reached.add(target)
                queue.append(target)
    if refused:
        print(f"refused as traps: {dict(refused)}")
    return reached


def links(html: bytes, url: str) -> set[str]:
    """The addresses that a page links to, as a browser reads it: a comment that never ends hides the rest."""
    document = HTMLTree.parse(html.decode("latin-1")).document
    for meta in document.get_elements_by_tag_name("meta"):
        said = (meta.getattr("content") or "").lower()
        if (meta.getattr("name") or "").strip().lower() in ("robots", "parcels") and _CLOSED.search(said):
            return set()
    bases = [base.getattr("href") for base in document.get_elements_by_tag_name("base")]
    base = urljoin(url, next(filter(None, bases), ""))
    anchors = [*document.get_elements_by_tag_name("a"), *document.get_elements_by_tag_name("area")]
    targets = [one.getattr("href") for one in anchors if "nofollow" not in (one.getattr("rel") or "").lower()]
    found = (canonical(target.strip(), base) for target in targets if target)
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
