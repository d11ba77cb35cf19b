"""`parcels train segmenter`: from marked pages to a segmenter's folder."""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from parcels.learn.trees import Trees
from parcels.models.card import Source, Trained, examples_hash
from parcels.segments.chances import learn_chances
from parcels.segments.evaluate import FOLDS
from parcels.segments.examples import Marked, read_marked
from parcels.segments.gold import LEVELS
from parcels.segments.graph.second_opinion import learn_trees
from parcels.segments.graph.structural_svm import EPSILON, STRENGTH
from parcels.segments.model import RESCALINGS, Floats, SegmenterModel, Tuned
from parcels.segments.train import learn_weights
from parcels.segments.tuning import tuned_baselines

WORKERS = 2
TREES, CHANCES, BASELINES = "trees", "chances", "baselines"
CARD = """# Segments of pages

Weights of the boundaries between a page's parts: which of them cut. For two losses (margin: all boundaries alike;
slack: those around the informative segment first) and two levels (1: a page's top-level parts, 2: the blocks inside).

{made}- Examples: {pages} marked pages of {sites} sites. Boundaries are labelled by the feasible labelling with the
  best adjusted Rand index to the blocks; of equal ones the one that also keeps apart blocks without words and what
  lies outside all blocks.
- Learner: structural SVM by cutting planes, C {strength:g}, epsilon {epsilon:g} (Bing et al. 2014); slack asks for the
  Hamming distance as margin where the paper asks for 1.
- Beside it, for the default segmenter `wps-margin` and for `wps-slack`, boosted trees over the same features; their
  log-odds add to the gain.
- `wps-slack` gives a prize for leaving the informative segment whole, by how likely each segment is that one: a
  conditional logit over what the shipped content model (`parcels extract`) says of its words, and over what the gains
  lose by it. The gains that it is learned with are of machines that have not seen the page's site.
- The baselines (block fusion, correlation clustering, graph cuts, VIPS) are tuned on the same pages.
- Scores: not measured in this run; `parcels evaluate segments --data {data} --folds {folds}` does.
- Limits: pages are laid out without scripts; pages that scripts draw are seen as they arrive.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Learn weights for both losses and levels, tune the baselines, and write the model."""
    jobs = [(tuple(data), level, what) for what in (*RESCALINGS, TREES, CHANCES, BASELINES) for level in LEVELS]
    weights: dict[tuple[str, int], Floats] = {}
    tuned: dict[int, Tuned] = {}
    trees: dict[int, Trees] = {}
    chances: dict[int, Floats] = {}
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        for (_, level, what), found in zip(jobs, pool.map(_learned, jobs), strict=True):
            if isinstance(found, Tuned):
                tuned[level] = found
            elif isinstance(found, Trees):
                trees[level] = found
            elif what == CHANCES:
                chances[level] = found
            else:
                weights[what, level] = found
            print(f"level {level}: {what} done", file=sys.stderr, flush=True)
    pages, sources = _marked(tuple(data)), []
    for folder in data:
        own = _marked((folder,))
        sources.append(Source(folder, len(own), len({page.site for page in own})))
    digest = examples_hash(
        f"{page.site} {page.name} {[own.tolist() for own in page.labels.values()]}" for page in pages
    )
    trained = Trained("segmenter", sources, out, digest, settings={"C": STRENGTH, "epsilon": EPSILON})
    meta = trained.stated(pages=len(pages))
    SegmenterModel(weights, tuned, trees, chances, meta).save(out)
    card = CARD.format(
        made=trained.lines(), data=" ".join(source.name for source in sources), pages=len(pages),
        sites=len({page.site for page in pages}), strength=STRENGTH, epsilon=EPSILON, folds=FOLDS,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(pages)} marked pages"


@cache
def _marked(data: tuple[Path, ...]) -> list[Marked]:
    """The marked pages, measured once a process."""
    return [page for folder in data for page in read_marked(folder)[0]]


def _learned(job: tuple[tuple[Path, ...], int, str]) -> "Floats | Trees | Tuned":
    data, level, what = job
    pages = _marked(data)
    if what == BASELINES:
        return tuned_baselines(pages, level=level)
    if what == TREES:
        return learn_trees(pages, level=level)
    if what == CHANCES:
        return learn_chances(pages, level=level)
    return learn_weights(pages, level=level, rescaling=what)
