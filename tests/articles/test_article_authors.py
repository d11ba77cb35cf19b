import pytest

from parcels.articles.body.parts import parts_of
from parcels.articles.fields.authors import find_authors
from parcels.articles.fields.names import is_name, split_names
from parcels.html.page import read_page
from parcels.html.structured import Claim, claims

PARAGRAPH = "<p>" + "The old pier burnt down last night, and nobody was hurt. " * 6


def authors(html, publishers=(), said=None):
    """Return the authors of a page whose title is its first line."""
    page = read_page(html)
    return find_authors(parts_of(page), claims(page) if said is None else said, 0, publishers).names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Author: Ann Lee", ("Ann Lee",)),
        ("Text und Interview: Ann Lee", ("Ann Lee",)),
        ("durch Ann Lee", ("Ann Lee",)),
        ("3 May 2024 by Ann Lee", ("Ann Lee",)),
        ("3. Mai 2024, 21:10 Uhr · von Ann Lee", ("Ann Lee",)),
        ("Posted on 3 May 2024 Posted by Ann Lee 59 Comments", ("Ann Lee",)),
        ("Guide by Ann Lee", ("Ann Lee",)),
        ("作者：배윤경", ("배윤경",)),
        ("By Ann Lee og Bo Ek", ("Ann Lee", "Bo Ek")),
        ("Presented by Ann Lee", ()),
    ],
)
def test_bylines_are_found_in_several_languages_and_places(line, names):
    assert authors(f"<h1>Old pier burns</h1><p>{line}{PARAGRAPH}") == names


def test_the_label_of_an_author_may_have_a_line_of_its_own():
    assert authors(f"<h1>Old pier burns</h1><p>Autor:<p>Ann Lee{PARAGRAPH}") == ("Ann Lee",)


def test_a_known_name_alone_needs_a_date_or_a_role_beside_it():
    assert authors(f"<h1>Old pier burns</h1><p>Ann Lee<p>Senior reporter{PARAGRAPH}") == ("Ann Lee",)
    assert authors(f"<h1>Old pier burns</h1><p>3 May 2024 Ann Lee{PARAGRAPH}") == ("Ann Lee",)
    assert authors(f"<h1>Old pier burns</h1><p>Ann Lee<p>Contents{PARAGRAPH}") == ()


def test_a_byline_after_the_story_counts_where_there_is_no_other():
    end = "<p>Written by Ann Lee"
    assert authors(f"<h1>Old pier burns</h1>{PARAGRAPH * 20}{end}") == ("Ann Lee",)
    assert authors(f"<h1>Old pier burns</h1><p>By Bo Ek{PARAGRAPH * 20}{end}") == ("Bo Ek",)


def test_bylines_of_teasers_in_the_story_do_not_count():
    teaser = "<p>Read more<p>By Bo Ek"
    assert authors(f"<h1>Old pier burns</h1><p>By Ann Lee{PARAGRAPH}{teaser}{PARAGRAPH}") == ("Ann Lee",)


def test_the_authors_of_comments_do_not_count():
    comment = '<div class="comment-author vcard">Bo Ek</div>'
    assert authors(f"<h1>Old pier burns</h1><p>It burnt.{comment}") == ()


def test_all_names_of_one_byline_are_authors():
    said = [Claim("author", "Ann Lee", "json-ld"), Claim("author", "Ann Lee", "meta")]
    assert authors("<h1>Old pier burns</h1><p>By Ann Lee and Bo Ek", said=said) == ("Ann Lee", "Bo Ek")


def test_a_site_may_be_its_own_author():
    said = [Claim("author", "Marta Rossi", "json-ld")]
    assert authors("<h1>Old pier burns</h1>", ["Marta Rossi"], said) == ("Marta Rossi",)


def test_a_claim_that_does_not_look_like_a_name_is_the_last_resort():
    said = [Claim("author", "annlee7", "json-ld"), Claim("author", "@post", "meta")]
    assert authors("<h1>Old pier burns</h1><p>It burnt.", said=said) == ("annlee7",)
    assert authors("<h1>Old pier burns</h1><p>By Bo Ek", said=said) == ("Bo Ek",)


def test_an_author_may_be_named_by_its_id_only():
    data = (
        '{"@graph": [{"@type": "NewsArticle", "author": {"@id": "#ann"}}, '
        '{"@type": "Person", "@id": "#ann", "name": "Ann Lee"}]}'
    )
    page = read_page(f'<script type="application/ld+json">{data}</script><p>x')
    assert Claim("author", "Ann Lee", "json-ld") in claims(page)


@pytest.mark.parametrize("text", ["Es klappt nicht", "What helps?", "Ask Question", "Name *", "ann lee"])
def test_sentences_and_menus_are_no_names(text):
    assert not is_name(text)


def test_photographers_are_no_authors():
    assert split_names("Ann Lee, Foto: Bo Ek") == ["Ann Lee"]
