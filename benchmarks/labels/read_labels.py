"""Labels that readers gave to pages of other corpora by the rubric alone, as a folder to learn from.

    python -m benchmarks.labels.read_labels OUT [--unseen] [--without wcxb]

`read_labels.jsonl` holds labels as `more_labels.jsonl` does, of pages of news-unlabelled and wcxb, one a site and none
of a site of news17. The readers (language models) had the rubric of news17 and the text of each page with the names of
the elements around it: no gold, no guess of a model, no label that somebody had given before. So a fold of news17 may
learn from them without having seen anything of what it is scored on. `OUT` gets `pages.parquet` and `gold/PAGE.json`,
for `train blocks --data` and `evaluate blocks --also`.
"""

import argparse
from pathlib import Path

from benchmarks.labels.more_labels import LABELS as LEARNED
from benchmarks.labels.more_labels import labelled_runs, write

LABELS = Path(__file__).with_suffix(".jsonl")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels.read_labels", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="folder to write")
    parser.add_argument("--unseen", action="store_true", help="only pages that the shipped model has not learned from")
    parser.add_argument("--without", default="", metavar="CORPUS", help="leave the pages of a corpus out")
    args = parser.parse_args()
    learned = labelled_runs(LEARNED) if args.unseen else {}
    learned |= {args.without: labelled_runs(LABELS).get(args.without, {})}
    print(f"{write(args.out, LABELS, without=learned)} labelled pages written to {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
