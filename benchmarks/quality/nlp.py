"""The lexical view: ms a page, tokens a second beside NLTK's tagger, accuracy of tags, F1 of names."""

import time
from collections.abc import Callable, Sequence

from benchmarks import corpora
from benchmarks.speed.divide import lxml_only
from benchmarks.speed.timing import cpu_ms
from parcels.divide import Division, fine
from parcels.features.words.counts import BlockWords
from parcels.features.words.view import lexical_view
from parcels.html.page import Page, read_page
from parcels.text.names import recogniser as names
from parcels.text.names import runs as name_runs
from parcels.text.names.train import read_names
from parcels.text.tagging import tagger
from parcels.text.tagging.train import TAG, TOKEN
from parcels.text.tagging.treebanks import Sentence, accuracy, read_sentences

LIMIT = 4.5  # times lxml: 8 ms a page where lxml takes 1.8
REPEATS = 5
TIMES = 5  # the tagger beside NLTK's


def main() -> bool:
    cost = print_speed()
    ratio = print_tags()
    print_names()
    return cost <= LIMIT and ratio >= TIMES


def print_speed() -> float:
    """Print the time of the lexical view beside lxml's: with known words, and with new words after another corpus."""
    raws = [page.html for page in corpora.pages("news17")]
    items = [(html, *divided(html)) for html in raws]
    for raw in corpora.pages("news-unlabelled"):
        lexical_view(*divided(raw.html))
    started = time.process_time()
    for _, page, division in items:
        lexical_view(page, division)
    cold = (time.process_time() - started) / len(items) * 1e3
    times = cpu_ms(
        {
            "lxml: parse and iterate": lambda item: lxml_only(item[0]),
            "read_page": lambda item: read_page(item[0]),
            "words: tokens, tags, names": lambda item: BlockWords.of(item[1], item[2]),
            "lexical view": lambda item: lexical_view(item[1], item[2]),
        },
        items,
        repeats=REPEATS,
    )
    tokens = sum(len(BlockWords.of(page, division).analysis.tokens) for _, page, division in items) / len(items)
    blocks = sum(len(division) for _, _, division in items) / len(items)
    print(f"news17, {len(items)} pages, {blocks:.0f} blocks and {tokens:,.0f} tokens a page; ms of CPU a page")
    peer = times["lxml: parse and iterate"]
    for name, milliseconds in times.items():
        print(f"  {name:<44} {milliseconds:6.2f} ms  {milliseconds / peer:5.2f} x")
    print(f"  {'lexical view, first sight (once, no minimum)':<44} {cold:6.2f} ms  {cold / peer:5.2f} x")
    return times["lexical view"] / peer


def divided(html: bytes) -> tuple[Page, Division]:
    page = read_page(html)
    return page, fine.divide(page)


def print_tags() -> float:
    """Accuracy, and tokens a second beside NLTK with the same weights; returns the ratio."""
    from nltk.tag.perceptron import PerceptronTagger

    ours = tagger.shipped()
    theirs = PerceptronTagger(load=False)
    theirs.decode_json_params(ours.to_nltk())
    folder = corpora.folder() / "pos-english"
    ratio = 0.0
    for part in ("ewt-dev", "ewt-test"):
        gold = read_sentences(folder / f"{part}.tsv.gz", token=TOKEN, tag=TAG)
        texts = [words for words, _ in gold]
        our_speed, our_tags = speed(ours.tag_sentences, texts)
        their_speed, their_tags = speed(lambda texts: [[tag for _, tag in theirs.tag(text)] for text in texts], texts)
        differ = sum(
            a != b for one, two in zip(our_tags, their_tags, strict=True) for a, b in zip(one, two, strict=True)
        )
        ratio = our_speed / their_speed
        print(
            f"{part}: accuracy {accuracy(gold, our_tags):.4f}, {differ} tags differ from NLTK's; tokens/s: "
            f"ours {our_speed:,.0f}, NLTK {their_speed:,.0f}, {ratio:.1f} x"
        )
    return ratio


def speed(
    tag: Callable[[Sequence[Sequence[str]]], list[list[str]]], texts: Sequence[Sequence[str]]
) -> tuple[float, list[list[str]]]:
    seconds, found = float("inf"), []
    for _ in range(3):
        started = time.process_time()
        found = tag(texts)
        seconds = min(seconds, time.process_time() - started)
    return sum(map(len, texts)) / seconds, found


def print_names() -> None:
    """F1 of names with their exact ends."""
    tags = tagger.shipped()
    recogniser = names.shipped(tags.labels)
    test = read_names(corpora.folder() / "ner-english", "ewt-test")
    written: dict[str, Callable[[str], str]] = {
        "as written": str,
        "in capitals": str.upper,
        "in small letters": str.lower,
    }
    for name, change in written.items():
        print(f"names, ewt-test {name}: {told(test, recogniser, tags, change)}")


def told(
    test: list[Sentence], recogniser: names.NameRecogniser, tags: tagger.Tagger, change: Callable[[str], str]
) -> str:
    found = recogniser.label_sentences([[change(token) for token in tokens] for tokens, _ in test], tags)
    scores = name_runs.f1([labels for _, labels in test], found)
    return ", ".join(f"{kind} {score:.3f}" for kind, score in scores.items())


if __name__ == "__main__":
    raise SystemExit(0 if main() else 4)
