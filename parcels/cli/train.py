"""`parcels train KIND`: make a model folder from data."""

import argparse
import importlib
from pathlib import Path
from typing import NamedTuple

from parcels.errors import ConfigError

HELP = "Train a model: a folder with model.json, arrays and card.md, plain data that is never executed."
EXAMPLE = """
parcels train tagger --data pos-english --out models/tagger
parcels train idf --data news-unlabelled/pages.parquet --out models/idf
"""


class Trainer(NamedTuple):
    """Where a kind of model is trained: a module with `train_model(data, out)` that returns what to tell."""

    module: str
    help: str


KINDS = {
    "tagger": Trainer("parcels.nlp.tagger_train", "part-of-speech tags; --data: the folder pos-english"),
    "names": Trainer("parcels.nlp.names_train", "persons, places, organisations; --data: the folder ner-english"),
    "idf": Trainer("parcels.nlp.idf_train", "document frequencies of stems; --data: pages"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    kinds = "; ".join(f"{name}: {trainer.help}" for name, trainer in KINDS.items())
    parser.add_argument("kind", choices=list(KINDS), metavar="KIND", help=kinds)
    parser.add_argument("--data", nargs="+", required=True, metavar="PATH", help="what to learn from")
    parser.add_argument("--out", required=True, metavar="MODELDIR", help="the folder to write")


def run(args: argparse.Namespace) -> int:
    """Train and tell the scores."""
    out = Path(args.out)
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out {out}: there is a file of that name; name a folder")
    trainer = KINDS[args.kind]
    told = importlib.import_module(trainer.module).train_model([Path(path) for path in args.data], out)
    print(f"{args.kind}: {told}")
    print(f"written to {out}")
    return 0
