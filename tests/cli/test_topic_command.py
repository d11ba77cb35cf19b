"""`parcels topic`, `parcels train layout-mixture`: what people and scripts see."""

import json
import subprocess
import sys

import pytest
from topic_pages import page, university, write_parquet

from parcels.cli.commands.topic import HELP
from parcels.cli.main import main


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    data = write_parquet(folder / "data", *(university(f"www.uni{n}.example", seed=n, each=6) for n in range(3)))
    assert main(["train", "layout-mixture", "--data", str(data), "--out", str(folder / "topics")]) == 0
    return folder / "topics"


def test_a_page_has_a_topic_areas_and_scored_links(model, tmp_path, capsys):
    (tmp_path / "cs.html").write_text(page("course", 4, links="<li><a href=hw1.html>Homework 1</a>"))
    assert main(["topic", str(tmp_path / "cs.html"), "--model", str(model), "--url", "http://a.example/cs/"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["page"], said["topic"]) == ("cs", "course")
    assert sum(said["scores"].values()) == pytest.approx(1, abs=0.001)
    assert set(said["areas"]) >= {"centre", "title"}
    assert set(said["areas"]["centre"]) == {"course", "other", "student"}
    link = said["links"][-1]
    assert (link["target"], link["anchor"]) == ("http://a.example/cs/hw1.html", "Homework 1")
    assert 0 <= link["score"] <= 1


def test_bad_pages_are_lines_with_errors_and_do_not_end_the_run(model, tmp_path, capsys):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_bytes(b"")
    (pages / "b.html").write_bytes(b"\x00\x01\x02" * 500)
    (pages / "c.html").write_text(page("student", 1))
    (pages / "d.html").write_text("<p>" * 3000 + "deep")
    assert main(["topic", str(pages), "--model", str(model), "--no-progress"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["page"] for line in lines] == ["a", "b", "c", "d"]
    assert lines[2]["topic"] == "student"
    assert "error" in lines[0]


def test_wrong_models_and_topics_are_told_in_words(model, tmp_path, capsys):
    (tmp_path / "x.html").write_text("<p>x")
    assert main(["topic", str(tmp_path / "x.html"), "--model", str(tmp_path)]) == 2
    assert "cannot be used" in capsys.readouterr().err
    assert main(["topic", str(tmp_path / "x.html"), "--model", str(model), "--topic", "sport"]) == 2
    assert "course, other, student" in capsys.readouterr().err


def test_the_card_says_where_the_model_comes_from(model):
    card = (model / "card.md").read_text()
    stated = json.loads((model / "model.json").read_text())["data"]
    assert stated["sources"] == [{"name": "data", "pages": stated["pages"], "sites": 3}]
    assert f"`data` ({stated['pages']} pages of 3 sites); hash of the examples `{stated['hash']}`" in card
    assert "Link models: course, other, student" in card


def test_without_a_model_the_shipped_one_knows_six_topics_of_news(tmp_path, capsys):
    pages = {
        "sport": "<title>Late goal wins the cup final</title><h1>Late goal wins the cup final</h1><p>The coach praised "
        "his players after the match. The striker scored twice in the second half, and the team won the game 3-2.",
        "health": "<title>New drug for patients</title><h1>Hospital doctors try a new drug</h1><p>Patients with the "
        "disease were treated by doctors for a year. Symptoms of infection fell, the medical study says.",
    }
    (tmp_path / "pages").mkdir()
    for name, html in pages.items():
        (tmp_path / "pages" / f"{name}.html").write_text(html)
    assert main(["topic", str(tmp_path / "pages"), "--no-progress"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["page"]: line["topic"] for line in lines} == {name: name for name in pages}
    known = ["business", "entertainment", "health", "politics", "sport", "technology"]
    assert sorted(lines[0]["scores"]) == known
    assert all(topic in HELP for topic in known)


def test_a_page_needs_nothing_heavy_to_have_a_topic(model, tmp_path):
    code = (
        "import sys; from parcels.topics.model import topic_model_at; from parcels.topics.examples import read_raw; "
        "from parcels.inputs import RawPage; from parcels.topics.result import topic_of; "
        f"topic_of(read_raw(RawPage('x', b'<p>homework')), topic_model_at({str(model)!r})); "
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"pyspark", "scrapy", "sklearn", "pandas", "pyarrow"}
