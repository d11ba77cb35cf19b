"""`python -m benchmarks.experiments.blocks_additions`: are the blocks that co-training adds right?

The pool is made of labelled pages whose labels co-training does not see, so that every block that a view adds can be
checked. Sites of the held-out fold are in neither part. Settings are the paper's; PARCELS_ADDITIONS_FOLDS (2) of five.
"""

import os
from collections import defaultdict

import numpy as np

from benchmarks import corpora
from benchmarks.experiments.blocks_data import labelled_blocks
from benchmarks.experiments.blocks_experiment import Prepared, Variant, maker
from benchmarks.experiments.blocks_folds import Size, drawn, fold_of
from parcels.learn.cotrain import CoTraining
from parcels.learn.folds import fold_of_group

FOLDS, SEED = 5, 0
SIZE = Size()


def main() -> None:
    pages = labelled_blocks(corpora.folder() / "news17", tell=lambda line: None)
    fold = fold_of_group(np.array([page.domain for page in pages]), folds=FOLDS, seed=SEED)
    right: dict[str, list[bool]] = defaultdict(list)
    for number in range(int(os.environ.get("PARCELS_ADDITIONS_FOLDS", "2"))):
        random = np.random.default_rng([SEED, number])
        seen = [page for page, own in zip(pages, fold, strict=True) if own != number]
        labelled = drawn(seen, SIZE.labelled_pages, SIZE.labelled_blocks, random)
        names = {page.page for page in labelled}
        rest = [page for page in seen if page.page not in names]
        pool = drawn(rest, SIZE.pool_pages, SIZE.pool_blocks, random)
        truth = {block: label for page in pool for block, label in zip(page.ids, page.labels, strict=True)}
        held_out = [page for page, own in zip(pages, fold, strict=True) if own == number]
        prepared = Prepared.of(fold_of(labelled, pool, held_out))
        variant = Variant()
        makers = {name: maker(learner, variant) for name, learner in prepared.learners.items()}
        training = CoTraining(makers, variant.k, variant.u, variant.rounds, SEED, variant.draw)
        training.fit(prepared.fold.labelled, prepared.fold.pool, held_out=prepared.fold.held_out)
        for done in training.rounds_:
            for one in done.examples:
                right[f"view {one.view}"].append(one.label == truth[one.block_id])
                right[one.label].append(one.label == truth[one.block_id])
        first, last = training.rounds_[0].errors or {}, training.final_errors_ or {}
        print(f"fold {number}: combined error {first['combined']:.4f} before, {last['combined']:.4f} after", flush=True)
    print("| added by or as | blocks | right |\n|---|---|---|")
    for name, found in sorted(right.items(), key=lambda item: (not item[0].startswith("view"), -len(item[1]))):
        print(f"| {name} | {len(found)} | {np.mean(found):.2f} |")


if __name__ == "__main__":
    main()
