"""The benchmark of the papers' experiments, on the example web: folds by site, pools without held-out sites, files."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from labelled_pages import write_labelled_pages

from benchmarks.experiments import blocks, blocks_views
from benchmarks.experiments.blocks_data import important_blocks, labelled_blocks, levels, pool_blocks
from benchmarks.experiments.blocks_folds import Size, folds_by_site
from parcels.divide import Division
from parcels.errors import ConfigError, InputMissing
from parcels.labels.examples import read_examples
from parcels.labels.gold import Gold, GoldLeaf


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_labelled_pages(tmp_path_factory.mktemp("labelled") / "pages")


@pytest.fixture(scope="module")
def pool_folder(folder, tmp_path_factory):
    """Return the pages under other names and without labels."""
    table = pq.read_table(folder / "pages.parquet")
    names = pa.array([f"pool-{name}" for name in table["page"].to_pylist()])
    target = tmp_path_factory.mktemp("pool")
    pq.write_table(table.set_column(0, "page", names), target / "pages.parquet")
    return target


@pytest.fixture(scope="module")
def pages(folder):
    return labelled_blocks(folder)


def test_every_block_with_gold_has_a_row_in_both_views(pages):
    assert len(pages) == 6
    for page in pages:
        assert len(page.style) == len(page.lexical) == len(page.terms) == len(page.labels) == len(page.ids) > 0
        assert "" not in page.labels


def test_no_page_of_a_held_out_site_is_learned_from_or_in_the_pool(pages, pool_folder):
    seen = set()
    for fold in folds_by_site(pages, pool_blocks(pool_folder, 6), Size(), count=3):
        held_out = sites(fold.held_out.ids)
        assert len(fold.pool) > 0
        assert not held_out & (sites(fold.labelled.ids) | sites(fold.pool.ids))
        seen |= held_out
    assert len(seen) == 3


def test_a_page_that_is_labelled_is_not_in_the_pool_too(pages, folder):
    for fold in folds_by_site(pages, pool_blocks(folder, 6), Size(), count=3):
        assert not set(fold.labelled.ids) & set(fold.pool.ids)


def test_a_draw_keeps_to_its_size_and_to_its_seed(pages):
    size = Size(2, 10, 2, 5)
    once, again = ([fold.labelled.ids.tolist() for fold in folds_by_site(pages, [], size, count=3)] for _ in "12")
    assert once == again
    assert all(len(ids) == 20 for ids in once)


def test_the_level_of_a_coarse_block_is_that_of_most_of_its_characters(folder):
    assert {label for page in important_blocks(folder) for label in page.labels} == {"1", "2", "3"}


def test_levels_by_characters():
    leaves = [
        GoldLeaf(0, "text", "x" * 9, "ads"),
        GoldLeaf(0, "text", "x" * 99, "title"),
        GoldLeaf(1, "img", "", "ads"),
    ]
    division = Division(np.array([0, 2, 3]), np.array([0, 0, 0]), 4)
    assert levels(Gold(leaves, [0, 1, 2]), division) == ["3", "1", ""]


def test_the_quick_run_prints_the_tables_and_writes_the_curves(folder, pool_folder, tmp_path, capsys):
    arguments = ["--quick", "--data", str(folder), "--pool", str(pool_folder), "--out", str(tmp_path / "out")]
    blocks.main(arguments)
    told = capsys.readouterr().out
    for title in ("Basic performance", "All labelled pages", "XHTML/CSS", "Importance in three levels", "34.8 %"):
        assert title in told
    page = (tmp_path / "out" / "curves.html").read_text()
    assert page.count("<svg") >= 3
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "| combined |" in (tmp_path / "out" / "tables.md").read_text()


def test_unknown_experiments_and_missing_folders_are_named(tmp_path, folder):
    with pytest.raises(ConfigError, match="no experiment nothing"):
        blocks.main(["--quick", "--only", "nothing"])
    with pytest.raises(InputMissing, match=r"pages\.parquet"):
        blocks.main(["--quick", "--data", str(tmp_path), "--pool", str(folder), "--out", str(tmp_path)])


def sites(ids):
    return {name.removeprefix("pool-").split("-")[0] for name in ids.tolist()}


def test_the_site_view_knows_other_pages_of_a_site_but_not_the_page_itself(folder, tmp_path, monkeypatch):
    table = pq.read_table(folder / "pages.parquet")
    first = table.slice(0, 1).to_pylist()[0]
    other = first | {"page": "other", "url": f"{first['url']}?other", "html": first["html"] + b"<p>More"}
    for name, rows in (("news-unlabelled", [first, other]), ("news-fields", [first]), ("wcxb", [first])):
        (tmp_path / name).mkdir()
        pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), tmp_path / name / "pages.parquet")
    (tmp_path / "news17").symlink_to(folder)
    monkeypatch.setenv("PARCELS_CORPORA", str(tmp_path))
    found = blocks_views.site_numbers(list(read_examples(folder)))
    is_known, numbers = found[first["page"]]
    assert is_known
    assert numbers[:, 0] == pytest.approx(np.log1p(1))  # one other page: neither the page itself, nor its copies
    assert numbers[:, 1].mean() > 0.9
    assert [known for known, _ in found.values()].count(True) == 2  # the two pages of that site


def test_a_gain_of_every_block_has_no_spread():
    assert blocks_views.interval(np.ones(9), np.repeat([4, 5, 7], 3)) == (100.0, 100.0)
