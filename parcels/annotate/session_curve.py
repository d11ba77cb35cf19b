"""The learning curve of a session, measured on the voted labels of its pages."""

from typing import Any

import numpy as np

from parcels.annotate.curve import MIN_LABELS, MIN_SITES, MORE, Hint, LabelledPage, backtest, estimate_gain
from parcels.annotate.label_index import block_label
from parcels.annotate.session import AnnotationSession
from parcels.annotate.vote import vote_page
from parcels.errors import SkipRecord

VIEWS = ("style", "context", "lexical")
MAX_PAGES = 80  # more pages take too long to measure on request


def learning_curve(session: AnnotationSession) -> dict[str, Any]:
    """Return the points of the curve and the hint for JSON; measured again when there are new labels."""
    with session.curve_lock:
        if session.curve is None or session.curve[0] != session.label_index.version:
            session.curve = session.label_index.version, _as_json(estimate_gain(labelled_pages(session)))
        return session.curve[1]


def labelled_pages(session: AnnotationSession) -> list[LabelledPage]:
    """Return the labelled pages, those labelled first at the front."""
    pages = []
    known = [
        page
        for page in list(session.label_index.pages)
        if page in session.source.entries and session.label_index.of_page(page)
    ]
    for page in known[:MAX_PAGES]:
        measured = _numbers(session, page)
        if measured is None:
            continue
        numbers, ranges, texts = measured
        leaves = vote_page(session.label_index.of_page(page)).leaves
        labels = [
            block_label([leaves[leaf] for leaf in range(*span) if leaf in leaves and leaves[leaf].text == texts[leaf]])
            for span in ranges
        ]
        rows = [n for n, label in enumerate(labels) if label is not None]
        if rows:
            y = np.array([labels[n] for n in rows], dtype=str)
            pages.append(LabelledPage(session.source.entries[page].site, numbers[rows], y))
    return pages


def _numbers(session: AnnotationSession, page: str) -> Any:
    """Return the learner's input for a page: its numbers, leaf ranges and texts; None where it cannot be measured."""
    if page not in session.measured:
        try:
            opened = session.open(page)
        except SkipRecord:
            return None
        if opened.measured is None:
            return None
        numbers = opened.measured.beside(*VIEWS).astype(np.float64)
        session.measured[page] = numbers, opened.ranges, opened.page.leaves.text
    return session.measured[page]


def _as_json(hint: Hint | None) -> dict[str, Any]:
    if hint is None:
        text = (
            f"A learning curve needs at least {MIN_LABELS} labelled blocks on {MIN_SITES} sites: "
            "label pages of several sites first."
        )
        return {"points": [], "hint": text, "how": "", "next": None}
    tested = backtest()
    totals = tested.get("all", [{}])[0]
    how = (
        "Six times, a third of the labelled sites is left out, a small learner is fitted to growing parts of the rest, "
        "and a power law is drawn through its errors. "
        f"On {totals.get('cases', 0):.0f} real curves of another corpus, predicted gains were off by "
        f"{100 * totals.get('mean_miss', 0):.1f} points in the mean "
        f"(saying “no gain” would have been off by {100 * totals.get('mean_gain', 0):.1f})."
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
    """Return the hint as text."""
    gain, low, high = 100 * hint.gain, 100 * hint.low, 100 * hint.high
    now = f"With {hint.labels} labelled blocks a small learner's error on new sites is about {100 * hint.error:.0f} %. "
    span = f"between {low:+.1f} and {high:+.1f} points in four of five cases"
    text = f"{now}{MORE} more should lower it by about {gain:.1f} points ({span})."
    if hint.low < 0:
        text += " That may not show at all."
    return text
