import datetime as dt
import json
import os

import pytest

from parcels.errors import ConfigError, InputMissing
from parcels.importing.annotations import import_annotations
from parcels.importing.html import import_html
from parcels.store import open_store

LEAVES = [
    {"i": 0, "block": 0, "kind": "text", "text": "Home", "label": "sitenav", "link": True},
    {"i": 1, "block": 1, "kind": "img", "text": "", "label": "siteimage", "link": False},
    {"i": 2, "block": 2, "kind": "text", "text": "Fire at the pier", "label": "title", "link": False},
]
WHEN = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)


@pytest.fixture
def store(tmp_path):
    (tmp_path / "fire.html").write_text("<a>Home</a><img><h1>Fire at the pier</h1>")
    store = open_store(tmp_path / "store", create=True)
    import_html(store, [str(tmp_path / "fire.html")], crawl="news")
    return store


@pytest.fixture
def take(store, tmp_path):
    """Write one gold file and import it."""

    def take(data, name="fire.json", when=WHEN, **settings):
        (tmp_path / "gold").mkdir(exist_ok=True)
        path = tmp_path / "gold" / name
        path.write_text(data if isinstance(data, str) else json.dumps(data))
        os.utime(path, (when.timestamp(),) * 2)
        settings = {"crawl": "news", "annotator": "ann", "rubric": "news17@1"} | settings
        done = import_annotations(store, [str(path)], **settings)
        accounted = done.counts["annotations"] + done.total("rejected") + done.total("skipped")
        assert accounted == done.counts["records"]
        return done

    return take


def test_a_label_for_every_leaf_of_the_page(take, store):
    done = take({"leaves": LEAVES})
    rows = store.read("annotations").sort_by("n").to_pylist()
    assert [(row["n"], row["block"], row["kind"], row["text"], row["label"], row["is_link"]) for row in rows] == [
        (leaf["i"], leaf["block"], leaf["kind"], leaf["text"], leaf["label"], leaf["link"]) for leaf in LEAVES
    ]
    assert {row["page_id"] for row in rows} == set(store.read("pages")["page_id"].to_pylist())
    assert {(row["unit"], row["annotator"], row["rubric"], row["annotated_at"]) for row in rows} == {
        ("leaf", "ann", "news17@1", WHEN)
    }
    assert done.counts["annotations"] == 3


def test_a_file_may_say_who_when_and_by_which_rubric(take, store):
    take({"leaves": LEAVES[:1], "page": "fire", "annotator": "bob", "rubric": "news17@2",
          "annotated_at": "2023-01-02T03:04:05Z"}, name="other.json")  # fmt: skip
    (row,) = store.read("annotations").to_pylist()
    assert (row["annotator"], row["rubric"]) == ("bob", "news17@2")
    assert row["annotated_at"] == dt.datetime(2023, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


def test_importing_twice_adds_nothing_and_a_changed_label_adds_a_later_row(take, store):
    take({"leaves": LEAVES})
    assert take({"leaves": LEAVES}).counts["skipped: already in the store"] == 3
    changed = [LEAVES[0] | {"label": "ads"}, *LEAVES[1:]]
    for day, leaves in ((1, changed), (2, LEAVES)):
        done = take({"leaves": leaves}, when=WHEN + dt.timedelta(days=day))
        assert (done.counts["annotations"], done.counts["skipped: already in the store"]) == (1, 2)
    rows = store.read("annotations").sort_by("annotated_at").to_pylist()
    assert [row["label"] for row in rows if row["n"] == 0] == ["sitenav", "ads", "sitenav"]
    assert take({"leaves": LEAVES}, annotator="bob").counts["annotations"] == 3


@pytest.mark.parametrize(
    "leaf, reason",
    [
        (LEAVES[0] | {"label": "headline"}, "unknown-label"),
        (LEAVES[0] | {"label": None}, "unknown-label"),
        (LEAVES[0] | {"kind": "canvas"}, "unknown-kind"),
        (LEAVES[0] | {"i": "0"}, "bad-leaf"),
        (LEAVES[0] | {"i": True}, "bad-leaf"),
        (LEAVES[0] | {"i": -1}, "bad-leaf"),
        ({"i": 0}, "bad-leaf"),
        ("leaf", "bad-leaf"),
        (LEAVES[2], "leaf-twice"),
    ],
)
def test_a_leaf_that_is_wrong_is_rejected_and_the_others_are_taken(take, store, leaf, reason):
    done = take({"leaves": [*LEAVES[1:], leaf]})
    assert done.counts["annotations"] == 2
    (row,) = store.read("rejects").to_pylist()
    assert (row["reason"], row["step"]) == (reason, "import-annotations")
    assert row["record"].endswith("fire.json#2")


@pytest.mark.parametrize(
    "data, name, reason",
    [
        ({"leaves": LEAVES}, "flood.json", "no-such-page"),
        ("{", "fire.json", "bad-json"),
        ("[]", "fire.json", "bad-json"),
        ({"leaves": 3}, "fire.json", "bad-json"),
    ],
)
def test_a_file_that_is_wrong_is_rejected_with_a_reason(take, store, data, name, reason):
    done = take(data, name=name)
    assert done.counts == {"files": 1, "records": 1, f"rejected: {reason}": 1}
    assert store.read("rejects")["reason"].to_pylist() == [reason]


def test_a_name_that_two_pages_have_is_ambiguous(take, store, tmp_path):
    import_html(store, [str(tmp_path / "fire.html")], crawl="news", url="http://news.example/fire")
    assert take({"leaves": LEAVES}).counts["rejected: ambiguous-page"] == 1


def test_the_rubric_names_the_labels(take):
    with pytest.raises(ConfigError, match="Unknown label set 'weather'"):
        take({"leaves": LEAVES}, rubric="weather@1")
    leaf = LEAVES[0] | {"label": "sunny"}
    assert take({"leaves": [leaf]}, rubric="weather@1", labels=["sunny"]).counts["annotations"] == 1


def test_labels_before_their_pages_say_what_to_do(take, tmp_path):
    with pytest.raises(InputMissing, match="Import the pages first"):
        take({"leaves": LEAVES}, crawl="other")
    with pytest.raises(InputMissing, match="File or folder not found"):
        import_annotations(open_store(tmp_path / "store"), ["none"], crawl="news", annotator="a", rubric="r")


@pytest.mark.corpus
def test_the_gold_of_the_news_pages_is_taken_whole(corpora, tmp_path):
    store = open_store(tmp_path / "corpus", create=True)
    import_html(store, [str(corpora / "news17" / "pages.parquet")], crawl="news17")
    gold = [str(corpora / "news17" / "gold")]
    done = import_annotations(store, gold, crawl="news17", annotator="gold", rubric="news17@1")
    assert done.counts == {"files": 198, "records": 43_629, "annotations": 43_629}
