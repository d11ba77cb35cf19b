"""The tagger: NLTK's tags, tag for tag; the files of a model."""

import itertools
import json
import random
from pathlib import Path

import numpy as np
import pytest

import parcels
from parcels.errors import ModelMismatch
from parcels.text.tagging.features import TaggerFeatures
from parcels.text.tagging.tagger import Tagger, from_nltk, open_tagger, shipped
from parcels.text.tagging.train import MEASURING, TAG, TOKEN, train
from parcels.text.tagging.treebanks import accuracy, read_sentences
from parcels.text.tagging.weights import Weights, read_model, write_model

SHIPPED = Path(parcels.__file__).parent / "models" / "tagger"

SUBJECTS = ["The reporter", "A dog", "She", "Ann Lee", "The 1984 fire", "My co-founder", "Nobody"]
VERBS = ["sees", "saw", "will see", "has seen", "did n't see", "reports", "burns"]
OBJECTS = ["the fire", "two dogs", "12,000 people", "it", "Paris", "a report", "reports", "burns"]
TAGS = {
    "The": "DT", "A": "DT", "a": "DT", "the": "DT", "My": "PRP$", "She": "PRP", "it": "PRP", "Nobody": "NN",
    "Ann": "NNP", "Lee": "NNP", "Paris": "NNP", "1984": "CD", "two": "CD", "12,000": "CD", "will": "MD",
    "has": "VBZ", "did": "VBD", "n't": "RB", "sees": "VBZ", "saw": "VBD", "seen": "VBN", "see": "VB",
    "dogs": "NNS", "people": "NNS", ".": ".",
}  # fmt: skip


def sentences(count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Made-up sentences in which `reports` and `burns` are verbs or nouns by their place."""
    choose = random.Random(seed)
    found = []
    for _ in range(count):
        parts = [choose.choice(SUBJECTS), choose.choice(VERBS), choose.choice(OBJECTS), "."]
        words, tags = [], []
        for place, part in enumerate(parts):
            for word in part.split():
                words.append(word)
                ambiguous = {"reports": ("VBZ", "NNS"), "burns": ("VBZ", "NNS")}.get(word)
                tags.append(ambiguous[place == 2] if ambiguous else TAGS.get(word, "NN"))
        found.append((words, tags))
    return found


@pytest.fixture(scope="module")
def trained():
    pytest.importorskip("nltk")
    return train(sentences(300, seed=1), rounds=3)


def test_a_small_tagger_gives_the_tags_of_nltk(trained):
    theirs, weights, tagdict = trained
    texts = [words for words, _ in sentences(200, seed=2)]
    choose = random.Random(3)
    vocabulary = [*TAGS, "unseen", "-", "X", "1999", "well-known", "-START-", "’s", "NNP"]
    texts += [choose.choices(vocabulary, k=choose.randrange(1, 30)) for _ in range(300)]
    texts += [[], ["one"], ["a", "b"]]
    ours = Tagger(weights, tagdict).tag_sentences(texts)
    assert ours == [[tag for _, tag in theirs.tag(text)] for text in texts]


def test_ties_are_broken_as_nltk_breaks_them():
    perceptron = pytest.importorskip("nltk.tag.perceptron")
    choose = random.Random(4)
    labels = ["A", "B", "C"]
    weights: dict[str, dict[str, float]] = {}
    # Few different weights, so that many sums tie, and in floats some of them only nearly.
    features = ["bias", "i suffix x", "i suffix y", "i word x", "i word y", "i-1 word x", "i+1 word y", "i pref1 x"]
    features += [f"i-1 tag {label}" for label in labels] + [f"i-2 tag {label}" for label in labels]
    features += [f"i-1 tag+i word {label} {word}" for label in labels for word in "xy"]
    for name in features:
        weights[name] = {label: choose.choice([-0.3, -0.1, 0.1, 0.2, 0.3]) for label in labels}
    theirs = perceptron.PerceptronTagger(load=False)
    theirs.decode_json_params((weights, {}, labels))
    ours = Tagger(*from_nltk(weights, {}, labels))
    for length in range(1, 9):
        for text in itertools.islice(itertools.product("xyz", repeat=length), 250):
            assert ours.tag(text) == [tag for _, tag in theirs.tag(list(text))], text


def test_tags_do_not_depend_on_what_is_tagged_together():
    texts = [words for words, _ in sentences(50, seed=5)]
    assert shipped().tag_sentences(texts) == [shipped().tag(text) for text in texts]


@pytest.mark.corpus
def test_the_shipped_tagger_gives_the_tags_of_nltk_and_its_card_is_true(corpora):
    perceptron = pytest.importorskip("nltk.tag.perceptron")
    gold = read_sentences(corpora / "pos-english" / "ewt-dev.tsv.gz", token=TOKEN, tag=TAG)
    texts = [words for words, _ in gold]
    ours = shipped().tag_sentences(texts)
    theirs = perceptron.PerceptronTagger(load=False)
    theirs.decode_json_params(shipped().to_nltk())
    assert ours == [[tag for _, tag in theirs.tag(text)] for text in texts]
    meta, _ = read_model(SHIPPED, kind="tagger", version=2)
    assert accuracy(gold, ours) == pytest.approx(meta["scores"]["accuracy"][MEASURING[0]], abs=1e-3)


def test_a_model_reads_back_as_it_was_written(trained, tmp_path):
    _, weights, tagdict = trained
    write(tmp_path, weights, tagdict)
    text = ["The", "reporter", "reports", "burns", "."]
    assert open_tagger(tmp_path).tag(text) == Tagger(weights, tagdict).tag(text)


def write(folder, weights: Weights, words: dict[str, str], **changes: object) -> None:
    meta = {"kind": "tagger", "version": 2, "labels": weights.labels, "tagdict": words} | changes
    write_model(folder, meta, TaggerFeatures.of(weights).arrays(), "card")


@pytest.mark.parametrize("size", [0, 10, 200, -1])
def test_a_truncated_model_says_what_to_do(trained, tmp_path, size):
    write(tmp_path, *trained[1:])
    data = (tmp_path / "arrays.npz").read_bytes()
    (tmp_path / "arrays.npz").write_bytes(data[:size])
    with pytest.raises(ModelMismatch, match="parcels train tagger"):
        open_tagger(tmp_path)


@pytest.mark.parametrize(
    "changes", [{"version": 99}, {"kind": "names"}, {"labels": ["NN"]}, {"labels": 5}, {"tagdict": {"a": "??"}}]
)
def test_a_foreign_model_is_refused(trained, tmp_path, changes):
    write(tmp_path, *trained[1:], **changes)
    with pytest.raises(ModelMismatch):
        open_tagger(tmp_path)


def test_a_missing_or_mangled_description_is_refused(tmp_path):
    with pytest.raises(ModelMismatch, match="no tagger model"):
        open_tagger(tmp_path)
    (tmp_path / "model.json").write_text("[1]")
    with pytest.raises(ModelMismatch):
        open_tagger(tmp_path)


def test_nothing_in_a_model_is_executed(trained, tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was opened",))

    write(tmp_path, *trained[1:])
    np.savez(tmp_path / "arrays.npz", features=np.array([Trap()], object))
    with pytest.raises(ModelMismatch, match="damaged"):
        open_tagger(tmp_path)


def test_weights_that_do_not_fit_together_are_refused(trained, tmp_path):
    _, weights, tagdict = trained
    whole = TaggerFeatures.of(weights).arrays()
    for name in whole:
        arrays = dict(whole)
        is_text = arrays[name].dtype == np.uint8
        arrays[name] = arrays[name][: 0 if is_text else len(arrays[name]) // 2]
        write_model(
            tmp_path, {"kind": "tagger", "version": 2, "labels": weights.labels, "tagdict": tagdict}, arrays, ""
        )
        with pytest.raises(ModelMismatch, match="damaged"):
            open_tagger(tmp_path)


@pytest.mark.parametrize("change", [("numbers", -1), ("numbers", 1 << 30), ("columns", 99), ("templates", -1)])
def test_numbers_beyond_the_words_and_labels_are_refused(trained, tmp_path, change):
    _, weights, tagdict = trained
    arrays = TaggerFeatures.of(weights).arrays()
    name, number = change
    arrays[name] = arrays[name].astype(np.int32)
    arrays[name][0] = number
    write_model(tmp_path, {"kind": "tagger", "version": 2, "labels": weights.labels, "tagdict": tagdict}, arrays, "")
    with pytest.raises(ModelMismatch, match="damaged"):
        open_tagger(tmp_path)


def test_the_shipped_models_are_small_and_say_their_licence():
    for kind in ("tagger", "names", "idf"):
        folder = SHIPPED.parent / kind
        assert sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) < 3_000_000
        assert json.loads((folder / "model.json").read_text())["licence"]
        assert "Reproduce" in (folder / "card.md").read_text()


def test_ties_are_decided_by_the_tagger_from_left_to_right(monkeypatch):
    """Without weights every label has the same score at every token."""
    asked = []

    def decided(self, token, previous, second, places, words):
        asked.append((token, previous, second))
        return token % len(self.labels)

    monkeypatch.setattr(Tagger, "_break_tie", decided)
    words = ["Aa", "bb", "cc", "dd"]
    weights = Weights.from_dicts({("i word", "zz"): {"NN": 1.0, "VB": 2.0, "JJ": 0.5}}, ["JJ", "NN", "VB"])
    tags = Tagger(weights, {"cc": "JJ"}).tag_sentences([words, words[:1]])
    assert tags == [["VB", "NN", "JJ", "VB"], ["NN"]]
    assert asked == [(0, 3, 4), (1, 0, 3), (3, 2, 1), (4, 3, 4)]


def test_weights_beyond_two_bytes_are_added_too():
    weights = Weights.from_dicts({("i word", "zz"): {"NN": 100.0}, ("i-1 word", "zz"): {"VB": 99.0}}, ["NN", "VB"])
    assert Tagger(weights, {}).tag(["zz", "yy", "zz", "zz"]) == ["NN", "VB", "NN", "NN"]
