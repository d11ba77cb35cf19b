"""Training of the name recogniser: an averaged perceptron that decodes greedily from left to right, as in use."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.models.card import Source, Trained, base_name, examples_hash
from parcels.text.names.recogniser import (
    BEFORE,
    CASES,
    KIND,
    LABELS,
    PHRASES,
    SHAPES,
    VERSION,
    NameRecogniser,
    features,
    mark_features,
    token_contexts,
)  # fmt: skip
from parcels.text.names.runs import f1
from parcels.text.tagging.tables import END, START, START2
from parcels.text.tagging.tagger import Tagger, begins
from parcels.text.tagging.tagger import shipped as shipped_tagger
from parcels.text.tagging.treebanks import Sentence, read_sentences
from parcels.text.tagging.weights import Weights, write_model

Feature = tuple[str, str]

ROUNDS = 12
SEED = 4
CAPITALS, SMALL = 0.3, 0.2  # shares of the sentences that are repeated in capitals, in lower case
LEAST = 2  # occurrences; rarer features are left out
TRAINING, MEASURING = "ewt-dev", "ewt-test"

CARD = """# names: persons, places and organisations in English text

An averaged perceptron over words, shapes, part-of-speech tags, lists of names and the previous labels ({rounds} rounds,
seed {seed}), stored as plain arrays of whole thousandths. The lists (first and last names, places, organisations,
titles) are data of `parcels.text`, written for this project.

{made}- Read: {part} ({tokens:,} tokens), half of its sentences once more in capitals or in small letters. The
  sentences are not part of this model; its weights derive from them, and so does its licence.
- F1 of exact names on {measured}: {scores}.
- Known limits: where there is little text to learn from, organisations without an indicative word are often missed.
"""


def with_other_case(sentences: Sequence[Sentence], *, seed: int) -> list[Sentence]:
    """Return the sentences, and copies of some of them in capitals (headlines) and in lower case (e-mails)."""
    choose = random.Random(seed)
    result = list(sentences)
    for tokens, labels in sentences:
        chance = choose.random()
        if chance < CAPITALS:
            result.append(([token.upper() for token in tokens], labels))
        elif chance < CAPITALS + SMALL:
            result.append(([token.lower() for token in tokens], labels))
    return result


def static_features(sentences: Sequence[Sentence], tagger: Tagger) -> list[list[list[Feature]]]:
    """Return for each token of each sentence the features that do not depend on previous labels."""
    tokens = [tokens for tokens, _ in sentences]
    flat = list(chain.from_iterable(tokens))
    is_first = begins(tokens)
    tags = list(chain.from_iterable(tagger.tag_sentences(tokens)))
    contexts = token_contexts(flat, is_first, np.zeros(len(flat), np.intp))
    known = {word: features(word) for word in set(flat)}
    result, at = [], 0
    for words in tokens:
        around = [mark_features(START), mark_features(START2), *[known[word] for word in words]]
        around += [mark_features(END), mark_features(END + 1)]
        sentence = []
        for here in range(len(words)):
            place = here + 2
            own: list[Feature] = []
            for role, step in enumerate((0, -1, -2, 1, 2)):
                own += around[place + step][role]
            word_shape = SHAPES[contexts.shape[at]]
            own.append(("case+shape", f"{CASES[contexts.case[at]]} {word_shape}"))
            own.append(("phrase", PHRASES[contexts.phrase[at]]))
            own.append(("tag", tags[at]))
            own.append(("tag+shape", f"{tags[at]} {word_shape}"))
            own.append(("-1 tag", tags[at - 1] if here else "^"))
            own.append(("+1 tag", tags[at + 1] if here + 1 < len(words) else "^"))
            own.append(("word_shape", word_shape))  # not a feature: the shape for features of previous labels
            sentence.append(own)
            at += 1
        result.append(sentence)
    return result


class _Learner:
    """Weights by feature number, and their running sums for the average."""

    def __init__(self, count: int):
        self.now: NDArray[np.float64] = np.zeros((count, len(LABELS)))
        self.sums = np.zeros_like(self.now)
        self.steps = 0

    def learn(self, rows: NDArray[np.intp], true: int) -> int:
        self.steps += 1
        guess = int(self.now[rows].sum(0).argmax())
        if guess != true:
            self.now[rows, true] += 1
            self.now[rows, guess] -= 1
            self.sums[rows, true] += self.steps
            self.sums[rows, guess] -= self.steps
        return guess

    def average(self) -> NDArray[np.float64]:
        return np.round(self.now - self.sums / max(self.steps, 1), 3)


def train(sentences: Sequence[Sentence], tagger: Tagger, *, rounds: int = ROUNDS, seed: int = SEED) -> Weights:
    """Learn weights from labelled sentences."""
    sentences = with_other_case(sentences, seed=seed)
    by_token = static_features(sentences, tagger)
    counts = Counter(feature for sentence in by_token for token in sentence for feature in token[:-1])
    kept = sorted(feature for feature, count in counts.items() if count >= LEAST)
    number = {feature: at for at, feature in enumerate(kept)}
    for previous in BEFORE:
        number["previous", previous] = len(number)
        for second in BEFORE:
            number["both", f"{previous} {second}"] = len(number)
        for word_shape in SHAPES:
            number["previous+shape", f"{previous} {word_shape}"] = len(number)
    data = []
    for (_, labels), sentence in zip(sentences, by_token, strict=True):
        rows = [[number[feature] for feature in token[:-1] if feature in number] for token in sentence]
        data.append((rows, [token[-1][1] for token in sentence], [LABELS.index(label) for label in labels]))
    learner = _Learner(len(number))
    choose = random.Random(seed)
    for _ in range(rounds):
        choose.shuffle(data)
        for rows, shapes, gold in data:
            previous, second = "^", "^^"
            for own, word_shape, true in zip(rows, shapes, gold, strict=True):
                moving = [
                    number["previous", previous],
                    number["both", f"{previous} {second}"],
                    number["previous+shape", f"{previous} {word_shape}"],
                ]
                guess = learner.learn(np.array(own + moving, np.intp), true)
                previous, second = LABELS[guess], previous
    average = learner.average()
    rows_by_feature = {feature: dict(zip(LABELS, average[at].tolist(), strict=True)) for feature, at in number.items()}
    return Weights.from_dicts(rows_by_feature, LABELS)


def read_names(folder: Path, part: str) -> list[Sentence]:
    """Read the sentences of a part of the names corpus."""
    return read_sentences(folder / f"{part}.iob2.gz", token=1, tag=2)


def train_model(data: Sequence[Path], out: Path) -> str:
    """Train on a folder of labelled names with the shipped tagger, write the model folder and return the scores."""
    (folder,) = data
    tagger = shipped_tagger()
    training, measuring = read_names(folder, TRAINING), read_names(folder, MEASURING)
    weights = train(training, tagger)
    predicted = NameRecogniser(weights, tagger.labels).label_sentences([tokens for tokens, _ in measuring], tagger)
    scores = {kind: round(score, 4) for kind, score in f1([labels for _, labels in measuring], predicted).items()}
    trained = Trained(
        "names", [Source(folder, len(training), unit="sentences")], out,
        examples_hash(" ".join(map("_".join, zip(*sentence, strict=True))) for sentence in training),
        settings={"rounds": ROUNDS, "seed": SEED, "capitals": CAPITALS, "small": SMALL, "least": LEAST},
    )  # fmt: skip
    part, count = f"{base_name(folder)}/{TRAINING}", sum(len(tokens) for tokens, _ in training)
    meta = {
        "kind": KIND,
        "version": VERSION,
        "labels": LABELS,
        "tags": sorted(tagger.labels),
        **trained.stated(train=[part], tokens=count),
        "scores": {"f1": {MEASURING: scores}},
    }
    summary = ", ".join(f"{kind} {score:.3f}" for kind, score in scores.items())
    write_model(out, meta, weights.arrays(), CARD.format(
        rounds=ROUNDS, seed=SEED, scores=summary, made=trained.lines(), part=part, tokens=count, measured=MEASURING
    ))  # fmt: skip
    return f"F1 on {MEASURING}: {summary}"
