"""The informative segment: prizes for whole segments against all labellings, and how likely each segment is."""

import itertools

import numpy as np
import pytest
from segment_pages import MARKED, graph_of, random_graphs, unmarked, write_marked_pages

from parcels.html.page import read_page
from parcels.layout.render import lay_out
from parcels.segments.content import NAMES, content_of_leaves, content_rows
from parcels.segments.examples import read_marked
from parcels.segments.graph import inference
from parcels.segments.graph.labelling import is_feasible, segments_of
from parcels.segments.graph.measures import SegmentMeasures
from parcels.segments.graph.prizes import by_prizes, costs_of_whole
from parcels.segments.informative import PRIZE, informative_probabilities, informative_segment, prizes_for
from parcels.segments.segmenters import LeafGroup
from parcels.segments.train import RIDGE, fit_logit, held_out_gains, informative_segments, learn_informative_weights

SMALL = 11


@pytest.fixture(scope="module")
def small():
    found = list(random_graphs(range(80), depth=3, most=SMALL))
    assert len(found) >= 15
    return found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return read_marked(write_marked_pages(tmp_path_factory.mktemp("marked") / "pages"))[0]


def all_labellings(graph):
    for bits in itertools.product((False, True), repeat=len(graph)):
        labels = np.array(bits)
        if is_feasible(graph, labels):
            yield labels


def wholes(graph, labels):
    """The segments of the graph that are final ones, by the tree of segments."""
    found = segments_of(graph, labels)
    return [segment.sources[0] for segment in found if not segment.cuts and len(segment.sources) == 1]


def test_the_cost_of_a_whole_segment_is_what_the_best_labelling_that_has_it_lacks(small):
    for graph, gains in small:
        best = np.full(graph.segments, -np.inf)
        for labels in all_labellings(graph):
            places = wholes(graph, labels)
            best[places] = np.maximum(best[places], gains[labels].sum())
        costs = costs_of_whole(graph, gains)
        assert costs == pytest.approx(gains[inference.by_chains(graph, gains)].sum() - best)
        assert costs.min() >= -1e-9


def test_the_labelling_with_the_most_gains_and_prizes_is_found(small):
    changed = 0
    for number, (graph, gains) in enumerate(small):
        prizes = np.random.default_rng(number).normal(size=graph.segments) * 2

        def worth(labels, graph=graph, gains=gains, prizes=prizes):
            return gains[labels].sum() + prizes[wholes(graph, labels)].sum()

        found = by_prizes(graph, gains, prizes)
        assert is_feasible(graph, found)
        assert worth(found) == pytest.approx(max(map(worth, all_labellings(graph))))
        changed += (found != inference.by_chains(graph, gains)).any()
    assert changed > len(small) / 2


def test_without_prizes_it_is_the_best_labelling():
    for graph, gains in random_graphs(range(40)):
        assert (by_prizes(graph, gains, np.zeros(graph.segments)) == inference.by_chains(graph, gains)).all()


def test_a_prize_that_is_large_enough_makes_any_segment_a_final_one():
    for graph, gains in random_graphs(range(20)):
        for segment in range(0, graph.segments, 3):
            prizes = np.zeros(graph.segments)
            prizes[segment] = 1 + np.abs(gains).sum()
            assert segment in wholes(graph, by_prizes(graph, gains, prizes))


def test_chances_add_up_to_one_and_fall_with_the_cost():
    chances = informative_probabilities(np.array([[0.2], [0.9], [0.9]]), np.array([0.0, 0.0, 3.0]), np.array([2.0]))
    assert chances.sum() == pytest.approx(1.0)
    assert chances[1] > chances[0] > chances[2]
    assert prizes_for(np.array([1.0, 0.25])).tolist() == [PRIZE, PRIZE / 4]


def test_the_weights_are_those_under_which_the_right_segments_are_likeliest():
    rng = np.random.default_rng(0)
    examples = [(rng.normal(size=(9, 2)), rng.random(9), np.arange(9) == 4) for _ in range(30)]
    for rows, _, is_right in examples:
        rows[is_right, 0] += 2.0

    def loss(weights):
        likely = sum(
            np.log(informative_probabilities(rows, costs, weights)[right].sum()) for rows, costs, right in examples
        )
        return RIDGE / 2 * weights @ weights - likely

    weights = fit_logit(examples)
    assert weights[0] > 0.3 > abs(weights[1])
    for step in ([1e-2, 0], [-1e-2, 0], [0, 1e-2], [0, -1e-2]):
        assert loss(weights) <= loss(weights + step)


def test_the_content_of_a_page_is_told_from_its_menu():
    page = read_page(unmarked(MARKED.format(site="coast.example", words="")))
    content = dict(zip(page.leaves.text, content_of_leaves(page).tolist(), strict=True))
    assert content["The old pier of coast.example burnt down last night."] > 0.5 > content["Weather"]


@pytest.mark.parametrize("html", ["<p>x<p>y", "<img><img>", "<style>*{display:none}</style><p>a<p>b", "<p>a<p>" * 90])
def test_content_features_keep_their_promise_on_odd_pages(html):
    graph = graph_of(f"<body>{html}")
    rows = content_rows(SegmentMeasures(graph))
    assert rows.shape == (graph.segments, len(NAMES))
    assert rows.min() >= 0
    assert rows.max() <= 1 + 1e-6


def test_the_marked_article_is_the_likeliest_segment_of_a_site_not_seen(pages):
    weights = learn_informative_weights(pages[:4], level=1)
    for page in pages[4:]:
        is_right = informative_segments(page, 1)
        assert is_right.any()
        assert not is_right.all()
        rows = content_rows(SegmentMeasures(page.graph))
        chances = informative_probabilities(rows, np.zeros(page.graph.segments), weights)
        assert chances[is_right].sum() > 1.5 * chances.mean() * is_right.sum()


def test_gains_to_learn_chances_with_are_of_machines_that_have_not_seen_the_page(pages):
    """Another gold of a page changes what is learned from it, not the gains of the page itself."""
    from dataclasses import replace

    plain = held_out_gains(pages, level=1)
    turned = [replace(pages[0], labels={1: np.zeros_like(pages[0].labels[1])}), *pages[1:]]
    other = held_out_gains(turned, level=1)
    assert (other[0] == plain[0]).all()
    assert any((one != two).any() for one, two in zip(other[1:], plain[1:], strict=True))


def test_where_no_page_has_an_informative_block_only_costs_decide(pages):
    from dataclasses import replace

    bare = [replace(page, gold=replace(page.gold, contents=())) for page in pages]
    assert not learn_informative_weights(bare, level=1).any()


def test_the_informative_segment_is_the_likeliest_final_one_where_the_segmenter_tells():
    laid = lay_out(read_page("<p>A long text that would be the largest of all<p>short"))
    whole = LeafGroup(None, [0, 1], 0.9)
    assert informative_segment(laid, [whole, LeafGroup(0, [0], 0.1), LeafGroup(0, [1], 0.3)]) == 2
    assert informative_segment(laid, [whole, LeafGroup(0, [0]), LeafGroup(0, [1], 0.3)]) == 2
    assert informative_segment(laid, [LeafGroup(None, [0, 1]), LeafGroup(0, [0]), LeafGroup(0, [1])]) == 1
