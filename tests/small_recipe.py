"""A recipe that trains in seconds, for tests that need a model of block labels."""

from functools import partial

from parcels.labels.recipe import Reading, Recipe
from parcels.learn.linear import Linear
from parcels.learn.page_net import NetSettings
from parcels.learn.trees import Trees

SMALL = Recipe(
    {
        "style": Reading(("style",), (), partial(Trees, rounds=3, rate=0.5)),
        "words": Reading(("lexical",), ("terms",), partial(Linear, most_steps=6)),
        "names": Reading((), ("names",), partial(Linear, most_steps=6)),
    },
    ("style", "context", "evidence", "lexical", "topic"),
    NetSettings(width=16, epochs=12, least_steps=60, rate=1e-2, drop=0, drop_input=0),
    nets=1,
    repeats=1,
    pool_epochs=4,
    last_epochs=2,
)
