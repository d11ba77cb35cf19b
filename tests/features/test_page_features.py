"""PageFeatures and the helpers of features: enclosing tags, medians, ranks; and the garbage collector settings."""

import gc

import numpy as np
import pytest

from parcels import example_web
from parcels.common.memory import OBJECTS_PER_COLLECTION, freeze_loaded_objects
from parcels.features.page_features import PageFeatures, measure_html, ranks
from parcels.features.style.columns import INSIDE, commonest, weighted_median
from parcels.html.tags import NAMES
from parcels.learn.words import Words


@pytest.fixture(scope="module")
def page() -> PageFeatures:
    url = example_web.article_urls(example_web.hosts()[0])[0]
    return measure_html(example_web.fetch(url).body, url)


def rows_upwards(page: PageFeatures, row: int) -> list[int]:
    rows = [row]
    while rows[-1] > 0:
        rows.append(int(page.page.nodes.parent[rows[-1]]))
    return rows


def test_a_block_is_inside_the_tags_on_its_way_up(page):
    for block, container in enumerate(page.container.tolist()):
        tags = {NAMES[page.page.nodes.tag[row]] for row in rows_upwards(page, container)}
        assert {tag for tag in INSIDE if page.table.inside[INSIDE.index(tag), block]} == tags & set(INSIDE)


def test_a_median_by_weights_passes_over_what_has_none():
    values = np.array([9, 1, 5, 3], np.float32)
    assert weighted_median(values, np.array([1, 0, 1, 3], np.float32)) == 3
    assert weighted_median(values, np.zeros(4, np.float32)) == 4.5


def test_the_commonest_value_is_the_smallest_of_several():
    assert commonest(np.array([7, -2, 7, 5]), np.array([1, 2, 1, 1], np.float32)) == -2


def test_ranks_are_those_of_sorting():
    values = np.random.default_rng(4).integers(-9, 30, 50)
    assert ranks(values).tolist() == np.unique(values, return_inverse=True)[1].tolist()
    assert ranks(values[:0]).tolist() == []


def test_counted_words_and_sets_of_words_may_stand_in_one_table():
    words = Words.from_counts([{"b": 2, "a": 1, "unknown": 5}, {"b", "unknown"}, set()], {"a": 0, "b": 1})
    assert words.to_dense().tolist() == [[1, 2], [0, 1], [0, 0]]
    assert Words.from_counts([{"x"}], {}).to_dense().shape == (1, 0)


def test_memory_is_settled_once():
    before = gc.get_threshold()
    try:
        freeze_loaded_objects()
        assert gc.get_threshold()[0] == OBJECTS_PER_COLLECTION
        assert gc.get_freeze_count() > 0
        put_aside = gc.get_freeze_count()
        made_since = [[] for _ in range(1000)]
        freeze_loaded_objects()
        assert gc.get_freeze_count() <= put_aside  # some of what was put aside may have gone
        assert len(made_since) == 1000
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
