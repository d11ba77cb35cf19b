"""The loop: people label, co-training learns, classify labels all pages, a correction changes its like elsewhere."""

from collections import Counter
from pathlib import Path

import pytest
from annotate_world import say
from jobs_world import CRAWL, make_store
from labelled_pages import gold_leaves

from jobs.engine.job_context import JobOptions
from jobs.run import run_jobs
from parcels import example_web
from parcels.annotate.journal import FOLDER
from parcels.annotate.page_sources import StorePageSource
from parcels.annotate.predictions import StoredLabels
from parcels.annotate.serve import running
from parcels.annotate.session import AnnotationSession
from parcels.html.page import read_page
from parcels.labels.gold import INSIDE_TEXT

pytestmark = pytest.mark.spark
ANNOTATED = 2  # pages of each site that people label
WRONG, RIGHT = "sitenav", "sitecontent"  # a rule that people change their minds about


def gold_blocks(url: str) -> dict[int, str]:
    """The label with most characters in each block, by the example web's own knowledge."""
    votes: dict[int, Counter[str]] = {}
    for leaf in gold_leaves(read_page(example_web.gold_html(url), url)):
        label = str(leaf["label"])
        votes.setdefault(int(leaf["block"]), Counter())[INSIDE_TEXT.get(label, label)] += max(1, len(str(leaf["text"])))
    return {n: vote.most_common(1)[0][0] for n, vote in votes.items()}


def annotate(store, pages, *, change):
    """People label pages through the server, each block with `change` of its gold label, where that gives one."""
    session = AnnotationSession(StorePageSource(store), store=store, journals=Path(store.location.path(FOLDER)))
    with running(session) as server:
        for page, url in pages.items():
            labels = [(n, change(label)) for n, label in gold_blocks(url).items() if change(label)]
            assert say(server.url.rstrip("/"), page, "ann", labels) == 200


def train_and_classify(spark, store, name):
    options = JobOptions(model=name, cotrain={"name": name, "rounds": 2, "k": 6, "u": 150, "held_out": 0.0})
    run_jobs(
        spark,
        store,
        ["featurize", "cotrain", "classify"],
        options=options,
        show_progress=False,
        report=lambda line: None,
    )


def labels_of_like(store, model, texts, pages):
    """Return the model's labels of the blocks on other pages that have one of these texts."""
    stored = StoredLabels(store, model=model)
    said = {row["block_id"]: row["label"] for row in stored.rows(["block_id", "label"])}
    rows = store.read("blocks", columns=["block_id", "page_id", "text"]).to_pylist()
    return Counter(said[row["block_id"]] for row in rows if row["text"] in texts and row["page_id"] not in pages)


def test_a_correction_changes_its_like_on_other_pages(spark, tmp_path):
    store = make_store(tmp_path / "store", each_site=4)
    run_jobs(spark, store, ["divide"], options=JobOptions(), show_progress=False, report=lambda line: None)
    entries = StorePageSource(store, crawl=CRAWL).entries
    chosen = {url for host in example_web.hosts()[:3] for url in example_web.article_urls(host)[:ANNOTATED]}
    pages = {page: entry.url for page, entry in entries.items() if entry.url in chosen}
    annotate(store, pages, change=lambda label: label)
    train_and_classify(spark, store, "before")
    annotate(store, pages, change=lambda label: RIGHT if label == WRONG else None)
    train_and_classify(spark, store, "after")
    corrected = {
        row["text"]
        for row in store.read("blocks", columns=["page_id", "n", "text"]).to_pylist()
        if row["page_id"] in pages and gold_blocks(pages[row["page_id"]]).get(row["n"]) == WRONG
    }
    before, after = (labels_of_like(store, name, corrected, pages) for name in ("before", "after"))
    assert before.total() == after.total() >= 20
    assert before[WRONG] > 0.7 * before.total()
    assert after[WRONG] == 0
    assert after[RIGHT] > 0.7 * after.total()
    shown = (
        StorePageSource(store, crawl=CRAWL)
        .open(next(page for page, entry in entries.items() if page not in pages and "bad" not in entry.url))
        .predictions
    )
    assert shown.model is not None
    assert shown.model.startswith("after@")  # the next page opens with what was learned
