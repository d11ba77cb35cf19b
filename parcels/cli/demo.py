"""`parcels demo`: the whole pipeline, offline, on the example web that the project carries."""

import argparse
import datetime as dt
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from parcels.cli.progress import Progress

if TYPE_CHECKING:
    from parcels.example_web import ExampleWeb
    from parcels.store import Store

HELP = "The whole pipeline, offline: serve the example web on loopback, fetch it, divide it into blocks, query them."
EXAMPLE = """
parcels demo
parcels demo --store /tmp/demo && parcels query "SELECT host, count(*) FROM pages GROUP BY host" --store /tmp/demo
"""
CRAWL = "demo"
QUERY = """
SELECT p.host, count(DISTINCT p.page_id) AS pages, count(*) AS blocks,
       round(avg(length(b.text)), 1) AS characters_a_block,
       count(*) FILTER (WHERE len(list_filter(b.leaves, lambda leaf: leaf.is_link)) > 0) AS blocks_with_links
FROM blocks b JOIN pages p ON p.page_id = b.page_id
GROUP BY p.host ORDER BY p.host
"""
LONGEST = """
SELECT p.host, b.tag_path, b.text FROM blocks b JOIN pages p ON p.page_id = b.page_id
WHERE b.tag_path LIKE '%/p' ORDER BY length(b.text) DESC LIMIT 3
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--store", default="demo-store", help="folder of the store (default: demo-store)")
    parser.add_argument("--no-progress", action="store_true", help="no progress on standard error")


def run(args: argparse.Namespace) -> int:
    """Run every step and say what it does in one line."""
    from parcels import local
    from parcels.cli.main import main
    from parcels.example_web import ExampleWeb, hosts
    from parcels.store import open_store

    started = time.monotonic()
    store = open_store(args.store, create=True)
    with ExampleWeb.serve() as web:
        step(1, f"serving the example web ({', '.join(hosts())}) as a proxy on {web.proxy}")
        step(2, f"fetching its pages and style sheets into the store {args.store}")
        print(f"   {fetch_all(store, web, is_quiet=args.no_progress)}")
    step(3, "dividing every page into fine blocks")
    with Progress("pages", enabled=not args.no_progress) as progress:
        done = local.divide(store, crawl=CRAWL, each=progress.add)
    print(f"   {done.counts['pages']:,} pages, {done.counts['blocks']:,} blocks; {left_out(done.counts)}")
    for number, (title, sql) in enumerate({"blocks by host": QUERY, "the longest paragraphs": LONGEST}.items(), 4):
        step(number, f"parcels query: {title}")
        print(f"{sql.strip()}\n", flush=True)
        code = main(["query", sql, "--store", args.store, "--no-progress"])
        if code:
            return code
    print(f"\ndone in {time.monotonic() - started:.1f} s. The tables are Parquet files in {args.store}; ask on:")
    print(f'   parcels query "SELECT text FROM blocks LIMIT 5" --store {args.store}')
    return 0


def step(number: int, text: str) -> None:
    """Say what comes next."""
    print(f"\n{number}. {text}", flush=True)


def left_out(counts: dict[str, int]) -> str:
    """What was skipped or rejected, and why."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if ":" in name) or "nothing left out"


def fetch_all(store: "Store", web: "ExampleWeb", *, is_quiet: bool) -> str:
    """Every page of the example web with its sheets, over HTTP, into `pages` and `resources`."""
    from parcels.errors import SkipRecord
    from parcels.example_web import hosts, urls
    from parcels.importing.http import media_type
    from parcels.importing.run import ImportRun
    from parcels.inputs import fetch

    addresses = [url for host in hosts() for url in urls(host)]
    sheets: dict[str, str] = {}  # address -> hash
    with (
        ImportRun(store, step="demo-fetch", crawl=CRAWL, settings={}) as run,
        Progress("pages", total=len(addresses), enabled=not is_quiet) as progress,
    ):
        for url in addresses:
            progress.add()
            try:
                page = fetch(url, proxy=web.proxy)
            except SkipRecord as skipped:
                run.reject(url, skipped.reason, detail=skipped.detail, source="example web")
                continue
            now = dt.datetime.now(dt.UTC)
            wanted = list(style_sheets(page.html, page.url or url))
            for address in wanted:
                if address not in sheets:
                    sheet = fetch(address, proxy=web.proxy)
                    kind, charset = media_type(sheet.content_type)
                    columns = {"content_type": kind, "charset": charset, "fetched_at": now, "source": "example web"}
                    sheets[address] = run.sheet(sheet.html, address=address, **columns)[0]
            kind, charset = media_type(page.content_type)
            run.page(
                page.html,
                record=url,
                address=page.url,
                name=None,
                content_type=kind,
                charset=charset,
                status=200,
                fetched_at=now,
                sheets=[{"path": address, "content_hash": sheets[address]} for address in wanted] or None,
                source="example web",
            )
    found = run.counts
    return f"{found['pages']:,} pages, {found['resources']:,} style sheets; {left_out(found)}"


def style_sheets(html: bytes, base: str) -> Iterator[str]:
    """The addresses of a page's external style sheets."""
    from parcels.page import read_page
    from parcels.urls import canonical

    for element in read_page(html, base).root.iter("link"):
        address = canonical(element.get("href") or "", base) if element.get("href") else None
        if address and "stylesheet" in (element.get("rel") or "").lower().split():
            yield address
