"""The best labelling: three ways, one optimum, checked against all labellings of small graphs."""

import itertools

import numpy as np
import pytest
from segment_pages import random_graphs

from parcels.segments.graph import inference, oracle
from parcels.segments.graph.counted import best_by_wrong
from parcels.segments.graph.labelling import final_of_leaves, is_feasible, segments_of
from parcels.segments.graph.rescaling import informative_loss, most_violated_margin, most_violated_slack
from parcels.segments.metrics import adjusted_rand

SMALL = 11


def all_labellings(graph):
    edges = graph.dependencies()
    for bits in itertools.product((False, True), repeat=len(graph)):
        labels = np.array(bits)
        if all(labels[above] or not labels[below] for above, below in edges):
            yield labels


@pytest.fixture(scope="module")
def small():
    found = list(random_graphs(range(60), depth=3, most=SMALL))
    assert len(found) >= 15
    return found


def test_the_best_of_all_labellings_is_found(small):
    for graph, gains in small:
        best = max(inference.objective(gains, labels) for labels in all_labellings(graph))
        found = inference.by_chains(graph, gains)
        assert is_feasible(graph, found)
        assert inference.objective(gains, found) == pytest.approx(best)


def test_the_linear_programme_and_the_minimum_cut_give_the_same_labelling():
    for graph, gains in random_graphs(range(40)):
        found = inference.by_chains(graph, gains)
        assert (found == inference.by_programme(graph, gains)).all()
        assert (found == inference.by_cut(graph, gains)).all()


def test_pruning_leaves_only_what_can_matter():
    for graph, gains in random_graphs(range(20)):
        kept, _ = inference.pruned(graph, gains)
        best = inference.by_chains(graph, gains)
        assert set(np.flatnonzero(best).tolist()) <= set(kept.tolist())
        kept, edges = inference.pruned(graph, -np.abs(gains))
        assert not len(kept)
        assert not len(edges)


def test_the_oracle_is_the_labelling_with_the_best_index(small):
    rng = np.random.default_rng(1)
    for graph, _ in small[:12]:
        leaves = len(graph.laid.page.leaves)
        gold = np.sort(rng.integers(-1, 3, leaves)).astype(np.int32)
        told = gold >= 0
        if len(np.unique(gold[told])) < 2:
            continue

        def index(labels, graph=graph, gold=gold, told=told, leaves=leaves):
            return adjusted_rand(gold[told], final_of_leaves(segments_of(graph, labels), leaves)[told])

        assert index(oracle.best_labelling(graph, gold)) == pytest.approx(max(map(index, all_labellings(graph))))


def test_of_labellings_that_score_alike_the_one_that_keeps_wordless_parts_apart_is_taken(small):
    """Leaves that are not scored tell where boundaries are all the same; the index stays the best."""
    told_more = 0
    for number, (graph, _) in enumerate(small):
        leaves = len(graph.laid.page.leaves)
        every = np.sort(np.random.default_rng(number).integers(0, 4, leaves)).astype(np.int32)
        gold = np.where(np.arange(leaves) % 2 == 0, every, -1).astype(np.int32)
        told = gold >= 0
        if len(np.unique(gold[told])) < 2:
            continue

        def index(labels, blocks, is_used, graph=graph, leaves=leaves):
            return adjusted_rand(blocks[is_used], final_of_leaves(segments_of(graph, labels), leaves)[is_used])

        plain, better = oracle.best_labelling(graph, gold), oracle.best_labelling(graph, gold, every)
        assert index(better, gold, told) == pytest.approx(index(plain, gold, told))
        gain = index(better, every, every >= 0) - index(plain, every, every >= 0)
        assert gain >= -0.05
        told_more += gain > 1e-9
    assert told_more


def test_the_most_violated_margin_is_the_worst_of_all(small):
    rng = np.random.default_rng(2)
    for graph, gains in small:
        every = list(all_labellings(graph))
        gold = every[rng.integers(len(every))]

        def violation(labels, gains=gains, gold=gold):
            return (labels != gold).sum() - gains[gold].sum() + gains[labels].sum()

        labels, margin, scale = most_violated_margin(graph, gains, gold, ())
        assert (margin, scale) == ((labels != gold).sum(), 1.0)
        assert violation(labels) == pytest.approx(max(map(violation, every)))


def test_the_most_violated_slack_is_the_worst_of_all(small):
    """Proposition 1, for what is violated: a margin of the Hamming distance, scaled by the informative loss."""
    rng = np.random.default_rng(3)
    for graph, gains in small:
        every = list(all_labellings(graph))
        gold = every[rng.integers(len(every))]
        informative = tuple(sorted(rng.choice(len(graph), min(4, len(graph)), replace=False).tolist()))

        def violation(labels, gains=gains, gold=gold, informative=informative):
            wrong = sum(labels[one] != gold[one] for one in informative)
            lack = (labels != gold).sum() - gains[gold].sum() + gains[labels].sum()
            return lack * informative_loss(wrong, len(informative))

        found = most_violated_slack(graph, gains, gold, informative)
        assert is_feasible(graph, found.labels)
        assert found.margin == (found.labels != gold).sum()
        assert found.scale == informative_loss(
            sum(found.labels[one] != gold[one] for one in informative), len(informative)
        )
        assert violation(found.labels) == pytest.approx(max(map(violation, every)))


def test_the_best_labelling_for_every_number_of_wrong_ones_is_found(small):
    rng = np.random.default_rng(4)
    for graph, gains in small:
        every = list(all_labellings(graph))
        gold = every[rng.integers(len(every))]
        watched = rng.choice(len(graph), min(5, len(graph)), replace=False).tolist()
        expected = {}
        for labels in every:
            wrong = int((labels[watched] != gold[watched]).sum())
            expected[wrong] = max(expected.get(wrong, -np.inf), gains[labels].sum())
        found = best_by_wrong(graph, gains, gold, watched, most=len(watched))
        assert sorted(found) == sorted(expected)
        for wrong, labels in found.items():
            assert is_feasible(graph, labels)
            assert (labels[watched] != gold[watched]).sum() == wrong
            assert gains[labels].sum() == pytest.approx(expected[wrong])


def test_the_best_labelling_that_is_another_is_found(small):
    """With all boundaries watched and counted as one or more wrong, it is the second best."""
    for graph, gains in small:
        best = inference.by_chains(graph, gains)
        others = [gains[labels].sum() for labels in all_labellings(graph) if (labels != best).any()]
        found = best_by_wrong(graph, gains, best, range(len(graph)), most=1).get(1)
        assert (found is None) == (not others)
        if found is not None:
            assert gains[found].sum() == pytest.approx(max(others))


def test_inference_takes_a_few_milliseconds_at_five_hundred_boundaries():
    """By operations, not by the clock: each boundary is looked at once on the way up."""
    graph, gains = next(random_graphs([5]))
    seen = []

    class Counting(list):
        def __getitem__(self, place):
            seen.append(place)
            return super().__getitem__(place)

    class Gains:
        def tolist(self):
            return Counting(gains.tolist())

    inference.by_chains(graph, Gains())
    assert sorted(seen) == list(range(len(graph)))
