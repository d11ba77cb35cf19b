"""Articles and index pages are recognised by structure, in any language, with or without an address."""

import json
import math
from dataclasses import astuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import parcels
from parcels.articles.body.parts import content_parts
from parcels.errors import InputMissing, ModelMismatch
from parcels.html.page import read_page
from parcels.html.structured import claims
from parcels.index_pages.examples import read_examples
from parcels.index_pages.features import ADDRESS, NAMES, page_features
from parcels.index_pages.model import Chances, index_model_at, open_index_model
from parcels.index_pages.train import train_model
from parcels.index_pages.types import best_type, settled_types
from parcels.pagetypes.model import page_types_at

SENTENCE = {
    "en": "The harbour was closed after the storm, and the ferries will not leave before Monday morning. ",
    "ru": "Порт был закрыт после шторма, и паромы не выйдут в море раньше утра понедельника. ",
    "zh": "风暴过后港口关闭，渡轮要到星期一早上才能出航，居民被告知留在家中等待进一步通知。",
    "el": "Το λιμάνι έκλεισε μετά την καταιγίδα και τα πλοία δεν θα φύγουν πριν από το πρωί της Δευτέρας. ",
}
MENU = "<ul>" + "".join(f"<li><a href=/{n}>{n}</a></li>" for n in range(12)) + "</ul>"


def article_page(sentence: str) -> str:
    return f"<title>{sentence}</title>{MENU}<h1>{sentence[:40]}</h1>" + f"<p>{sentence * 4}</p>" * 6


def index_page(sentence: str) -> str:
    teaser = "<div><h3><a href=/story-{n}-{n}>{n} {text}</a></h3><p>{short}</p></div>"
    return f"<title>{sentence[:9]}</title>{MENU}" + "".join(
        teaser.format(n=n, text=sentence, short=sentence[:14]) for n in range(24)
    )


def features_of(html: str, url: str | None = None) -> dict[str, float]:
    page = read_page(html, url)
    return dict(zip(NAMES, page_features(content_parts(page), claims(page), url), strict=True))


@pytest.mark.parametrize("language", SENTENCE)
@pytest.mark.parametrize("address", [None, "http://news.example/"])
def test_articles_and_indexes_are_told_apart(language: str, address: str | None) -> None:
    sentence = SENTENCE[language]
    assert parcels.extract(article_page(sentence), address).page_type == "article"
    assert parcels.extract(index_page(sentence), address).page_type != "article"


@pytest.mark.parametrize("language", SENTENCE)
def test_a_crawl_tells_them_apart_without_layout(language: str) -> None:
    sentence, model = SENTENCE[language], page_types_at()
    article = read_page(article_page(sentence), "http://news.example/2021/05/harbour-closed-after-storm")
    front = read_page(index_page(sentence), "http://news.example/news/")
    assert model.at_a_glance(article)[0] == "article"
    assert model.at_a_glance(front)[0] in ("listing", "collection")


def test_the_features_count_text_teasers_and_dates() -> None:
    article, front = features_of(article_page(SENTENCE["en"])), features_of(index_page(SENTENCE["en"]))
    assert (article["parent_share"], article["teasers"]) == (1.0, 0.0)
    assert min(front["teasers"], front["linked_headings"]) > 3
    dated = features_of("<h1>Fire at the old pier again</h1><p>3.5.2021<p>12:30<p>May 2020<p>12345<p>1899 flats<p>7")
    assert dated["dates"] == pytest.approx(math.log1p(3))
    assert dated["dates_near_title"] == 3


def test_a_page_without_text_or_with_a_strange_address_has_features() -> None:
    for html in ("<p>x", "<img src=a.png>", "<a href=/>Read more</a>" * 50):
        assert all(value == value for value in features_of(html, "http://[post.example/a").values())
    known, unknown = (
        features_of("<p>x", "http://post.example/2021/05/03/old-pier-burns-17.html?id=1"),
        features_of("<p>x"),
    )
    assert {name for name in NAMES if known[name] != unknown[name]} <= set(ADDRESS)
    assert (known["has_date"], known["slug_words"], known["is_file"]) == (1.0, 3.0, 1.0)


def test_the_rest_of_a_page_that_is_no_article_is_shared_by_both() -> None:
    types = {"article": 0.5, "index": 0.4, "collection": 0.1}
    assert best_type(settled_types(types, Chances(0.1, 0.9, 0.0))) == "listing"
    assert best_type(settled_types({"article": 1.0, "forum": 0.0, "listing": 0.0}, Chances(0.1, 0.8, 0.1))) == "listing"
    assert best_type(settled_types({"article": 0.1, "forum": 0.9, "listing": 0.0}, Chances(0.8, 0.1, 0.1))) == "forum"
    assert best_type(settled_types({"article": 0.1, "forum": 0.9, "listing": 0.0}, Chances(0.95, 0, 0.05))) == "article"
    settled = settled_types(types | {"service": 0.0}, Chances(0.3, 0.3, 0.4))
    assert sum(settled.values()) == pytest.approx(1)
    assert settled_types({"course": 0.7, "faculty": 0.3}, Chances(1.0, 0.0, 0.0)) == {"course": 0.7, "faculty": 0.3}


def labelled(folder, *, sites=6, answer="answer"):
    rows = []
    for n in range(sites):
        for kind, html in (("article", article_page), ("index", index_page), ("other", lambda text: f"<p>{text}")):
            url = f"http://site{n}.example/{kind}/{n}"
            rows.append({"page": f"{kind}{n}", "url": url, "html": html(SENTENCE["en"]).encode(), answer: kind})
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist(rows), folder / "pages.parquet")
    return folder


def test_a_model_is_read_as_it_was_written(tmp_path) -> None:
    report = train_model([labelled(tmp_path / "mine")], tmp_path / "model")
    assert report.startswith("18 pages of 6 sites")
    card = (tmp_path / "model" / "card.md").read_text()
    assert "6 article, 6 index, 6 other" in card
    assert "--data mine" in card
    model = open_index_model(tmp_path / "model")
    row = list(features_of(index_page(SENTENCE["ru"])).values())
    assert sum(astuple(model.chances(row))) == pytest.approx(1)


def test_a_model_of_other_features_is_refused(tmp_path) -> None:
    index_model_at().save(tmp_path / "m")
    header = tmp_path / "m" / "model.json"
    stated = json.loads(header.read_text())
    for spoilt, said in (
        ({**stated, "features": ["colour"]}, "other features"),
        ({**stated, "version": 0}, "index-pages@0"),
        ({**stated, "features": 7}, "cannot be used"),
    ):
        header.write_text(json.dumps(spoilt))
        with pytest.raises(ModelMismatch, match=said):
            open_index_model(tmp_path / "m")


def test_types_of_pages_are_answers_and_unknown_answers_are_refused(tmp_path) -> None:
    by_type = labelled(tmp_path / "typed", answer="page_type")
    examples, unreadable = read_examples(by_type)
    assert ({example.answer for example in examples}, unreadable) == ({"article", "index", "other"}, [])
    table = pq.read_table(by_type / "pages.parquet")
    pq.write_table(table.append_column("answer", pa.array(["perhaps"] * len(table))), by_type / "pages.parquet")
    with pytest.raises(InputMissing, match="Use one of: article, index, other"):
        read_examples(by_type)
    with pytest.raises(InputMissing, match="not found"):
        read_examples(tmp_path / "nothing")
