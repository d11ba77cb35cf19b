"""`parcels import`: import pages and gold labels from files into a store."""

import argparse
from typing import TYPE_CHECKING

from parcels.common.progress import Progress

if TYPE_CHECKING:
    from parcels.importing.run_record import RunRecord

HELP = "Import pages (HTML, WARC) or gold labels into a store. Importing the same files again adds nothing."
EXAMPLE = """
parcels import html pages/ more.parquet --store STORE --crawl news
parcels import warc CC-MAIN-*.warc.gz --store STORE --crawl common-crawl
parcels import annotations gold/ --store STORE --crawl news --annotator ann
"""
CRAWL = "import"
RUBRIC = "news17@1"
EMPTY = 3  # exit code where nothing of the input could be read


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("kind", choices=("html", "warc", "annotations"), help="type of the files")
    parser.add_argument(
        "files", nargs="+", metavar="FILES",
        help="html: files, folders, .parquet with `page` and `html`, `-`, addresses; "
        "warc: WARC, ARC and WACZ files (paths or URIs), folders, lists of files (warc.paths.gz); "
        "annotations: JSON files (one per page), JSON Lines, "
        "tasks of Label Studio, or folders",
    )  # fmt: skip
    parser.add_argument("--store", required=True, help="folder or URI of the store; created if missing")
    parser.add_argument("--crawl", default=CRAWL, metavar="NAME", help=f"crawl name of the pages (default {CRAWL})")
    parser.add_argument("--url", help="html: address of a single file")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="html, warc: skip larger pages (default 50,000,000)")
    parser.add_argument(
        "--annotator", default="gold", metavar="NAME", help="annotations: name of the annotator (default gold)"
    )
    parser.add_argument(
        "--rubric", default=RUBRIC, metavar="NAME@VERSION", help=f"annotations: rubric of the labels (default {RUBRIC})"
    )
    parser.add_argument("--no-progress", action="store_true", help="show no progress")


def run(args: argparse.Namespace) -> int:
    """Import files and print a summary."""
    from parcels.store import open_store

    total = _total(args.kind, args.files)  # raises for missing files before the store is created
    store = open_store(args.store, create=args.kind != "annotations")
    limit = {"max_bytes": args.max_bytes} if args.max_bytes else {}
    what = {"html": "pages", "warc": "records", "annotations": "files"}[args.kind]
    with Progress(what, total=total, enabled=not args.no_progress) as progress:
        if args.kind == "html":
            from parcels.importing.html import import_html

            done = import_html(store, args.files, crawl=args.crawl, url=args.url, each=progress.add, **limit)
        elif args.kind == "warc":
            from parcels.importing.warc import import_warc

            done = import_warc(store, args.files, crawl=args.crawl, each=progress.add, **limit)
        else:
            from parcels.importing.annotations import import_annotations

            done = import_annotations(
                store, args.files, crawl=args.crawl, annotator=args.annotator, rubric=args.rubric, each=progress.add
            )
    print("\n".join(summary(done)))
    known = sum(count for name, count in done.counts.items() if name.endswith("already in the store"))
    return 0 if done.counts["pages"] or done.counts["resources"] or done.counts["annotations"] or known else EMPTY


def _total(kind: str, files: list[str]) -> int | None:
    """Return the number of pages or files, if known; raise InputMissing for a missing file."""
    if kind == "html":
        from parcels.inputs import count_pages

        return count_pages(files)
    if kind == "annotations":
        from parcels.importing.annotations import gold_files

        return len(gold_files(files))
    from parcels.importing.opening import archive_sources

    archive_sources(files)
    return None


def summary(done: "RunRecord") -> list[str]:
    """Return the summary of an import as lines."""
    counts = done.counts
    words = {"pages": "pages", "resources": "style sheets", "annotations": "annotations"}
    taken = ", ".join(f"{counts[name]:,} {word}" for name, word in words.items() if counts[name]) or "nothing"
    lines = [f"imported {taken} of {counts['records']:,} records into crawl '{done.crawl}' (run {done.run_id})"]
    for kind in ("rejected", "skipped"):
        reasons = {name.partition(": ")[2]: count for name, count in counts.items() if name.startswith(f"{kind}: ")}
        if reasons:
            listed = ", ".join(f"{reason} {count:,}" for reason, count in sorted(reasons.items(), key=lambda r: -r[1]))
            lines.append(f"{kind} {sum(reasons.values()):,}: {listed}")
    return lines
