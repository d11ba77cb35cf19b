"""All features of all views that give numbers, with name, range and version: what models and the reference list."""

from typing import Any

from parcels.views import context, evidence, lexical_features, stylistic, topic
from parcels.views.feature import Feature, Promise, meaning_of, promise

# Ranges of features that state none themselves; those of the views below are shares unless listed.
_RANGES = {"list_in_text": (-1, 1), "list_in_title": (-1, 1), "entry_in_text": (-1, 1), "rareness": (0, 20)}


def _listed(functions: tuple[Any, ...]) -> tuple[Feature, ...]:
    """Return the features of a view whose module lists functions."""
    return tuple(Feature(_promise(function), meaning_of(function), function) for function in functions)


def _promise(function: Any) -> Promise:
    if hasattr(function, "__feature__"):
        return promise(function)
    low, high = _RANGES.get(function.__name__, (0, 1))
    return Promise(function.__name__, low, high, 1)


VIEWS: dict[str, tuple[Feature, ...]] = {  # in the order of their columns
    "style": stylistic.FEATURES,
    "lexical": _listed(lexical_features.LEXICAL),
    "context": context.FEATURES,
    "evidence": _listed(evidence.FEATURES),
    "topic": _listed(topic.FEATURES),
}
