"""Labels by people: saved before they are confirmed, voted by the paper's rules, exported and imported again."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from annotate_world import CRAWL, PLAIN, id_of, make_store

from parcels.annotate import queue
from parcels.annotate.annotators import annotator_name
from parcels.annotate.curve import LabelledPage, estimate_gain, measured_curve
from parcels.annotate.exchange import export
from parcels.annotate.journal import FOLDER, Journal, read_journal
from parcels.annotate.label_index import LabelIndex
from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.session import AnnotationSession
from parcels.annotate.session_curve import learning_curve
from parcels.annotate.vote import agreement, vote_page
from parcels.cli.main import main
from parcels.errors import ConfigError, InputMissing, RetryLater

STEP = "0123456789ab"


def session_of(store, **options):
    return AnnotationSession(StorePageSource(store), store=store, journals=store_folder(store), **options)


def store_folder(store):
    return Path(store.location.path(FOLDER))


@pytest.fixture
def store(tmp_path):
    return make_store(tmp_path / "store", {"ferry": PLAIN, "other": PLAIN.replace(b"Ferry", b"Tram")})


@pytest.fixture
def session(store):
    found = session_of(store)
    yield found
    found.close()


def rows(store):
    return store.read("annotations").to_pylist()


def test_a_label_is_in_the_journal_when_it_is_saved_and_in_the_table_when_it_is_sealed(store, session):
    page = id_of("ferry")
    session.save(page, "ann", STEP, {1: "title"})
    [journal] = store_folder(store).iterdir()
    [row] = read_journal(journal)
    assert (row["label"], row["text"], row["block"]) == ("title", "Ferry runs aground off Sandmere", 1)
    assert not rows(store)
    assert session.seal() == 1
    assert not list(store_folder(store).iterdir())
    [sealed] = rows(store)
    assert (sealed["label"], sealed["annotator"], sealed["unit"], sealed["rubric"]) == (
        "title",
        "ann",
        "leaf",
        "news17@1",
    )
    [run] = [run for run in store.read("runs").to_pylist() if run["step"] == "annotate"]
    assert {one["name"]: one["count"] for one in run["counts"]} == {"annotations": 1, "pages": 1}


def test_a_link_inside_the_text_is_a_link_of_the_content(store, session):
    page = id_of("ferry")
    n = next(block.n for block in session.open(page).blocks if "Marigold" in block.text)
    session.save(page, "ann", STEP, {n: "maincontent"})
    session.seal()
    assert [row["label"] for row in sorted(rows(store), key=lambda row: row["n"])] == [
        "maincontent", "contentlink", "maincontent",
    ]  # fmt: skip
    assert session.own_labels(page, "ann") == {n: "maincontent"}


def test_the_last_label_counts_and_one_may_be_taken_back(session):
    page = id_of("ferry")
    session.save(page, "ann", "step-number-1", {0: "ads", 1: "ads"})
    session.save(page, "ann", "step-number-2", {0: "sitenav", 1: None})
    assert session.own_labels(page, "ann") == {0: "sitenav"}


def test_a_step_that_comes_twice_is_saved_once(store, session):
    page = id_of("ferry")
    session.save(page, "ann", "step-number-1", {2: "ads"})
    session.save(page, "ann", "step-number-2", {2: "title"})
    session.save(page, "ann", "step-number-1", {2: "ads"})
    assert session.own_labels(page, "ann") == {2: "title"}


def test_nobody_sees_what_others_said(session):
    page = id_of("ferry")
    session.save(page, "ann", STEP, {0: "ads"})
    assert session.own_labels(page, "bob") == {}


def test_a_crash_loses_nothing_and_half_a_line_is_cut_off(store):
    page = id_of("ferry")
    dead = session_of(store)
    dead.save(page, "ann", STEP, {2: "reporter"})
    [path] = store_folder(store).iterdir()
    dead._journal.close()  # the process is gone, and with it the lock
    with path.open("ab") as file:
        file.write(b'12345678 [{"page_id": "half')
    after = session_of(store)
    assert after.recovered == 1
    assert after.own_labels(page, "ann") == {2: "reporter"}
    assert len(rows(store)) == 1
    after.close()


def test_sealing_twice_is_sealing_once(store, tmp_path):
    from parcels.annotate.journal import seal

    page = id_of("ferry")
    session = session_of(store)
    session.save(page, "ann", STEP, {2: "reporter"})
    [path] = store_folder(store).iterdir()
    copy = path.read_bytes()
    session.seal()
    path.write_bytes(copy)  # the machine went down between the two steps of sealing
    seal(store, path)
    assert len(rows(store)) == 1
    session.close()


def test_a_journal_that_another_process_writes_is_read_but_left_alone(store):
    one, other = session_of(store), session_of(store)
    one.save(id_of("ferry"), "ann", STEP, {2: "reporter"})
    third = session_of(store)
    assert third.recovered == 0
    assert third.own_labels(id_of("ferry"), "ann") == {2: "reporter"}
    other.refresh()
    assert other.own_labels(id_of("ferry"), "ann") == {2: "reporter"}
    for each in (one, other, third):
        each.close()
    assert len(rows(store)) == 1


def test_labels_outlive_a_store_that_was_moved_away_and_back(store, session, tmp_path):
    session.save(id_of("ferry"), "ann", STEP, {1: "title"})
    away = (tmp_path / "store").rename(tmp_path / "away")
    shutil.rmtree(away / FOLDER)
    with pytest.raises(FileNotFoundError):  # the browser hears that it is not saved, and keeps it
        session.save(id_of("ferry"), "ann", f"{STEP}2", {2: "reporter"})
    with pytest.raises(FileNotFoundError):
        session.seal()
    assert not (tmp_path / "store").exists()
    away.rename(tmp_path / "store")
    session.save(id_of("ferry"), "ann", f"{STEP}2", {2: "reporter"})
    assert session.seal() == 2
    assert sorted(row["label"] for row in rows(store)) == ["reporter", "title"]


def test_labels_of_a_store_that_stays_away_are_left_in_a_file(store, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    session = session_of(store)
    session.save(id_of("ferry"), "ann", STEP, {1: "title"})
    shutil.rmtree(tmp_path / "store")
    with pytest.raises(RetryLater, match="1 labels of leaves are saved in"):
        session.close()
    [copy] = tmp_path.glob("parcels-labels-*/*.journal")
    assert [row["label"] for row in read_journal(copy)] == ["title"]


@pytest.mark.parametrize(
    "step, labels",
    [
        ("x", [[0, "ads"]]),
        *[(STEP, [[n, "ads"]]) for n in (99, -1, True, "0", None)],
        *[(STEP, labels) for labels in ([[0, "no-such"]], [[0, "none"]], [], "x", [[0]], [5], None)],
    ],
)
def test_what_makes_no_sense_is_refused(session, step, labels):
    with pytest.raises(ConfigError):
        session.check(id_of("ferry"), step, labels)


@pytest.mark.parametrize(
    "name",
    ["", " ", "../x", "x" * 65, "a/b", "a\\b", ".hidden", "<b>", "a\nb", "\x00", "\u202eevil", "a\u200c", "a:b", "😀"],
)
def test_what_is_no_name_is_refused(name):
    with pytest.raises(ConfigError, match="Invalid annotator name"):
        annotator_name(name)


@pytest.mark.parametrize(
    "name", ["Zoë Müller", "李", "Ólafur Þór", "Ngũgĩ wa Thiong’o", "أمل", "सीता", "a.b+c@d.example"]
)
def test_a_name_of_any_script_is_kept_in_the_journal_and_the_table(store, name):
    session = session_of(store)
    session.save(id_of("ferry"), annotator_name(name), STEP, {2: "reporter"})
    [journal] = store_folder(store).iterdir()
    assert journal.name.isascii()  # the file is named by its run, whatever the annotator's name is
    assert session_of(store).own_labels(id_of("ferry"), name) == {2: "reporter"}
    session.close()
    assert {row["annotator"] for row in rows(store)} == {name}


def said(*people):
    """Blocks of one page: one list of labels a person, None where they say nothing."""
    found = []
    for who, labels in enumerate(people):
        for n, label in enumerate(labels):
            if label:
                found.append({"page_id": "p", "n": n, "kind": "text", "text": "x", "label": label, "block": n,
                              "annotator": f"p{who}", "annotated_at": None})  # fmt: skip
    return LabelIndex.of(found)


def test_the_vote_is_the_papers():
    one = ["ads", "ads", "ads", "title", None]
    two = [None, "ads", "title", "ads", None]
    three = [None, None, None, "search", "source"]
    voted = vote_page(said(one, two, three).of_page("p"))
    assert {n: leaf.label for n, leaf in voted.leaves.items()} == {0: "ads", 1: "ads", 4: "source"}
    assert voted.dropped == 2
    majority = vote_page(said(["ads"], ["ads"], ["title"]).of_page("p"))
    assert majority.leaves[0].label == "ads"


def test_kappas_are_those_of_the_textbook():
    # Fleiss' own example has 14 raters; this is Cohen's of 2x2 tables as in Landis and Koch's: 20 5 / 10 15.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    found = agreement(said([a for a, _ in pairs], [b for _, b in pairs]))
    assert found.items == 50
    assert found.cohen["all"] == pytest.approx(0.4)
    assert found.agreed == pytest.approx(0.7)
    assert found.cohen["y"] == pytest.approx(0.4)
    assert found.fleiss["all"] == pytest.approx((0.7 - 0.505) / (1 - 0.505))


def test_the_queue_resumes_then_shares_then_spreads_over_sites(tmp_path):
    pages = {f"a{n}": PLAIN.replace(b"Ferry", f"Ferry {n}".encode()) for n in range(3)}
    store = make_store(tmp_path / "store", pages)
    session = session_of(store, max_annotators=2)
    session.save(id_of("a1"), "ann", "step-number-1", {0: "sitenav"})
    session.save(id_of("a2"), "bob", "step-number-2", {0: "sitenav"})
    order = [(one.page, one.why) for one in queue.rank_pages(session, "ann")]
    assert order == [(id_of("a1"), "begun"), (id_of("a2"), "shared"), (id_of("a0"), "new")]
    assert queue.next_page(session, "ann", after=id_of("a1")) == id_of("a2")
    session.save(id_of("a2"), "cat", "step-number-3", {0: "sitenav"})
    assert id_of("a2") not in [one.page for one in queue.rank_pages(session, "ann")]
    blocks = len(session.open(id_of("a1")).ranges)
    session.save(id_of("a1"), "ann", "step-number-4", dict.fromkeys(range(blocks), "sitenav"))
    assert [one.page for one in queue.rank_pages(session, "ann")] == [id_of("a0")]
    session.close()


def test_the_queue_prefers_doubt_and_another_site():
    waiting = [
        queue.QueuedPage(f"{site}{n}", "", site, "new", doubt, doubt, 0)
        for site, doubts in {"x": (0.9, 0.8, 0.7), "y": (0.5,)}.items()
        for n, doubt in enumerate(doubts)
    ]
    from collections import Counter

    assert [one.page for one in queue._spread(waiting, Counter())] == ["x0", "y0", "x1", "x2"]
    assert queue._spread(waiting, Counter(x=3))[0].page == "y0"


@pytest.mark.parametrize("what, name", [("annotations", "labels.jsonl"), ("label-studio", "tasks.json")])
def test_labels_go_out_and_come_back(store, tmp_path, what, name, capsys):
    session = session_of(store)
    for who, label in (("ann", "title"), ("bob", "subheaders")):
        session.save(id_of("ferry"), who, f"step-of-{who}", {2: label, 9: "contentimage"})
    session.close()
    file = tmp_path / name
    file.write_bytes(b"".join(export(store, what, CRAWL)))
    again = make_store(tmp_path / "again", {"ferry": PLAIN})
    arguments = [
        "import",
        "annotations",
        str(file),
        "--store",
        str(tmp_path / "again"),
        "--crawl",
        CRAWL,
        "--no-progress",
    ]
    assert main(arguments) == 0
    kept = ("page_id", "n", "kind", "text", "label", "annotator", "block", "rubric")

    def plain(of):
        return sorted(
            [{name: row[name] for name in kept} for row in rows(of)], key=lambda row: (row["annotator"], row["n"])
        )

    assert plain(again) == plain(store)
    capsys.readouterr()


def test_a_broken_line_or_task_is_rejected_and_the_others_are_taken(store, tmp_path, capsys):
    good = {"page_id": id_of("ferry"), "annotator": "ann",
            "leaves": [{"i": 2, "kind": "text", "text": "x", "label": "title"}]}  # fmt: skip
    (tmp_path / "a.jsonl").write_text("{not json\n" + json.dumps(good) + "\n[]\n")
    (tmp_path / "b.json").write_text(json.dumps([{"data": {}}, 7]))
    where = str(tmp_path / "store")
    for name in ("a.jsonl", "b.json"):
        main(["import", "annotations", str(tmp_path / name), "--store", where, "--crawl", CRAWL, "--no-progress"])
    assert [row["label"] for row in rows(store)] == ["title"]
    reasons = sorted(row["reason"] for row in store.read("rejects").to_pylist())
    assert reasons == ["bad-json", "bad-json", "bad-task", "bad-task"]
    capsys.readouterr()


def test_the_votes_and_the_agreement_are_exported(store, capsys):
    session = session_of(store)
    session.save(id_of("ferry"), "ann", "step-number-1", {2: "title", 3: "reporter"})
    session.save(id_of("ferry"), "bob", "step-number-2", {2: "title", 3: "source"})
    session.close()
    assert main(["export", "votes", "--store", store.location.uri]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert [leaf["label"] for leaf in json.loads(line)["leaves"]] == ["title"]
    assert main(["export", "agreement", "--store", store.location.uri]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["blocks"] == 2
    assert found["agreed"] == 0.5
    assert main(["export", "label-studio-config", "--store", store.location.uri]) == 0
    assert 'value="title"' in capsys.readouterr().out


def fake_pages(sites, blocks, random):
    """Pages whose labels follow from their numbers, with some noise."""
    for site in range(sites):
        numbers = random.normal(size=(blocks, 6))
        y = np.where(numbers[:, 0] + 0.3 * random.normal(size=blocks) > 0, "maincontent", "sitenav")
        yield LabelledPage(f"s{site}.example", numbers, y)


def test_a_learning_curve_falls_and_the_hint_says_how_far():
    pages = list(fake_pages(12, 30, np.random.default_rng(0)))
    points = measured_curve(pages)
    assert points[0][1] > points[-1][1]
    hint = estimate_gain(pages)
    assert hint.labels == 360
    assert 0 <= hint.gain < 0.1
    assert hint.low <= hint.gain <= hint.high


def test_little_is_known_from_few_labels(session):
    session.save(id_of("ferry"), "ann", STEP, {2: "title"})
    found = learning_curve(session)
    assert found["points"] == []
    assert "at least" in found["hint"]
    assert estimate_gain(list(fake_pages(2, 300, np.random.default_rng(0)))) is None


def test_a_store_without_pages_says_so(tmp_path):
    from parcels.store import open_store

    with pytest.raises(InputMissing, match="has no pages"):
        StorePageSource(open_store(tmp_path / "empty", create=True))


def test_a_journal_is_locked_by_its_writer(tmp_path):
    from parcels.annotate.journal import _orphaned

    journal = Journal(tmp_path)
    with _orphaned(journal.path) as is_free:
        assert not is_free
    journal.close()
    with _orphaned(journal.path) as is_free:
        assert is_free
