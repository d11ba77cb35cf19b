"""Page types: positions in segments, the terms there, learning, a model's folder, and the command."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from segment_pages import graph_of
from typed_pages import FORUM, SHOP, TOPICS

from parcels.cli import main
from parcels.errors import InputMissing, ModelMismatch
from parcels.html.page import read_page
from parcels.layout.render import lay_out
from parcels.learn.linear_svm import fitted, information_gain
from parcels.pagetypes.evaluate import interval, type_scores
from parcels.pagetypes.examples import read_typed
from parcels.pagetypes.model import open_page_types
from parcels.pagetypes.positions import major_positions, positions
from parcels.pagetypes.train import cross_validated, trained
from parcels.segments.graph.labelling import segments_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("typed")
    rows = [
        {"page": f"{kind}{n}", "html": html.format(site=f"Site{n}", topic=topic).encode(), "page_type": kind,
         "url": f"https://{kind}{n}.example/{path}/{n}"}
        for n, topic in enumerate(TOPICS)
        for kind, html, path in (("forum", FORUM, "thread"), ("product", SHOP, "item"))
    ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows), folder / "pages.parquet")
    return folder


@pytest.fixture(scope="module")
def pages(folder):
    found, lost = read_typed(folder)
    assert not lost
    return found


@pytest.fixture
def rows_page():
    return graph_of("<h1>Top</h1><p>One<p>Two<p>Three<p>Low")


def texts(graph, leaves):
    return [graph.laid.page.leaves.text[leaf] for leaf in leaves]


def test_the_two_boundaries_that_gain_most_divide_a_segment(rows_page):
    gains = np.array([3.0, 1.0, 1.0, 2.0])
    segments = segments_of(rows_page, np.ones(4, bool))
    found = positions(rows_page, segments[0], segments[1:], gains).leaves
    assert {name: texts(rows_page, leaves) for name, leaves in found.items() if leaves} == {
        "t": ["Top"],
        "m": ["One", "Two", "Three"],
        "b": ["Low"],
    }


def test_one_boundary_has_no_middle_and_none_is_all_middle(rows_page):
    gains = np.array([1.0, -1.0, -1.0, -1.0])
    segments = segments_of(rows_page, gains > 0)
    found = positions(rows_page, segments[0], segments[1:], gains).leaves
    assert (texts(rows_page, found["t"]), found["m"]) == (["Top"], [])
    whole = positions(rows_page, segments_of(rows_page, np.zeros(4, bool))[0], [], gains).leaves
    assert len(whole["m"]) == 5


def test_columns_are_left_middle_and_right():
    graph = graph_of("<table><tr><td>West<td>Mid<td>East</table>")
    gains = np.ones(len(graph))
    found = major_positions(graph, np.ones(len(graph), bool), gains)
    assert [texts(graph, found[name]) for name in ("pl", "pm", "pr")] == [["West"], ["Mid"], ["East"]]


def test_the_largest_part_is_the_second_major_segment():
    graph = graph_of("<p>Top</p><table width=900 height=400><tr><td>West<td>East</table>")
    found = major_positions(graph, np.ones(len(graph), bool), np.ones(len(graph)))
    assert texts(graph, found["sl"]) == ["West"]
    assert texts(graph, found["pb"]) == ["West", "East"]


def test_information_gain_agrees_with_its_definition():
    from sklearn.feature_selection import mutual_info_classif

    rng = np.random.default_rng(0)
    present, y = rng.random((60, 5)) < 0.4, rng.integers(0, 3, 60)
    counts = np.array([[(present[y == kind, token]).sum() for kind in range(3)] for token in range(5)], float)
    expected = mutual_info_classif(present, y, discrete_features=True)
    assert information_gain(counts, np.bincount(y)) == pytest.approx(expected, abs=1e-9)


def test_tokens_that_tell_nothing_are_left_out():
    bags = [{"same": 1, "a": 1} if n % 2 else {"same": 1, "b": 2} for n in range(20)]
    machine = fitted(bags, ["x" if n % 2 else "y" for n in range(20)], kept_share=0.67)
    assert set(machine.vocabulary) == {"a", "b"}
    scores = machine.scores([{"a": 1}, {"b": 1}, {"unseen": 3}])
    assert [machine.types[place] for place in scores[:2].argmax(axis=1)] == ["x", "y"]
    assert machine.probabilities(scores).sum(axis=1) == pytest.approx(1)


def test_types_of_unseen_sites_are_told(pages):
    answers = cross_validated(pages, methods=("parcels", "positions", "text"), folds=4)
    gold = [page.page_type for page in pages]
    assert type_scores(gold, answers["parcels"]).accuracy == 1.0
    assert type_scores(gold, answers["positions"]).accuracy >= 0.9
    low, high = interval(pages, answers["parcels"], None, "f1")
    assert (low, high) == (1.0, 1.0)


def test_a_model_is_read_as_it_was_written_and_tells_a_page_by_its_looks(pages, tmp_path):
    trained(pages).save(tmp_path / "m")
    model = open_page_types(tmp_path / "m")
    scores = model.of_page(lay_out(read_page(FORUM.format(site="Other", topic="stove"), "https://o.example/thread/9")))
    assert max(scores, key=scores.get) == "forum"
    assert sum(scores.values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda m: {**m, "kind": "segmenter"},
        lambda m: {**m, "types": ["one"]},
        lambda m: {**m, "sharpness": "very"},
        lambda m: 7,
    ],
)
def test_a_spoilt_model_is_refused(pages, tmp_path, spoil):
    trained(pages).save(tmp_path / "m")
    path = tmp_path / "m" / "model.json"
    path.write_text(json.dumps(spoil(json.loads(path.read_text()))))
    with pytest.raises(ModelMismatch, match="parcels train pagetypes"):
        open_page_types(tmp_path / "m")


def test_the_command_prints_type_and_scores(capsys, pages, tmp_path):
    trained(pages).save(tmp_path / "m")
    (tmp_path / "shop.html").write_text(SHOP.format(site="New", topic="rope"))
    assert main(["pagetype", str(tmp_path / "shop.html"), "--model", str(tmp_path / "m"), "--no-progress"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["page"], found["type"]) == ("shop", "product")
    assert set(found["scores"]) == {"forum", "product"}


def test_pages_without_types_are_refused(tmp_path):
    pq.write_table(pa.table({"page": ["a"], "html": [b"<p>x"]}), tmp_path / "pages.parquet")
    with pytest.raises(InputMissing, match="page_type"):
        read_typed(tmp_path)
