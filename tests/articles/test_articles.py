"""From a page to its article: fields that are weighed, text that is chosen, what is not said is null."""

import json
import time

import numpy as np
import pytest

import parcels
from parcels.articles.body.choose import chosen
from parcels.articles.body.fallback import hidden_text
from parcels.articles.body.parts import content_parts, parts_of
from parcels.articles.body.pieces import as_text, pieces_of
from parcels.articles.fields.authors import find_authors
from parcels.articles.fields.facts import find_dateline, find_language, find_publishers
from parcels.articles.fields.names import split_names
from parcels.articles.fields.stated import Stated
from parcels.articles.fields.title import find_title, without_site
from parcels.articles.gold import content_shares
from parcels.errors import SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import Claim, claims

STORY = (
    "<p>HARBOUR TOWN (AP) — The old pier burnt down last night, and <b>nobody</b> was hurt, the "
    "<a href='/fire'>fire brigade</a> said on Friday morning after hours of work.</p>"
    "<p>The fire began at about nine in the evening near the ticket office, where painters had worked during the day, "
    "and it spread quickly along the dry planks of the walkway.</p>"
    "<h2>What happens next</h2>"
    "<p>The mayor said that the town would build a new one, and that it would take at least two years, since money has "
    "to be found first and the harbour has to be cleared of what fell into it.</p>"
    "<p>Visitors who had bought tickets for the summer shows will get their money back, she said, and the shows will "
    "move to the town hall, which has room for four hundred people.</p>"
)
PAGE = f"""<html lang="en-GB"><head><title>Old pier burns down - The Harbour Post</title>
<meta property="og:site_name" content="The Harbour Post"></head><body>
<nav class="menu"><ul><li><a href="/">Home</a><li><a href="/s">Sport</a><li><a href="/w">Weather</a></ul></nav>
<main><article class="article-body"><h1>Old pier burns down in the night</h1>
<p class="byline">By Ann Lee and Bo Ek</p><p><time datetime="2024-05-03T21:10:00+02:00">3 May 2024</time></p>
<figure><img src="/pier.jpg" width="600" alt="Smoke"><figcaption>Smoke over the bay.</figcaption></figure>
{STORY}</article></main>
<aside class="related"><h3>Most read</h3><ul>
<li><a href="/1">Ferry late again</a><li><a href="/2">Gulls win</a></ul></aside>
<footer class="footer"><p>© 2024 The Harbour Post. All rights reserved. <a href="/t">Terms</a></p></footer>
</body></html>"""


@pytest.fixture(scope="module")
def article():
    return parcels.extract(PAGE, "https://post.example/2024/05/03/pier")


def test_the_fields_are_those_of_the_page(article):
    assert article.title == "Old pier burns down in the night"
    assert article.published == "2024-05-03T21:10:00+02:00"
    assert article.authors == ("Ann Lee", "Bo Ek")
    assert (article.place, article.source, article.language) == ("Harbour Town", "AP", "en")


def test_the_text_is_the_story_and_nothing_else(article):
    paragraphs = article.text.split("\n\n")
    assert paragraphs[0].startswith("HARBOUR TOWN (AP) — The old pier")
    assert paragraphs[-1].startswith("Visitors who had bought tickets")
    for other in ("Sport", "Ferry late again", "All rights reserved"):
        assert other not in article.text


def test_markdown_keeps_links_emphasis_and_headings(article):
    assert "[fire brigade](https://post.example/fire)" in article.markdown
    assert "**nobody**" in article.markdown
    assert "## What happens next" in article.markdown


def test_images_come_with_their_captions(article):
    assert [(image["url"], image["caption"]) for image in article.images] == [
        ("https://post.example/pier.jpg", "Smoke over the bay.")
    ]


@pytest.mark.parametrize("width", ["\u00b2", "9" * 5000, "-1", "40%"])
def test_an_image_of_unreadable_width_is_kept(width):
    text = "<p>Something went on for quite a while and then it ended, as things do. " * 5
    page = f"<article><h1>Fire</h1>{text}<img src=https://post.example/pier.jpg width='{width}'>{text}</article>"
    assert [image["url"] for image in parcels.extract(page).images] == ["https://post.example/pier.jpg"]


def test_the_json_has_the_fields_of_the_interface(article):
    fields = "page url title published modified authors source place text images language page_type confidence"
    assert set(fields.split()) <= set(json.loads(json.dumps(article.to_json())))


def test_what_a_page_does_not_say_is_null():
    found = parcels.extract("<p>" + "Something went on for quite a while and then it ended, as things do. " * 5)
    assert (found.published, found.authors, found.source, found.place) == (None, (), None, None)
    assert parcels.extract("<p>Menu<p>Home").language is None


def test_a_page_without_text_says_why():
    found = parcels.extract("<body><img src=a.png alt=x>")
    assert (found.text, found.reason) == ("", "the page shows no text")


def test_the_same_page_gives_the_same_article(article):
    assert parcels.extract(PAGE, "https://post.example/2024/05/03/pier") == article


def test_text_only_in_noscript_is_found():
    page = read_page(f"<div id=app>Loading</div><noscript>{STORY}</noscript>")
    assert "old pier burnt down" in " ".join(content_parts(page).texts)


def test_text_only_in_data_is_found_and_is_not_taken_where_the_page_shows_it():
    body = "The old pier burnt down last night and nobody was hurt, the fire brigade said. " * 8
    data = json.dumps({"props": {"post": {"body": f"<p>{body}</p>"}}})
    page = read_page(f"<p>Loading<script id=__NEXT_DATA__ type=application/json>{data}</script>")
    nothing = Stated((), "", "")
    assert hidden_text(page, nothing, 1) == [body.strip()]
    assert hidden_text(page, nothing, 100) == []


def test_a_stated_body_stands_in_for_a_page_that_shows_nothing():
    stated = Stated.of([Claim("body", "Word after word. " * 40, "json-ld")])
    assert hidden_text(read_page("<p>Loading"), stated, 1)


def test_lists_tables_and_code_keep_their_form():
    page = read_page(
        "<ol><li>one<li>two</ol><table><tr><th>Town<th>Fires<tr><td>Ely<td>3</table><pre>a = 1\n  b = 2</pre>"
        "<blockquote><p>So it goes.</blockquote>"
    )
    parts = parts_of(page)
    pieces = pieces_of(parts, np.ones(len(parts), bool))
    assert as_text(pieces) == "one\ntwo\n\nTown | Fires\nEly | 3\n\na = 1\n  b = 2\n\nSo it goes."


def test_the_shown_headline_wins_over_one_written_for_search_engines():
    html = "<title>Pier fire: 5 things to know | Post</title><h1>How the old pier burnt down</h1><p>x"
    page = read_page(html)
    assert find_title(parts_of(page), claims(page)).text == "How the old pier burnt down"


def test_a_kicker_in_an_element_of_its_own_is_no_part_of_the_title():
    page = read_page(
        "<title>Old pier burns down | Post</title><h1><span>Fires at night</span> <b>Old pier burns down</b></h1><p>x"
    )
    assert find_title(parts_of(page), claims(page)).text == "Old pier burns down"


def test_a_sites_name_is_cut_off_a_claimed_title():
    assert without_site("Pier burns | Harbour Post", ["Harbour Post"]) == "Pier burns"


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee Senior Editor", ["Ann Lee"]),
        ("https://www.facebook.com/post", []),
        ("@annlee", []),
        ("By ANN LEE | May 3, 2024", ["ANN LEE"]),
    ],
)
def test_bylines_are_split_into_names(byline, names):
    assert split_names(byline) == names


def test_a_shown_byline_outweighs_a_claimed_house_account():
    said = [Claim("author", "Harbour Post", "json-ld")]
    page = read_page("<h1>Old pier burns</h1><p>By Ann Lee<p>It burnt.")
    assert find_authors(parts_of(page), said, 0, ["Harbour Post"]).names == ("Ann Lee",)


def test_facts_that_are_not_there_are_not_invented():
    assert find_dateline("It was dark. The pier - or what was left - smoked.") == (None, None)
    assert find_language([], "") is None
    assert find_publishers([Claim("publisher", "@post", "meta")]) == []


def test_the_choice_takes_what_pays():
    taken, expected = chosen(np.array([0.99, 0.95, 0.05]), np.array([50.0, 40.0, 300.0]))
    assert taken.tolist() == [True, True, False]
    assert 0.8 < expected < 1
    assert chosen(np.zeros(0), np.zeros(0))[1] == 0.0


def test_a_short_block_counts_as_content_only_where_it_stands_in_the_text():
    long = [f"The old pier number {n} burnt down in the night and nobody there was hurt at all." for n in range(9)]
    texts = ["What next", *long, "What next", "Share"]
    shares = content_shares(texts, "\n\n".join([*long, "What next"]))
    assert shares.tolist() == [0.0, *[1.0] * 9, 1.0, 0.0]


@pytest.mark.parametrize(
    "html",
    [
        "<table>" + "<tr><td>cell of a table</td><td>3</td></tr>" * 3000 + "</table>",
        "<div>" * 200 + "<p>The sea was calm, and the lamp was lit.</p>" * 20 + "</div>" * 200,
        "<p>" + "word " * 100_000,
        "<ul>" + "<li><a href=x>One of very many links</a></li>" * 3000 + "</ul>",
        "<pre>" + "<p>a</p>" * 2000 + "</pre>",
        "<h1>Old pier burns</h1><p>By " + "<b>x</b>" * 20_000 + "<p>3 May 2024<p>" + "<br>Ann Lee<br>3 May 2024" * 3000,
        "<script type='application/ld+json'>" + "[" * 5000 + "</script><p>x",
        "<div>" + "<p>x</p>" * 20_000,
        "<p>" + "word<br>" * 20_000,
        "<p>" + "<b>" * 1400 + "x<i>y</i> " * 5000,
        "<ol><li>" * 700 + "<p>The sea was calm, and the lamp was lit.</p>" * 3000,
        "<table>" + "<tr><th rowspan=9999 colspan=99>a" * 3000 + "</table>",
        "<table><tr>" + "<td>1</td>" * 9000 + "<tr><td>2" * 3000 + "</table>",
        "<figure>"
        + "<img src=x>" * 9000
        + "<figcaption>c</figcaption></figure><p>The sea was calm, and it was dark.</p>",
    ],
    ids=[
        *("table", "deep", "long", "links", "pre", "byline", "json"),
        *("siblings", "breaks", "bold", "lists", "spans", "ragged", "images"),
    ],
)
def test_a_freak_page_is_done_in_bounded_time(html):
    start = time.process_time()
    parcels.extract(html)
    assert time.process_time() - start < 10  # seconds of processor time: a bound against blow-up, not a speed


OLD_PAGE = f"""<html><head><title>The Harbour Post: Old pier burns down in the night</title></head><body>
<table><tr><td><font size=1>Monday, 21 June 2004 &nbsp; Harbour Town: <b>17 C</b>, showers<br><i>A paper</i></font></td>
</tr><tr><td><a href=/>Home</a> | <a href=/s>Sport</a> | <a href=/w>Weather</a></td></tr></table>
<table><tr><td><font size=1><a href=/>Home</a> &gt; <a href=/n>News</a></font><br>
<font size=1>11-May-2004 08:30<br>Last updated: 12-May-2004 10:00</font><br>
<font size=5><b>Old pier burns down in the night</b></font><br>
<font size=2>{{byline}}</font><br>{{behind}}<i>Coast Agency</i><br><br>{STORY.replace("<p>", "<br><br>")}
<table><tr><td><b>RELATED STORIES</b><tr><td><a href=/1>Ferry late again</a> (2 May)</table></td></tr></table></body>
</html>"""


@pytest.mark.parametrize(
    ("byline", "behind", "authors"),
    [
        ("By <b>Ann Lee</b> and <b>Bo Ek</b>", "", ("Ann Lee", "Bo Ek")),
        ("By Ann Lee Tue 11 May 2004", "", ("Ann Lee",)),
        ("From our man on the quay, <b>Ken Lomas</b>", "<font size=1>Tue 11 May 2004</font><br>", ("Ken Lomas",)),
        ("", "", ()),
    ],
)
def test_fields_in_one_block_are_told_apart_by_its_lines(byline, behind, authors):
    found = parcels.extract(OLD_PAGE.format(byline=byline, behind=behind), "http://post.example/story.asp?id=7")
    assert (found.title, found.published) == ("Old pier burns down in the night", "2004-05-11T08:30:00")
    assert found.authors == authors


def test_a_name_ends_with_its_element():
    html = (
        "<h1>Old pier burns</h1><div class=byline><span>By <a href=/a>Ann Lee</a></span> "
        "<span class=source>Coast Newswire</span> <span>Friday 3 May 2024</span></div><p>It burnt."
    )
    assert find_authors(parts_of(read_page(html)), [], 0).names == ("Ann Lee",)


def test_an_agency_that_another_site_publishes_is_the_source_and_not_the_author():
    stated = {"@type": "NewsArticle", "headline": "Old pier burns down in the night", "publisher": {"name": "The Post"},
              "author": {"@type": "Organization", "name": "Coast Wire"}}  # fmt: skip
    data = f"<script type=application/ld+json>{json.dumps(stated)}</script>"
    html = f"{data}<h1>Old pier burns down in the night</h1>{STORY.replace(' (AP)', '')}"
    found = parcels.extract(html)
    assert (found.authors, found.source) == ((), "Coast Wire")


def test_a_page_of_teasers_is_a_list_and_has_no_article():
    teasers = "".join(
        f"<div><h3><a href=/{n}>The pier of town number {n} has burnt down</a></h3><p>The fire began at nine in the "
        f"evening near the ticket office of pier {n}, and it spread quickly along the dry planks of the walk.</p></div>"
        for n in range(8)
    )
    front = f"<title>The Harbour Post</title><h1>News from the harbour</h1>{teasers}"
    for url in ("https://post.example/", "https://post.example/tag/fire/"):
        found = parcels.extract(front, url)
        assert (found.page_type, found.is_article) == ("listing", False)
    assert parcels.extract(PAGE, "https://post.example/2024/05/03/pier").is_article


def test_a_page_of_too_many_blocks_is_refused_with_its_reason():
    with pytest.raises(SkipRecord, match="too-many-blocks") as refused:
        parcels.extract("<p>x</p>" * 100_001)
    assert "limit 100,000" in str(refused.value)
