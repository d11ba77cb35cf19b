"""Page types on wcxb by four folds of sites: ours, the paper's positions alone, names alone, text only, one segment.

Beside them the first guess that `parcels extract` makes, which needs no layout, and what both cost.
"""

import time
from collections.abc import Sequence

import numpy as np
import pyarrow.parquet as pq

from benchmarks.corpora import fingerprint, folder, pages
from benchmarks.timing import cpu_ms
from parcels.articles.article import extract_page
from parcels.articles.model import content_model_at
from parcels.articles.page_types import PageTypes
from parcels.inputs import RawPage
from parcels.layout.render import lay_out
from parcels.learn.folds import fold_of_group, splits
from parcels.page import read_page
from parcels.pagetypes.examples import Typed, read_typed
from parcels.pagetypes.model import page_type
from parcels.pagetypes.training import FOLDS, METHODS, OWN, cross_validated, interval, type_scores

F1, ACCURACY = 0.75, 0.85
WORKERS = 2
TIMED, REPEATS = 40, 3
FIRST = "first-guess"


def main() -> bool:
    started = time.process_time()
    found, lost = read_typed(folder() / "wcxb", workers=WORKERS)
    print(f"-- wcxb ({fingerprint('wcxb')}): {len(found)} pages, not read: {len(lost)}")
    rows = pq.read_table(folder() / "wcxb" / "pages.parquet", columns=["page_type"]).num_rows
    print(f"{rows} rows, {time.process_time() - started:.0f} s of processor time in this process")
    answers = cross_validated(found, tell=print) | {FIRST: first_guesses(found)}
    gold = [page.page_type for page in found]
    for method in (*METHODS, FIRST):
        own = type_scores(gold, answers[method])
        low, high = interval(found, answers[method], None, "f1")
        print(
            f"{method:11} accuracy {own.accuracy:.3f}  macro precision {own.precision:.3f} recall {own.recall:.3f} "
            f"F1 {own.f1:.3f} ({low:.3f} to {high:.3f})"
        )
        print("            " + ", ".join(f"{name} {value:.2f}" for name, value in own.by_type.items()))
    low, high = interval(found, answers[OWN], answers["text"], "f1")
    print(f"{OWN} less text only, macro F1: {low:+.3f} to {high:+.3f} (95 % over sites)")
    low_first, high_first = interval(found, answers[OWN], answers[FIRST], "accuracy")
    print(f"{OWN} less the first guess, accuracy: {low_first:+.3f} to {high_first:+.3f} (95 % over sites)")
    print_cost()
    own = type_scores(gold, answers[OWN])
    return own.f1 >= F1 and own.accuracy >= ACCURACY and low > 0


def first_guesses(found: Sequence[Typed]) -> list[str]:
    """The types by the first guess of `extract`, by the same folds of sites."""
    answers = [""] * len(found)
    fold = fold_of_group(np.array([page.site for page in found]), folds=FOLDS)
    for seen, held_out in splits(fold):
        others = [found[n] for n in seen]
        guess = PageTypes.fitted(
            [set(page.names) for page in others], [page.page_type for page in others], [page.site for page in others]
        )
        said = guess.probabilities([set(found[n].names) for n in held_out])
        for place, best in zip(held_out.tolist(), said.argmax(axis=1).tolist(), strict=True):
            answers[place] = guess.names[best]
    return answers


def print_cost() -> None:
    """What extracting a page costs, which makes its first guess on the way, and what layout and type cost beyond."""
    model = content_model_at()

    def extracted(raw: RawPage) -> object:
        return extract_page(read_page(raw.html, raw.url, name=raw.name), model)

    def typed(raw: RawPage) -> object:
        return page_type(lay_out(read_page(raw.html, raw.url, name=raw.name)))

    sample = list(pages("wcxb"))[:TIMED]
    took = cpu_ms({"extract": extracted, "layout and page type": typed}, sample, repeats=REPEATS)
    for name, milliseconds in took.items():
        print(f"{name}: {milliseconds:.1f} ms of CPU a page, reading included")
