"""The supported pseudo-classes and pseudo-elements, by how they are handled."""

PSEUDO_ELEMENTS = frozenset(["before", "after", "first-line", "first-letter"])
NEVER_MATCHING = frozenset(
    [
        "hover",
        "focus",
        "active",
        "visited",
        "focus-within",
        "focus-visible",
        "target",
        "target-within",
        "fullscreen",
        "modal",
        "popover-open",
        "autofill",
        "user-invalid",
        "user-valid",
        "playing",
        "paused",
        "picture-in-picture",
        "past",
        "current",
        "future",
        "host",
        "host-context",
        "indeterminate",
        "invalid",
        "out-of-range",
        "local-link",
        "seeking",
        "stalled",
        "buffering",
        "muted",
    ]
)
IMPOSSIBLE_PSEUDO = PSEUDO_ELEMENTS | NEVER_MATCHING
ALWAYS = frozenset(["defined", "valid", "in-range", "optional", "read-write", "ltr"])
STRUCTURAL = {
    "first-child": (0, 1, False, False),
    "last-child": (0, 1, True, False),
    "first-of-type": (0, 1, False, True),
    "last-of-type": (0, 1, True, True),
}
NTHS = {
    "nth-child": (False, False),
    "nth-last-child": (True, False),
    "nth-of-type": (False, True),
    "nth-last-of-type": (True, True),
}
HAS_ATTRIBUTE = {
    "checked": "checked selected",
    "disabled": "disabled",
    "required": "required",
    "read-only": "readonly",
}
WITH_SELECTORS = frozenset(["is", "where", "not", "has", "matches", "any", "-webkit-any", "-moz-any"])
KNOWN_PSEUDO = (
    ALWAYS
    | WITH_SELECTORS
    | frozenset(STRUCTURAL)
    | frozenset(NTHS)
    | frozenset(HAS_ATTRIBUTE)
    | frozenset(
        [
            "only-child",
            "only-of-type",
            "empty",
            "root",
            "scope",
            "link",
            "any-link",
            "enabled",
            "placeholder-shown",
            "lang",
            "dir",
        ]
    )
)
