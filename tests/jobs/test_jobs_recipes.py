"""The recipes of docs/recipes.md run on DuckDB; test_jobs.py runs them on Spark as well."""

import datetime as dt
import re
import shutil
from pathlib import Path

import pytest
from jobs_world import CRAWL, make_store, units

from jobs.divide import Divide
from jobs.engine.page_pass import PagePass
from parcels.store import open_store
from parcels.store.models import use_model

DOCUMENT = Path(__file__).parents[2] / "docs" / "recipes.md"


def recipes() -> list[tuple[str, str]]:
    return re.findall(r"^## (.+?)\n\n```sql\n(.*?)```", DOCUMENT.read_text(), re.M | re.S)


def both_engines(title: str) -> bool:
    return "(DuckDB)" not in title


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Divided pages, with labels that the test gives them."""
    found = make_store(tmp_path_factory.mktemp("recipes") / "store", each_site=2, labelled=1)
    run_id = "0" * 32
    PagePass(found.location.uri, CRAWL, (run_id,), (Divide(),)).process(list(units(found)), commit_id="a")
    blocks = found.read("blocks", columns=["block_id", "page_id", "n", "text"]).to_pylist()
    for model, labels in {"a@1": ["title", "maincontent", "ads"], "b@1": ["title", "ads"]}.items():
        rows = [
            {"block_id": row["block_id"], "page_id": row["page_id"], "n": row["n"],
             "label": labels[n % len(labels) if row["page_id"] != blocks[-1]["page_id"] else 0],
             "confidence": 0.5, "views": [], "leaves": [], "importance": 1,
             "spans": [{"label": "source", "start": 0, "end": 3, "confidence": 1.0}]}
            for n, row in enumerate(blocks)
        ]  # fmt: skip
        found.write("labels", rows, crawl=CRAWL, model=model)
    pages = found.read("pages", columns=["page_id"])["page_id"].to_pylist()
    found.write(
        "near_duplicates", [{"page_id": pages[0], "duplicate_of": pages[1], "similarity": 1.0}], crawl=CRAWL
    )  # fmt: skip
    site = {"host": "a.example", "block_hash": 1, "page_count": 9, "host_page_count": 10, "text": "Home"}
    found.write("site_blocks", [site], crawl=CRAWL)
    term = {"term": "fire", "block_count": 3, "page_count": 2, "all_block_count": 9, "all_page_count": 4}
    found.write("document_frequencies", [term], crawl=CRAWL)
    now = dt.datetime.now(dt.UTC)
    done = {"model": "m", "round": 1, "labelled_count": 5, "pool_count": 9, "added_count": 2, "added": [],
            "examples": [], "started_at": now, "ended_at": now}  # fmt: skip
    found.write("rounds", [done], crawl=CRAWL)
    use_model(found, "a")
    return found


@pytest.fixture(scope="module")
def store_of_one_model(store, tmp_path_factory):
    """Remove the rows of the second model."""
    folder = tmp_path_factory.mktemp("one") / "store"
    shutil.copytree(store.location.root, folder)
    shutil.rmtree(folder / "labels" / f"crawl={CRAWL}" / "model=b@1")
    return open_store(folder)


def test_there_are_twenty():
    assert [int(title.split(".")[0]) for title, _ in recipes()] == list(range(1, 21))


@pytest.mark.parametrize(("title", "sql"), recipes(), ids=[title for title, _ in recipes()])
def test_a_recipe_finds_something(store, title, sql):
    assert len(store.sql(sql))


@pytest.mark.parametrize(("title", "sql"), recipes(), ids=[title for title, _ in recipes()])
def test_a_second_model_changes_no_answer(store, store_of_one_model, title, sql):
    compares_models = title.startswith(("7.", "17."))
    is_same = store.sql(sql).to_pylist() == store_of_one_model.sql(sql).to_pylist()
    assert is_same != compares_models
