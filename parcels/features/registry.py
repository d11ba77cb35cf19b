"""The registry of numeric views and their features: for models, their version check and the reference."""

from collections.abc import Iterable, Mapping

from parcels.errors import ModelMismatch
from parcels.features import evidence, topic
from parcels.features.context import view as context
from parcels.features.feature import Feature
from parcels.features.style import view as stylistic
from parcels.features.words import numbers as lexical_features

VIEWS: dict[str, tuple[Feature, ...]] = {  # in the order of the models' inputs
    "style": stylistic.FEATURES,
    "context": context.FEATURES,
    "evidence": evidence.FEATURES,
    "lexical": lexical_features.FEATURES,
    "topic": topic.FEATURES,
}
NUMBERS: dict[str, tuple[str, ...]] = {view: tuple(of.name for of in features) for view, features in VIEWS.items()}
ALL: dict[str, tuple[str, ...]] = {view: tuple(map(str, features)) for view, features in VIEWS.items()}


def with_versions(names: Iterable[str]) -> tuple[str, ...]:
    """Return features as `name@version`; model files omit version 1.

    >>> with_versions(["position", "is_fixed@2"])
    ('position@1', 'is_fixed@2')
    """
    return tuple(name if "@" in name else f"{name}@1" for name in names)


def places(features: Mapping[str, tuple[str, ...]]) -> dict[str, list[int]]:
    """Return the column indices of a model's features among those of this version, by view.

    Views with the same features in the same order are left out. A model stays usable when features are added, but not
    when a feature that it reads was removed or changed.

    >>> places(ALL), places({"topic": ("rareness@1", "topic_in_text@1")})
    ({}, {'topic': [6, 0]})
    >>> places({"topic": ("rareness@9",)})
    Traceback (most recent call last):
    parcels.errors.ModelMismatch: it was trained on other features of the view 'topic' (not here: rareness@9)
    """
    places_by_view = {}
    for view, names in features.items():
        own = {name: place for place, name in enumerate(ALL.get(view, ()))}
        missing = [name for name in names if name not in own]
        if missing:
            what = ", ".join(missing)
            raise ModelMismatch(f"it was trained on other features of the view '{view}' (not here: {what:.200})")
        if names != ALL[view]:
            places_by_view[view] = [own[name] for name in names]
    return places_by_view
