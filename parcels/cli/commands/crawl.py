"""`parcels crawl`: from seeds into a store, politely. The crawler is a program of its own, loaded when it is called."""

import argparse
import importlib
import time
from typing import Any

from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, InputMissing

HELP = "Crawl into a store, politely. The same command continues a crawl that was stopped or killed."
EXAMPLE = """
parcels crawl http://news.example/ --store STORE
parcels crawl http://news.example/ --page-types article --store STORE    # lists are followed, articles are stored
parcels crawl feeds.opml urls.txt --store STORE --crawl news --limit 1000
parcels crawl http://www.uni.example/ --spider focused --focus my-topics:course --stay --store STORE
parcels crawl urls.tsv --spider directory --per-topic 1000 --store STORE --frontier redis://127.0.0.1:6379/0
"""
INTERRUPTED = 130
EXAMPLE_WEB = "example"  # a --proxy that this command serves itself
EXAMPLE_DELAY = 0.02  # seconds between two requests to a host of the example web: it is on this machine


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    what = "addresses, or files: lists, OPML, RSS/Atom, site maps, TSV, CSV, RDF"
    where = "sqlite:PATH, or redis://… for many processes (default: a SQLite file in the store)"
    delay = "seconds between two requests to a host (default 1; a longer Crawl-delay wins)"
    address = "ask all hosts of one network address like at most N hosts (default 4; 0: no limit)"
    proxy = f"HTTP proxy for all requests; {EXAMPLE_WEB}: the bundled example web, without a network"
    render = "auto: Chromium for pages that are empty without scripts (default off)"
    add = parser.add_argument
    add("seeds", nargs="*", metavar="SEEDS", help=what)
    add("--store", required=True, help="folder or URI of the store; it is made if there is none")
    add("--crawl", default="crawl", metavar="NAME", help="name of the crawl (default crawl)")
    add("--spider", default="news", choices=("news", "directory", "focused"), help="(default news)")
    add("--focus", metavar="MODEL:TOPIC", help="focused: what to look for")
    add("--positive", metavar="DIR", help="focused, in place of --focus: pages on the topic")
    add("--negative", metavar="DIR", help="focused, with --positive: other pages")
    add("--explore", type=_share, metavar="S", help="focused: share of links tried whatever they seem worth")
    add(
        "--doubt",
        type=_share,
        metavar="S",
        help="focused: lay a page out where its words give a chance from S to 1 - S",
    )
    add("--stop-below", type=_share, metavar="S", help="focused: end when fewer of the last pages are on topic")
    add("--stay", action="store_true", help="focused: only the hosts of the seeds")
    add("--page-types", metavar="[MODEL:]TYPE,…", help="store only pages of these types, e.g. article; follow all")
    add("--frontier", metavar="WHERE", help=where)
    add("--state", metavar="DIR", help="where frontier and spool are kept (default: in the store)")
    add("--limit", type=_positive, metavar="N", help="stop this run after N pages")
    add("--depth", type=_natural, metavar="N", help="follow at most N links from a seed")
    add("--per-host", type=_positive, metavar="N", help="at most N addresses of a host")
    add("--per-topic", type=_positive, metavar="N", help="directory: at most N seeds a topic")
    add("--delay", type=_seconds, default=1.0, metavar="S", help=delay)
    add("--concurrency", type=_positive, default=1, metavar="N", help="requests to a host at once (default 1)")
    add("--per-address", type=_natural, default=4, metavar="N", help=address)
    add("--requests", type=_positive, default=16, metavar="N", help="requests at once, to all hosts (default 16)")
    add("--timeout", type=_seconds, default=60.0, metavar="S", help="seconds for an answer (default 60)")
    add("--max-bytes", type=_positive, default=20_000_000, metavar="N", help="of a page (default 20,000,000)")
    add("--proxy", metavar="URL", help=proxy)
    add("--user-agent", metavar="TEXT", help="name and address of who crawls")
    add("--no-css", action="store_true", help="leave style sheets out")
    add("--follow-copies", action="store_true", help="also fetch addresses whose answers are near-identical")
    add("--no-robots", action="store_true", help="do not ask for robots.txt: only for sites of your own")
    add("--revisit", action="store_true", help="come again to pages by how often they change")
    add("--warc", action="store_true", help="write WARC files beside the tables")
    add("--exact", action="store_true", help="tell addresses apart by 128 bits in place of 64")
    add("--render", choices=("off", "auto"), default="off", help=render)
    add("--allow-private", action="store_true", help="private and loopback addresses too")
    add("--metrics", type=_positive, metavar="PORT", help="serve counts for Prometheus on loopback")
    add("--no-progress", action="store_true", help="say nothing while it runs")


def _positive(text: str) -> int:
    if int(text) <= 0:
        raise ValueError
    return int(text)


def _natural(text: str) -> int:
    if int(text) < 0:
        raise ValueError
    return int(text)


def _share(text: str) -> float:
    if not 0 <= float(text) <= 1:
        raise ValueError
    return float(text)


def _seconds(text: str) -> float:
    if not 0 <= float(text) < 1e9:
        raise ValueError
    return float(text)


def run(args: argparse.Namespace) -> int:
    """Crawl, serving the example web meanwhile where that is the proxy; return the exit code."""
    if args.spider != "focused" and (args.focus or args.positive or args.negative or args.stay):
        raise ConfigError("--focus, --positive, --negative and --stay are for --spider focused")
    if args.proxy != EXAMPLE_WEB:
        return _crawl(args)
    from parcels.example_web import ExampleWeb

    with ExampleWeb.serve() as web:
        args.proxy, args.delay = web.proxy, min(args.delay, EXAMPLE_DELAY)
        return _crawl(args)


def _crawl(args: argparse.Namespace) -> int:
    """Crawl with the given options and print a summary."""
    started = time.monotonic()
    chosen = options(args)
    crawler("frontier.barring").bar_before(chosen)  # what `parcels forget` took out stays out
    done = crawler("run").crawl(chosen, tells=not args.no_progress)
    left = done.desk.pending
    lines = crawler("telling").summary(
        done.desk.counts, time.monotonic() - started, crawl=args.crawl, run_id=done.run_id, saved=done.saved, left=left
    )
    print("\n".join(lines))
    if done.problem is not None:
        raise InputMissing(done.problem)
    return INTERRUPTED if done.desk.is_stopped else 0


def options(args: argparse.Namespace) -> Any:
    """The typed options of a crawl."""
    same = ("store", "crawl", "spider", "frontier", "state", "limit", "depth", "per_host", "per_topic", "delay",
            "concurrency", "per_address", "requests", "timeout", "max_bytes", "proxy", "revisit", "warc", "exact",
            "render", "allow_private", "metrics", "focus", "positive", "negative", "explore", "doubt", "stop_below",
            "stay", "page_types", "follow_copies")  # fmt: skip
    given = {name: getattr(args, name) for name in same}
    given |= {"seeds": tuple(args.seeds), "css": not args.no_css, "robots": not args.no_robots}
    if args.user_agent:
        given["user_agent"] = args.user_agent
    return crawler("options").CrawlOptions(**given)


def crawler(module: str) -> Any:
    """A module of the crawler. Imports point from it to here, so the command line finds it by name."""
    try:
        return importlib.import_module(f"crawler.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("crawler", "parcels"):
            raise
        raise missing_extra(f"crawling needs {error.name}", extra="crawl") from error
