"""topics: `pages` and a topic model in, `topics` out, one row per page; a new model is a new partition."""

from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import Rows, StoredPage
from parcels.topics.examples import read_for_topics
from parcels.topics.model import TopicModel, open_topic_model
from parcels.topics.result import topic_of

STEP = "topics"


def topics(model: SentModel) -> ModelStep:
    """Return the job with a model."""
    return ModelStep(STEP, "topics", open_topic_model, topic_rows, model)


def topic_rows(page: StoredPage, model: TopicModel, name: str) -> Rows:
    """Return one row; SkipRecord where nothing is visible."""
    page.require_leaves()
    found = topic_of(read_for_topics(page.page, page.layout), model)
    row = {
        "page_id": page.page_id,
        "topic": found["topic"],
        "scores": [{"topic": topic, "score": score} for topic, score in found["scores"].items()],
        "areas": [
            {"area": area, "topic": topic, "score": score}
            for area, scores in found["areas"].items()
            for topic, score in scores.items()
        ],
        "links": found["links"],
        "model": name,
    }
    return [row]
