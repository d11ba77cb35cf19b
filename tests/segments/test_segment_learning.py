"""Learning to segment: the quadratic programme, the two losses, gold, baselines, metrics, and a model's folder."""

import json

import numpy as np
import pytest
from segment_pages import MARKED, random_graphs, unmarked, write_marked_pages

from parcels.errors import ConfigError, InputMissing, ModelMismatch
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.layout.render import lay_out
from parcels.learn.trees import Trees
from parcels.segments.baselines import block_fusion, cclus, gcuts, vips
from parcels.segments.baselines.pair_features import NAMES as PAIR_NAMES
from parcels.segments.evaluate import (
    ORACLE,
    UNPRIZED,
    clusters_of,
    cross_validate,
    evaluate,
    has_informative,
    interval,
)
from parcels.segments.examples import finals, informative_boundaries, marked_page, read_marked
from parcels.segments.features import NAMES, boundary_features
from parcels.segments.gold import OUTSIDE, gold_of
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.labelling import final_of_leaves, segments_of
from parcels.segments.graph.oracle import best_labelling
from parcels.segments.graph.second_opinion import learn_trees, opinion, reached
from parcels.segments.graph.structural_svm import MARGIN, SLACK, GraphExample, learn, predict
from parcels.segments.graph.working_set import WorkingSet
from parcels.segments.graph.wps_graph import build_graph
from parcels.segments.metrics import adjusted_rand, normalised_mutual_information
from parcels.segments.model import SegmenterModel, Tuned, open_segmenter
from parcels.segments.train import learn_informative_weights, learn_weights
from parcels.segments.tuning import learn_pairs


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_marked_pages(tmp_path_factory.mktemp("marked") / "pages")


@pytest.fixture(scope="module")
def pages(folder):
    found, lost = read_marked(folder)
    assert not lost
    return found


@pytest.fixture(scope="module")
def model(pages):
    weights = {
        (kind, level): learn_weights(pages, level=1, rescaling=kind) for kind in (MARGIN, SLACK) for level in (1, 2)
    }
    tuned = Tuned(pair_weights=learn_pairs(pages, level=1))
    trees, chances = learn_trees(pages, level=1), learn_informative_weights(pages, level=1)
    return SegmenterModel(weights, {1: tuned, 2: tuned}, {1: trees, 2: trees}, {1: chances, 2: chances})


def test_the_working_set_comes_to_the_optimum_of_its_quadratic_programme():
    from scipy.optimize import minimize

    rng = np.random.default_rng(0)
    directions, levels = rng.normal(size=(12, 3)), rng.random(12) * 3
    working = WorkingSet(3, 3, 2.0)
    for number in range(12):
        working.add(number % 3, directions[number], float(levels[number]))
    while not working.solve(1e-7):
        pass

    def objective(weights):
        violated = levels - directions @ weights
        slack = sum(max(0.0, violated[example::3].max()) for example in range(3))
        return weights @ weights / 2 + 2.0 / 3 * slack

    found = min(minimize(objective, rng.normal(size=3), method="Nelder-Mead", tol=1e-9).fun for _ in range(5))
    assert working.objective() == pytest.approx(found, abs=1e-3)


@pytest.mark.parametrize("rescaling", [MARGIN, SLACK])
def test_what_can_be_told_by_the_features_is_learned(rescaling):
    truth = np.array([2.0, -1.0, 0.5, -0.2])
    examples = []
    for number, (graph, _) in enumerate(random_graphs(range(30), depth=3)):
        rows = np.random.default_rng(number).normal(size=(len(graph), 4))
        examples.append(GraphExample(graph, rows, by_chains(graph, rows @ truth), (0,)))
    weights = learn(examples[:20], rescaling=rescaling, strength=100.0)
    wrong = sum((predict(one.graph, one.rows, weights) != one.labels).sum() for one in examples[20:])
    assert wrong <= 0.1 * sum(len(one.graph) for one in examples[20:])


def test_the_gold_is_found_in_a_page_that_differs_a_little_from_its_marked_twin():
    html = MARKED.format(site="coast.example", words="")
    page = read_page(unmarked(html).replace("<h4>Most read</h4>", "<h4>Most read</h4><p>New here: a line</p>"))
    gold = gold_of(page, html.encode())
    texts = page.leaves.text
    assert gold.top[texts.index("New here: a line")] == -1
    assert gold.top[texts.index("Fire at the pier")] == gold.top[texts.index("310 m")] >= 0
    assert next(texts[leaf] for leaf in gold.sole_of_level(1)) == "Fire at the pier"


def test_a_page_without_marks_is_refused():
    with pytest.raises(InputMissing, match="data-block"):
        gold_of(read_page("<p>x"), b"<p>x")


def test_the_oracle_finds_the_marked_parts_and_the_boundaries_around_the_informative_one(pages):
    for page in pages:
        clusters = finals(page, page.labels[1])
        told = page.gold.top >= 0
        assert adjusted_rand(page.gold.top[told], clusters[told]) == 1.0
        assert has_informative(page, clusters, 1)
        labels = page.labels[1]
        boundaries = informative_boundaries(page, 1)
        assert any(labels[list(boundaries)])
        assert not all(labels[list(boundaries)])


PARTS = """<body><div data-block=1 data-block-type=Header><img src=logo.gif alt="" width=300 height=60></div>
<div data-block=1 data-block-type=Content id=mid><div data-block=2><p>The pier burnt down last night.</div>
<div data-block=2><p>Nobody was hurt, the fire brigade said.</div></div>
<div data-block=1 data-block-type=Footer><p>Imprint &amp; contact</div>"""


def test_a_block_without_words_is_kept_apart_in_what_is_learned_from():
    laid = lay_out(read_page(PARTS))
    gold = gold_of(laid.page, PARTS.encode())
    graph = build_graph(laid)
    header = laid.page.leaves.kind.index("img")
    assert gold.top[header] == OUTSIDE
    scored_only = final_of_leaves(segments_of(graph, best_labelling(graph, gold.top)), len(laid.page.leaves))
    assert scored_only[header] == scored_only[header + 1]
    learned = final_of_leaves(segments_of(graph, best_labelling(graph, gold.top, gold.every_top)), len(scored_only))
    assert learned[header] != learned[header + 1]


def test_leaves_outside_all_blocks_are_runs_of_their_own():
    html = "<p>Skip</p><p>Top</p><div data-block=1><p>One</div><p>Between</p><div data-block=1><p>Two</div>"
    gold = gold_of(read_page(html), html.encode())
    first, second, one, between, two = gold.every_top.tolist()
    assert first == second
    assert len({first, one, between, two}) == 4


def test_an_informative_block_counts_at_the_level_where_it_is_one_block():
    gold = gold_of(read_page(PARTS), PARTS.encode())
    assert len(gold.informative_of_level(1)) == 2
    assert not len(gold.informative_of_level(2))  # two blocks inside it are marked there


NEWS = """<body><div data-block=1 data-block-type=Header><p>The Coast Post</div>
<div data-block=1 data-block-type=Content><div data-block=2 data-block-type=Article><p>The pier burnt down.</div>
<div data-block=2 data-block-type=Article><p>The ferry is late again.</div></div>
<div data-block=1 data-block-type=Footer><p>Imprint &amp; contact</div>"""


def test_the_only_content_of_a_level_is_informative_whatever_is_marked_inside_it():
    gold = gold_of(read_page(NEWS), NEWS.encode())
    assert gold.informative_of_level(1).tolist() == [1, 2]
    assert len(gold.contents_of_level(2)) == 2
    assert not len(gold.informative_of_level(2))  # either of two
    assert not len(gold.sole_of_level(1))


def test_the_boundaries_of_all_informative_segments_are_learned_from():
    page = marked_page(RawPage("small-news.example", NEWS.encode()), NEWS.encode())
    assert [page.graph.leaves_of(before) for before in page.graph.before.tolist()] == [[0], [1, 2], [1]]
    assert informative_boundaries(page, 1) == (0, 1, 2)  # around it, and between the two that it holds
    assert informative_boundaries(page, 2) == (2,)


def test_what_the_marking_tool_left_behind_is_no_feature():
    """It wrote an empty class on what the mouse went over, and a class of its own where the mouse stayed."""
    html = MARKED.format(site="coast.example", words="")
    plain = marked_page(RawPage("small-coast.example", unmarked(html).encode()), html.encode())
    pointed = (
        unmarked(html)
        .replace("<div id=side", '<div class="" id=side')
        .replace("<div id=mid", '<div class="highlight" id=mid')
    )
    other = marked_page(RawPage("small-coast.example", pointed.encode()), html.encode())
    assert pointed.count("class=") == unmarked(html).count("class=") + 2
    assert (other.rows == plain.rows).all()


def test_features_keep_their_promise(pages):
    for page in pages:
        assert page.rows.shape == (len(page.graph), len(NAMES))
        assert page.rows.min() >= 0
        assert page.rows.max() <= 1 + 1e-6
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    "html", ["<p>x", "<div><p>One<p>Two</div>", "<style>*{display:none}</style><p>a<p>b", "<p>" * 400]
)
def test_features_of_odd_pages_are_finite(html):
    from segment_pages import graph_of

    rows = boundary_features(graph_of(f"<body>{html}<img>")).rows
    assert np.isfinite(rows).all()


def test_a_learned_model_segments_sites_that_it_has_not_seen(pages):
    weights = learn_weights(pages[:4], level=1)
    for page in pages[4:]:
        clusters = finals(page, by_chains(page.graph, page.rows @ weights[:-1] + weights[-1]))
        told = page.gold.top >= 0
        assert adjusted_rand(page.gold.top[told], clusters[told]) > 0.9


def test_folds_score_every_page_once_and_the_oracle_is_the_ceiling(folder):
    scores = cross_validate(folder, level=1, segmenters=("wps-margin", "bf"), folds=2)
    names = [page.page for page in scores["wps-margin"]]
    assert sorted(names) == sorted(set(names))
    assert len(names) == 6
    for one, best in zip(scores["wps-margin"], scores[ORACLE], strict=True):
        assert one.ari <= best.ari + 1e-9


def test_a_model_evaluates_all_segmenters(model, pages):
    scores = evaluate(model, pages, level=1, segmenters=("wps-margin", "wps-linear", "wps-slack", "vips"))
    assert set(scores) == {"wps-margin", "wps-linear", "wps-slack", "vips", ORACLE}
    for name in ("wps-margin", "wps-linear"):
        assert np.mean([page.ari for page in scores[name]]) > 0.9


def test_boundaries_are_asked_for_only_where_those_they_depend_on_cut(pages):
    for page in pages:
        asked = reached(page.graph, page.labels[1])
        assert asked[page.labels[1]].all()  # what cuts was reached
        for above, below in page.graph.dependencies():
            assert page.labels[1][above] or not asked[below]


def test_the_second_opinion_is_heard_with_both_losses_but_not_by_the_papers_machine(model, pages):
    rows, odds = pages[0].rows, opinion(model.trees[1], pages[0].rows)
    assert odds.any()
    for name, kind, heard in (
        ("wps-margin", MARGIN, odds),
        ("wps-slack", SLACK, odds),
        ("wps-linear", MARGIN, 0 * odds),
    ):
        weights = model.weights[kind, 1]
        gains = model.gains(rows, segmenter=name, level=1)
        assert gains == pytest.approx(rows @ weights[:-1] + weights[-1] + heard)


def test_trees_that_have_seen_one_answer_have_no_opinion(pages):
    trees = Trees(rounds=2).fit(np.zeros((4, len(NAMES))), None, [0, 0, 0, 0])
    assert not opinion(trees, pages[0].rows).any()


def test_a_second_opinion_can_turn_a_boundary_but_no_sure_one(pages):
    trees = learn_trees(pages, level=1)
    odds = opinion(trees, pages[0].rows)
    assert len(odds) == len(pages[0].graph)
    assert abs(odds).max() <= 0.5 * np.log(99) + 1e-9


def test_trees_of_other_features_are_refused(model, tmp_path):
    model.save(tmp_path / "m")
    Trees(rounds=2).fit(np.arange(8.0).reshape(4, 2), None, [0, 1, 0, 1]).save(tmp_path / "m" / "trees-1")
    with pytest.raises(ModelMismatch, match="its trees expect 2 features"):
        open_segmenter(tmp_path / "m")


def test_a_model_is_read_as_it_was_written(model, tmp_path):
    model.save(tmp_path / "m")
    other = open_segmenter(tmp_path / "m")
    for key, weights in model.weights.items():
        assert (other.weights[key] == weights).all()
    assert other.tuned[1].numbers() == model.tuned[1].numbers()
    assert (other.informative_weights[1] == model.informative_weights[1]).all()


@pytest.mark.parametrize(
    "spoil, told",
    [
        (lambda m: {**m, "kind": "news"}, "a model for segments of pages is needed"),
        (lambda m: {**m, "version": 2}, "it is segmenter@2, this code reads segmenter@3"),
        (lambda m: {**m, "features": m["features"][1:]}, "trained on other features"),
        (lambda m: {**m, "content_features": []}, "trained on other content_features"),
        (lambda m: {**m, "tuned": {"1": {"bf_threshold": "x"}}}, "cannot be used"),
        (lambda m: [], "cannot be used"),
    ],
)
def test_a_spoilt_model_is_refused_with_what_to_do(model, tmp_path, spoil, told):
    model.save(tmp_path / "m")
    path = tmp_path / "m" / "model.json"
    path.write_text(json.dumps(spoil(json.loads(path.read_text()))))
    with pytest.raises(ModelMismatch, match=told):
        open_segmenter(tmp_path / "m")


def test_arrays_that_are_cut_off_are_refused(model, tmp_path):
    model.save(tmp_path / "m")
    path = tmp_path / "m" / "arrays.npz"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ModelMismatch, match="Train it again"):
        open_segmenter(tmp_path / "m")


def test_indices_agree_with_scikit_learn():
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    rng = np.random.default_rng(0)
    for _ in range(20):
        one, other = rng.integers(0, 4, 30), rng.integers(0, 3, 30)
        assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other))
        expected = normalized_mutual_info_score(one, other, average_method="geometric")
        assert normalised_mutual_information(one, other) == pytest.approx(expected, abs=1e-9)


def test_block_fusion_joins_text_of_like_density_and_breaks_at_headings():
    long = "<p>" + "word " * 60
    page = read_page(f"<div>{long}{long}</div><h2>News</h2><div>Home</div>")
    clusters = block_fusion.clusters(page, 0.4).tolist()
    assert clusters[0] == clusters[1] != clusters[2]
    assert len(set(block_fusion.clusters(page, 0.0).tolist())) >= 3


def test_correlation_clustering_puts_together_what_is_likely_together():
    likely = np.full((6, 6), 0.05)
    likely[:3, :3] = likely[3:, 3:] = 0.95
    found = cclus.pivoted(likely, 0.5)
    assert len(set(found[:3].tolist())) == len(set(found[3:].tolist())) == 1
    assert found[0] != found[3]


def test_the_graph_baselines_tell_a_menu_from_a_text(pages):
    weights = learn_pairs(pages[:4], level=1)
    for page in pages[4:]:
        told = page.gold.top >= 0
        for clusters in (cclus.clusters(page.laid, weights, 0.5), gcuts.clusters(page.laid, weights, 0.5)):
            assert len(clusters) == page.leaves
            assert adjusted_rand(page.gold.top[told], clusters[told]) > 0.3


def test_graph_cuts_keep_the_rendering_constraint():
    html = MARKED.format(site="coast.example", words="")
    laid = lay_out(read_page(html))
    weights = np.zeros(len(PAIR_NAMES) + 1)
    assert len(set(gcuts.clusters(laid, weights, 0.01).tolist())) == 1  # neighbours decide: one segment


def test_vips_cuts_more_the_more_coherence_is_asked_for(pages):
    laid = pages[0].laid
    counts = [len(set(vips.clusters(laid, degree).tolist())) for degree in range(1, 11)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_the_interval_holds_the_mean():
    low, high = interval([0.2, 0.4, 0.9, 0.7])
    assert low < 0.55 < high


def test_an_unknown_segmenter_and_level_are_named(model):
    from parcels.segments.segmenters import segmented

    laid = lay_out(read_page("<p>x"))
    with pytest.raises(ConfigError, match="Use one of: wps-margin, wps-slack"):
        segmented(laid, model, segmenter="magic")
    with pytest.raises(ConfigError, match="level 3"):
        segmented(laid, model, level=3)


def test_only_wps_slack_asks_what_is_content(model, pages):
    def unasked():
        raise AssertionError("the content model was asked")

    page = pages[0]
    for segmenter in ("wps-margin", "wps-linear"):
        cut = model.cut(page.graph, page.rows, segmenter=segmenter, level=1, content=unasked)
        assert (cut.labels == by_chains(page.graph, model.gains(page.rows, segmenter=segmenter, level=1))).all()
        assert cut.probabilities is None
    asked = []
    cut = model.cut(
        page.graph, page.rows, segmenter="wps-slack", level=1, content=lambda: asked.append(1) or page.content
    )
    assert asked == [1]
    assert cut.probabilities.sum() == pytest.approx(1.0)


def test_wps_slack_without_its_prize_is_the_best_labelling_by_its_gains(model, pages):
    page = pages[0]
    gains = model.gains(page.rows, segmenter="wps-slack", level=1)
    assert (clusters_of(page, UNPRIZED, model, 1) == finals(page, by_chains(page.graph, gains))).all()
