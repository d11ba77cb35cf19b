"""Are the hints right? `What 50 more labels bring`, foretold and then done, on real learning curves of news17.

A trial draws an order of pages. A person labels block after block, page after page, in that order; at several points
the hint is made from what was labelled so far, then 50 more blocks are labelled, and the error before and after is
measured on pages that the person never saw.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from benchmarks.corpora import folder
from benchmarks.corpora import pages as pages_of
from parcels.annotate import curve
from parcels.annotate.curve import MORE, LabelledPage
from parcels.annotate.session_curve import VIEWS
from parcels.html.page import read_page
from parcels.labels.gold import block_labels, find, read_gold
from parcels.processed_page import ProcessedPage
from parcels.urls import host_of, registered

AT = (350, 550, 850, 1300, 2000)  # from three pages, which are three sites, on
BANDS = (700, 1_000_000)  # wide ones: an interval needs many misses to be made of
OUTSIDE = 60  # pages that nobody labels, to measure on
INNER = 0.8
TRIALS = 12
LEAST_INSIDE = 0.7  # of four fifths: the halves are small
FILE = Path("parcels/annotate/hint.json")


def read(gold: Path) -> list[LabelledPage]:
    found = []
    for raw in pages_of("news17"):
        if raw.name.startswith("l3s-"):  # for experiments only: the hint is shipped
            continue
        page = ProcessedPage.parsed(read_page(raw.html, raw.url, name=raw.name))
        if not page.can_be_laid_out:
            continue
        labels = np.array(block_labels(find(page.page, read_gold(gold / f"{raw.name}.json")), page.division))
        numbers = page.features.beside(*VIEWS).astype(np.float64)
        site = registered(host_of(raw.url or "") or raw.name)
        found.append(LabelledPage(site, numbers[labels != ""], labels[labels != ""]))
    return found


def first_labels(pages: list[LabelledPage], count: int) -> list[LabelledPage]:
    """The first so many labelled blocks of pages in order."""
    found = []
    for page in pages:
        if count <= 0:
            break
        found.append(LabelledPage(page.site, page.numbers[:count], page.y[:count]))
        count -= len(page.y)
    return found


def error_on(train: list[LabelledPage], outside: list[LabelledPage]) -> float:
    x, y = np.concatenate([page.numbers for page in train]), np.concatenate([page.y for page in train])
    return curve.error_of(x, y, outside)


def trial(pages: list[LabelledPage], seed: int) -> list[dict[str, float]]:
    order = np.random.default_rng(seed).permutation(len(pages)).tolist()
    outside, mine = [pages[n] for n in order[:OUTSIDE]], [pages[n] for n in order[OUTSIDE:]]
    found = []
    for labels in AT:
        known = first_labels(mine, labels)
        hint = curve.estimate_gain(known, seed=seed)
        if hint is None:
            continue
        before, after = error_on(known, outside), error_on(first_labels(mine, labels + MORE), outside)
        found.append({"labels": labels, "predicted": hint.gain, "gain": before - after, "level": hint.error - before})
    return found


def banded(cases: list[dict[str, float]]) -> dict[str, list[dict[str, float]]]:
    bands = []
    for low, high in zip((0, *BANDS[:-1]), BANDS, strict=True):
        missed = [one["gain"] - one["predicted"] for one in cases if low < one["labels"] <= high]
        if missed:
            inner = inner_misses(missed)
            bands.append({"to": high, "low": inner[0], "high": inner[1], "cases": len(missed)})
    return {"bands": bands, "all": [summary(cases)]}


def inner_misses(missed: list[float]) -> tuple[float, float]:
    """Between which misses the next one lies in four of five cases: the ranks of conformal prediction."""
    order, out = sorted(missed), (1 - INNER) / 2
    rank = max(int(np.floor(out * (len(order) + 1))) - 1, 0)
    return round(order[rank], 4), round(order[-1 - rank], 4)


def summary(cases: list[dict[str, float]]) -> dict[str, float]:
    gain = np.array([one["gain"] for one in cases])
    missed = gain - np.array([one["predicted"] for one in cases])
    return {
        "cases": len(cases),
        "mean_miss": round(float(np.abs(missed).mean()), 4),
        "mean_gain": round(float(np.abs(gain).mean()), 4),
        "bias": round(float(missed.mean()), 4),
        "level_bias": round(float(np.mean([one["level"] for one in cases])), 4),
    }


def is_inside(case: dict[str, float], bands: list[dict[str, float]]) -> bool:
    band = next((one for one in bands if case["labels"] <= one["to"]), bands[-1])
    return band["low"] <= case["gain"] - case["predicted"] <= band["high"]


def main(*, trials: int = TRIALS, writes: bool = False) -> bool:
    started = time.process_time()
    pages = read(folder() / "news17" / "gold")
    cases = [case for seed in range(trials) for case in trial(pages, seed)]
    half = len(cases) // 2
    inside = np.mean([is_inside(case, banded(cases[:half])["bands"]) for case in cases[half:]])
    found = banded(cases)
    print(f"{len(pages)} pages, {trials} trials, {len(cases)} hints, {time.process_time() - started:.0f} s of CPU")
    for labels in AT:
        of_size = [one for one in cases if one["labels"] == labels]
        if of_size:
            print(f"{labels:5} labels: {summary(of_size)}")
    print(f"all: {found['all'][0]}; the intervals of one half of the trials hold {inside:.3f} of the other half")
    if writes:
        FILE.write_text(json.dumps(found, indent=1) + "\n")
    return bool(inside >= LEAST_INSIDE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--write", action="store_true", help=f"keep what was found in {FILE}")
    args = parser.parse_args()
    raise SystemExit(0 if main(trials=args.trials, writes=args.write) else 4)
