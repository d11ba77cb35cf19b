"""The best labelling: three ways, one optimum, checked against all labellings of small graphs."""

import itertools

import numpy as np
import pytest
from segment_pages import random_graphs

from parcels.segment import inference, oracle
from parcels.segment.labelling import final_of_leaves, is_feasible, segments_of
from parcels.segment.metrics import adjusted_rand
from parcels.segment.rescaling import informative_loss, most_violated_margin, most_violated_slack, second_best

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


def test_the_most_violated_margin_is_the_worst_of_all(small):
    rng = np.random.default_rng(2)
    for graph, gains in small:
        every = list(all_labellings(graph))
        gold = every[rng.integers(len(every))]

        def violation(labels, gains=gains, gold=gold):
            return (labels != gold).sum() - gains[gold].sum() + gains[labels].sum()

        labels, loss, _ = most_violated_margin(graph, gains, gold, ())
        assert loss == (labels != gold).sum()
        assert violation(labels) == pytest.approx(max(map(violation, every)))


def test_the_most_violated_slack_is_the_worst_of_all_others(small):
    """Proposition 1, for every labelling whose margin is below one: only those can violate it."""
    rng = np.random.default_rng(3)
    for graph, gains in small:
        every = list(all_labellings(graph))
        gold = every[rng.integers(len(every))]
        informative = tuple(sorted(rng.choice(len(graph), min(4, len(graph)), replace=False).tolist()))

        def violation(labels, gains=gains, gold=gold, informative=informative):
            wrong = sum(labels[one] != gold[one] for one in informative)
            return (1 - gains[gold].sum() + gains[labels].sum()) * informative_loss(wrong, len(informative))

        others = [labels for labels in every if (labels != gold).any()]
        found = most_violated_slack(graph, gains, gold, informative)
        if not others:
            assert found is None
            continue
        assert found is not None
        labels, _loss, _ = found
        worst = max(map(violation, others))
        if worst > 0:
            assert violation(labels) == pytest.approx(worst)


def test_the_second_best_labelling_is_found(small):
    for graph, gains in small:
        best = inference.by_chains(graph, gains)
        others = [gains[labels].sum() for labels in all_labellings(graph) if (labels != best).any()]
        found = second_best(graph, gains, best)
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
