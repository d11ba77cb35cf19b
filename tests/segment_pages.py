"""Pages for the tests of segments: random trees, and a small messy site whose parts are marked."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from parcels.html.page import read_page
from parcels.layout.render import lay_out
from parcels.segments.graph.wps_graph import build_graph

MARKED = """<!doctype html><html><head><title>{site} — fire at the pier</title><style>
#top {{ background: #124; color: #fff; height: 70px }} #side {{ float: left; width: 180px }}
#mid {{ margin-left: 200px }} #low {{ clear: both; background: #eee; font-size: 11px }} .gone {{ display: none }}
</style></head><body><div id=wrap>
<div id=top data-block=1 data-block-type=Header><img src=l.gif alt="{site}" width=90 height=40>
  <form action=/s><input name=q placeholder="Search {site}"></form><span class=gone>Skip to the text</span></div>
<div id=side data-block=1 data-block-type=Menu><ul><li><a href=/>Home<li><a href=/sport>Sport<li><a href=/w>Weather
  <li><a href=/tv>Programme</a></ul><h4>Most read</h4><ol><li><a href=/1>Ferry late
  <li><a href=/2>Cat found</a></ol></div>
<div id=mid data-block=1 data-block-type=Article><h1>Fire at the pier</h1>
  <p>The old pier of {site} burnt down last night. <b>Nobody</b> was hurt, the fire brigade said.
  <p>It had stood there since 1890; &nbsp; the <a href=/mayor>mayor</a> wants it back {words}.
  <table><tr><td>Length<td>310 m<tr><td>Built<td>1890</table></div>
<div id=low data-block=1 data-block-type=Footer><p>© 2013 {site} <a href=/imprint>Imprint</a> |
  <a href=/help>Help</a></div>
</div>"""
SITES = ("coast.example", "harbour.example", "island.example", "dunes.example", "cliff.example", "bay.example")


def unmarked(html: str) -> str:
    for mark in (" data-block=1", " data-block-type=Header", " data-block-type=Menu", " data-block-type=Article"):
        html = html.replace(mark, "")
    return html.replace(" data-block-type=Footer", "")


def write_marked_pages(folder):
    """A folder with pages.parquet as `parcels train segmenter` reads it; every page is of another site."""
    folder.mkdir(parents=True)
    pages = {f"small-{site}": MARKED.format(site=site, words="soon " * n) for n, site in enumerate(SITES)}
    table = {
        "page": list(pages),
        "html": [unmarked(html).encode() for html in pages.values()],
        "blocks_html": [html.encode() for html in pages.values()],
    }
    pq.write_table(pa.table(table), folder / "pages.parquet")
    return folder


def random_html(seed: int, depth: int = 4) -> str:
    """A page of nested boxes, floats and tables."""
    return "<body>" + _random_part(random.Random(seed), depth)


def _random_part(rng: random.Random, depth: int) -> str:
    if not depth or rng.random() < 0.25:
        return f"<p>text {rng.random():.3f}</p>"
    count = rng.randint(1, 4)
    inner = [_random_part(rng, depth - 1) for _ in range(count)]
    kind = rng.random()
    if kind < 0.25:
        return "<table><tr>" + "".join(f"<td>{part}</td>" for part in inner) + "</tr></table>"
    if kind < 0.4:
        return "".join(f"<div style='float:left;width:{rng.randint(100, 400)}px'>{part}</div>" for part in inner)
    return f"<div>{''.join(inner)}</div>"


def graph_of(html: str):
    return build_graph(lay_out(read_page(html)))


def random_graphs(seeds, *, depth: int = 4, most: int | None = None):
    """Graphs of random pages with random gains."""
    for seed in seeds:
        graph = graph_of(random_html(seed, depth))
        if len(graph) and (most is None or len(graph) <= most):
            yield graph, np.random.default_rng(seed).normal(size=len(graph)) - 0.1
