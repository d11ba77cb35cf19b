"""The learning curve of a desk: the voted labels of its pages, measured."""

from typing import Any

import numpy as np

from parcels.annotate.curve import LEAST_LABELS, LEAST_SITES, MORE, Hint, LabelledPage, backtest, hint_of
from parcels.annotate.desk import Desk
from parcels.annotate.said import block_label
from parcels.annotate.vote import vote_page
from parcels.errors import SkipRecord

VIEWS = ("style", "context", "lexical")
MOST_PAGES = 80  # more would take longer than anybody waits


def curve_of(desk: Desk) -> dict[str, Any]:
    """Points and hint, ready for JSON; measured again only when there are new labels."""
    with desk.curve_lock:
        if desk.curve is None or desk.curve[0] != desk.said.version:
            desk.curve = desk.said.version, _told(hint_of(labelled_pages(desk)))
        return desk.curve[1]


def labelled_pages(desk: Desk) -> list[LabelledPage]:
    """The pages with labels, those that were labelled first at the front."""
    found = []
    known = [page for page in list(desk.said.pages) if page in desk.shelf.entries and desk.said.of_page(page)]
    for page in known[:MOST_PAGES]:
        measured = _numbers(desk, page)
        if measured is None:
            continue
        numbers, ranges, texts = measured
        leaves = vote_page(desk.said.of_page(page)).leaves
        labels = [
            block_label([leaves[leaf] for leaf in range(*span) if leaf in leaves and leaves[leaf].text == texts[leaf]])
            for span in ranges
        ]
        rows = [n for n, label in enumerate(labels) if label is not None]
        if rows:
            y = np.array([labels[n] for n in rows], dtype=str)
            found.append(LabelledPage(desk.shelf.entries[page].site, numbers[rows], y))
    return found


def _numbers(desk: Desk, page: str) -> Any:
    """What the learner reads of a page: measured once."""
    if page not in desk.measured:
        try:
            opened = desk.open(page)
        except SkipRecord:
            return None
        if opened.measured is None:
            return None
        numbers = opened.measured.beside(*VIEWS).astype(np.float64)
        desk.measured[page] = numbers, opened.ranges, opened.page.leaves.text
    return desk.measured[page]


def _told(hint: Hint | None) -> dict[str, Any]:
    if hint is None:
        text = (
            f"A learning curve needs at least {LEAST_LABELS} labelled blocks on {LEAST_SITES} sites: "
            "label pages of several sites first."
        )
        return {"points": [], "hint": text, "how": "", "next": None}
    tested = backtest()
    all_told = tested.get("all", [{}])[0]
    how = (
        "Six times, a third of the labelled sites is left out, a small learner is fitted to growing parts of the rest, "
        "and a power law is drawn through its errors. "
        f"On {all_told.get('cases', 0):.0f} real curves of another corpus, predicted gains were off by "
        f"{100 * all_told.get('mean_miss', 0):.1f} points in the mean "
        f"(saying “no gain” would have been off by {100 * all_told.get('mean_gain', 0):.1f})."
    )
    return {
        "points": [{"labels": labels, "error": round(error, 4)} for labels, error in hint.points],
        "next": {
            "labels": hint.labels + MORE,
            "error": round(max(0.0, hint.error - hint.gain), 4),
            "low": round(max(0.0, hint.error - hint.high), 4),
            "high": round(hint.error - hint.low, 4),
        },
        "hint": hint_text(hint),
        "how": how,
    }


def hint_text(hint: Hint) -> str:
    """The hint in words."""
    gain, low, high = 100 * hint.gain, 100 * hint.low, 100 * hint.high
    now = f"With {hint.labels} labelled blocks a small learner's error on new sites is about {100 * hint.error:.0f} %. "
    span = f"between {low:+.1f} and {high:+.1f} points in four of five cases"
    told = f"{now}{MORE} more should lower it by about {gain:.1f} points ({span})."
    if hint.low < 0:
        told += " That may not show at all."
    return told
