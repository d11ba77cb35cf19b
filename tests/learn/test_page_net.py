"""The network over a page's blocks: its gradients, what only context tells, saving and loading."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from parcels.errors import ModelMismatch
from parcels.learn import page_net
from parcels.learn.learner import log_softmax
from parcels.learn.page_net import NetSettings, PageNet
from parcels.learn.page_rows import Batch, PageRows

CLASSES = np.array(["a", "b", "c"])
SMALL = NetSettings(width=6, epochs=1, least_steps=1, drop=0, drop_input=0)


def page(blocks: int, seed: int) -> PageRows:
    random = np.random.default_rng(seed)
    target = np.eye(3, dtype=np.float32)[random.integers(3, size=blocks)]
    groups = random.integers(3, size=blocks), np.arange(blocks) // 2
    return PageRows(random.normal(size=(blocks, 4)), groups, target, np.ones(blocks, np.float32))


def test_gradients_are_those_of_the_loss():
    pages = [page(6, 0), page(9, 1)]
    net = PageNet(SMALL).fit(pages, CLASSES)
    random = np.random.default_rng(2)
    net.weights_ = {name: w + random.normal(0, 0.1, w.shape).astype(np.float32) for name, w in net.weights_.items()}
    batch = Batch.of(pages, net._standard, page_net.GAP)
    grads, _ = net._gradients(batch, random)  # nothing is dropped, so nothing is drawn that matters
    for name, weights in net.weights_.items():
        ways = [grads[name], *(random.normal(size=weights.shape).astype(np.float32) for _ in range(3))]
        for way in ways:
            step = 1e-3 * way / np.linalg.norm(way)
            fall, losses = 2 * float((grads[name] * step).sum()), []
            for moved in (weights + step, weights - step):
                net.weights_[name] = moved
                losses.append(net._gradients(batch, random)[1])
            net.weights_[name] = weights
            assert losses[0] - losses[1] == pytest.approx(fall, rel=0.02, abs=2e-6), name


def test_pages_in_one_batch_do_not_see_each_other():
    pages = [page(7, 3), page(5, 4)]
    net = PageNet(replace(SMALL, epochs=3)).fit(pages, CLASSES)
    alone = net.predict_log_proba(pages[0])
    changed = [pages[0], replace(pages[1], numbers=pages[1].numbers + 100)]
    batch = Batch.of(changed, net._standard, page_net.GAP)
    assert batch.starts == [0, 7 + page_net.GAP]
    np.testing.assert_allclose(net.predict_log_proba(pages[0]), alone)
    silent = replace(pages[1], weight=np.zeros(5, np.float32)), replace(changed[1], weight=np.zeros(5, np.float32))
    losses = [
        net._gradients(Batch.of([changed[0], other], net._standard, page_net.GAP), np.random.default_rng(0))[1]
        for other in silent
    ]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_it_learns_what_only_the_neighbours_tell():
    # The label of a block is the number of the block two places before it.
    random = np.random.default_rng(5)
    pages = []
    for _ in range(40):
        numbers = random.integers(3, size=30)
        target = np.eye(3, dtype=np.float32)[np.roll(numbers, 2)]
        weight = (np.arange(30) >= 2).astype(np.float32)
        rows = np.eye(3)[numbers]
        pages.append(PageRows(rows, (np.zeros(30, np.int64),), target, weight))
    net = PageNet(NetSettings(width=24, epochs=30, least_steps=1, rate=1e-2)).fit(pages[:30], CLASSES)
    right = [
        (net.predict_log_proba(one).argmax(axis=1)[2:] == one.target.argmax(axis=1)[2:]).mean() for one in pages[30:]
    ]
    assert np.mean(right) > 0.95


def test_it_learns_what_only_the_group_tells():
    # Every block of a group has the label that one of its blocks shows.
    random = np.random.default_rng(6)
    pages = []
    for _ in range(40):
        group = np.repeat(np.arange(4), 12)
        order = random.permutation(48)
        shown, label = np.zeros((48, 3)), random.integers(3, size=4)
        for number in range(4):
            shown[random.choice(np.flatnonzero(group == number)), label[number]] = 12
        target = np.eye(3, dtype=np.float32)[label[group]]
        pages.append(PageRows(shown[order], (group[order],), target[order], np.ones(48, np.float32)))
    net = PageNet(NetSettings(width=24, epochs=60, least_steps=1, rate=1e-2)).fit(pages[:30], CLASSES)
    right = [(net.predict_log_proba(one).argmax(axis=1) == one.target.argmax(axis=1)).mean() for one in pages[30:]]
    assert np.mean(right) > 0.95


def test_the_same_seed_gives_the_same_network():
    one, other = (PageNet(replace(SMALL, epochs=2)).fit([page(9, 7)], CLASSES) for _ in range(2))
    for name in one.weights_:
        np.testing.assert_array_equal(one.weights_[name], other.weights_[name])


def test_a_saved_network_says_the_same_and_a_wrong_one_is_refused(tmp_path):
    net = PageNet(SMALL).fit([page(9, 8)], CLASSES)
    net.save(tmp_path / "net")
    again = PageNet.load(tmp_path / "net", columns=4, groups=2)
    np.testing.assert_array_equal(again.predict_log_proba(page(5, 9)), net.predict_log_proba(page(5, 9)))
    with pytest.raises(ModelMismatch, match="shape"):
        PageNet.load(tmp_path / "net", columns=5, groups=2)
    (tmp_path / "net" / "learner.json").write_text('{"kind": "page-net", "version": 1, "classes": [1], "width": "x"}')
    with pytest.raises(ModelMismatch, match="width"):
        PageNet.load(tmp_path / "net", columns=4, groups=2)


def test_a_page_without_blocks_and_one_block_alone():
    net = PageNet(SMALL).fit([page(9, 10)], CLASSES)
    assert net.predict_log_proba(PageRows(np.zeros((0, 4)), (np.zeros(0, np.int64),) * 2)).shape == (0, 3)
    assert net.predict_log_proba(page(1, 11)).shape == (1, 3)


def test_training_and_labelling_compute_the_same_scores():
    pages = [page(20, 1), page(30, 2), page(1, 3)]
    net = PageNet(replace(SMALL, width=32, epochs=3)).fit(pages, CLASSES)
    batch = Batch.of(pages, net._standard, page_net.GAP)
    scores = net._forward(batch.numbers, batch.groups, None, batch.is_real).scores
    for one, start in zip(pages, batch.starts, strict=True):
        in_batch = log_softmax(scores[start : start + len(one)])
        np.testing.assert_allclose(net.predict_log_proba(one), in_batch, atol=1e-5)


def test_a_layer_sees_the_blocks_around_each():
    rows = np.arange(1, 4, dtype=np.float32)[:, None]
    assert page_net._neighbours(rows, 1).tolist() == [[3, 2, 1, 0, 0], [0, 3, 2, 1, 0], [0, 0, 3, 2, 1]]
    assert page_net._neighbours(rows, 4).tolist() == [[0, 0, 1, 0, 0], [0, 0, 2, 0, 0], [0, 0, 3, 0, 0]]


def test_a_network_that_learned_more_says_something_else():
    pages = [page(20, 1), page(30, 2)]
    net = PageNet(replace(SMALL, width=32)).fit(pages, CLASSES)
    before = net.predict_log_proba(pages[0])
    after = net.go_on(pages, epochs=1, rate=1e-2).predict_log_proba(replace(pages[0]))
    assert abs(after - before).max() > 1e-3


@pytest.mark.parametrize("width", [6, 32])
def test_numbers_that_are_none_stay_none(width):
    net = PageNet(replace(SMALL, width=width)).fit([page(20, 1)], CLASSES)
    asked = page(9, 3)
    asked.numbers[4, 1] = np.nan
    assert np.isnan(net.predict_log_proba(asked)[4]).all()


def test_a_network_that_has_labelled_can_be_copied():
    pages = [page(20, 1)]
    net = PageNet(replace(SMALL, width=32)).fit(pages, CLASSES)
    said = net.predict_log_proba(pages[0])
    copied = copy.deepcopy(net)  # by the same methods as pickle
    assert (copied.predict_log_proba(pages[0]) == said).all()
