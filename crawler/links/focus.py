"""Make the focus of a crawl: from a topic model and a topic, or from pages on and off the topic."""

from pathlib import Path

from parcels.errors import ConfigError
from parcels.inputs import BadPage, read_pages
from parcels.topics.examples import TopicExample, read_raw
from parcels.topics.focus import Focus
from parcels.topics.model import topic_model_at
from parcels.topics.train import train_topics

ON, OFF = "on-topic", "off-topic"


def make_focus(
    focus: str | None, *, positive: str | None = None, negative: str | None = None, explore: float | None = None,
    doubt: float | None = None,
) -> Focus:  # fmt: skip
    """Return the focus for `--focus MODEL:TOPIC`, or for `--positive DIR --negative DIR`."""
    given = {"explore": explore, "doubt": doubt}
    settings = {name: value for name, value in given.items() if value is not None}
    if focus and not positive and not negative:
        model, separator, topic = focus.rpartition(":")
        if not separator or not model or not topic:
            raise ConfigError(f"--focus must be MODEL:TOPIC, such as my-topics:course, got '{focus}'.")
        return topic_model_at(model).focus(topic, **settings)
    if focus or not positive or not negative:
        raise ConfigError(
            "A focused crawl needs a topic. Give --focus MODEL:TOPIC, or both --positive DIR (pages on the topic) and "
            "--negative DIR (other pages), not all three."
        )
    examples = _read(positive, ON) + _read(negative, OFF)
    return train_topics(examples).focus(ON, **settings)


def _read(folder: str, topic: str) -> list[TopicExample]:
    if not Path(folder).exists():
        raise ConfigError(f"Folder not found: {folder}. Give a folder of pages.")
    examples = [
        TopicExample(page.name, topic, page.name, read_raw(page))
        for page in read_pages([folder])
        if not isinstance(page, BadPage)
    ]
    if not examples:
        raise ConfigError(f"No readable page in {folder}. Give a folder of HTML files.")
    return examples
