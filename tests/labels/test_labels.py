"""Label sets as data."""

import re

import pytest

from parcels.errors import ConfigError
from parcels.labels import label_set


def test_the_news_labels_are_complete_and_distinct():
    labels = label_set("news17").labels
    assert len(labels) == 17
    for field in ("name", "key", "colour", "rubric"):
        assert len({getattr(label, field) for label in labels}) == 17, field
    for label in labels:
        assert re.fullmatch(r"#[0-9a-f]{6}", label.colour)
        assert label.importance in (1, 2, 3)
        assert label.merge in label_set("news17").names
        assert label.like
        assert label.unlike


def test_merging_ends_in_a_label_that_merges_into_itself():
    labels = label_set("news17")
    for label in labels.labels:
        name = label.name
        for _ in labels.labels:
            name = labels[name].merge
        assert labels[name].merge == name


def test_the_fingerprint_is_stable_and_an_unknown_set_names_the_known_ones():
    assert label_set("news17").fingerprint == label_set("news17").fingerprint
    with pytest.raises(ConfigError, match="news17"):
        label_set("news99")
