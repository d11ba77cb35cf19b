"""Page types on wcxb by four folds of sites: ours, the paper's positions alone, names alone, text only, one segment.

Names alone need no layout: so `parcels extract` and a crawl tell the type. What both ways cost is printed too.
"""

import time

import pyarrow.parquet as pq

from benchmarks.corpora import fingerprint, folder, pages
from benchmarks.speed.timing import cpu_ms
from parcels.articles.article import extract_page
from parcels.articles.model import content_model_at
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.layout.render import lay_out
from parcels.pagetypes.evaluate import interval, type_scores
from parcels.pagetypes.examples import read_typed
from parcels.pagetypes.model import page_type
from parcels.pagetypes.train import METHODS, OWN, cross_validated

F1, ACCURACY = 0.75, 0.85
WORKERS = 2
TIMED, REPEATS = 40, 3


def main() -> bool:
    started = time.process_time()
    found, lost = read_typed(folder() / "wcxb", workers=WORKERS)
    print(f"-- wcxb ({fingerprint('wcxb')}): {len(found)} pages, not read: {len(lost)}")
    rows = pq.read_table(folder() / "wcxb" / "pages.parquet", columns=["page_type"]).num_rows
    print(f"{rows} rows, {time.process_time() - started:.0f} s of processor time in this process")
    answers = cross_validated(found, log=print)
    gold = [page.page_type for page in found]
    for method in METHODS:
        own = type_scores(gold, answers[method])
        low, high = interval(found, answers[method], None, "f1")
        print(
            f"{method:11} accuracy {own.accuracy:.3f}  macro precision {own.precision:.3f} recall {own.recall:.3f} "
            f"F1 {own.f1:.3f} ({low:.3f} to {high:.3f})"
        )
        print("            " + ", ".join(f"{name} {value:.2f}" for name, value in own.by_type.items()))
    low, high = interval(found, answers[OWN], answers["text"], "f1")
    print(f"{OWN} less text only, macro F1: {low:+.3f} to {high:+.3f} (95 % over sites)")
    low_names, high_names = interval(found, answers[OWN], answers["names"], "accuracy")
    print(f"{OWN} less names alone, accuracy: {low_names:+.3f} to {high_names:+.3f} (95 % over sites)")
    print_cost()
    own = type_scores(gold, answers[OWN])
    return own.f1 >= F1 and own.accuracy >= ACCURACY and low > 0


def print_cost() -> None:
    """Print the CPU time of extraction, which includes the page type, and of layout with page type."""
    model = content_model_at()

    def extracted(raw: RawPage) -> object:
        return extract_page(read_page(raw.html, raw.url, name=raw.name), model)

    def typed(raw: RawPage) -> object:
        return page_type(lay_out(read_page(raw.html, raw.url, name=raw.name)))

    sample = list(pages("wcxb"))[:TIMED]
    took = cpu_ms({"extract": extracted, "layout and page type": typed}, sample, repeats=REPEATS)
    for name, milliseconds in took.items():
        print(f"{name}: {milliseconds:.1f} ms of CPU a page, reading included")
