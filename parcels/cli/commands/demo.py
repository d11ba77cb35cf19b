"""`parcels demo`: the whole pipeline, offline, on the bundled example web."""

import argparse
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

from parcels.errors import ConfigError

HELP = "Run the whole pipeline offline: serve the example web, crawl it, run the jobs, query, write the report."
EXAMPLE = """
parcels demo
parcels demo --store /tmp/demo && parcels query "SELECT host, count(*) FROM pages GROUP BY host" --store /tmp/demo
"""
CRAWL = "demo"
JOBS = "divide..pagetypes"
QUERIES = {
    "pages, blocks and labels per site": """
SELECT host, count(DISTINCT page_id) AS pages, count(*) AS blocks,
       count(*) FILTER (WHERE label = 'maincontent') AS main_content,
       count(*) FILTER (WHERE label = 'sitenav') AS navigation,
       round(avg(confidence), 2) AS confidence
FROM classified_blocks GROUP BY host ORDER BY host
""",
    "the newest articles": """
SELECT host, published, title, authors[1] AS author
FROM articles_with_pages
WHERE published IS NOT NULL AND len(authors) > 0
ORDER BY published DESC, title LIMIT 5
""",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--store", default="demo-store", help="folder of the store (default: demo-store)")
    parser.add_argument("--master", default="local[2]", help="Spark master of the jobs (default: local[2])")
    parser.add_argument("--no-progress", action="store_true", help="no progress on standard error")


def run(args: argparse.Namespace) -> int:
    """Run every step as the command that a user would type, with one line of explanation."""
    from parcels.example_web import ExampleWeb, hosts

    if "://" in args.store:
        raise ConfigError(f"The demo needs a local folder, got --store {args.store}.")
    started = time.monotonic()
    quiet = ["--no-progress"] if args.no_progress else []
    store = ["--store", args.store]
    with ExampleWeb.serve() as web:
        _step(1, f"The example web ({', '.join(hosts())}) is served as a proxy on {web.proxy}.")
        _step(2, "A polite crawl from the front pages stores pages, links and style sheets.")
        seeds = [f"http://{host}/" for host in hosts()]
        _command("crawl", *seeds, *store, "--crawl", CRAWL, "--proxy", web.proxy, "--delay", "0.02", *quiet)
    _step(
        3, "Jobs on Spark divide the pages, measure and label the blocks, and extract articles, segments, page types."
    )
    _command("run", JOBS, *store, "--master", args.master, *quiet)
    for number, (title, sql) in enumerate(QUERIES.items(), 4):
        _step(number, f"SQL over the tables: {title}.")
        _command("query", sql.strip(), *store, *quiet)
    report = Path(args.store) / "report.html"
    _step(6, "The report is one HTML file.")
    _command("report", *store, "--out", str(report))
    print(f"\ndone in {time.monotonic() - started:.0f} s. The tables are Parquet files in {args.store}. Go on with:")
    print(f"   {report}                                in a browser")
    print(f"   parcels annotate --store {args.store}   to see and correct the labels")
    print(f'   parcels query "SELECT label, text FROM classified_blocks LIMIT 5" --store {args.store}')
    return 0


def _step(number: int, text: str) -> None:
    """Print the number and description of a step."""
    print(f"\n{number}. {text}", flush=True)


def _command(*words: str) -> None:
    """Print a command of parcels and run it in a process of its own."""
    shown = " ".join(f'"{word}"' if "\n" in word else shlex.quote(word) for word in words)
    print(f"   $ parcels {shown}\n", flush=True)
    own = {**os.environ, "PARCELS_CONFIG": "none"}  # ignore the settings of a surrounding project
    done = subprocess.run([sys.executable, "-m", "parcels.cli", *words], check=False, env=own)
    if done.returncode:
        raise SystemExit(done.returncode)
