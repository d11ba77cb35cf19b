"""Topics on a real Spark: trained by sums, scored as the core scores."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from topic_pages import university

from jobs.engine.job_context import JobOptions
from jobs.engine.spark_tables import frame
from jobs.run import run_jobs
from jobs.topics_train import counts_by_fold, fold_of, total_of
from parcels.inputs import RawPage
from parcels.store import open_store
from parcels.topics.counts import counted
from parcels.topics.examples import read_raw, site_of
from parcels.topics.features import CONSTITUENTS
from parcels.topics.harvest import harvest_curve
from parcels.topics.mixture import PAPER_WEIGHTS, LayoutMixture
from parcels.topics.model import open_topic_model
from parcels.topics.result import topic_of
from parcels.topics.train import weighed
from parcels.urls import content_hash, host_of, page_id

pytestmark = pytest.mark.spark
WEBS = [university(f"www.uni{n}.example", seed=n, each=6) for n in range(4)]
PAGES = {url: found for web in WEBS for url, found in web.items()}
READ = {url: read_raw(RawPage(url, html.encode(), url)) for url, (html, _) in PAGES.items()}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    found = open_store(tmp_path_factory.mktemp("topics") / "store", create=True)
    at = dt.datetime(2026, 11, 16, tzinfo=dt.UTC)
    rows = [
        {
            "page_id": page_id(url, "c", 1), "url": url, "final_url": url, "host": host_of(url), "status": 200,
            "fetched_at": at + dt.timedelta(seconds=n), "headers": [], "content_type": "text/html", "charset": None,
            "html": html.encode(), "content_hash": content_hash(html.encode()), "byte_count": len(html),
            "is_truncated": False, "depth": 0, "referrer": None, "visit": 1, "sheets": None, "folder": None,
            "source": "test", "run_id": "0" * 32, "topic": topic,
        }
        for n, (url, (html, topic)) in enumerate(PAGES.items())
    ]  # fmt: skip
    found.write("pages", rows, crawl="c", run_id="0" * 32, fetched_date=at.date())
    return found


def test_counts_are_a_sum_over_tasks(spark, store):
    pages = frame(spark, store, "pages").select("page_id", "url", "html", "topic").repartition(3)
    folds, skipped = counts_by_fold(pages)
    whole = counted((READ[url].constituents, topic) for url, (_, topic) in PAGES.items())
    total = total_of(folds.values())
    assert not skipped
    assert total.pages == whole.pages
    assert total.vocabulary() == whole.vocabulary()
    kept = whole.vocabulary()
    assert total.terms == {key: n for key, n in whole.terms.items() if key[2] in kept}


@pytest.fixture(scope="module")
def told(spark, store):
    """Train and score, once for all tests; what the job said."""
    lines = []
    run_jobs(spark, store, ["topics"], options=JobOptions(topic_model="mine"), show_progress=False, report=lines.append)
    return lines


def test_the_trained_model_is_that_of_the_core(told, store):
    made = open_topic_model(Path(store.location.path("_models", "mine"))).mixture
    folds = [fold_of(site_of(url, url)) for url in PAGES]
    pages, topics = [page.constituents for page in READ.values()], [topic for _, topic in PAGES.values()]
    core = LayoutMixture.from_counts(counted(zip(pages, topics, strict=True)))
    assert made.vocabulary == core.vocabulary
    for name in CONSTITUENTS:
        assert made.parts[name].log_word_ == pytest.approx(core.parts[name].log_word_)
    present = np.zeros((len(pages), len(CONSTITUENTS)))
    proba = np.zeros((*present.shape, len(core.topics)))
    for out in set(folds):
        seen = counted((p, t) for p, t, fold in zip(pages, topics, folds, strict=True) if fold != out)
        rows = [n for n, fold in enumerate(folds) if fold == out]
        proba[rows], present[rows] = LayoutMixture.from_counts(seen).by_constituent([pages[n] for n in rows])
    weighed(core, proba, present, topics)
    assert made.sharpness == core.sharpness
    assert made.weights == pytest.approx(core.weights, abs=2e-4)
    assert made.weights != PAPER_WEIGHTS


def test_a_model_is_trained_from_pages_with_topics_and_scores_them_as_the_core_does(told, store):
    rows = store.read("topics").to_pylist()
    assert len(rows) == len(PAGES)
    by_id = {page_id(url, "c", 1): topic for url, (_, topic) in PAGES.items()}
    right = sum(row["topic"] == by_id[row["page_id"]] for row in rows)
    assert right / len(rows) > 0.95
    assert any("learned course, other, student" in line for line in told)
    model = open_topic_model(Path(store.location.path("_models", "mine")))
    assert model.meta["scores"]["accuracy"] > 0.9
    by_page = {row["page_id"]: row for row in rows}
    for url, page in READ.items():
        said, row = topic_of(page, model), by_page[page_id(url, "c", 1)]
        assert row["topic"] == said["topic"]
        assert {s["topic"]: s["score"] for s in row["scores"]} == pytest.approx(said["scores"], abs=1e-6)
        assert row["links"] == [pytest.approx(link, abs=1e-6) for link in said["links"]]
    curve = harvest_curve(store, "c", topic="student")
    assert len(curve.crawled) == len(curve.breadth_first) == len(PAGES)
    assert curve.crawled[-1] == pytest.approx(24 / len(PAGES), abs=0.05)
