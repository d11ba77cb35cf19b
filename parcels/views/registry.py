"""The views that give numbers, with all their features: what models, their version check and the reference list."""

from typing import Any

from parcels.views import context, evidence, lexical_features, stylistic, topic
from parcels.views.feature import Feature

VIEWS: dict[str, tuple[Feature, ...]] = {  # in the order in which models see them
    "style": stylistic.FEATURES,
    "context": context.FEATURES,
    "evidence": evidence.FEATURES,
    "lexical": lexical_features.FEATURES,
    "topic": topic.FEATURES,
}
NUMBERS: dict[str, tuple[str, ...]] = {view: tuple(of.name for of in features) for view, features in VIEWS.items()}


def difference(view: str, stated: Any) -> str | None:
    """Return how a list of features in a model's file differs from those of this code; None where it does not.

    Features are stated as `name@version`; without a version it is 1.

    >>> difference("topic", [str(of) for of in VIEWS["topic"]]), difference("topic", NUMBERS["topic"])
    (None, None)
    >>> difference("topic", ["rareness@9", *NUMBERS["topic"][:-1]])
    'missing here: rareness@9; new here: rareness@1'
    """
    own = [str(of) for of in VIEWS[view]]
    theirs = [name if "@" in name else f"{name}@1" for name in stated or ()]
    if theirs == own:
        return None
    missing, new = sorted({*theirs} - {*own}), sorted({*own} - {*theirs})
    if not missing and not new:
        return "their order"
    return f"missing here: {', '.join(missing) or 'nothing'}; new here: {', '.join(new) or 'nothing'}"
