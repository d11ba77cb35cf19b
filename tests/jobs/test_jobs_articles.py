"""The job `articles` on a real Spark: the articles of the core, nothing done twice, what cannot be read is reported."""

import pytest
from jobs_world import CRAWL, make_store, rows_of

import parcels
from jobs.articles import moment_of
from jobs.engine.job_context import JobOptions
from jobs.run import run_jobs
from parcels import example_web
from parcels.errors import ModelMismatch
from parcels.importing.run_record import RunRecord

pytestmark = pytest.mark.spark
FRONT = "http://lumen.example/"


@pytest.fixture(scope="module")
def lines():
    return []


@pytest.fixture(scope="module")
def store(spark, tmp_path_factory, lines):
    """After `parcels run articles`: pages of the example web, one that is bad, one that shows nothing, a front page."""
    found = make_store(tmp_path_factory.mktemp("articles") / "store", each_site=2)
    with RunRecord(found, step="test", crawl=CRAWL, settings={}) as run:
        run.page(b"<img src=a.png>", record="blank", address="http://blank.example/", name="blank", source="test")
        run.page(example_web.fetch(FRONT).body, record=FRONT, address=FRONT, name="front", source="test")
    run_jobs(spark, found, ["articles"], show_progress=False, report=lines.append)
    return found


def test_articles_are_those_of_the_python_function(store):
    url = example_web.article_urls(example_web.hosts()[0])[1]
    page = next(row["page_id"] for row in rows_of(store, "pages") if row["url"] == url)
    row = next(row for row in rows_of(store, "articles") if row["page_id"] == page)
    expected = parcels.extract(example_web.fetch(url).body, url)
    assert row["text"] == expected.text
    assert (row["title"], row["published"], row["authors"]) == (
        expected.title, expected.published, list(expected.authors),
    )  # fmt: skip
    assert row["published_at"] == moment_of(expected.published)
    assert (row["modified"], row["modified_at"]) == (expected.modified, moment_of(expected.modified))
    assert row["confidence"] == pytest.approx(expected.confidence, abs=1e-6)
    assert row["model"].startswith("content@")


def test_a_page_without_an_article_is_a_row_with_a_reason_and_a_bad_page_is_a_reject(store, lines):
    blank = next(row["page_id"] for row in rows_of(store, "pages") if row["url"] == "http://blank.example/")
    row = next(row for row in rows_of(store, "articles") if row["page_id"] == blank)
    assert (row["text"], row["reason"]) == (None, "the page shows no text")
    rejects = rows_of(store, "rejects")
    assert [(row["record"], row["reason"]) for row in rejects] == [("http://bad.example/", "too-deep")]
    assert rejects[0]["step"].startswith("articles content@")
    assert any("articles: 8 pages" in line and "too-deep 1" in line for line in lines)


def test_a_front_page_has_a_page_type_and_no_article(store):
    front = next(row["page_id"] for row in rows_of(store, "pages") if row["url"] == FRONT)
    row = next(row for row in rows_of(store, "articles") if row["page_id"] == front)
    assert (row["page_type"], row["title"], row["text"], row["authors"]) == ("listing", None, None, [])
    assert row["reason"] == "the page type is listing, not article"


def test_a_second_run_does_nothing_and_another_model_is_another_partition(spark, store):
    before = [file.path for file in store.files("articles")]
    lines = []
    run_jobs(spark, store, ["articles"], show_progress=False, report=lines.append)
    assert [file.path for file in store.files("articles")] == before
    assert any("nothing to do" in line for line in lines)
    run_jobs(
        spark,
        store,
        ["articles"],
        options=JobOptions(content_model="content_svm"),
        show_progress=False,
        report=lines.append,
    )
    models = {row["model"].partition("@")[0] for row in rows_of(store, "articles")}
    assert models == {"content", "content_svm"}


def test_a_model_of_another_kind_is_one_error(spark, store):
    with pytest.raises(ModelMismatch, match="content model must be of kind"):
        run_jobs(spark, store, ["articles"], options=JobOptions(content_model="idf"), show_progress=False)
