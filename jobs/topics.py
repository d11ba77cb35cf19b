"""topics: `pages` and a topic model in, `topics` out, a row a page; a new model is a new partition."""

from jobs.engine.model_step import ModelStep, SentModel
from jobs.engine.page import PageWork, Rows
from parcels.topics.examples import read_for_topics
from parcels.topics.model import TopicModel, open_topic_model
from parcels.topics.result import topic_of

STEP = "topics"


def topics(model: SentModel) -> ModelStep:
    """The job with a model."""
    return ModelStep(STEP, "topics", open_topic_model, topic_rows, model)


def topic_rows(work: PageWork, model: TopicModel, name: str) -> Rows:
    """One row; a page without visible leaves is left out."""
    said = topic_of(read_for_topics(work.page, work.seen), model)
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
        "model": name,
    }
    return [row]
