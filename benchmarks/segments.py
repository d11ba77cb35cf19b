"""Segmenters on Kreuzer's marked pages, by six draws of four folds of sites: ARI, NMI, informative segments; speed.

Every page is scored by weights that were learned, and baselines that were tuned, on other sites. Beside the paper's
figures stand ours; the oracle is the best that any labelling of the graph can reach. Folds are kept under build/.

One draw of the folds over 15 pages cannot tell 8 informative segments from 9, so the folds are drawn again from five
seeds by which nothing was ever chosen. What is asked was written down before their scores were looked at: over all six
draws, each page's score averaged over them, wps-slack finds more informative segments than every baseline, by both
counts and at both levels (a mean difference above 0), and the default's ARI is 0.05 or more above every baseline's.
The kept draw, by which the benchmark ended until 2026-11-17, is printed with its own verdict beside it. Intervals are
of pages drawn again. Seed 105 was planned with the others and left out for want of time; it was put back, whatever it
would give, after the other five draws had been read, which are a tie with gcuts on the narrow count of level 1.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from benchmarks.corpora import fingerprint, folder, pages
from benchmarks.segments_draws import (
    FIELDS,
    INFORMATIVE,
    KEPT_SEED,
    NEW_SEEDS,
    Means,
    lead,
    page_means,
    shortfalls,
    told,
)
from benchmarks.segments_folds import GROUPS, kept_fold
from parcels.layout.render import lay_out
from parcels.page import read_page
from parcels.segment.evaluation import FOLDS, ORACLE, Scores
from parcels.segment.examples import Marked, read_marked
from parcels.segment.features import boundary_features
from parcels.segment.graph import WpsGraph, build_graph
from parcels.segment.inference import by_chains, by_cut, by_programme
from parcels.segment.labelling import Labels
from parcels.segment.report import mean_of, worst_pages
from parcels.segment.segmenters import DEFAULT, SEGMENTERS
from parcels.segment.structural_svm import MARGIN, SLACK
from parcels.segment.training import learn_weights

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
    draws = {seed: {level: four_folds(level, seed) for level in (1, 2)} for seed in (KEPT_SEED, *NEW_SEEDS)}
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
    new = {level: page_means([draws[seed][level] for seed in NEW_SEEDS]) for level in (1, 2)}
    print_verdict({level: page_means([draws[KEPT_SEED][level]]) for level in (1, 2)}, "the kept draw alone")
    print_verdict(new, "the new draws alone")
    return print_verdict(means, "all draws, which is what is asked") & speed() & training()


@cache
def _marked() -> list[Marked]:
    return read_marked(folder() / "segments")[0]


def four_folds(level: int, seed: int) -> Scores:
    """All pages of a level, fold after fold of one draw."""
    found: Scores = {name: [] for name in (*SEGMENTERS, ORACLE)}
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
