"""Labels that readers gave to pages of other corpora by the rubric alone, as a folder to learn from.

    python -m benchmarks.read_labels OUT

`read_labels.jsonl` holds labels as `more_labels.jsonl` does, of pages of news-unlabelled and wcxb, one a site and none
of a site of news17. The readers (language models) had the rubric of news17 and the text of each page with the names of
the elements around it: no gold, no guess of a model, no label that somebody had given before. So a fold of news17 may
learn from them without having seen anything of what it is scored on. `OUT` gets `pages.parquet` and `gold/PAGE.json`,
for `train blocks --data` and `evaluate blocks --also`.
"""

import sys
from pathlib import Path

from benchmarks.more_labels import write

LABELS = Path(__file__).with_suffix(".jsonl")

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m benchmarks.read_labels OUT")
    print(f"{write(Path(sys.argv[1]), LABELS)} labelled pages written to {sys.argv[1]}")
