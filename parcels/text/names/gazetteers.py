"""Gazetteers: lists of names and of words near names, in lower case. The lists are files of parcels.text.data."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from parcels.text.stopwords import stopwords
from parcels.text.tokens import tokenize

_NATIONS = (
    "afghan african albanian algerian american arab argentine argentinian armenian asian australian austrian belgian "
    "bolivian bosnian brazilian british bulgarian cambodian canadian chechen chilean chinese colombian croatian cuban "
    "czech danish dutch egyptian english ethiopian european filipino finnish french german ghanaian greek haitian "
    "hungarian indian indonesian iranian iraqi irish islamic israeli italian jamaican japanese jewish jordanian kenyan "
    "korean kurdish kuwaiti latin lebanese libyan malaysian mexican moroccan muslim nigerian norwegian pakistani "
    "palestinian persian peruvian polish portuguese romanian russian saudi scottish serbian shiite sunni somali "
    "soviet spanish sudanese swedish swiss syrian taiwanese thai tunisian turkish ukrainian venezuelan vietnamese "
    "welsh yemeni zimbabwean christian catholic protestant democrat republican democratic"
)
_DAYS = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs "
    "fri sat sun jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec."
)


@dataclass(frozen=True)
class Gazetteers:
    """The gazetteers by word, and listed names of several words by their first word."""

    words: dict[str, tuple[str, ...]]
    phrases: dict[str, list[tuple[tuple[str, ...], str]]]  # first word: the other words, longest first; LOC or ORG
    seconds: frozenset[str]  # the second words of phrases

    @cached_property
    def pairs(self) -> dict[tuple[str, str], list[tuple[tuple[str, ...], str]]]:
        """Return the phrases by their first two words."""
        pairs: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {}
        for first, phrases in self.phrases.items():
            for rest, kind in phrases:
                pairs.setdefault((first, rest[0]), []).append((rest, kind))
        return pairs


def _lines(name: str) -> list[str]:
    return (files("parcels.text.data") / f"names_{name}.txt").read_text(encoding="utf-8").splitlines()


@cache
def gazetteers() -> Gazetteers:
    """Return all lists.

    >>> gazetteers().words["paris"], gazetteers().phrases["los"]
    (('place',), [(('angeles', 'lakers'), 'ORG'), (('angeles', 'times'), 'ORG'), (('angeles',), 'LOC')])
    """
    words: dict[str, set[str]] = {}
    phrases: dict[str, dict[tuple[str, ...], str]] = {}

    def add(new: list[str], list_name: str) -> None:
        for word in new:
            words.setdefault(word, set()).add(list_name)

    for list_name in ("first", "last", "titles", "orgwords"):
        add(" ".join(_lines(list_name)).split(), list_name)
    add(_NATIONS.split(), "nation")
    add(_DAYS.split(), "day")
    add(sorted(stopwords()), "stop")
    for list_name, kind, part in (("places", "LOC", "place"), ("organisations", "ORG", "organisation")):
        for line in _lines(list_name):
            tokens = [token.lower() for token in tokenize(line)]
            tokens = tokens[1:] if tokens[0] == "the" else tokens
            if len(tokens) == 1:
                add(tokens, part)
            else:
                phrases.setdefault(tokens[0], {}).setdefault(tuple(tokens[1:]), kind)
                add([token for token in tokens if token not in stopwords() and token.isalpha()], f"in-{part}")
    return Gazetteers(
        {word: tuple(sorted(names)) for word, names in words.items()},
        {
            first: sorted(rest.items(), key=lambda item: (-len(item[0]), item[0]))
            for first, rest in sorted(phrases.items())
        },
        frozenset(others[0] for rest in phrases.values() for others in rest),
    )
