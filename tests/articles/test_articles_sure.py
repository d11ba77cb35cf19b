"""How sure an article is and why there is none; its language; the summary under its title."""

import numpy as np
import pytest

import parcels
from parcels.articles.body.choose import choice, with_standfirst
from parcels.articles.body.parts import parts_of
from parcels.articles.confidence import Curve, calibration_error, reliability
from parcels.articles.fields.facts import find_language
from parcels.articles.fields.language import language_of
from parcels.articles.model import Scored
from parcels.errors import ModelMismatch
from parcels.html.page import read_page
from parcels.html.structured import Claim

TEXTS = {
    "en": "The old pier burnt down in the night and nobody was hurt, as the fire brigade said on Friday. "
    "It was not the first fire in the harbour, and the town has to find the money for a new one.",
    "de": "Der alte Pier ist in der Nacht abgebrannt, und es wurde niemand verletzt, sagte die Feuerwehr. "
    "Es war nicht der erste Brand im Hafen, und die Stadt muss das Geld für einen neuen finden.",
    "fr": "La vieille jetée a brûlé dans la nuit et personne n'a été blessé, ont dit les pompiers vendredi. "
    "Ce n'est pas le premier incendie dans le port, et la ville doit trouver de l'argent pour une nouvelle.",
    "es": "El viejo muelle ardió por la noche y no hubo heridos, según dijeron los bomberos el viernes. "
    "No es el primer incendio en el puerto, y la ciudad tiene que buscar el dinero para uno nuevo.",
    "nl": "De oude pier is in de nacht afgebrand en er raakte niemand gewond, zei de brandweer op vrijdag. "
    "Het is niet de eerste brand in de haven, en de stad moet het geld voor een nieuwe vinden.",
    "uk": "Старий пірс згорів уночі, ніхто не постраждав, повідомили пожежники. Це не перша пожежа в гавані.",
    "ja": "古い桟橋が夜に焼け落ちたが、けが人はいなかったと消防が金曜日に発表した。港での火事は初めてではない。",
    "zh": "旧码头在夜间被烧毁，消防队星期五表示无人受伤。这不是港口第一次发生火灾，市政府必须为新码头筹集资金。",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_language_is_known_by_its_script_or_small_words(code):
    assert language_of(TEXTS[code]) == code


@pytest.mark.parametrize(
    "text", ["", "Home News Sport", "12 34 56 78 " * 30, "zorp blick flum " * 20, TEXTS["en"][:20]]
)
def test_a_language_that_does_not_show_is_null(text):
    assert language_of(text) is None


def test_a_template_that_claims_english_does_not_outweigh_the_text():
    claimed = [Claim("language", "en-US", "html")]
    assert find_language(claimed, TEXTS["de"]) == "de"
    assert find_language(claimed, "Kurz") == "en"
    assert find_language([Claim("language", "nb-NO", "html")], "") == "nb"


def test_a_curve_bends_what_was_expected_to_what_was_measured_and_only_rises():
    rng = np.random.default_rng(0)
    expected = rng.uniform(0.2, 1, 600)
    measured = np.clip(expected**2 + rng.normal(0, 0.1, 600), 0, 1)
    curve = Curve.fitted(expected, measured)
    assert curve(0.6) == pytest.approx(0.36, abs=0.08)
    values = [curve(x) for x in np.linspace(0.01, 1, 50)]
    assert values == sorted(values)
    assert curve(0.0) == 0.0
    bent = [curve(x) for x in expected]
    assert calibration_error(bent, measured) < 0.3 * calibration_error(expected, measured)
    assert sum(pages for *_, pages in reliability(bent, measured)) == 600


@pytest.mark.parametrize(
    "plain", [[[0.1], []], [[0.2, 0.1], [0.1, 0.2]], [[0.1, 0.2], [0.9, 0.1]], [[0.1], [7.0]], [[], []]]
)
def test_a_curve_that_is_none_is_refused(plain):
    with pytest.raises(ModelMismatch):
        Curve.of_plain(plain)


SUMMARY = "Nobody was hurt, but the town has to build a new one."
STORY = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said on Friday morning.</p>" * 5


def test_a_summary_under_the_title_is_taken_where_it_is_in_doubt_and_a_teaser_is_not():
    page = read_page(f"<h1>Old pier burns down</h1><p>{SUMMARY}</p><p><a href=x>{SUMMARY}</a></p>{STORY}")
    parts = parts_of(page)
    proba = np.array([0.1, 0.3, 0.3, *[0.9] * 5])
    raised = with_standfirst(proba, parts, 0)
    assert raised[1] > 0.5
    assert raised[2] == 0.3
    assert raised[4:].tolist() == proba[4:].tolist()
    taken, expected = choice(Scored(proba, {"article": 1.0}), parts, 0)
    assert taken.tolist() == [False, True, False, *[True] * 5]
    assert 0.5 < expected < 1


def test_a_listing_has_no_summary():
    parts = parts_of(read_page(f"<h1>All stories</h1><p>{SUMMARY}</p>{STORY}"))
    proba = np.array([0.1, 0.2, *[0.9] * 5])
    assert not choice(Scored(proba, {"listing": 1.0}), parts, 0)[0][1]


def test_a_page_without_text_says_why():
    found = parcels.extract("<body><img src=a.png alt=x>")
    assert (found.reason, found.confidence, found.language) == ("the page shows no text", 0.0, None)
