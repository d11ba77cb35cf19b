"""The jobs segment and pagetypes on a real Spark: the rows of the core, one model a partition, nothing done twice."""

import pytest
from jobs_world import CRAWL, make_store, rows_of
from typed_pages import FORUM, SHOP, TOPICS

from jobs.engine.job_context import JobOptions
from jobs.run import run_jobs
from parcels.inputs import RawPage
from parcels.pagetypes.examples import typed_page
from parcels.pagetypes.train import trained

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def store(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("segments")
    pages = [
        typed_page(RawPage(f"{kind}{n}", html.format(site=f"Site{n}", topic=topic).encode()), kind)
        for n, topic in enumerate(TOPICS)
        for kind, html in (("forum", FORUM), ("product", SHOP))
    ]
    trained(pages).save(folder / "types")
    found = make_store(folder / "store", each_site=2)
    options = JobOptions(page_type_model=str(folder / "types"))
    for _ in range(2):
        run_jobs(spark, found, ["segment", "pagetypes"], options=options, show_progress=False, report=lambda line: None)
    return found


def test_each_leaf_of_a_page_is_in_one_final_segment_and_no_page_is_done_twice(store):
    rows = rows_of(store, "segments")
    by_page = {}
    for row in rows:
        by_page.setdefault(row["page_id"], []).append(row)
    assert by_page
    for segments in by_page.values():
        numbers = [row["n"] for row in segments]
        assert sorted(numbers) == list(range(len(numbers)))
        parents = {row["parent"] for row in segments}
        whole = next(row for row in segments if row["parent"] is None)
        finals = sorted(leaf for row in segments if row["n"] not in parents for leaf in row["leaves"])
        assert finals == sorted(whole["leaves"])
        assert sum(row["is_informative"] for row in segments) <= 1
        assert {row["model"].partition("@")[0] for row in segments} == {"segmenter"}


def test_every_page_has_one_type(store):
    rows = rows_of(store, "page_types")
    pages = {row["page_id"] for row in rows_of(store, "segments")}
    assert {row["page_id"] for row in rows} == pages
    assert len(rows) == len(pages)
    for row in rows:
        assert row["page_type"] in ("forum", "product")
        assert sum(score["score"] for score in row["scores"]) == pytest.approx(1, abs=0.01)


def test_both_steps_are_in_the_runs(store):
    steps = {row["step"] for row in store.read("runs", crawl=CRAWL).to_pylist()}
    assert {"segment", "pagetypes"} <= steps
