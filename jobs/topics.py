"""topics: `pages` and a topic model in, `topics` out, a row a page; a new model is a new partition."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jobs.classify import SentModel
from jobs.divide import rejected
from jobs.folder import opened_folder
from jobs.page import PageWork, Rows
from jobs.views import frame, having
from parcels.errors import SkipRecord
from parcels.store import Store
from parcels.topics.examples import read_for_topics
from parcels.topics.model import TopicModel, open_topic_model
from parcels.topics.result import topic_of

STEP = "topics"


def opened_topics(data: bytes) -> TopicModel:
    """The model in a zip file, opened once a process."""
    found: TopicModel = opened_folder(data, open_topic_model)
    return found


@dataclass(frozen=True)
class Topics:
    """Says what pages are about, and where their links lead."""

    model: SentModel
    name: str = STEP

    @property
    def step(self) -> str:
        """Another model may manage what this one could not."""
        return f"{STEP} {self.model.name}"

    def done(self, spark: Any, store: Store, crawl: str) -> Any:
        """Pages with a topic by this model, and pages that were left out."""
        rows = frame(spark, store, "topics").where(having(crawl=crawl, model=self.model.name))
        return rows.select("page_id").union(rejected(spark, store, crawl, self.step))

    def opened(self, store: Store, crawl: str) -> "OpenTopics":
        """With the model open."""
        return OpenTopics(self.model.name, opened_topics(self.model.data.value))


@dataclass(frozen=True)
class OpenTopics:
    """The step in an executor."""

    name: str
    model: TopicModel

    def before(self, pages: Iterable[Mapping[str, Any]]) -> None:
        """There is nothing to read beside the pages."""

    def rows(self, work: PageWork) -> Iterator[tuple[str, Rows]]:
        """One row; a page without visible leaves is left out."""
        if not len(work.page.leaves):
            raise SkipRecord("no-leaves", str(work.row["url"]), "nothing visible")
        said = topic_of(read_for_topics(work.page, work.laid), self.model)
        row = {
            "page_id": work.page_id,
            "topic": said["topic"],
            "scores": [{"topic": topic, "score": score} for topic, score in said["scores"].items()],
            "areas": [
                {"area": area, "topic": topic, "score": score}
                for area, scores in said["areas"].items()
                for topic, score in scores.items()
            ],
            "links": said["links"],
            "model": self.name,
        }
        yield "topics", [row]
