"""`parcels learn-topics`: a directory is crawled, and a topic model is trained and scored on its pages."""

import json

from crawl_web import TestWeb, parcels
from topic_pages import page, university

from parcels.cli.main import main

EACH = 4  # pages per topic


def test_a_directory_is_crawled_and_a_model_is_trained_on_half_of_its_pages(tmp_path, capsys):
    pages = {url: of for n in range(2) for url, of in university(f"www.uni{n}.example", seed=n, each=EACH).items()}
    seeds = tmp_path / "urls.tsv"
    seeds.write_text("".join(f"{url}\t{topic}\n" for url, (_, topic) in pages.items() if topic != "other"))
    command = ["learn-topics", seeds, "--per-topic", EACH, "--store", tmp_path / "store", "--out", tmp_path / "topics"]
    with TestWeb({url: html for url, (html, _) in pages.items()}).serve() as web:
        more = ["--delay", "0", "--no-progress", "--proxy", web.proxy]
        printed = parcels(*command, *more).stdout
        fetched = len(web.urls())
        again = parcels(*command, *more).stdout
        assert len(web.urls()) == fetched  # the second run trains on stored pages
    assert f"crawled {2 * EACH} pages" in printed
    rows = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("|")]
    assert [(row[0], row[3]) for row in rows[2:]] == [("course", "2"), ("student", "2"), ("all", "4")]
    assert again.splitlines()[-5:] == printed.splitlines()[-5:]
    card = (tmp_path / "topics" / "card.md").read_text()
    assert "`parcels learn-topics`, on half of the pages of crawl 'directory'" in card
    (tmp_path / "page.html").write_text(page("course", 50))
    assert main(["topic", str(tmp_path / "page.html"), "--model", str(tmp_path / "topics")]) == 0
    assert json.loads(capsys.readouterr().out)["topic"] == "course"


def test_a_crawl_without_pages_trains_nothing(tmp_path):
    seeds = tmp_path / "urls.tsv"
    seeds.write_text("http://a.example/\tcourse\nhttp://b.example/\tstudent\n")
    with TestWeb({}).serve() as web:
        done = parcels(
            "learn-topics", seeds, "--store", tmp_path / "store", "--out", tmp_path / "topics", "--delay", "0",
            "--no-progress", "--proxy", web.proxy, code=3,
        )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "topics").exists()
