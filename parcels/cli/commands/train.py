"""`parcels train KIND`: train a model and write its folder."""

import argparse
import importlib
from pathlib import Path
from typing import NamedTuple

from parcels.common.optional import require_packages
from parcels.errors import ConfigError

HELP = "Train a model. The result is a folder of plain data: model.json, arrays and card.md."
EXAMPLE = """
parcels train blocks --data STORE --out models/mine                        # labels in a store
parcels train blocks --data labels.jsonl --pages STORE --out models/mine   # an export of labels
parcels train blocks --data news17 --pool news-unlabelled/pages.parquet --out models/mine --folds 5
parcels train tagger --data pos-english --out models/tagger
"""


class Trainer(NamedTuple):
    """The trainer of a kind of model: a module with `train_model(data, out)` that returns a report."""

    module: str
    help: str
    needs: tuple[str, ...] = ()  # modules of the extra `learn`


BOTH = ("sklearn", "lightgbm")
KINDS = {
    "blocks": Trainer(
        "parcels.labels.train_command",
        "labels of blocks; --data: stores with annotations, exports of them (with --pages), or folders of "
        "pages.parquet and gold/",
        BOTH,
    ),
    "content": Trainer("parcels.articles.train", "main content; --data: folders of pages.parquet with text", BOTH),
    "content-svm": Trainer(
        "parcels.articles.svm.train",
        "main content by Yao and Zuo's support vector machine; --data: as for content",
        ("sklearn",),
    ),
    "layout-mixture": Trainer(
        "parcels.topics.train",
        "topics; --data: folders of pages.parquet with topics, stores, or folders with one folder of pages per topic",
    ),
    "segmenter": Trainer(
        "parcels.segments.train",
        "segments of pages; --data: folders of pages.parquet with marked blocks_html",
        BOTH,
    ),
    "pagetypes": Trainer(
        "parcels.pagetypes.train",
        "types of pages; --data: folders of pages.parquet with page_type",
        ("sklearn",),
    ),
    "index-pages": Trainer(
        "parcels.index_pages.train",
        "article, index page or other; --data: folders of pages.parquet with answer or page_type",
        ("lightgbm",),
    ),
    "tagger": Trainer("parcels.text.tagging.train", "part-of-speech tags; --data: the folder pos-english", ("nltk",)),
    "names": Trainer("parcels.text.names.train", "persons, places, organisations; --data: the folder ner-english"),
    "idf": Trainer("parcels.text.idf_train", "document frequencies of stems; --data: pages"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    kinds = "; ".join(f"{name}: {trainer.help}" for name, trainer in KINDS.items())
    parser.add_argument("kind", choices=list(KINDS), metavar="KIND", help=kinds)
    parser.add_argument("--data", nargs="+", required=True, metavar="PATH", help="training data")
    parser.add_argument("--pool", nargs="+", default=[], metavar="PAGE", help="blocks: unlabelled pages or stores")
    parser.add_argument(
        "--pages", nargs="+", default=[], metavar="PAGE", help="blocks: stores or pages of an export's labels"
    )
    parser.add_argument(
        "--folds", type=int, default=0, metavar="N", help="blocks: cross-validate first and add the scores to the card"
    )
    parser.add_argument("--out", required=True, metavar="MODELDIR", help="folder of the model")


def run(args: argparse.Namespace) -> int:
    """Train, write the model and print its scores."""
    out = Path(args.out)
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out {out} is a file. Name a folder.")
    trainer = KINDS[args.kind]
    options = {name: value for name in ("folds", "pool", "pages") if (value := getattr(args, name))}
    if options and args.kind != "blocks":
        raise ConfigError(f"--{next(iter(options))} works only with `parcels train blocks`, not with {args.kind}.")
    require_packages(*trainer.needs, extra="learn", purpose=f"`parcels train {args.kind}`")
    data = args.data if args.kind == "blocks" else [Path(path) for path in args.data]  # a store may be a URI
    scores = importlib.import_module(trainer.module).train_model(data, out, **options)
    print(f"{args.kind}: {scores}")
    print(f"written to {out}")
    return 0
