"""Topics by layout: constituents, the mixture, its weights, and models as plain data."""

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from topic_pages import page, three_universities, university

from parcels.errors import ConfigError, InputMissing, ModelMismatch
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.layout.render import lay_out
from parcels.topics import cleaning
from parcels.topics.cleaning import terms
from parcels.topics.counts import counted
from parcels.topics.examples import examples, read_raw
from parcels.topics.features import CONSTITUENTS, Constituents, constituents
from parcels.topics.mixture import PAPER_SHARPNESS, PAPER_WEIGHTS, LayoutMixture, tempered
from parcels.topics.model import open_topic_model, topic_model_at
from parcels.topics.train import train_topics
from parcels.topics.weights import held_out_probabilities, learn_sharpness, learn_weights


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return three_universities(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def model(found):
    return train_topics(found)


def test_words_stand_in_the_constituent_where_a_reader_sees_them():
    bags = constituents(lay_out(read_page(university("u.example", seed=1)["http://u.example/people/"][0]))).bags
    assert set(bags) == set(CONSTITUENTS)
    assert bags["title"]["#number"] == 1
    assert bags["left"]["educ"] == 1
    assert "educ" not in bags["centre"]
    assert bags["centre"]["phd"] == 20
    assert bags["centre"].total() > 100


def test_what_style_hides_is_not_counted():
    html = "<p>visible words<p style='position:absolute;left:-9999px'>casino casino"
    assert "casino" not in constituents(lay_out(read_page(html))).whole()


def test_text_is_cleaned_of_markup_of_addresses_and_numbers():
    text = "The Café's 2 Résumés — see http://a.example/x, call 607-255-7316 (since 1996), \u200b ½ I’m"
    assert terms(text) == ["cafe", "#number", "resum", "#address", "#phone", "#year", "#number", "#number"]


def test_the_papers_weights_are_the_default_and_sum_to_one(found):
    mixture = LayoutMixture.from_counts(counted((e.page.constituents, e.topic) for e in found))
    assert mixture.weights == PAPER_WEIGHTS
    assert sum(PAPER_WEIGHTS.values()) == pytest.approx(1)


def test_a_mixture_is_the_weighted_mean_of_its_constituents(model, found):
    pages = [example.page.constituents for example in found[:5]]
    proba, present = model.mixture.by_constituent(pages)
    mixed = model.mixture.mix(proba, present)
    for n in range(len(pages)):
        share = np.array([model.mixture.weights[name] for name in CONSTITUENTS]) * present[n]
        assert mixed[n] == pytest.approx(share @ proba[n] / share.sum())
    assert mixed.sum(axis=1) == pytest.approx(1)


def test_a_tempered_page_is_told_alike_alone_and_among_many(model, found):
    blunt = replace(model.mixture, sharpness=dict(PAPER_SHARPNESS, centre=0.03, title=0.6))
    pages = [example.page.constituents for example in found[:20]]
    mixed = blunt.mix(*blunt.by_constituent(pages))
    alone = np.array([blunt.predict(page).proba for page in pages])
    assert alone == pytest.approx(mixed, abs=1e-6)
    assert alone.max(axis=1).mean() < model.mixture.mix(*model.mixture.by_constituent(pages)).max(axis=1).mean()


def test_sharpness_is_learned_where_a_constituent_is_surer_than_it_is_right():
    rng = np.random.default_rng(0)
    place = rng.integers(0, 3, 400)
    said = np.full((400, 6, 3), 1e-12)
    guess = np.where(rng.random(400) < 0.7, place, rng.integers(0, 3, 400))
    said[np.arange(400), 4, guess] = 1  # the centre: always sure, right in eight of ten
    present = np.zeros((400, 6))
    present[:, 4] = 1
    present[:5, 0] = 1  # the header: on too few pages to tell
    learned = learn_sharpness(said, present, place)
    assert learned["centre"] < 0.15
    assert learned["header"] == 1
    told = tempered(said, learned)[:, 4].max(axis=1).mean()
    assert told == pytest.approx((guess == place).mean(), abs=0.05)


def test_a_missing_constituent_has_no_say(model, found):
    course = next(e.page.constituents for e in found if e.topic == "course")
    alone = Constituents({"title": course.bags["title"]})
    said = model.mixture.predict(alone)
    assert list(said.areas) == ["title"]
    assert said.proba == pytest.approx(said.areas["title"])


def test_a_page_without_words_gets_the_share_of_the_topics(model):
    said = model.mixture.predict(Constituents())
    assert said.topic == "other"
    assert said.proba.sum() == pytest.approx(1)
    assert not said.areas


def test_counts_of_parts_add_up_to_the_counts_of_all(found):
    pairs = [(e.page.constituents, e.topic) for e in found]
    whole = counted(pairs)
    parts = counted(pairs[:50])
    parts.update(counted(pairs[50:]))
    assert parts == whole
    learned = LayoutMixture.from_counts(counted(pairs[:50]), vocabulary=whole.vocabulary())
    learned.partial_fit(counted(pairs[50:]))
    at_once = LayoutMixture.from_counts(whole)
    one, other = (m.by_constituent([p for p, _ in pairs[:9]])[0] for m in (learned, at_once))
    assert one == pytest.approx(other)


def test_a_topic_that_the_mixture_does_not_know_is_refused(model):
    with pytest.raises(ConfigError, match="Unknown topic 'sport'"):
        model.mixture.partial_fit(counted([(Constituents(), "sport")]))


def test_sites_that_were_held_out_are_told_right(model):
    assert model.meta["scores"]["accuracy"] > 0.9


def test_held_out_chances_come_from_models_that_have_not_seen_the_site(found):
    pages, topics = [e.page.constituents for e in found], [e.topic for e in found]
    swapped = ["student" if e.site == found[0].site else e.topic for e in found]  # one site's labels are all wrong
    sites = [e.site for e in found]
    own = [n for n, site in enumerate(sites) if site == found[0].site]
    right, wrong = (held_out_probabilities(pages, of, sites)[0] for of in (topics, swapped))
    assert right[own] == pytest.approx(wrong[own])


def test_weights_follow_the_constituent_that_tells_most_and_stay_at_the_papers_without_evidence():
    rng = np.random.default_rng(0)
    said = rng.uniform(0.2, 0.5, (300, 6))
    said[:, 1] = rng.uniform(0.7, 0.95, 300)  # the footer
    learned = learn_weights(said, np.ones((300, 6)))
    assert max(learned, key=learned.__getitem__) == "footer"
    none = learn_weights(np.full((300, 6), 0.3), np.ones((300, 6)))
    assert none == pytest.approx(PAPER_WEIGHTS, abs=0.01)


def test_a_model_says_the_same_after_it_was_written_and_read(model, found, tmp_path):
    model.save(tmp_path)
    again = open_topic_model(tmp_path)
    page = found[0].page
    assert again.mixture.predict(page.constituents).proba == pytest.approx(
        model.mixture.predict(page.constituents).proba
    )
    assert again.links.keys() == model.links.keys() == {"course", "other", "student"}
    one, other = (m.focus("student", explore=0.0) for m in (model, again))
    rows = one.rows(page, page.url, 0.5)
    assert other.worths(rows, [link.target for link in page.links]) == pytest.approx(
        one.worths(rows, [link.target for link in page.links]), abs=1e-4
    )


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("kind", lambda stated: stated | {"kind": "blocks"}),
        ("version", lambda stated: stated | {"version": 99}),
        ("topics", lambda stated: stated | {"topics": ["a", "a"]}),
        ("weights", lambda stated: stated | {"weights": dict.fromkeys(CONSTITUENTS, -1)}),
        ("sharpness", lambda stated: stated | {"sharpness": dict.fromkeys(CONSTITUENTS, 40)}),
        ("constituents", lambda stated: stated | {"constituents": ["centre"]}),
        ("links", lambda stated: stated | {"links": ["../../etc"]}),
        ("object", lambda stated: [stated]),
    ],
)
def test_a_model_that_does_not_fit_is_refused_in_words(model, tmp_path, name, change):
    model.save(tmp_path)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(ModelMismatch, match="cannot be used"):
        open_topic_model(tmp_path)


@pytest.mark.parametrize("name", ["vocabulary.txt", "centre/arrays.npz", "whole/learner.json", "links0.npz"])
@pytest.mark.parametrize("data", [b"", b"\x80\x04\x95garbage"])
def test_a_broken_file_of_a_model_is_refused_in_words(model, tmp_path, name, data):
    model.save(tmp_path)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ModelMismatch, match="cannot be used"):
        open_topic_model(tmp_path)


def test_a_model_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="Unknown model 'nowhere'"):
        topic_model_at("nowhere")


def test_folders_of_pages_are_topics(tmp_path):
    for topic in ("course", "student"):
        (tmp_path / topic).mkdir()
        for n in range(3):
            (tmp_path / topic / f"{n}.html").write_text(page(topic, n))
    (tmp_path / "student" / "empty.html").write_bytes(b"")
    found = examples([tmp_path])
    assert sorted(e.topic for e in found) == ["course"] * 3 + ["student"] * 3


def test_one_topic_is_not_enough(tmp_path):
    with pytest.raises(InputMissing, match="No labelled pages in"):
        examples([tmp_path])
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "1.html").write_text(page("course", 1))
    with pytest.raises(ConfigError, match="at least two"):
        examples([tmp_path])


def test_links_know_where_they_stand():
    url = "http://u.example/people/"
    read = read_raw(RawPage("p", university("u.example", seed=1)[url][0].encode(), url))
    menu, person = read.links[0], read.links[10]
    assert (menu.target, menu.area) == ("http://u.example/people/", "left")
    assert menu.anchor_terms == ("peopl",)  # in running text it would be a stop word
    assert (person.target, person.area, person.item) == ("http://u.example/~0/", "centre", "li")
    assert person.around == ("phd", "student")
    assert person.group_count == 20
    assert person.group != menu.group


def test_runs_of_characters_are_cleaned_alike_wherever_they_stand():
    alphabet = [*"abzAZ09.,:/'\"-@_~\\\t\x0b\x1c \x85\xa0éÿß\N{RIGHT SINGLE QUOTATION MARK}\ud800\U0001f600", ""]
    random = Random(5)
    texts = ["".join(random.choices(alphabet, k=n % 40)) for n in range(3000)]
    texts += ["".join(random.choices(["www", "http", *"w.:/()'@-x5"], k=n % 11)) for n in range(3000)]
    texts += ["a" * 31 + " " + "-" * 300 + " " + "a" * 500, ""]
    expected = [[term for chunk in text.split() for term in cleaning._of_chunk(chunk)] for text in texts]
    for _ in range(2):
        assert [terms(text) for text in texts] == expected
    assert cleaning.LeafTerms(texts).all() == [term for of_text in expected for term in of_text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The www (http) 1996. 2099 2150", "#year #year #number"),
        ("9:30 10.30-11:20 10:30-11 2:3:4:5:6", "#time #time #number #number"),
        ("607-255-7316 255/7316 607.255.731 CS/ECE-412:", "#phone #phone #number cs ece #number"),
        ("www.a.example http://b.example/x ann@c.example o'clock x", "#address #address #mail oclock"),
    ],
)
def test_numbers_and_addresses_are_terms_of_their_kind(text, expected):
    assert terms(text) == expected.split()


def test_runs_of_characters_are_forgotten_before_they_fill_the_memory():
    most = 1 << 16
    for n in range(10_000, 10_000 + most + 100):
        assert terms(f"{n}th") == ["#number", "th"]
    assert terms("10000th 70000th fires") == ["#number", "th", "#number", "th", "fire"]
    assert 3 <= cleaning.known_count() <= most
