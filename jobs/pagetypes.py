"""pagetypes: `pages` and a page-type model in, `page_types` out, a row a page; a new model is a new partition."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jobs.classify import SentModel
from jobs.divide import rejected
from jobs.folder import opened_folder
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.errors import SkipRecord
from parcels.pagetypes.model import PageTypeModel, open_page_types
from parcels.store import Store

STEP = "pagetypes"


def opened_page_types(data: bytes) -> PageTypeModel:
    """The model in a zip file, opened once a process."""
    found: PageTypeModel = opened_folder(data, open_page_types)
    return found


@dataclass(frozen=True)
class PageTypes:
    """Says what pages are there for with a model."""

    model: SentModel
    name: str = STEP

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{STEP} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with a type by this model, and pages that were left out."""
        rows = frame(spark, store, "page_types").where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenPageTypes":
        """With the model open."""
        return OpenPageTypes(self.model.name, opened_page_types(self.model.data.value))


@dataclass(frozen=True)
class OpenPageTypes:
    """The step in an executor."""

    name: str
    model: PageTypeModel

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """One row; a page without visible leaves is left out."""
        if not len(work.page.leaves):
            raise SkipRecord("no-leaves", str(work.row["url"]), "nothing visible")
        scores = self.model.of_page(work.laid)
        row = {
            "page_id": work.page_id,
            "page_type": max(scores, key=scores.__getitem__),
            "scores": [{"page_type": name, "score": score} for name, score in scores.items()],
            "model": self.name,
        }
        yield "page_types", [row]
