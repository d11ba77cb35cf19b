"""One page with the results of its processing steps: each is computed once, when it is first needed."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Self

from parcels.divide import DIVIDERS, Division, fine
from parcels.errors import ConfigError, SkipRecord
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage

if TYPE_CHECKING:
    from parcels.labels.blocks import Labelled
    from parcels.labels.features import BlockViews
    from parcels.labels.model import LabelModel
    from parcels.layout.render import LaidOut

MAX_LAID_OUT = 50_000  # elements; the largest of 10,000 corpus pages has 11,218
FINE = "fine"  # the divider whose blocks the models label


class ProcessedPage:
    """A page on its way through parsing, layout, division, features and labels.

    >>> page = ProcessedPage(RawPage("pier", b"<h1>Fire at the pier</h1><p>Nobody was hurt."))
    >>> len(page.division), page.layout.areas.of_leaf(1)
    (2, 'centre')
    """

    def __init__(self, raw: RawPage, *, divider: str = FINE):
        if divider not in DIVIDERS:
            raise ConfigError(f"Unknown divider '{divider}'. Use one of: {', '.join(DIVIDERS)}.")
        self.raw, self.divider = raw, divider

    @classmethod
    def parsed(
        cls, page: Page, *, css: Mapping[str, bytes] | None = None, folder: str = "", divider: str = FINE
    ) -> Self:
        """Return a page that was parsed before."""
        processed = cls(RawPage(page.name, b"", page.url, None, css or {}, folder), divider=divider)
        processed.__dict__["page"] = page
        return processed

    @cached_property
    def page(self) -> Page:
        """Return the parsed page."""
        raw = self.raw
        return read_page(raw.html, raw.url, name=raw.name, content_type=raw.content_type)

    @property
    def can_be_laid_out(self) -> bool:
        """Return False for a page of so many elements that its layout would take too long."""
        return len(self.page.nodes) <= MAX_LAID_OUT

    @cached_property
    def layout(self) -> "LaidOut":
        """Return computed styles, boxes and areas; raise SkipRecord for a page that is too large."""
        from parcels.layout.render import lay_out

        if not self.can_be_laid_out:
            raise SkipRecord("too-large", self.page.url or self.page.name, "too many elements to lay out")
        return lay_out(self.page, css=self.raw.css, folder=self.raw.folder)

    @property
    def optional_layout(self) -> "LaidOut | None":
        """Return the layout, or None for a page that is too large."""
        return self.layout if self.can_be_laid_out else None

    @cached_property
    def division(self) -> Division:
        """Return the blocks of the page's divider."""
        return self.fine_division if self.divider == FINE else DIVIDERS[self.divider](self.page)

    @cached_property
    def fine_division(self) -> Division:
        """Return the blocks that the models label."""
        return fine.divide(self.page)

    @cached_property
    def features(self) -> "BlockViews":
        """Return the features of the division's blocks."""
        return self.fine_features if self.divider == FINE else self._measured(self.division)

    @cached_property
    def fine_features(self) -> "BlockViews":
        """Return the features of the blocks that the models label."""
        return self._measured(self.fine_division)

    def _measured(self, division: Division) -> "BlockViews":
        from parcels.labels.features import measure

        return measure(division, self.layout)

    def labels(self, model: "LabelModel") -> "Labelled":
        """Label the division's blocks."""
        from parcels.labels.blocks import label_blocks

        return label_blocks(self.division, self.fine_features, model)

    def require_leaves(self) -> None:
        """Raise SkipRecord where nothing is visible."""
        if not len(self.page.leaves):
            raise SkipRecord("no-leaves", self.page.url or self.page.name, "nothing visible")
