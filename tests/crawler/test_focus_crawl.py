"""The focused spider: its queue follows what it learns, a killed crawl goes on with it, and it says why."""

import html
import io

import pytest
from crawl_loop import options, site, step
from topic_pages import page, university, write_parquet

from crawler.explain import explain_url
from crawler.frontier.contract import CompletedLease, Offer
from crawler.links.focus import make_focus
from crawler.links.policy import LearningLinkPolicy
from crawler.progress import ProgressReporter
from crawler.run import CrawlRun
from crawler.spiders.focused import WINDOW, FocusedLinkPolicy
from parcels.errors import ConfigError
from parcels.inputs import RawPage
from parcels.report.report import report
from parcels.topics.examples import examples, read_raw
from parcels.topics.model import open_topic_model
from parcels.topics.train import train_topics

HOST = "www.new.example"
HOME = f"http://{HOST}/"
WEB = university(HOST, seed=9)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    webs = [university(f"www.uni{n}.example", seed=n, each=8) for n in range(3)]
    folder = tmp_path_factory.mktemp("model")
    train_topics(examples([write_parquet(folder / "data", *webs)])).save(folder / "topics")
    return folder / "topics"


def opened(tmp_path, model, **fields):
    given = {"spider": "focused", "focus": f"{model}:student", "robots": False, "concurrency": 1, "per_address": 0}
    return CrawlRun(options(tmp_path, seeds=(HOME,), **given | fields))


def fetch(run, count):
    """Fetch pages one after the other; their topics."""
    web = site({url: html for url, (html, _) in WEB.items()})
    found = []
    while len(found) < count:
        run.session.tick()
        run.sink.settle()
        run.session._next_lease_at = 0.0
        lease = step(run, web)
        if lease is not None and lease.url in WEB:
            found.append(WEB[lease.url][1])
    return found


def test_pages_of_the_topic_come_first(tmp_path, model):
    run = opened(tmp_path, model, explore=0.0)
    assert isinstance(run.session.context.link_policy, LearningLinkPolicy)
    assert fetch(run, 26).count("student") >= 18  # of 20 among 84 pages
    run.close()


def test_a_crawl_that_was_cut_off_goes_on_with_what_it_had_learned(tmp_path, model):
    run = opened(tmp_path, model)
    fetch(run, 30)  # the queue was put in order at 25, and what was learned kept then
    known = run.session.context.link_policy.focus
    run.frontier.abandon()  # as if the process had died
    run = opened(tmp_path, model)
    again = run.session.context.link_policy.focus
    assert len(again.outcomes) >= 25
    assert again.outcomes == known.outcomes[: len(again.outcomes)]
    assert again.tallies.pages >= 20
    before = [offer.priority for batch in run.frontier.queued() for offer in batch]
    assert before
    fetch(run, 5)
    assert len(again.outcomes) >= 30
    run.close()


def test_the_queue_is_put_in_a_new_order(tmp_path, model):
    run = opened(tmp_path, model)
    fetch(run, 30)
    assert run.session.learning.rescored > 10
    run.close()


def test_the_live_line_tells_the_harvest_and_the_queue_by_score(tmp_path, model):
    run = opened(tmp_path, model, explore=0.0)
    reporter = ProgressReporter(run.session, limit=None, stream=io.StringIO())
    assert "harvest" not in reporter.line(100.0)
    topics = fetch(run, 30)
    line = reporter.line(110.0)
    share = topics.count("student") / 30
    told = int(line.partition("harvest ")[2].partition("%")[0])
    assert told == pytest.approx(100 * share, abs=7)
    assert "last 200" not in line  # there are no more pages than that yet
    run.session.context.link_policy.focus.outcomes.extend([0] * WINDOW)
    assert f"last {WINDOW}: 0%" in reporter.line(120.0)
    assert sum(run.session.learning.queue.values()) >= 20
    assert f"queue by score: {run.session.learning.queue[0.5]} of 0.5+, " in line
    run.close()


def test_the_report_tells_the_harvest_of_a_focused_crawl(tmp_path, model):
    run = opened(tmp_path, model, explore=0.0)
    topics = fetch(run, 40)
    run.close()
    before = report(run.store)
    assert "Topic: 'student'" in html.unescape(before)
    assert "No curve" in before
    assert "Queued addresses by the score of their links" in before
    judge(run.store, open_topic_model(model))
    after = report(run.store)
    share = topics.count("student") / len(topics)
    first = topics[: len(topics) // 4].count("student") / (len(topics) // 4)
    assert f"{share:.0%} of 40 classified pages are on topic. Of the first 10 pages, {first:.0%}" in after
    assert "breadth-first, same pages" in after
    assert f'<td>{HOST}</td><td class="number">40</td>' in after


def judge(store, model):
    """Label the pages with topics like `parcels run topics`, without Spark."""
    rows = []
    for row in store.read("pages", columns=["page_id", "url", "html"]).to_pylist():
        said = model.mixture.predict(read_raw(RawPage(row["url"], row["html"], row["url"])).constituents)
        scores = [{"topic": one, "score": p} for one, p in zip(said.topics, said.proba.tolist(), strict=True)]
        rows.append({"page_id": row["page_id"], "topic": said.topic, "scores": scores, "areas": [], "links": []})
    store.write("topics", rows, crawl="crawl", model="mine", run_id="0" * 32)


def test_a_store_without_a_focused_crawl_says_so(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False))
    run.close()
    assert "The store has no focused crawl" in report(run.store)


def test_a_crawl_stays_on_the_hosts_of_its_seeds_where_it_is_told(tmp_path, model):
    inside = f"{HOME}out"
    pages = site({HOME: f"<p>Links <a href=http://other.example/>out</a> <a href={inside}>in</a>"})
    for stays, targets in ((True, {inside}), (False, {inside, "http://other.example/"})):
        run = opened(tmp_path / str(stays), model, stay=stays)
        step(run, pages)
        run.sink.settle()
        assert {offer.url for batch in run.frontier.queued() for offer in batch} == targets
        run.close()


def test_hosts_that_wait_do_not_come_in_turn_where_a_focus_chooses(tmp_path, model):
    run = opened(tmp_path, model)
    plain = options(tmp_path).policy().patience
    assert run.frontier.policy.patience >= 30 * plain  # or hosts that wait would come before better scores
    run.frontier.admit([Offer("http://dull.example/", 0.01), Offer("http://good.example/", 0.9)], now=1000.0)
    run.frontier.admit([Offer(f"http://good.example/{n}", 0.9) for n in range(3)], now=1000.0)
    hosts = []
    for _ in range(4):
        lease = run.frontier.lease(1, now=1000.0 + 3 * plain).leases[0]
        hosts.append(lease.host)
        run.frontier.done([CompletedLease(lease)], segment="s", now=1000.0 + 3 * plain)
    assert "dull.example" not in hosts
    run.close()


def test_a_crawl_ends_where_it_brings_too_little(model):
    link_policy = FocusedLinkPolicy(make_focus(f"{model}:student"), stop_below=0.2)
    link_policy.focus.outcomes.extend([255] * WINDOW)
    assert not link_policy.is_spent
    link_policy.focus.outcomes.extend([0] * WINDOW)
    assert link_policy.is_spent


def test_it_trains_from_pages_for_and_against(tmp_path):
    for topic in ("course", "student"):
        (tmp_path / topic).mkdir()
        for n in range(4):
            (tmp_path / topic / f"{n}.html").write_text(page(topic, n))
    focus = make_focus(None, positive=str(tmp_path / "course"), negative=str(tmp_path / "student"))
    assert focus.topic == "on-topic"


@pytest.mark.parametrize(
    "given", [{"focus": None}, {"focus": "no-topic"}, {"focus": None, "positive": "here"},
              {"focus": "a:b", "positive": "x", "negative": "y"}]
)  # fmt: skip
def test_a_focus_that_says_too_little_is_refused(given):
    with pytest.raises(ConfigError, match="--focus"):
        make_focus(**given)


def test_it_says_why_it_went_to_an_address(tmp_path, model):
    run = opened(tmp_path, model)
    fetch(run, 30)
    run.close()
    target = next(url for url in WEB if "/~" in url)
    told = explain_url(options(tmp_path), target)
    assert told["path"] == [HOME, f"{HOME}people/", target]
    assert told["link"]["place"]["area"] == "centre"
    assert told["link"]["worth"] > 0.5
    assert explain_url(options(tmp_path), "http://nobody.example/")["state"] == "unknown"
