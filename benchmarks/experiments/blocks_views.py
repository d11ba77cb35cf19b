"""Measure each view of a block: boosted trees that read it alone, and that read all other views.

    python -m benchmarks.experiments.blocks_views

The learner is one stage of the shipped recipe's trees, with folds by site on news17. Its error over blocks compares the
views; the shipped model has a lower one. The site view needs other pages of the same host, so it is measured with and
without on the pages of news17 whose site has pages in the other corpora.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks import corpora
from parcels.divide import fine
from parcels.errors import SkipRecord
from parcels.features.page_features import PageFeatures
from parcels.features.registry import NUMBERS
from parcels.features.site import SiteBlocks, block_keys, site_view
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.labels.examples import Example, read_examples
from parcels.labels.recipe import shipped
from parcels.learn.folds import fold_of_group, out_of_fold
from parcels.learn.learner import Features, Labels
from parcels.learn.words import Floats
from parcels.processed_page import ProcessedPage
from parcels.urls import canonical, content_hash, host_of, registered

FOLDS = 5
OTHERS = ("news-unlabelled", "news-fields", "wcxb")  # where other pages of a host may be
DRAWS = 1000
WHERE = ("all", "with other pages of their site")


def main() -> bool:
    examples = list(read_examples(corpora.folder() / "news17"))
    sites = site_numbers(examples)
    has_site = np.concatenate([np.full(len(e.labels), sites[e.page][0], bool) for e in examples])
    views = {view: np.concatenate([e.measured.numbers[view] for e in examples]) for view in NUMBERS}
    views["site"] = np.concatenate([sites[e.page][1] for e in examples])
    y = np.array([label for e in examples for label in e.labels])
    page = np.repeat(np.arange(len(examples)), [len(e.labels) for e in examples])
    is_known = y != ""
    y, page, has_site = y[is_known], page[is_known], has_site[is_known]
    fold = fold_of_group(np.array([example.site for example in examples]), folds=FOLDS)[page]
    print(f"news17 {corpora.fingerprint('news17')}: {len(examples)} pages, {len(y)} blocks, {FOLDS} folds by site")
    print(f"{len(set(page[has_site].tolist()))} pages have others of their site at hand")
    print(f"{'views':<28}" + "".join(f"{name:>34}" for name in WHERE))
    wrong: dict[str, np.ndarray] = {}
    for name, read in readings().items():
        numbers = np.concatenate([views[view][is_known] for view in read], axis=1)
        wrong[name] = is_wrong(numbers, y, fold)
        cells = [f"{100 * wrong[name][rows].mean():.1f} %" for rows in (slice(None), has_site)]
        print(f"{name:<28}" + "".join(f"{cell:>34}" for cell in cells), flush=True)
    gain = wrong["all"][has_site].astype(float) - wrong["all and site"][has_site]
    low, high = interval(gain, page[has_site])
    print(f"the site view takes {100 * gain.mean():+.2f} points off there (95 % of draws: {low:+.2f} to {high:+.2f})")
    return True


def readings() -> dict[str, tuple[str, ...]]:
    """Return the views that each row of the table reads, by the row's name."""
    every = tuple(NUMBERS)
    alone = {view: (view,) for view in every}
    without = {f"all but {view}": tuple(other for other in every if other != view) for view in every}
    return {**alone, "all": every, **without, "all and site": (*every, "site")}


def is_wrong(numbers: Floats, y: Labels, fold: np.ndarray) -> np.ndarray:
    """Which blocks a learner gets wrong that has not seen their sites."""
    said = out_of_fold(shipped().first["page"].new, Features.of(numbers), y, fold)
    return np.unique(y)[said.argmax(axis=1)] != y


def interval(gain: np.ndarray, page: np.ndarray) -> tuple[float, float]:
    """The mean in points when pages are drawn again."""
    _, place = np.unique(page, return_inverse=True)
    sums, counts = np.bincount(place, gain), np.bincount(place)
    draws = np.random.default_rng(0).integers(len(sums), size=(DRAWS, len(sums)))
    means = 100 * sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def site_numbers(examples: Sequence[Example]) -> dict[str, tuple[bool, Floats]]:
    """Of each page whether others of its site are known, and its site view."""
    mine = {raw.name: raw for raw in corpora.pages("news17")}
    wanted = {example.site for example in examples}
    known = {key for raw in mine.values() for key in identity(raw)}
    keys: defaultdict[str, list[list[int]]] = defaultdict(list)
    for raw in (raw for name in OTHERS for raw in corpora.pages(name)):
        site = registered(host_of(raw.url or "") or raw.name)
        if site in wanted and known.isdisjoint(identity(raw)):
            found = keys_of(raw)
            if found:
                keys[site].append(found)
    return {e.page: (bool(keys[e.site]), site_view(e.measured.look, SiteBlocks.of(keys[e.site]))) for e in examples}


def identity(raw: RawPage) -> Iterable[str]:
    """By what the same page is known again in another corpus."""
    return (canonical(raw.url or "") or raw.name, content_hash(raw.html))


def keys_of(raw: RawPage) -> list[int]:
    """The keys of a page's blocks; none of a page that cannot be read."""
    try:
        page = read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)
    except SkipRecord:
        return []
    laid = ProcessedPage.parsed(page).optional_layout
    if laid is None or not len(page.leaves):
        return []
    return block_keys(PageFeatures(laid.page, fine.divide(page), laid.styles, laid.layout, laid.areas))


if __name__ == "__main__":
    raise SystemExit(0 if main() else 4)
