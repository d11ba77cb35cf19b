"""topics: `pages` and a topic model in, `topics` out, one row per page. A new model is a new partition."""

from jobs.engine.model_step import ModelArchive, ModelStep
from jobs.engine.page import Rows, StoredPage
from parcels.topics.examples import read_for_topics
from parcels.topics.model import TopicModel, open_topic_model
from parcels.topics.result import topic_of

STEP = "topics"


def topics(model: ModelArchive) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "topics", open_topic_model, topic_rows, model)


def topic_rows(page: StoredPage, model: TopicModel, name: str) -> Rows:
    """Return the row of a page. Raise SkipRecord if nothing is visible."""
    page.require_leaves()
    result = topic_of(read_for_topics(page.page, page.layout), model)
    row = {
        "page_id": page.page_id,
        "topic": result["topic"],
        "scores": [{"topic": topic, "score": score} for topic, score in result["scores"].items()],
        "areas": [
            {"area": area, "topic": topic, "score": score}
            for area, scores in result["areas"].items()
            for topic, score in scores.items()
        ],
        "links": result["links"],
        "model": name,
    }
    return [row]
