"""The example web as a folder of labelled pages: pages.parquet and gold/PAGE.json."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from parcels import example_web
from parcels.divide import fine
from parcels.example_web.gold import ATTRIBUTE
from parcels.html.page import Page, read_page


def write_labelled_pages(folder: Path, *, each_site: int = 2) -> Path:
    """Two articles (or more) of each of the three news sites."""
    (folder / "gold").mkdir(parents=True)
    rows = []
    for host in example_web.hosts()[:3]:
        for number, url in enumerate(example_web.article_urls(host)[:each_site]):
            name = f"{host.split('.')[-2]}-{number}"
            rows.append({"page": name, "url": url, "html": example_web.fetch(url).body})
            leaves = gold_leaves(read_page(example_web.gold_html(url), url))
            (folder / "gold" / f"{name}.json").write_text(json.dumps({"leaves": leaves}))
    pq.write_table(pa.Table.from_pylist(rows), folder / "pages.parquet")
    return folder


def gold_leaves(page: Page) -> list[dict[str, object]]:
    """Each leaf with its label and its reference block."""
    division = fine.divide(page)
    found = []
    for block, (first, end) in enumerate(division.ranges()):
        for leaf in range(first, end):
            row = int(page.leaves.node[leaf])
            while not (label := page.nodes.elements[row].get(ATTRIBUTE)):
                row = int(page.nodes.parent[row])
            kind, text = page.leaves.kind[leaf], page.leaves.text[leaf]
            found.append({"block": block, "kind": kind, "text": text, "label": label})
    return found
