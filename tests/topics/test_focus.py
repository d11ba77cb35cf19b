"""The focus of a crawl: links as numbers, what is learned of them, and a state that survives."""

import numpy as np
import pytest
from topic_pages import university, write_parquet

from crawler.links.extract import links_of
from crawler.spiders.focused import page_of
from parcels.errors import ConfigError
from parcels.inputs import RawPage
from parcels.topics.examples import examples, read_raw
from parcels.topics.explain import explain_link
from parcels.topics.focus import END_DOUBT
from parcels.topics.links.model import LinkModel
from parcels.topics.links.rows import BUCKETS, MAX_MARKS, LinkRow, mark, mark_names
from parcels.topics.links.tallies import Tallies
from parcels.topics.train import train_topics

HOST = "www.new.example"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    webs = [university(f"www.uni{n}.example", seed=n, each=8) for n in range(3)]
    return train_topics(examples([write_parquet(tmp_path_factory.mktemp("data"), *webs)]))


@pytest.fixture(scope="module")
def web():
    found = university(HOST, seed=9)
    return {url: (read_raw(RawPage(url, html.encode(), url)), topic) for url, (html, topic) in found.items()}


def row(*, dense=(0.0,) * 6, keys=(1, 2, 3), marks=(4, 5)):
    return LinkRow(dense, keys, tuple(marks))


def test_a_link_survives_its_time_in_the_queue():
    before = row(dense=(1.5, -2.0, 0.0, 7.9375, -6.0, 1.0), keys=(0, 2**32 - 1, 77), marks=(0, BUCKETS - 1))
    after = LinkRow.from_text(before.to_text())
    assert after == before


def test_a_link_that_an_older_crawl_has_queued_is_read():
    old = LinkRow.from_text("7~lYZpb!B700960|Nl(@000F5|9=")
    assert old == row(dense=(1.5, -2.0, 0.0, 7.9375, -6.0, 1.0), keys=(1, 2**32 - 1, 77), marks=(5, BUCKETS - 1))


@pytest.mark.parametrize("text", ["", "x", ".not64", "not a row", "0" * 5000, "\N{SNOWMAN}"])
def test_what_is_no_link_is_refused(text):
    with pytest.raises(ValueError):
        LinkRow.from_text(text)


def test_the_link_model_learns_from_both_classes():
    model, none = LinkModel(), np.zeros(3)
    before = model.chances([row(marks=[7]), row(marks=[8])], np.zeros((2, 3)))[:, 0]
    for _ in range(20):
        model.learn(row(marks=[7]), none, (1.0, 0.0))
        model.learn(row(marks=[8]), none, (0.0, 0.0))
    after = model.chances([row(marks=[7]), row(marks=[8])], np.zeros((2, 3)))[:, 0]
    assert after[0] > 2 * before[0]
    assert after[0] > 1.5 * after[1]


def test_words_of_the_topic_speak_for_a_link_before_anything_was_learned():
    chances = LinkModel().chances([row(dense=(3, 0, 0, 0, 0, 0)), row(dense=(-3, 0, 0, 0, 0, 0))], np.zeros((2, 3)))
    assert chances[0, 0] > 2 * chances[1, 0]


def test_siblings_are_judged_by_what_came_of_the_others():
    tallies = Tallies()
    for outcome in (0.9, 1.0, 0.95, 0.0):
        tallies.add((1, 2, 3), outcome)
    for _ in range(10):
        tallies.add((4, 2, 5), 0.0)
    good, bad = tallies.evidence([(1, 9, 9), (4, 9, 9)])
    assert good[0] > 1 > -0.5 > bad[0]
    assert good[1] == pytest.approx(0)


def test_a_topic_that_the_model_does_not_know_is_refused(model):
    with pytest.raises(ConfigError, match="Unknown topic 'sport'"):
        model.focus("sport")


def test_a_link_has_the_marks_that_are_told_of_it(model, web):
    page = web[f"http://{HOST}/people/"][0]
    focus = model.focus("student")
    for _ in range(2):  # made, and remembered
        for link, one in zip(page.links, focus.rows(page, page.url, 0.3), strict=True):
            names = mark_names(link, page.url, one.dense[4])
            assert one.marks == tuple(dict.fromkeys(map(mark, names)))[:MAX_MARKS]


def test_the_chance_of_one_topic_is_what_the_whole_mixture_says_of_it(model, web):
    for page, _ in web.values():
        said = model.mixture.predict(page.constituents)
        proba, present = model.mixture.by_constituent([page.constituents])
        assert model.focus("student").chance(page.constituents) == said.of("student")
        assert said.proba == pytest.approx(model.mixture.mix(proba, present)[0], rel=1e-9)


def test_links_that_are_not_wanted_are_left_out_and_still_count_in_their_groups():
    url = f"http://{HOST}/people/"
    found = links_of(university(HOST, seed=9)[url][0].encode(), url)
    every = {link.target: link for link in page_of(url, found, always).links}
    some = page_of(url, found, always, lambda target: "/~" in target).links
    assert 0 < len(some) < len(every)
    assert all("/~" in link.target and link == every[link.target] for link in some)


def always(words):
    return True


def never(words):
    return False


def test_a_page_is_laid_out_where_its_words_leave_a_doubt(model, web):
    focus = model.focus("student")
    unlaid = {url: page.unlaid() for url, (page, _) in web.items()}
    chances = {url: focus.chance(page.constituents) for url, page in unlaid.items()}
    assert all(page.links for page, _ in web.values())
    doubtful = {url for url, page in unlaid.items() if focus.is_doubtful(page.constituents)}
    assert doubtful == {url for url, chance in chances.items() if focus.doubt <= chance <= 1 - focus.doubt}
    for url, (page, _) in web.items():
        assert focus.as_crawled(page) == (page if url in doubtful else unlaid[url])
    sure = {url for url in doubtful if not focus.is_doubtful(unlaid[url].constituents, leads_on=False)}
    assert sure == {url for url in doubtful if not END_DOUBT <= chances[url] <= 1 - END_DOUBT}
    assert not model.focus("student", doubt=0.5).is_doubtful(unlaid[f"http://{HOST}/"].constituents)
    assert all(model.focus("student", doubt=0.0).is_doubtful(page.constituents) for page in unlaid.values())


def test_a_page_that_is_not_laid_out_has_its_words_and_links_without_their_areas():
    url = f"http://{HOST}/people/"
    found = links_of(university(HOST, seed=9)[url][0].encode(), url)
    laid, plain = page_of(url, found, always), page_of(url, found, never)
    assert {link.area for link in plain.links} == {None} != {link.area for link in laid.links}
    assert laid.unlaid() == plain  # no style hides a word of this page


def test_a_page_is_laid_out_or_not_by_all_its_words_and_its_title():
    url = f"http://{HOST}/people/"
    found = links_of(university(HOST, seed=9)[url][0].encode(), url)
    asked = []
    page_of(url, found, lambda words: asked.append(words))
    assert asked == [page_of(url, found, never).constituents]


def crawl(web, focus, *, limit):
    """A best-first crawl in memory; the topics of the pages in order."""
    home = f"http://{HOST}/"
    queue, rows, done = {home: 9.0}, {}, []
    while queue and len(done) < limit:
        url = max(queue, key=queue.__getitem__)
        del queue[url]
        page, _ = web[url]
        done.append(url)
        seen = focus.see(page, url=url, row=rows.get(url))
        for link, one, worth in zip(page.links, seen.rows, seen.worths, strict=True):
            if link.target in web and link.target not in done and worth > queue.get(link.target, -1):
                queue[link.target], rows[link.target] = worth, one
        known = [target for target in queue if target in rows]
        queue |= dict(zip(known, focus.worths([rows[one] for one in known], known), strict=True))
    return [web[url][1] for url in done]


@pytest.mark.parametrize("topic", ["student", "course"])
def test_a_focused_crawl_brings_its_topic_first(model, web, topic):
    fetched = crawl(web, model.focus(topic, explore=0.0), limit=26)
    assert fetched.count(topic) >= 18  # of 20 among 84 pages


def test_without_a_labelled_graph_it_learns_on_the_way(model, web):
    focus = model.focus("student", explore=0.0)
    focus.links = LinkModel()
    assert crawl(web, focus, limit=40).count("student") >= 16  # by chance it would be 9


def test_exploration_takes_some_links_whatever_they_are_worth(model, web):
    page = web[f"http://{HOST}/news/"][0]
    rows, urls = model.focus("student").rows(page, page.url, 0.1), [link.target for link in page.links]
    plain = model.focus("student", explore=0.0).worths(rows, urls)
    explored = model.focus("student", explore=0.3).worths(rows, urls)
    raised = sum(one > other for one, other in zip(explored, plain, strict=True))
    assert 0 < raised < 0.6 * len(urls)
    assert explored != model.focus("student", explore=0.3, seed=5).worths(rows, urls)


def test_what_was_learned_is_known_again(model, web):
    focus = model.focus("student")
    crawl(web, focus, limit=30)
    state = focus.state()
    again = model.focus("student")
    again.restore(state)
    page = web[f"http://{HOST}/people/"][0]
    rows, urls = focus.rows(page, page.url, 0.3), [link.target for link in page.links]
    assert again.worths(rows, urls) == pytest.approx(focus.worths(rows, urls), abs=1e-5)
    assert again.outcomes == focus.outcomes
    assert again.harvest() == focus.harvest() > 0.3


@pytest.mark.parametrize("state", [b"", b"PK\x03\x04", b"\x80\x04N."])
def test_a_broken_state_is_refused(model, state):
    with pytest.raises(ValueError):
        model.focus("student").restore(state)


def test_the_state_of_another_topic_is_refused(model):
    with pytest.raises(ValueError, match="'course'"):
        model.focus("student").restore(model.focus("course").state())


def test_the_parts_of_a_score_add_up_to_it(model, web):
    url = f"http://{HOST}/people/"
    told = explain_link(model.focus("student", explore=0.0), web[url][0], url, f"http://{HOST}/~3/")
    assert told["place"]["area"] == "centre"
    odds = sum(told["parts"].values())
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(told["chance"], abs=0.01)
    assert explain_link(model.focus("student"), web[url][0], url, "http://nowhere.example/") is None
