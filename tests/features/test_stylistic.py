"""The stylistic view, the names around a block, and the evidence of structured data."""

from functools import cache

import numpy as np
import pytest

from parcels import example_web
from parcels.css.cascade import computed_style
from parcels.divide import fine
from parcels.features import evidence, tokens
from parcels.features.context import view as context
from parcels.features.page_features import PageFeatures
from parcels.features.registry import NUMBERS
from parcels.features.style.view import FEATURES, stylistic_view
from parcels.html.page import Page, read_page
from parcels.inputs import read_pages
from parcels.layout.areas import recognise
from parcels.layout.boxes.virtual import render

NAMES = NUMBERS["style"]


def features_of_page(page: Page) -> PageFeatures:
    styles = computed_style(page)
    layout = render(page, styles)
    return PageFeatures(page, fine.divide(page), styles, layout, recognise(page, layout))


def columns(html: str) -> dict[str, list[float]]:
    view = stylistic_view(features_of_page(read_page(html)))
    return dict(zip(NAMES, view.T.round(4).tolist(), strict=True))


@cache
def example_views() -> np.ndarray:
    urls = [url for host in example_web.hosts()[:3] for url in example_web.article_urls(host)[:4]]
    return np.vstack([stylistic_view(features_of_page(read_page(example_web.fetch(url).body, url))) for url in urls])


def test_names_are_distinct_and_documented():
    assert len(set(NAMES)) == len(NAMES)
    assert all(feature.meaning for feature in (*FEATURES, *context.FEATURES))


def test_every_feature_is_finite_on_the_example_web():
    assert np.isfinite(example_views()).all()


def test_every_feature_keeps_within_its_range_on_the_example_web():
    url = example_web.article_urls(example_web.hosts()[0])[0]
    page = features_of_page(read_page(example_web.fetch(url).body, url))
    for features, view in ((FEATURES, example_views()), (context.FEATURES, context.context_view(page))):
        for of, column in zip(features, view.T, strict=True):
            assert of.low <= column.min() <= column.max() <= of.high, of.name


def test_nearly_every_feature_varies_over_the_example_web():
    constant = [name for name, column in zip(NAMES, example_views().T, strict=True) if np.ptp(column) == 0]
    assert len(constant) < len(NAMES) / 5, constant


@pytest.mark.corpus
def test_every_feature_varies_over_real_pages(corpora):
    pages = read_pages([str(corpora / "news17" / "pages.parquet")])
    view = np.vstack([stylistic_view(features_of_page(read_page(raw.html))) for raw in pages])
    assert np.isfinite(view).all()
    assert [name for name, column in zip(NAMES, view.T, strict=True) if np.ptp(column) == 0] == []


def test_fonts_are_measured_against_the_page():
    found = columns("<h1>Big</h1>" + "<p>plain text, a good deal of it</p>" * 5 + "<p><i><b>all of it bold</b></i>")
    assert found["font_size"][0] == 2
    assert found["font_size"][1] == 1
    assert found["largest_font"][:2] == [1, 0]
    assert found["font_weight"][-1] == 3
    assert found["is_italic"][-1] == 1
    assert found["heading_level"][0] == 1


def test_cells_know_their_place_in_the_table():
    found = columns("<table><tr><th>Name<th>Price<tr><td>Tea<td>2.50<tr><td>Milk<td>1.10</table><p>after")
    assert found["is_in_cell"] == [1] * 6 + [0]
    assert found["is_header_cell"] == [1, 1, 0, 0, 0, 0, 0]
    assert found["column_share"][:4] == [0, 0.5, 0, 0.5]
    assert found["is_numeric"] == [0, 0, 0, 1, 0, 1, 0]
    assert found["like_column"][3] == pytest.approx(2 / 3, abs=1e-3)
    assert found["table_depth"] == [1] * 6 + [0]


def test_the_layout_system_of_a_page_is_told_by_its_tags_near_the_root():
    by_table = columns("<table><tr><td><table><tr><td>x</table></table>")["table_layout"][0]
    by_div = columns("<div><div><div><div>x</div></div></div></div>")["table_layout"][0]
    assert by_table > 0.6 > 0.2 > by_div


def test_link_share_counts_characters_inside_links():
    assert columns("<p>ab<a href=x>cd</a>")["link_share"] == [0.5]


def test_a_page_without_blocks_has_an_empty_view():
    assert stylistic_view(features_of_page(read_page("<html><body><script>x</script>"))).shape == (0, len(FEATURES))


def test_names_around_a_block_are_split_into_words():
    page = read_page('<div id="siteFooter"><ul class="social-links"><li>Share')
    (words,) = tokens.name_view(features_of_page(page))
    assert {"site", "footer", "social", "links", "^social"} <= words


def test_evidence_finds_title_author_and_date_in_their_blocks():
    url = example_web.article_urls("lumen.example")[0]
    page = read_page(example_web.fetch(url).body, url)
    division = fine.divide(page)
    view = dict(zip(NUMBERS["evidence"], evidence.evidence_view(features_of_page(page)).T, strict=True))
    from parcels.divide import block_text

    texts = [block_text(page, *leaves) for leaves in division.ranges()]
    truth = example_web.truth(url)
    assert texts[int(view["title_match"].argmax())] == truth.title
    assert truth.authors[0] in texts[int(view["author_match"].argmax())]
    assert "2025" in texts[int(view["date_match"].argmax())]
