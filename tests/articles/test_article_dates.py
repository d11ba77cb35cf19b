import pytest

from parcels.articles.article import extract
from parcels.articles.body.parts import parts_of
from parcels.articles.fields.dates.find import find_dates
from parcels.articles.fields.dates.iso import iso
from parcels.html.page import read_page
from parcels.html.structured import Claim, claims

STORY = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said in the morning." * 3
PARAGRAPH = "<p>" + "The old pier burnt down last night, and nobody was hurt. " * 4


def published(html, url=None, title_line=0, said=None):
    """Return the date of publication of a page whose title is its first line."""
    page = read_page(html, url)
    found = find_dates(parts_of(page), claims(page) if said is None else said, url, title_line).published
    return found and found.value


def test_a_shown_day_decides_between_two_time_zones():
    said = [Claim("published", "2024-05-04T01:00:00Z", "json-ld"), Claim("published", "2024-05-04T01:00:00Z", "meta")]
    html = "<h1>Old pier burns</h1><p>May 3, 2024 9:00 PM EDT<p>It burnt."
    assert published(html, said=said) == "2024-05-03T21:00:00-04:00"


def test_an_update_is_not_the_day_of_publication():
    said = [Claim("published", "2024-05-01", "json-ld"), Claim("modified", "2024-05-09", "json-ld")]
    page = read_page("<h1>Old pier burns</h1><p>Last updated May 9, 2024<p>It burnt.")
    found = find_dates(parts_of(page), said, None, 0)
    assert (found.published.value, found.modified.value) == ("2024-05-01", "2024-05-09")


def test_the_last_change_has_its_time_and_zone():
    article = extract(f"<h1>Old pier burns</h1><p>Published 3 May 2024<p>Updated 5 May 2024, 21:10 BST{STORY}")
    assert (article.published, article.modified) == ("2024-05-03", "2024-05-05T21:10:00+01:00")
    assert article.to_json()["modified"] == article.modified
    assert "modified" in article.confidences


def test_without_a_stated_change_there_is_no_modified():
    article = extract(f"<h1>Old pier burns</h1><p>3 May 2024{STORY}")
    assert (article.published, article.modified) == ("2024-05-03", None)


@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("https://a.example/pier", "2024-04-03"),
        ("https://a.example/2024/03/04/pier", "2024-03-04"),
        ("https://a.us/pier", "2024-03-04"),
    ],
)
def test_two_numbers_are_read_by_address_and_country(url, value):
    assert published("<h1>Old pier burns</h1><p>3/4/2024<p>It burnt.", url) == value


@pytest.mark.parametrize(
    ("language", "value"), [("en-US", "2024-03-04"), ("en-GB", "2024-04-03"), ("fr", "2024-04-03")]
)
def test_two_numbers_are_read_by_the_language_of_the_page(language, value):
    assert published(f"<html lang={language}><h1>Old pier burns</h1><p>3/4/2024<p>It burnt.", "https://a.com/") == value


def test_two_numbers_are_read_in_the_order_of_the_other_dates():
    html = "<html lang=fr><h1>Old pier burns</h1><p>3/4/2024<p>It burnt.<p>Weather 12/25/2024"
    assert published(html) == "2024-03-04"


def test_claims_of_a_list_of_articles_do_not_outvote_the_date_of_the_page():
    teasers = "".join(f'<div><meta itemprop="datePublished" content="2024-06-0{n}T10:00"></div>' for n in range(1, 9))
    assert published(f"<h1>Old pier burns</h1><p>3 May 2024{PARAGRAPH}{teasers}") == "2024-05-03"


def test_a_date_in_a_sentence_weighs_less_than_a_claim():
    story = "<p>The pier was closed by the harbour authority, which had found rust below the water, on 3 May 1999."
    said = [Claim("published", "2024-05-03", "opengraph"), Claim("published", "2024-05-03", "json-ld")]
    assert published(f"<h1>Old pier burns</h1><p>Harbour{story}", said=said) == "2024-05-03"


def test_dates_of_comments_below_the_story_weigh_less_than_a_claim():
    said = [Claim("published", "2024-05-03", "opengraph"), Claim("published", "2024-05-03", "json-ld")]
    assert published(f"<h1>Old pier burns</h1>{PARAGRAPH * 3}<p>Bo Ek, 9 May 2024", said=said) == "2024-05-03"


@pytest.mark.parametrize(
    ("end", "value"),
    [
        ("<p>Posted on 3 May 2024<p>Bo Ek, 9 May 2024", "2024-05-03"),
        ("<p>This article was written for us by Ann Lee of Harbour on 3 May 2024 and posted in Fires", "2024-05-03"),
        ("<p>Ann Lee, 3 May 2024<p>Bo Ek, 9 May 2024", "2024-05-03"),
        ('<span title="2024-05-03T10:00:00+02:00">2 days ago</span>', "2024-05-03T10:00:00+02:00"),
        ('<script>var page = {"publishDate": "2024-05-03 10:00:00", "id": 4}</script>', "2024-05-03T10:00:00"),
        ('<script>showDate("2024/05/03 01:43:09")</script>', "2024-05-03T01:43:09"),
    ],
)  # fmt: skip
def test_the_whole_page_is_searched_where_nothing_near_the_title_is_a_date(end, value):
    assert published(f"<h1>Old pier burns</h1>{PARAGRAPH * 20}{end}") == value


def test_a_date_from_the_rest_of_the_page_has_a_low_confidence():
    page = read_page(f"<h1>Old pier burns</h1>{PARAGRAPH * 20}<p>Ann Lee, 3 May 2024")
    assert find_dates(parts_of(page), [], None, 0).published.confidence < 0.3


def test_a_page_without_dates_has_none():
    assert find_dates(parts_of(read_page("<h1>Old pier burns</h1><p>It burnt.")), [], None, 0) == (None, None)


@pytest.mark.parametrize(
    "name",
    ["mediator_published_time", "citation_online_date", "og:article:published_time", "published-date",
     "dc.date.created", "cXenseParse:publishtime", "pdate", "date_posted"],
)  # fmt: skip
def test_names_made_up_like_a_date_of_publication_are_claims(name):
    page = read_page(f'<meta name="{name}" content="2024-05-03"><p>x')
    assert claims(page) == [Claim("published", "2024-05-03", "opengraph" if name.startswith("og:") else "meta")]


@pytest.mark.parametrize("name", ["article:expiration_time", "fb:app_id", "valid-date", "timezone", "og:image:date"])
def test_other_names_are_no_claims_of_a_date(name):
    assert claims(read_page(f'<meta name="{name}" content="2024-05-03"><p>x')) == []


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2024-05-03T21:10Z", "2024-05-03T21:10:00+00:00"),
        ("20240503", "2024-05-03"),
        ("2024 05 03 21:10:00", "2024-05-03T21:10:00"),
        ("1714770600", "2024-05-03T21:10:00+00:00"),
        ("1714770600000", "2024-05-03T21:10:00+00:00"),
        ("Fri, 03 May 2024 21:10:00 GMT", "2024-05-03T21:10:00+00:00"),
        ("6:39 PM MST May 3, 2024", "2024-05-03T18:39:00-07:00"),
        ("vendredi 3 mai 2024", "2024-05-03"),
        ("2024-13-45", None),
        ("9999999999", None),
        ("soon", None),
        ("", None),
    ],
)
def test_claimed_dates_are_read_or_refused(written, value):
    assert iso(written) == value
