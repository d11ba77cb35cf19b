"""Segmenters on Kreuzer's marked pages, by four folds of sites: ARI, NMI, informative segments, and speed.

Every page is scored by weights that were learned, and baselines that were tuned, on other sites. Beside the paper's
figures stand ours; the oracle is the best that any labelling of the graph can reach. Folds are kept under build/.
"""

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from benchmarks.corpora import fingerprint, folder, pages
from benchmarks.segments_folds import GROUPS, kept_fold
from parcels.layout.render import lay_out
from parcels.page import read_page
from parcels.segment.evaluation import FOLDS, ORACLE, Scores, differences, interval
from parcels.segment.examples import Marked, read_marked
from parcels.segment.features import boundary_features
from parcels.segment.graph import WpsGraph, build_graph
from parcels.segment.inference import by_chains, by_cut, by_programme
from parcels.segment.labelling import Labels
from parcels.segment.report import mean_of, worst_pages
from parcels.segment.segmenters import BASELINES, DEFAULT, SEGMENTERS
from parcels.segment.structural_svm import MARGIN, SLACK
from parcels.segment.training import learn_weights

# Bing et al. 2014, Tables 2 and 4 (all types but index pages): ARI, NMI, informative segments.
PAPER = {
    "wps-margin": (0.749, 0.841, 0.84), "wps-slack": (0.732, 0.824, 0.88), "bf": (0.605, 0.761, 0.68),
    "ccluster": (0.489, 0.662, None), "gcuts": (0.630, 0.770, 0.70),
}  # fmt: skip
FIELDS = ("ari", "nmi", "is_informative_right", "is_sole_right")
INFORMATIVE = FIELDS[2:]  # of all pages with one informative block of the level; of those that have no other anywhere
AHEAD = 0.05  # ARI over the best baseline
PAGE_MS, INFERENCE_MS, TRAINING_S = 60.0, 5.0, 300.0
BOUNDARIES = 500
TIMED = 40


def main() -> bool:
    print(f"-- segments ({fingerprint('segments')})")
    is_ahead = True
    for level in (1, 2):
        scores = four_folds(level)
        print_table(scores, level)
        for own in (DEFAULT, "wps-linear"):
            print_differences(scores, own, "ari")
            print_differences(scores, own, "nmi")
        for field in INFORMATIVE:
            print_differences(scores, "wps-slack", field)
        print(f"worst of {DEFAULT}: " + ", ".join(f"{page.page} {page.ari:.2f}" for page in worst_pages(scores)))
        is_ahead &= all(_is_ahead(scores, name) for name in BASELINES)
    return is_ahead & speed() & training()


@cache
def _marked() -> list[Marked]:
    return read_marked(folder() / "segments")[0]


def four_folds(level: int) -> Scores:
    """All pages of a level, fold after fold."""
    found: Scores = {name: [] for name in (*SEGMENTERS, ORACLE)}
    for group in GROUPS:
        now = group.state()
        for number in range(FOLDS):
            started = time.process_time()
            scores, is_kept = kept_fold(_marked, number, level=level, group=group, state=now)
            for name in (*group.segmenters, *([ORACLE] if group is GROUPS[0] else [])):
                found[name] += scores[name]
            told = ", ".join(f"{name} {mean_of(own, 'ari'):.3f}" for name, own in scores.items())
            spent = "kept" if is_kept else f"{time.process_time() - started:.0f} s of CPU"
            print(f"level {level}, fold {number + 1} ({spent}), ARI: {told}", flush=True)
    return found


def print_table(scores: Scores, level: int) -> None:
    """Ours with 95 % intervals over pages, and the paper's on its own pages."""
    told, sole = (sum(getattr(page, field) is not None for page in scores["wps-margin"]) for field in INFORMATIVE)
    print(
        f"-- level {level}: {len(scores['wps-margin'])} pages, {told} with one informative block of this level, "
        f"{sole} of which have no other at either level"
    )
    print(f"{'':11} {'ARI':>22} {'NMI':>22} {'informative':>22} {'the only one':>22}   the paper's")
    for name, own in scores.items():
        cells = []
        for field in FIELDS:
            values = [float(value) for page in own if (value := getattr(page, field)) is not None]
            low, high = interval(values)
            cells.append(f"{np.mean(values):.3f} ({low:.3f} to {high:.3f})")
        paper = " ".join("-" if value is None else f"{value:.3f}" for value in PAPER.get(name, ()))
        print(f"{name:11} {' '.join(f'{cell:>22}' for cell in cells)}   {paper}")


def print_differences(scores: Scores, own: str, field: str) -> None:
    """One segmenter less every other, page by page."""
    print(f"{own} less another, {field}, 95 % of pages drawn again:")
    for name in scores:
        if name != own:
            values = differences(scores, own, name, field)
            low, high = interval(values)
            print(f"  {name:11} {np.mean(values):+.3f} ({low:+.3f} to {high:+.3f})")


def _is_ahead(scores: Scores, name: str) -> bool:
    by_ari = float(np.mean(differences(scores, DEFAULT, name, "ari")))
    by_informative = [float(np.mean(differences(scores, "wps-slack", name, field))) for field in INFORMATIVE]
    return by_ari >= AHEAD and min(by_informative) > 0


def speed() -> bool:
    """Processor time of a page beyond layout, and of the three ways of inference at 500 boundaries."""
    graphs, spent = [], []
    for raw in list(pages("segments"))[:TIMED]:
        laid = lay_out(read_page(raw.html, raw.url, name=raw.name), css=raw.css, folder=raw.folder)
        start = time.process_time()
        featured = boundary_features(build_graph(laid))
        by_chains(featured.graph, featured.rows @ np.ones(featured.rows.shape[1]) / 100 - 0.5)
        spent.append(1000 * (time.process_time() - start))
        graphs.append(featured.graph)
    mean = float(np.mean(spent))
    print(
        f"segmenting a page beyond layout: {mean:.1f} ms of CPU (at most {PAGE_MS:.0f}), the slowest {max(spent):.1f}"
    )
    ways: tuple[Callable[..., Labels], ...] = (by_chains, by_cut, by_programme)
    took = {function.__qualname__: _inference_ms(graphs, function) for function in ways}
    for name, milliseconds in took.items():
        print(
            f"inference at {BOUNDARIES} boundaries, {name}: {milliseconds:.2f} ms of CPU (at most {INFERENCE_MS:.0f})"
        )
    return mean <= PAGE_MS and took["by_chains"] <= INFERENCE_MS


def _inference_ms(graphs: list[WpsGraph], function: Callable[..., Labels]) -> float:
    """Mean ms of CPU, scaled from the largest graphs to 500 boundaries."""
    largest = sorted(graphs, key=len)[-5:]
    rng, total, count = np.random.default_rng(0), 0.0, 0
    function(largest[0], np.ones(len(largest[0])))  # what is imported with the first call is not counted
    for graph in largest:
        gains = rng.normal(size=len(graph)) - 0.2
        start = time.process_time()
        function(graph, gains)
        total += 1000 * (time.process_time() - start)
        count += len(graph)
    return total / count * BOUNDARIES


def training() -> bool:
    """Processor time of learning from all pages, both losses, level 2 (all 84 pages are scored there)."""
    marked, is_quick = _marked(), True
    for rescaling in (MARGIN, SLACK):
        start = time.process_time()
        learn_weights(marked, level=2, rescaling=rescaling)
        spent = time.process_time() - start
        is_quick &= spent <= TRAINING_S
        print(f"training on {len(marked)} pages, {rescaling}: {spent:.0f} s of CPU (at most {TRAINING_S:.0f})")
    return is_quick
