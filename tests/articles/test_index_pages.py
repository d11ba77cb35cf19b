"""Articles and index pages are told apart by structure, whatever the language and whether the address is known."""

import dataclasses

import pytest

import parcels
from parcels.articles.index_pages import NAMES, IndexModel, settled_type
from parcels.errors import ModelMismatch

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


@pytest.mark.parametrize("language", SENTENCE)
@pytest.mark.parametrize("address", [None, "http://news.example/"])
def test_articles_and_indexes_are_told_apart(language: str, address: str | None) -> None:
    sentence = SENTENCE[language]
    assert parcels.extract(article_page(sentence), address).page_type == "article"
    assert parcels.extract(index_page(sentence), address).page_type != "article"


def test_a_model_of_other_features_is_refused() -> None:
    plain = IndexModel((0.5,) * len(NAMES), 0.0).to_plain()
    assert dataclasses.asdict(IndexModel.of_plain(plain)) == {"weights": (0.5,) * len(NAMES), "constant": 0.0}
    with pytest.raises(ModelMismatch, match="other features"):
        IndexModel.of_plain({**plain, "features": ["colour"]})


def test_index_pages_are_reported_as_listings() -> None:
    assert settled_type({"article": 0.5, "index": 0.4, "collection": 0.1}, 0.0) == "listing"
