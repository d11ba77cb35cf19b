"""Labelled blocks a second, beside trafilatura: page to JSON on one core, both on the same pages in the same run.

PARCELS_BENCH_MODEL names another model than the shipped one, PARCELS_BENCH_EVERY=1 takes every page.

The times in the table are the best of several turns on each page, so what is kept of words, names and addresses is at
hand. The line below it says what a page costs that comes for the first time, to a process that has read other pages:
one turn each, before the table. It needs pages that are not measured, so there is none with PARCELS_BENCH_EVERY=1.
"""

import gc
import os
from collections.abc import Callable

from lxml import html as lxml_html

from benchmarks import corpora
from benchmarks.speed.timing import cpu_ms
from parcels.cli.commands.blocks import page_line
from parcels.common.memory import freeze_loaded_objects
from parcels.divide import fine
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage
from parcels.labels.blocks import label_blocks
from parcels.labels.features import BlockViews, measure
from parcels.labels.model import LabelModel, model_at
from parcels.layout.render import LaidOut, lay_out
from parcels.results import DEFAULT_MODEL

EVERY = int(os.environ.get("PARCELS_BENCH_EVERY", "4"))  # a page out of so many
REPEATS = 3
MARK = 1.0  # times trafilatura's pages a second
MODEL = os.environ.get("PARCELS_BENCH_MODEL", DEFAULT_MODEL)


class Stages:
    """One page with what each stage before the last made of it, so that each can be timed alone."""

    def __init__(self, raw: RawPage):
        self.raw = raw
        self.page: Page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
        self.laid: LaidOut = lay_out(self.page, css=raw.css, folder=raw.folder)
        self.measured: BlockViews = measure(fine.divide(self.page), self.laid)


def main() -> bool:
    from trafilatura import extract

    every = list(corpora.pages("news17"))
    raws = every[::EVERY]
    model = model_at(MODEL)
    tools: dict[str, Callable[[RawPage], object]] = {"trafilatura": lambda raw: extract(raw.html), "parcels": _to_json}
    cold = cold_ms(tools, [raw for n, raw in enumerate(every) if n % EVERY], raws) if EVERY > 1 else {}
    pages = [Stages(raw) for raw in raws]
    gc.collect()
    freeze_loaded_objects()
    parts: dict[str, Callable[[Stages], object]] = {
        "lxml parse": lambda of: lxml_html.document_fromstring(of.raw.html),
        "trafilatura.extract": lambda of: extract(of.raw.html),
        "page to labelled blocks as JSON": lambda of: _to_json(of.raw),
        "  read": lambda of: read_page(of.raw.html, of.raw.url, name=of.raw.name, content_type=of.raw.content_type),
        "  style, layout, areas": lambda of: lay_out(of.page, css=of.raw.css, folder=of.raw.folder),
        "  measure": lambda of: measure(fine.divide(of.page), of.laid),
        "  model": lambda of: model.predict(of.measured),
        "  measure, model, labels": lambda of: _label(of.page, of.laid, model),
    }
    times = cpu_ms(parts, pages, repeats=REPEATS)
    told(times, pages)
    if cold:
        ratio = cold["trafilatura"] / cold["parcels"]
        each = ", ".join(f"{name} {milliseconds:.2f} ms" for name, milliseconds in cold.items())
        print(f"  pages seen for the first time: {each}, {ratio:.2f} x")
    return times["trafilatura.extract"] / times["page to labelled blocks as JSON"] >= MARK


def _label(page: Page, laid: LaidOut, model: LabelModel) -> object:
    division = fine.divide(page)
    return label_blocks(division, measure(division, laid), model)


def _to_json(raw: RawPage) -> bytes:
    return page_line(raw, divider="fine", has_layout=True, model=MODEL)


def cold_ms(
    tools: dict[str, Callable[[RawPage], object]], others: list[RawPage], raws: list[RawPage]
) -> dict[str, float]:
    """Mean ms of CPU a page that each tool sees for the first time, after other pages."""
    cpu_ms(tools, others, repeats=1)
    gc.collect()
    freeze_loaded_objects()
    return cpu_ms(tools, raws, repeats=1)


def told(times: dict[str, float], pages: list[Stages]) -> None:
    blocks = sum(len(of.measured) for of in pages) / len(pages)
    print(f"news17, {len(pages)} pages of {blocks:.0f} blocks; ms of CPU a page, pages a second, x trafilatura")
    peer = times["trafilatura.extract"]
    for name, milliseconds in times.items():
        print(f"  {name:<32} {milliseconds:7.2f} ms {1000 / milliseconds:8.1f} /s {peer / milliseconds:6.2f} x")


if __name__ == "__main__":
    raise SystemExit(0 if main() else 4)
