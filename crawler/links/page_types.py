"""Which pages a crawl keeps, by what they are there for: all are followed, and those of other types are left out."""

from collections.abc import Callable
from dataclasses import dataclass

from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, SkipRecord
from parcels.html.page import Page, read_page

REASON = "page-type"


@dataclass(frozen=True, slots=True)
class PageTypeFilter:
    """The types that are kept, and who tells them: names, beginnings, claims and address of a page, with no layout."""

    types: frozenset[str]
    tell: Callable[[Page], tuple[str, float]]

    @classmethod
    def of(cls, given: str) -> "PageTypeFilter":
        """From `[MODEL:]TYPE,TYPE`; the model is a shipped one or a folder.

        >>> sorted(PageTypeFilter.of("forum, article").types)
        ['article', 'forum']
        """
        from parcels.pagetypes.model import SHIPPED, page_types_at  # a crawl that keeps all has no use for it

        name, _, listed = given.rpartition(":")
        model = page_types_at(name or SHIPPED)
        known = model.by_names.types
        wanted = [one.strip() for one in listed.split(",") if one.strip()]
        for one in wanted:
            if one not in known:
                hint = did_you_mean(one, known)
                raise ConfigError(f"there is no page type '{one}'.{hint} There are: {', '.join(known)}")
        if not wanted:
            raise ConfigError(f"name the page types to keep: {', '.join(known)}")
        return cls(frozenset(wanted), model.at_a_glance)

    def other_type(self, body: bytes, url: str, content_type: str | None) -> str | None:
        """The type of a page that is not to be kept, and how likely it is; what cannot be read is kept."""
        try:
            kind, chance = self.tell(read_page(body, url, content_type=content_type))
        except SkipRecord:
            return None
        return None if kind in self.types else f"{kind} {chance:.2f}"
