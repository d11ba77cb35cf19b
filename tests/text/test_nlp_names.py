"""Names, spans, document frequencies, and the command that trains them."""

import gzip
import json
import subprocess
import sys

import pytest

from parcels import example_web
from parcels.cli import main
from parcels.errors import ModelMismatch
from parcels.text.analysis import analyse, shipped
from parcels.text.idf import Idf, open_idf
from parcels.text.names import recogniser as names
from parcels.text.names import runs as name_runs
from parcels.text.names.train import read_names, static_features, train
from parcels.text.spans import find_spans
from parcels.text.tagging import tagger


def found(text: str) -> list[tuple[str, str]]:
    return [(name.kind, name.text) for name in analyse(text).names()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann Lee met Tom Jones in Berlin.", [("PER", "Ann Lee"), ("PER", "Tom Jones"), ("LOC", "Berlin")]),
        ("GOOGLE SUES MICROSOFT IN CALIFORNIA", [("ORG", "GOOGLE"), ("ORG", "MICROSOFT"), ("LOC", "CALIFORNIA")]),
        ("By ROBERT ROY BRITT", [("PER", "ROBERT ROY BRITT")]),
        ("write to ann.lee@mail.example for more", [("PER", "ann.lee@mail.example")]),
        ("Source: The New York Times", [("ORG", "New York Times")]),
        ("i live in san francisco", [("LOC", "san francisco")]),
        ("Sports Business Technology", []),
        ("the harbour was closed for two days", []),
        ("", []),
    ],
)
def test_names_are_found_in_any_case(text, expected):
    assert found(text) == expected


def test_names_of_one_text_do_not_depend_on_the_others():
    texts = ["Ann Lee met Tom Jones.", "WASHINGTON (AP) - Congress met.", "Reuters", "in Paris"]
    together = shipped().analyse(texts)
    for number, text in enumerate(texts):
        assert together.names(number) == analyse(text).names()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("WASHINGTON (AP) - Congress met.", [("country", "WASHINGTON"), ("source", "AP")]),
        ("TIKRIT, Iraq (Reuters) — Troops came.", [("country", "TIKRIT, Iraq"), ("source", "Reuters")]),
        ("By Jane Smith and Tom Jones", [("reporter", "Jane Smith"), ("reporter", "Tom Jones")]),
        ("Posted by Ann Lee on 3 May 2012", [("reporter", "Ann Lee"), ("timestamp", "3 May 2012")]),
        ("The end. - AFP.", [("source", "AFP")]),
        ("A ship - the biggest of all - ran aground.", []),
        ("", []),
    ],
)
def test_spans_tell_places_sources_reporters_and_times(text, expected):
    spans = find_spans(analyse(text))
    assert [(span.label, text[span.start : span.end]) for span in spans] == expected
    assert all(0 < span.confidence < 1 for span in spans)


SENTENCES = [
    (["Ann", "Lee", "lives", "in", "Paris", "."], ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]),
    (["Tom", "Jones", "saw", "Berlin", "."], ["B-PER", "I-PER", "O", "B-LOC", "O"]),
    (["The", "Acme", "Bank", "is", "in", "Rome", "."], ["O", "B-ORG", "I-ORG", "O", "O", "B-LOC", "O"]),
] * 4


def test_training_learns_and_is_the_same_every_time():
    tags = tagger.shipped()
    weights = train(SENTENCES, tags, rounds=6)
    again = train(SENTENCES, tags, rounds=6)
    assert weights.arrays()["values"].tolist() == again.arrays()["values"].tolist()
    labelled = names.NameRecogniser(weights, tags.labels).label_sentences([tokens for tokens, _ in SENTENCES[:3]], tags)
    assert labelled == [labels for _, labels in SENTENCES[:3]]


def test_fast_and_plain_recognition_agree():
    """The tables of the recogniser add up to the weights of the features that were trained."""
    tags = tagger.shipped()
    weights = train(SENTENCES, tags, rounds=3)
    tokens = ["Lee", "of", "ACME", "Bank", "saw", "paris", "-", "12", "x@y.example", "Tom", "."]
    own = static_features([(tokens, ["O"] * len(tokens))], tags)[0]
    plain = []
    previous, second = "^", "^^"
    for features in own:
        moving = [("previous", previous), ("both", f"{previous} {second}")]
        moving.append(("previous+shape", f"{previous} {features[-1][1]}"))
        scores = dict.fromkeys(names.LABELS, 0)
        for template, value in [*features[:-1], *moving]:
            for label, weight in weights.of(template, value).items():
                scores[label] += round(weight * 1000)
        previous, second = max(names.LABELS, key=lambda label: scores[label]), previous
        plain.append(previous)
    assert names.NameRecogniser(weights, tags.labels).label_sentences([tokens], tags) == [plain]


@pytest.mark.corpus
def test_the_score_on_the_card_is_true(corpora):
    tags = tagger.shipped()
    test = read_names(corpora / "ner-english", "ewt-test")
    labelled = names.shipped(tags.labels).label_sentences([tokens for tokens, _ in test], tags)
    scores = name_runs.f1([labels for _, labels in test], labelled)
    assert scores["all"] > 0.63
    assert scores["PER"] > 0.7


def test_names_of_another_tagger_are_refused(tmp_path):
    write_names(tmp_path / "ner")
    assert main(["train", "names", "--data", str(tmp_path / "ner"), "--out", str(tmp_path / "model")]) == 0
    names.open_names(tmp_path / "model", tagger.shipped().labels)
    with pytest.raises(ModelMismatch, match="tagger"):
        names.open_names(tmp_path / "model", ("NN", "VB"))


def write_names(folder) -> None:
    folder.mkdir()
    for part in ("ewt-dev", "ewt-test"):
        lines = ["# text = a comment"]
        for tokens, labels in SENTENCES:
            pairs = zip(tokens, labels, strict=True)
            lines += [f"{n}\t{token}\t{label}\t-\t-" for n, (token, label) in enumerate(pairs, 1)]
            lines.append("")
        with gzip.open(folder / f"{part}.iob2.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines))


def test_document_frequencies_are_counted_by_page(tmp_path, capsys):
    pages = tmp_path / "pages"
    pages.mkdir()
    for number, url in enumerate(example_web.article_urls("lumen.example")[:6]):
        (pages / f"{number}.html").write_bytes(example_web.fetch(url).body)
    assert main(["train", "idf", "--data", str(pages), "--out", str(tmp_path / "idf")]) == 0
    assert "6 pages" in capsys.readouterr().out
    table = open_idf(tmp_path / "idf")
    assert table.pages == 6
    assert set(table.frequency.values()) <= {3, 4, 5, 6}
    assert table.idf("the") < table.idf("neverseenword")


def test_the_table_reads_back_as_it_was_written(tmp_path):
    meta = {"kind": "idf", "version": 1, "pages": 9}
    from parcels.text.tagging.weights import write_model

    write_model(tmp_path, meta, Idf(9, {"fire": 3, "pier": 5}).arrays(), "")
    assert open_idf(tmp_path).frequency == {"pier": 5, "fire": 3}
    (tmp_path / "model.json").write_text(json.dumps({"kind": "idf", "version": 1}))
    with pytest.raises(ModelMismatch, match="parcels train idf"):
        open_idf(tmp_path)


def test_training_says_what_is_missing(tmp_path, capsys):
    assert main(["train", "tagger", "--data", str(tmp_path), "--out", str(tmp_path / "model")]) == 3
    assert "ewt-train.tsv.gz" in capsys.readouterr().err
    assert main(["train", "poems", "--data", str(tmp_path), "--out", "x"]) == 2
    (tmp_path / "file").touch()
    assert main(["train", "idf", "--data", str(tmp_path), "--out", str(tmp_path / "file")]) == 2


def test_the_lexical_view_loads_nothing_heavy():
    code = (
        "import sys, parcels.features.words.view, parcels.text.analysis; parcels.text.analysis.analyse('Fire.')\n"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"nltk", "sklearn", "scipy", "pandas", "pyarrow", "duckdb", "pyspark"}
