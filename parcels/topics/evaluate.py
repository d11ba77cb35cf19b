"""The paper's experiment (section 5.2): training and test sets of equal size, and a table of both classifiers."""

from pathlib import Path

import xxhash

from parcels import __version__
from parcels.errors import ConfigError
from parcels.topics.examples import TopicExample, checked, labelled_in_store, read_labelled
from parcels.topics.model import TopicModel
from parcels.topics.train import train_topics, write_card


def train_on_half(store: str, out: Path, *, crawl: str) -> list[str]:
    """Train on half of a crawl's pages per topic, write the model folder, and return a table for the other half."""
    seen, test = halves(even(checked(read_labelled(labelled_in_store(store, crawl)))))
    model = train_topics(seen)
    model.meta["made_by"] = f"parcels {__version__}"
    lines, accuracy = table(model, test)
    model.meta["scores"] |= {"accuracy_of_test_half": round(accuracy, 4)}
    model.save(out)
    write_card(model, out, made=f"- Trained by: `parcels learn-topics`, on half of the pages of crawl '{crawl}'.\n")
    return [*lines, f"written to {out}"]


def even(examples: list[TopicExample]) -> list[TopicExample]:
    """Return equally many pages per topic: those with the smallest hashes, so that every run selects the same."""
    by_topic: dict[str, list[TopicExample]] = {}
    for example in examples:
        by_topic.setdefault(example.topic, []).append(example)
    least = min(map(len, by_topic.values()))
    if least < 2:
        few = min(by_topic, key=lambda topic: len(by_topic[topic]))
        raise ConfigError(f"Topic '{few}' has only one page. Leave the topic out, or fetch more pages (--per-topic).")
    return [one for topic in sorted(by_topic) for one in sorted(by_topic[topic], key=_hash)[:least]]


def halves(examples: list[TopicExample]) -> tuple[list[TopicExample], list[TopicExample]]:
    """Split the examples into every second page of each topic and the rest."""
    return examples[::2], examples[1::2]


def _hash(example: TopicExample) -> int:
    return xxhash.xxh64_intdigest(example.name.encode())


def table(model: TopicModel, test: list[TopicExample]) -> tuple[list[str], float]:
    """Return a table of correct pages by topic, without and with layout (Table 2), and the accuracy with layout."""
    pages = [example.page.constituents for example in test]
    proba, present = model.mixture.by_constituent(pages)
    plain, visual = model.mixture.bag_of_words(pages), model.mixture.mix(proba, present)
    lines, total = ["| topic | right (bag of words) | right (layout) | pages |", "|---|---|---|---|"], [0, 0, 0]
    for topic in model.topics:
        rows = [n for n, example in enumerate(test) if example.topic == topic]
        right = [sum(model.topics[int(of_method[n].argmax())] == topic for n in rows) for of_method in (plain, visual)]
        lines.append(f"| {topic} | {right[0]} | {right[1]} | {len(rows)} |")
        total = [total[0] + right[0], total[1] + right[1], total[2] + len(rows)]
    share = [right / max(total[2], 1) for right in total[:2]]
    lines.append(f"| all | {total[0]} ({share[0]:.0%}) | {total[1]} ({share[1]:.0%}) | {total[2]} |")
    return lines, share[1]
