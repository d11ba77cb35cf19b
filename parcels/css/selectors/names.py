# cython: boundscheck=True, wraparound=False
"""The names that occur on a page: tags, `.class` and `#id`."""

from collections.abc import Set

from parcels.maps import StringMap


class Names:
    """The names of a page, looked up in a text before a string is created for them.

    >>> Names({"a", ".x"}).find("ul > A.x", 5, 6, True)
    'a'
    """

    def __init__(self, names: Set[str]):
        self.all = frozenset(names)
        self._texts = list(self.all)
        self._numbers = StringMap(self._texts)

    def find(self, text: str, start: int, end: int, is_tag: bool) -> str | None:
        """Return the name between two places of a text, tags in small letters; None where the page has no such name."""
        if is_tag:
            for at in range(start, end):
                sign = text[at]
                if sign > "\x7f" or "A" <= sign <= "Z":
                    name = text[start:end].lower()
                    return name if name in self.all else None
        number = self._numbers.find(text, start, end)
        return None if number < 0 else self._texts[number]
