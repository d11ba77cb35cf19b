"""Select the pages that a crawl stores by their type; links are followed on all pages."""

from collections.abc import Callable
from dataclasses import dataclass

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, SkipRecord
from parcels.html.page import Page, read_page

REASON = "page-type"


@dataclass(frozen=True, slots=True)
class PageTypeFilter:
    """The types to store and the model that predicts them from names, texts and address of a page, without a layout."""

    types: frozenset[str]
    predict: Callable[[Page], tuple[str, float]]

    @classmethod
    def of(cls, given: str) -> "PageTypeFilter":
        """Parse `[MODEL:]TYPE,TYPE`; the model is a shipped one or a folder.

        >>> sorted(PageTypeFilter.of("forum, article").types)
        ['article', 'forum']
        """
        from parcels.pagetypes.model import SHIPPED, page_types_at  # not needed to store all types

        name, _, listed = given.rpartition(":")
        model = page_types_at(name or SHIPPED)
        known = model.by_names.types
        wanted = [one.strip() for one in listed.split(",") if one.strip()]
        for one in wanted:
            if one not in known:
                hint = did_you_mean(one, known)
                raise ConfigError(f"Unknown page type '{one}' in --page-types.{hint} Known types: {', '.join(known)}.")
        if not wanted:
            raise ConfigError(f"--page-types {given} names no type. Known types: {', '.join(known)}.")
        return cls(frozenset(wanted), model.at_a_glance)

    def other_type(self, body: bytes, url: str, content_type: str | None) -> str | None:
        """Return the type and probability of a page that is not to be stored, or None; unreadable pages are stored."""
        try:
            kind, probability = self.predict(read_page(body, url, content_type=content_type))
        except SkipRecord:
            return None
        return None if kind in self.types else f"{kind} {probability:.2f}"
