"""The lexical view: all 47 features by name, each telling blocks of real pages apart."""

import pickle
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from parcels import example_web
from parcels.divide import DIVIDERS, fine
from parcels.features.feature import feature, features_of
from parcels.features.words.counts import CLASSES
from parcels.features.words.numbers import FEATURES
from parcels.features.words.view import NAMES, LexicalView, lexical_view
from parcels.html.page import read_page
from parcels.text import analysis
from parcels.text.lexicon import Lexicon

DOCS = Path(__file__).parents[2] / "docs" / "lexical-features.md"
# Lai 2004, section 3.4, in the paper's order.
_NAMES = (
    "top-keywords total-words total-ne Person Location Organization Date Time total-tags nouns proper-nouns pronouns "
    "pronouns-indefinite pronouns-wh adjectives adverbs adverbs-wh verbs be's do's have's conjunctions determiners "
    "determiners-pre determiners-wh prepositions numbers symbols possessives negatives existential-there's "
    "foreign-words modal-auxiliaries adverbial-particles infinitive-markers interjections sourcestation-string "
    "country-string country-sourcestation-string sentence-begins-with-verb anchors email-links image-links text-links "
    "contains-by contains-newsletter contains-related"
)
FORTY_SEVEN = _NAMES.split()


def view_of(html: str) -> LexicalView:
    page = read_page(html)
    return lexical_view(page, fine.divide(page))


def row(html: str) -> dict[str, float]:
    """The features of the first block."""
    view = view_of(html)
    return dict(zip(view.names, view.numbers[0].tolist(), strict=True))


def test_all_features_of_the_paper_are_there_by_name():
    assert len(FORTY_SEVEN) == len(set(FORTY_SEVEN)) == 47
    assert ["top-keywords", *NAMES[:46]] == FORTY_SEVEN  # the keywords are text, not a column
    assert NAMES[46:] == ("links-to-images", "links-to-pages")
    assert len(set(NAMES)) == len(NAMES) == len(FEATURES)


def test_the_document_has_every_feature():
    listed = re.findall(r"^\| `([^`]+)` \|", DOCS.read_text(), re.M)
    assert listed == FORTY_SEVEN


def test_features_pickle():
    assert pickle.loads(pickle.dumps(FEATURES)) == FEATURES  # noqa: S301 - our own


def test_declaring_a_feature_returns_the_function_unchanged():
    def plain(x: int) -> int:
        return x

    assert feature(view="declared here", low=0, high=1, version=3)(plain) is plain
    assert [str(of) for of in features_of("declared here", __name__)] == ["plain@3"]
    feature(view="declared here", low=0, high=1)(plain)
    with pytest.raises(ValueError, match="two features named plain"):
        features_of("declared here", __name__)


@pytest.mark.parametrize(
    ("html", "name", "value"),
    [
        ("<p>Fire on the pier, it's out.", "total-words", 6),
        ("<p>Fire on the pier, it's out.", "total-tags", 9),
        ("<p>Ann Lee works for Reuters in Paris.", "total-ne", 3),
        ("<p>Ann Lee works for Reuters in Paris.", "Person", 1),
        ("<p>Ann Lee works for Reuters in Paris.", "Location", 1),
        ("<p>Ann Lee works for Reuters in Paris.", "Organization", 1),
        ("<p>Last Updated: Tuesday, 6 January, 2004, 23:43 GMT", "Date", 1),
        ("<p>Last Updated: Tuesday, 6 January, 2004, 23:43 GMT", "Time", 1),
        ("<p>It is not there.", "be's", 1 / 5),
        ("<p>It's raining.", "be's", 1 / 4),
        ("<p>It is not there.", "negatives", 1 / 5),
        ("<p>They do that.", "do's", 1 / 4),
        ("<p>We have two dogs.", "have's", 1 / 5),
        ("<p>Someone saw it.", "pronouns-indefinite", 1 / 4),
        ("<p>He left because it rained.", "conjunctions", 1 / 6),
        ("<p>There is a fire.", "existential-there's", 1 / 5),
        ("<p>The end of the story. - AFP.", "sourcestation-string", 1),
        ("<p>A well-known Anglo-American", "sourcestation-string", 0),
        ("<p>SINGAPORE - A ship ran aground.", "country-string", 1),
        ("<p>TIKRIT, Iraq - A ship ran aground.", "country-string", 1),
        ("<p>A ship - the biggest - ran aground.", "country-string", 0),
        ("<p>WASHINGTON (AP) - Congress met.", "country-sourcestation-string", 1),
        ("<p>WASHINGTON (AP) &mdash; Congress met.", "country-sourcestation-string", 1),
        ("<p>WASHINGTON (AP) - Congress met.", "country-string", 0),
        ("<p>Subscribe to our paper.", "sentence-begins-with-verb", 1),
        ("<p>The paper is ours.", "sentence-begins-with-verb", 0),
        ("<p><a href=/1>one</a> <a href=/2>two</a> <a href=mailto:x@y.example>Ann</a>", "anchors", 3),
        ("<p><a href=/1>one</a> <a href=/2>two</a> <a href=MAILTO:x@y.example>Ann</a>", "email-links", 1),
        ("<p><a href=/1>one</a> <a href=/2>two</a> <a href=mailto:x@y.example>Ann</a>", "text-links", 2),
        ("<a href=/big.html><img src=a.jpg alt=Pier></a>", "image-links", 1),
        ("<a href=/big.html><img src=a.jpg alt=Pier></a>", "links-to-images", 0),
        ("<p><a href=/big.JPG?x=1>larger</a>", "image-links", 0),
        ("<p><a href=/big.JPG?x=1>larger</a>", "links-to-images", 1),
        ("<p><a href=/big.JPG?x=1>larger</a>", "links-to-pages", 0),
        ("<p>Reported by Ann", "contains-by", 1),
        ("<p>A bypass", "contains-by", 0),
        ("<p>Sign up for alerts", "contains-newsletter", 1),
        ("<p>They signed. Up they went", "contains-newsletter", 0),
        ("<p>Our Newsletters", "contains-newsletter", 1),
        ("<p>Related stories", "contains-related", 1),
        ("<p>Related people", "contains-related", 0),
    ],
)
def test_a_feature_says_what_it_promises(html, name, value):
    assert row(html)[name] == pytest.approx(value)


def test_keywords_leave_out_stop_words_and_numbers():
    assert view_of("<p>The harbour and the harbour 2004 pier of it").top_keywords == ["harbour pier"]


def test_terms_are_stems_with_counts_and_alt_texts_are_words_too():
    view = view_of("<p>Fires and the fire of 3:04<img alt='Burning piers'>")
    assert view.terms[0] == {"fire": 2, "and": 1, "the": 1, "of": 1, "0:00": 1}
    assert view.terms[1] == view.alt_terms[1] == {"burn": 1, "pier": 1}
    assert view.alt_terms[0] == {}


def check(view: LexicalView, blocks: int) -> None:
    """Check the properties of the view that hold for every page."""
    assert view.numbers.shape == (blocks, len(NAMES))
    assert view.numbers.dtype == np.float32
    assert len(view.top_keywords) == len(view.terms) == len(view.alt_terms) == blocks
    for of, values in zip(FEATURES, view.numbers.T, strict=True):
        assert np.isfinite(values).all(), of.name
        assert values.min(initial=of.low) >= of.low, of.name
        assert values.max(initial=of.low) <= of.high + 1e-6, of.name
    at = {name: number for number, name in enumerate(NAMES)}
    ratios = view.numbers[:, [at[name] for name in CLASSES if name]].sum(1)
    assert ratios.max(initial=0) <= 1 + 1e-5
    links = view.numbers[:, [at[name] for name in ("email-links", "image-links", "text-links")]].sum(1)
    assert np.array_equal(links, view.numbers[:, at["anchors"]])


def spread(pages) -> tuple[np.ndarray, Counter]:
    lows, highs, keywords = [], [], Counter()
    for page in pages:
        division = fine.divide(page)
        view = lexical_view(page, division)
        check(view, len(division))
        lows.append(view.numbers.min(0))
        highs.append(view.numbers.max(0))
        keywords.update(view.top_keywords)
    return np.max(highs, 0) - np.min(lows, 0), keywords


# No fictional article ends with "- AFP.", and none of its thumbnails leads to an image.
RARE = {"sourcestation-string", "links-to-images"}


def test_no_feature_is_constant_over_the_example_web():
    pages = [
        read_page(example_web.fetch(url).body, url) for host in example_web.hosts() for url in example_web.urls(host)
    ]
    difference, keywords = spread(pages)
    constant = {name for name, width in zip(NAMES, difference.tolist(), strict=True) if not width}
    assert constant == RARE
    assert len(keywords) > 100


@pytest.mark.corpus
def test_no_feature_is_constant_over_real_news_pages(corpora):
    from parcels.inputs import read_pages

    pages = (read_page(raw.html, raw.url) for raw in read_pages([str(corpora / "news17" / "pages.parquet")]))
    difference, _ = spread(pages)
    assert [name for name, width in zip(NAMES, difference.tolist(), strict=True) if not width] == []


@pytest.mark.parametrize(
    "html",
    [
        "<p>",
        "<p>.",
        "<p>東京で火災が発生した。 Пожар в порту! حريق في الميناء",
        "<p>Feuer im Hafen – drei Verletzte am 11. Mai 2004 um 15.30 Uhr",
        "<p>" + "x" * 100_000,
        "<p>" + "-.-" * 50_000,
        "<p>" + " ".join(f"w{n}" for n in range(30_000)),
        "<img src=a.gif>",
        "<p>\u0130\u0130 Today \ud83d\ude00 \x00",
    ],
    ids=["none", "dot", "scripts", "german", "one word", "marks", "many words", "image", "odd"],
)
@pytest.mark.filterwarnings("error")
def test_no_text_breaks_the_view(html):
    try:
        page = read_page(html.encode("utf-8", "replace"))
    except Exception as error:  # noqa: BLE001 - a page that cannot be read has no view
        assert type(error).__name__ == "SkipRecord"  # noqa: PT017
        return
    for divide in DIVIDERS.values():
        division = divide(page)
        check(lexical_view(page, division), len(division))


def test_dates_are_found_in_other_languages():
    german = row("<p>Feuer im Hafen am 11. Mai 2004 um 15.30 Uhr")
    assert (german["Date"], german["Time"]) == (1, 1)


def test_a_full_lexicon_starts_anew_and_gives_the_same_result():
    shipped = analysis.shipped()
    texts = ["Ann Lee saw the fire in Paris.", "Nobody reported it to Reuters.", "A b c d e f g h i j k l m n o p."]
    small = analysis.Analyser(shipped._models)
    small._lexicon = Lexicon(shipped._models, capacity=24)
    for text in texts * 2:
        ours, theirs = small.analyse([text]), shipped.analyse([text])
        assert ours.tags() == theirs.tags()
        assert ours.names() == theirs.names()
        assert ours.stems == theirs.stems
    assert small._lexicon._forms.capacity == 24
