"""Segmenters on Kreuzer's marked pages, by nine draws of four folds of sites: ARI, NMI, informative segments; speed.

Every page is scored by weights that were learned, and baselines that were tuned, on other sites. Beside the paper's
figures stand ours; the oracle is the best that any labelling of the graph can reach. Folds are kept under build/.

One draw of the folds over 15 pages cannot tell 8 informative segments from 9, so the folds are drawn again from other
seeds. What is asked: over all draws, each page's score averaged over them, wps-slack finds more informative segments
than every baseline, by both counts and at both levels (a mean difference above 0), and the default's ARI is 0.05 or
more above every baseline's. Intervals are of pages drawn again. Nothing was ever chosen by seeds 101 to 105, but wps-
slack is judged on them a second time: without the prize for the informative segment it was a page of 90 behind gcuts on
the narrow count of level 1 over these and the kept draw (docs/results.md); with the prize it was run on the kept draw
once, no better, and taken out by that alone. So three fresh draws, seeds 201 to 203, that nobody has looked at, are
added and printed with a verdict of their own; so are the kept draw, the first six, and wps-slack without its prize
(slack-bare). The verdict that ends the benchmark is over all nine draws. All of this was written down, and the prize
fixed as it had been chosen on seeds 1 to 4, before any score with the prize but the kept draw's was read; whatever the
nine give is told.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache, partial

import numpy as np

from benchmarks.corpora import fingerprint, folder, pages
from benchmarks.quality.segments_draws import (
    FIELDS,
    FRESH_SEEDS,
    INFORMATIVE,
    KEPT_SEED,
    NEW_SEEDS,
    SEEDS,
    Means,
    lead,
    page_means,
    shortfalls,
    told,
)
from benchmarks.quality.segments_folds import GROUPS, kept_fold
from parcels.html.page import read_page
from parcels.layout.render import lay_out
from parcels.segments.content import content_rows
from parcels.segments.evaluate import FOLDS, ORACLE, UNPRIZED, Scores
from parcels.segments.examples import MarkedPage, read_marked
from parcels.segments.features import boundary_features
from parcels.segments.graph.inference import by_chains, by_cut, by_programme
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.prizes import by_prizes, costs_of_whole
from parcels.segments.graph.structural_svm import MARGIN, SLACK
from parcels.segments.graph.wps_graph import WpsGraph, build_graph
from parcels.segments.informative import prizes_for
from parcels.segments.model import segmenter_at
from parcels.segments.report import mean_of, worst_pages
from parcels.segments.segmenters import DEFAULT, SEGMENTERS
from parcels.segments.train import Floats, learn_informative_weights, learn_weights

# Bing et al. 2014, Tables 2 and 4 (all types but index pages): ARI, NMI, informative segments.
PAPER = {
    "wps-margin": (0.749, 0.841, 0.84), "wps-slack": (0.732, 0.824, 0.88), "bf": (0.605, 0.761, 0.68),
    "ccluster": (0.489, 0.662, None), "gcuts": (0.630, 0.770, 0.70),
}  # fmt: skip
PAGE_MS, INFERENCE_MS, TRAINING_S = 60.0, 5.0, 300.0
BOUNDARIES = 500
TIMED = 40


def main() -> bool:
    print(f"-- segments ({fingerprint('segments')})")
    draws = {seed: {level: four_folds(level, seed) for level in (1, 2)} for seed in SEEDS}
    means = {}
    for level in (1, 2):
        of_level = {seed: by_level[level] for seed, by_level in draws.items()}
        means[level] = page_means(list(of_level.values()))
        print_draws(of_level, level)
        print_table(page_means([of_level[KEPT_SEED]]), f"level {level}, the kept draw")
        print_table(means[level], f"level {level}, mean of {len(draws)} draws")
        for own in (DEFAULT, "wps-linear"):
            print_differences(means[level], own, "ari")
            print_differences(means[level], own, "nmi")
        for field in INFORMATIVE:
            print_differences(means[level], "wps-slack", field)
        worst = worst_pages(of_level[KEPT_SEED])
        print(f"worst of {DEFAULT}, kept draw: " + ", ".join(f"{page.page} {page.ari:.2f}" for page in worst))
    for which, seeds in {
        "the kept draw alone": (KEPT_SEED,),
        "the kept draw and seeds 101 to 105": (KEPT_SEED, *NEW_SEEDS),
        "the fresh draws alone": FRESH_SEEDS,
    }.items():
        print_verdict({level: page_means([draws[seed][level] for seed in seeds]) for level in (1, 2)}, which)
    return print_verdict(means, "all draws, which is what is asked") & speed() & training()


@cache
def _marked() -> list[MarkedPage]:
    return read_marked(folder() / "segments")[0]


def four_folds(level: int, seed: int) -> Scores:
    """All pages of a level, fold after fold of one draw."""
    found: Scores = {name: [] for name in (*SEGMENTERS, UNPRIZED, ORACLE)}
    for group in GROUPS:
        now = group.state()
        for number in range(FOLDS):
            started = time.process_time()
            scores, is_kept = kept_fold(_marked, number, seed=seed, level=level, group=group, state=now)
            for name in (*group.segmenters, *([ORACLE] if group is GROUPS[0] else [])):
                found[name] += scores[name]
            by_name = ", ".join(f"{name} {mean_of(own, 'ari'):.3f}" for name, own in scores.items())
            spent = "kept" if is_kept else f"{time.process_time() - started:.0f} s of CPU"
            print(f"draw {seed}, level {level}, fold {number + 1} ({spent}), ARI: {by_name}", flush=True)
    return found


def print_draws(draws: Mapping[int, Scores], level: int) -> None:
    """A line a segmenter, a column a draw: means of ARI and NMI, numbers of informative segments."""
    for field in FIELDS:
        pages = sum(getattr(page, field) is not None for page in draws[KEPT_SEED][DEFAULT])
        times = pages if field in INFORMATIVE else 1
        print(f"-- level {level}, {field} by draw" + (f", of {pages} pages" if field in INFORMATIVE else ""))
        print(f"{'':11} " + " ".join(f"{seed:>6}" for seed in draws) + "   mean")
        for name in draws[KEPT_SEED]:
            values = [times * mean_of(scores[name], field) for scores in draws.values()]
            shown = ".0f" if field in INFORMATIVE else ".3f"
            last = ".2f" if field in INFORMATIVE else ".3f"
            print(f"{name:11} " + " ".join(f"{value:6{shown}}" for value in values) + f" {np.mean(values):6{last}}")


def print_table(means: Means, title: str) -> None:
    """Ours with 95 % intervals over pages, and the paper's on its own pages."""
    pages, _, informative, sole = (len(means[DEFAULT][field]) for field in FIELDS)
    print(
        f"-- {title}: {pages} pages, {informative} with one informative block of this level, "
        f"{sole} of which have no other at either level"
    )
    print(f"{'':11} {'ARI':>22} {'NMI':>22} {'informative':>22} {'the only one':>22}   the paper's")
    for name, own in means.items():
        cells = [told(list(own[field].values())) for field in FIELDS]
        paper = " ".join("-" if value is None else f"{value:.3f}" for value in PAPER.get(name, ()))
        print(f"{name:11} {' '.join(f'{cell:>22}' for cell in cells)}   {paper}")


def print_differences(means: Means, own: str, field: str) -> None:
    """One segmenter less every other, page by page."""
    print(f"{own} less another, {field}, 95 % of pages drawn again:")
    for name in means:
        if name != own:
            print(f"  {name:11} {told(lead(means, own, name, field), sign='+')}")


def print_verdict(by_level: Mapping[int, Means], which: str) -> bool:
    """Whether ours are ahead of every baseline, and where they are not."""
    missed = shortfalls(by_level)
    print(f"ahead of every baseline, {which}: " + ("; ".join(["no", *missed]) if missed else "yes"))
    return not missed


def speed() -> bool:
    """Processor time of a page beyond layout, and of the three ways of inference at 500 boundaries."""
    graphs, spent, prized = [], [], []
    model = segmenter_at()
    for raw in list(pages("segments"))[:TIMED]:
        laid = lay_out(read_page(raw.html, raw.url, name=raw.name), css=raw.css, folder=raw.folder)
        start = time.process_time()
        featured = boundary_features(build_graph(laid))
        by_chains(featured.graph, featured.rows @ np.ones(featured.rows.shape[1]) / 100 - 0.5)
        spent.append(1000 * (time.process_time() - start))
        start = time.process_time()
        model.cut(
            featured.graph,
            featured.rows,
            segmenter="wps-slack",
            level=1,
            content=partial(content_rows, featured.measured),
        )
        prized.append(spent[-1] + 1000 * (time.process_time() - start))
        graphs.append(featured.graph)
    mean = float(np.mean(spent))
    for name, own in (("segmenting", spent), ("with wps-slack's look at the content,", prized)):
        print(
            f"{name} a page beyond layout: {np.mean(own):.1f} ms of CPU (at most {PAGE_MS:.0f}), the slowest "
            f"{max(own):.1f}"
        )
    ways: tuple[Callable[..., Labels], ...] = (by_chains, with_prizes, by_cut, by_programme)
    took = {function.__qualname__: _inference_ms(graphs, function) for function in ways}
    for name, milliseconds in took.items():
        print(
            f"inference at {BOUNDARIES} boundaries, {name}: {milliseconds:.2f} ms of CPU (at most {INFERENCE_MS:.0f})"
        )
    is_quick = max(took["by_chains"], took["with_prizes"]) <= INFERENCE_MS
    return max(mean, float(np.mean(prized))) <= PAGE_MS and is_quick


def with_prizes(graph: WpsGraph, gains: Floats) -> Labels:
    """The two passes of wps-slack: what it costs to have each segment whole, and the labelling with prizes."""
    return by_prizes(graph, gains, prizes_for(np.exp(-costs_of_whole(graph, gains))))


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
    start = time.process_time()
    learn_informative_weights(marked, level=2)
    spent = time.process_time() - start
    print(f"training on {len(marked)} pages, the informative segment: {spent:.0f} s of CPU (at most {TRAINING_S:.0f})")
    return is_quick and spent <= TRAINING_S
