"""`parcels train tagger`: train NLTK's PerceptronTagger on tagged sentences and store its weights as plain arrays."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parcels.common.optional import missing_extra
from parcels.models.card import Source, Trained, base_name, examples_hash
from parcels.text.tagging.tagger import KIND, VERSION, Tagger, from_nltk
from parcels.text.tagging.treebanks import Sentence, accuracy, read_sentences
from parcels.text.tagging.weights import Weights, write_model

ROUNDS = 5
SEED = 4
TRAINING = ("ewt-train", "gum-ccby-train")
MEASURING = ("ewt-dev", "ewt-test")
TOKEN, TAG = 0, 2

CARD = """# tagger: Penn Treebank part-of-speech tags for English

An averaged perceptron (NLTK's PerceptronTagger, {rounds} rounds, seed {seed}), stored as plain arrays of whole
thousandths; `parcels.text.tagging.tagger` gives the same tags as NLTK with these weights, tag for tag.

{made}- Read: {files} ({tokens:,} tokens). The sentences are not part of this model; its vocabulary and weights derive
  from them, and so does its licence.
- Accuracy: {scores}.
- Known limits: text in capitals is mostly tagged as proper nouns.
"""


def train(
    sentences: Sequence[Sentence], *, rounds: int = ROUNDS, seed: int = SEED
) -> tuple[Any, Weights, dict[str, str]]:
    """Return NLTK's trained tagger, and its weights and unambiguous words in this package's form."""
    try:
        from nltk.tag.perceptron import PerceptronTagger  # type: ignore[import-untyped]
    except ImportError as error:
        raise missing_extra("Training a tagger needs NLTK", extra="learn") from error
    theirs = PerceptronTagger(load=False)
    state = random.getstate()
    random.seed(seed)  # NLTK shuffles with the global generator
    try:
        theirs.train([list(zip(*sentence, strict=True)) for sentence in sentences], nr_iter=rounds)
    finally:
        random.setstate(state)
    return theirs, *from_nltk(theirs.model.weights, theirs.tagdict, theirs.classes)


def train_model(data: Sequence[Path], out: Path) -> str:
    """Train on a folder of tagged sentences, write the model folder and return the scores."""
    (folder,) = data
    sentences = [s for name in TRAINING for s in read_sentences(folder / f"{name}.tsv.gz", token=TOKEN, tag=TAG)]
    held_out = {name: read_sentences(folder / f"{name}.tsv.gz", token=TOKEN, tag=TAG) for name in MEASURING}
    _, weights, tagdict = train(sentences)
    tagger = Tagger(weights, tagdict)
    scores = {
        name: round(accuracy(gold, tagger.tag_sentences([tokens for tokens, _ in gold])), 4)
        for name, gold in held_out.items()
    }
    trained = Trained(
        "tagger", [Source(folder, len(sentences), unit="sentences")], out,
        examples_hash(" ".join(map("_".join, zip(*sentence, strict=True))) for sentence in sentences),
        settings={"rounds": ROUNDS, "seed": SEED},
    )  # fmt: skip
    names, tokens = [f"{base_name(folder)}/{name}" for name in TRAINING], sum(len(s[0]) for s in sentences)
    meta = {
        "kind": KIND,
        "version": VERSION,
        "labels": weights.labels,
        **trained.stated(train=names, tokens=tokens),
        "scores": {"accuracy": scores},
        "tagdict": dict(sorted(tagdict.items())),
    }
    summary = ", ".join(f"{name} {score:.4f}" for name, score in scores.items())
    write_model(out, meta, tagger.features.arrays(), CARD.format(
        rounds=ROUNDS, seed=SEED, scores=summary, made=trained.lines(), files=", ".join(names), tokens=tokens
    ))  # fmt: skip
    return f"accuracy: {summary}"
