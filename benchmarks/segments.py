"""Segmenters on Kreuzer's marked pages, by four folds of sites: ARI, NMI, informative segments, and speed.

Every page is scored by weights that were learned, and baselines that were tuned, on other sites. Beside the paper's
figures stand ours; the oracle is the best that any labelling of the graph can reach.
"""

import time

import numpy as np

from benchmarks.corpora import fingerprint, folder, pages
from parcels.layout.render import lay_out
from parcels.page import read_page
from parcels.segment.evaluation import ORACLE, cross_validate, differences, interval
from parcels.segment.features import boundary_features
from parcels.segment.graph import WpsGraph, build_graph
from parcels.segment.inference import by_chains, by_cut, by_programme
from parcels.segment.report import as_text
from parcels.segment.segmenters import BASELINES

PAPER = {"wps-margin": (0.749, 0.841), "wps-slack": (0.732, 0.824), "bf": (0.605, 0.761), "ccluster": (0.489, 0.662),
         "gcuts": (0.630, 0.770)}  # fmt: skip
AHEAD = 0.05  # ARI over the best baseline
PAGE_MS, INFERENCE_MS = 60.0, 5.0
BOUNDARIES = 500
TIMED = 40
WORKERS = 2


def main() -> bool:
    print(f"-- segments ({fingerprint('segments')})")
    is_ahead = True
    for level in (1, 2):
        scores = cross_validate(folder() / "segments", level=level, workers=WORKERS, tell=print)
        print(f"-- level {level}, four folds of sites; the paper's ARI and NMI on its own pages: {PAPER}")
        print(as_text(scores))
        for name in BASELINES:
            values = differences(scores, "wps-margin", name, "ari")
            is_ahead &= float(np.mean(values)) >= AHEAD and interval(values)[0] > 0
        print(f"oracle: ARI {np.mean([page.ari for page in scores[ORACLE]]):.3f}")
    return bool(is_ahead) & speed()


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
    print(f"segmenting a page beyond layout: {np.mean(spent):.1f} ms, at most {max(spent):.1f} ms")
    took = {function.__name__: _inference_ms(graphs, function) for function in (by_chains, by_cut, by_programme)}
    for name, milliseconds in took.items():
        print(f"inference at {BOUNDARIES} boundaries, {name}: {milliseconds:.2f} ms")
    return bool(np.mean(spent) <= PAGE_MS) and took["by_chains"] <= INFERENCE_MS


def _inference_ms(graphs: list[WpsGraph], function) -> float:  # type: ignore[no-untyped-def]
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
