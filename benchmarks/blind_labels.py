"""`python -m benchmarks.blind_labels FOLDER`: whether labels that began as a model's guesses are what a reader says.

The pages of `more_labels` were guessed by a model and then corrected. Are the guesses that nobody changed right, or do
they only repeat the model? Leaves were drawn from 70 of the pages, none of them corrected: up to five a page on which a
model without the first fold's sites says something else, and two on which it says the same. A reader who had the rubric
and the text around each leaf, and neither guess, label nor gold, labelled them (`blind_labels.jsonl`). This trains that
model again and counts with whom the reader agrees. FOLDER is what `python -m benchmarks.more_labels FOLDER` wrote.
"""

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from benchmarks import corpora
from parcels.classify.evaluation import folds_of
from parcels.classify.examples import read_examples
from parcels.classify.labelled import leaf_labels
from parcels.classify.recipe import shipped
from parcels.classify.training import train

READ = Path(__file__).with_suffix(".jsonl")
FOLDS = 5


def main(folder: Path) -> None:
    rows = map(json.loads, READ.read_text("utf-8").splitlines())
    reader = {row["page"]: dict(row["labels"]) for row in rows}
    examples = list(read_examples(corpora.folder() / "news17", with_aged=True))
    seen, _ = next(iter(folds_of(examples, folds=FOLDS)))
    model = train(seen, replace(shipped(), nets=1), pool=[])
    contested: Counter[str] = Counter()
    agreed: Counter[bool] = Counter()
    for example in read_examples(folder, is_scored=False):
        if example.page not in reader:
            continue
        guessed = leaf_labels(model.predict(example.measured), example.measured)
        for leaf, label in reader[example.page].items():
            kept = example.gold.leaves[leaf].label
            if kept == guessed[leaf]:
                agreed[label == kept] += 1
            else:
                contested["kept" if label == kept else "model" if label == guessed[leaf] else "neither"] += 1
    print(f"where both say the same: the reader agrees on {agreed[True]} of {agreed.total()}")
    print(f"where they differ: {dict(contested)} of {contested.total()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
