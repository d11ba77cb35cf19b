"""Where the focus of a crawl comes from: a topic model and a topic, or pages for and against."""

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
    """The focus that `--focus MODEL:TOPIC`, or `--positive DIR --negative DIR`, asks for."""
    given = {"explore": explore, "doubt": doubt}
    settings = {name: value for name, value in given.items() if value is not None}
    if focus and not positive and not negative:
        model, separator, topic = focus.rpartition(":")
        if not separator or not model or not topic:
            raise ConfigError(f"--focus {focus}: say which topic of which model, as in my-topics:course")
        return topic_model_at(model).focus(topic, **settings)
    if focus or not positive or not negative:
        raise ConfigError(
            "a focused crawl needs to know what to look for: --focus MODEL:TOPIC, or both --positive DIR (pages on the "
            "topic) and --negative DIR (other pages)"
        )
    found = _read(positive, ON) + _read(negative, OFF)
    return train_topics(found).focus(ON, **settings)


def _read(folder: str, topic: str) -> list[TopicExample]:
    if not Path(folder).exists():
        raise ConfigError(f"there is no {folder}: name a folder of pages")
    found = [
        TopicExample(page.name, topic, page.name, read_raw(page))
        for page in read_pages([folder])
        if not isinstance(page, BadPage)
    ]
    if not found:
        raise ConfigError(f"{folder} holds no page that can be read")
    return found
