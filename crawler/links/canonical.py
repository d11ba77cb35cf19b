"""Remember pages left out for their canonical address, so that two pages that name each other are not both lost."""

from collections.abc import Callable

WORD = "not-canonical"  # and the address that was named: the reason of a dead letter
MAX_STEPS = 5  # from page to page
KEPT = 100_000


class Canonicals:
    """The pages that this process left out, and the frontier's dead letters (`dead`)."""

    def __init__(self, dead: Callable[[str], str | None] = lambda url: None):
        self._dead = dead
        self._left: dict[str, str] = {}

    def leave(self, url: str, target: str) -> str:
        """Record that a page is left out for the address that it names; return the reason of its dead letter."""
        if len(self._left) >= KEPT:
            self._left.clear()
        self._left[url] = target
        return f"{WORD} {target}"

    def leads_back(self, url: str, target: str) -> bool:
        """Return True if the named page was itself left out for this one, directly or over several steps.

        >>> known = Canonicals()
        >>> _ = known.leave("/x", "/y")
        >>> known.leads_back("/y", "/x"), known.leads_back("/z", "/x")
        (True, False)
        """
        for _ in range(MAX_STEPS):
            if target == url:
                return True
            named = self._left.get(target) or self._named(target)
            if named is None:
                return False
            target = named
        return True

    def _named(self, url: str) -> str | None:
        word, _, target = (self._dead(url) or "").partition(" ")
        return target if word == WORD and target else None
