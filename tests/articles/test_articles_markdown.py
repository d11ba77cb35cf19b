"""Articles as Markdown: every cell in its column, lists with their numbers, code as it stands, images, front matter."""

import json
from pathlib import Path

import numpy as np
import pytest

import parcels
from parcels.articles.article import front_matter
from parcels.articles.body.data_tables import MAX_SLOTS, data_tables, slots
from parcels.articles.body.include import DEFAULT, Include, completed
from parcels.articles.body.markdown import as_markdown
from parcels.articles.body.parts import parts_of
from parcels.articles.body.pieces import pieces_of
from parcels.articles.fields.facts import shown_images
from parcels.cli.main import main
from parcels.html.page import read_page

PAGES = Path(__file__).parents[1] / "pages" / "markdown"
URL = "https://post.example/2024/ferries/"


def markdown(html: str, include: Include = DEFAULT, base: str | None = None) -> str:
    """All of a page, chosen or not."""
    parts = parts_of(read_page(html))
    taken = np.ones(len(parts), bool)
    return as_markdown(parts, pieces_of(parts, taken), shown_images(parts, taken, base), include, base)


@pytest.mark.parametrize("folder", sorted(PAGES.iterdir()), ids=lambda folder: folder.name)
def test_a_page_is_the_markdown_beside_it(folder, capsysbinary):
    assert main(["extract", str(folder / "page.html"), "--url", URL, "--format", "md"]) == 0
    assert capsysbinary.readouterr().out.decode() == (folder / "article.md").read_text("utf-8")


def test_front_matter_and_parts_can_be_left_out(capsysbinary):
    page = str(PAGES / "report" / "page.html")
    flags = ["--no-metadata", "--no-include-links", "--no-include-images", "--no-include-tables"]
    assert main(["extract", page, "--url", URL, "--format", "md", *flags]) == 0
    text = capsysbinary.readouterr().out.decode()
    assert text.startswith("# Ferry season in figures")
    assert "according to its yearly report that came out" in text
    assert "![" not in text
    assert "North Isle" not in text


def test_the_switches_of_the_function_are_those_of_the_command():
    page = PAGES / "report" / "page.html"
    assert "| North Isle | 15 | 0 |  | 6 |" in parcels.extract(page, URL).markdown
    plain = parcels.extract(page, URL, include_links=False, include_images=False, include_tables=False)
    assert "](" not in plain.markdown
    assert "North Isle" not in plain.text + plain.markdown


def test_every_row_of_a_table_has_every_column():
    found = markdown("<table><tr><th>a<th>b<th>c<tr><td>15<td><td>0<tr><td>6<tr><td><td><td>32</table>")
    assert found == "| a | b | c |\n| --- | --- | --- |\n| 15 |  | 0 |\n| 6 |  |  |\n|  |  | 32 |"


def test_what_spans_rows_and_columns_stands_in_each_of_them():
    found = markdown("<table><tr><th>Year<th colspan=2>Fires<tr><td rowspan=2>2024<td>1<td>2<tr><td>3<td>4</table>")
    assert found.split("\n")[0] == "| Year | Fires | Fires |"
    assert found.split("\n")[2:] == ["| 2024 | 1 | 2 |", "| 2024 | 3 | 4 |"]


def test_a_table_whose_rows_are_named_has_an_empty_header():
    found = markdown("<table><tr><th>Town<td>Ely<tr><th>Fires<td>3</table>")
    assert found == "|  |  |\n| --- | --- |\n| Town | Ely |\n| Fires | 3 |"


def test_pipes_in_a_cell_do_not_end_it():
    assert "| a \\| b | c |" in markdown("<table><tr><th>a | b<th>c<tr><td>1<td>2</table>")


def test_a_table_that_is_mostly_chosen_is_taken_whole_and_one_that_is_not_is_left_out():
    cells = "<table><tr><th>Town<th>Fires<th>Floods<tr><td>Ely<td>3<td>0<tr><td>Bath<td>5<td>2</table>"
    parts = parts_of(read_page(f"<p>One</p>{cells}<p>Two"))
    taken = np.ones(len(parts), bool)
    taken[[5, 8]] = False
    assert completed(parts, taken).all()
    few = np.zeros(len(parts), bool)
    few[[0, 5]] = True
    assert completed(parts, few).tolist() == [True, *[False] * 10]


def test_layout_tables_are_paragraphs():
    story = "The old pier burnt down last night, and nobody was hurt, the fire brigade said on Friday morning. " * 3
    html = f"<table><tr><td>Menu<td>{story}<tr><td>Home<td>{story}</table>"
    assert not data_tables(parts_of(read_page(html)))
    assert "|" not in markdown(html)


@pytest.mark.parametrize(
    "rows", ["<tr><td rowspan=65000 colspan=1000>x" * 3000, "<tr>" + "<td>x" * 9000 + "<tr><td>x<td>y" * 3000]
)
def test_the_size_of_a_hostile_table_is_bounded(rows):
    page = read_page(f"<table>{rows}</table>")
    assert sum(map(len, slots(page.nodes, 2))) <= 2 * MAX_SLOTS


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
        ("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>", "- a\n  1. b\n  2. c\n- d"),
        ("<ul><li><p>a<p>b<li><p>c</ul>", "- a\n\n  b\n- c"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote><p>c", "> a\n>\n> > b\n\nc"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote><p>c", "> - a\n> - b\n\nc"),
        ("<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"),
        ("<pre class='brush: js'>a</pre>", "```js\na\n```"),
        ("<pre><code class='hljs language-c++'>a &lt; b</code></pre>", "```c++\na < b\n```"),
        ("<p>a <code>x*y</code> <em>b</em> <strong><em>c</em></strong>", "a `x*y` *b* ***c***"),
        ("<h3><b>a</b> b</h3>", "### a b"),
        ("<p>1. a *b* _c_ d_e <p># f<p>- g<p>&lt;b&gt;", "1\\. a \\*b\\* \\_c\\_ d_e\n\n\\# f\n\n\\- g\n\n\\<b>"),
        ("<p><a href='javascript:x()'>a</a> <a href=#b>b</a> <a>c</a>", "a b c"),
        ("<p><a href='/x'>a <b>b</b> c</a>", "[a **b** c](/x)"),
    ],
)
def test_markup_becomes_markdown(html, expected):
    assert markdown(html) == expected


def test_an_image_comes_with_its_caption_once():
    html = "<p>One<figure><img src=a.png alt='A [pier]'><figcaption>Smoke_ over the bay</figcaption></figure><p>Two"
    expected = "One\n\n![A \\[pier\\]](https://e.example/a.png)\n\n*Smoke\\_ over the bay*\n\nTwo"
    assert markdown(html, base="https://e.example/") == expected
    assert markdown(html, Include(images=False)) == "One\n\nSmoke\\_ over the bay\n\nTwo"


def test_addresses_are_absolute_by_the_address_that_the_page_states():
    page = (PAGES / "report" / "page.html").read_text("utf-8")
    stated = page.replace("<head>", "<head><link rel=canonical href=https://post.example/2024/ferries/>")
    assert parcels.extract(stated).images[0]["url"] == "https://post.example/2024/ferries/img/ferry.jpg"
    based = page.replace("<head>", "<head><base href=https://cdn.example/x/>")
    assert parcels.extract(based, URL).images[0]["url"] == "https://cdn.example/x/img/ferry.jpg"


def test_front_matter_quotes_whatever_a_page_says():
    yaml = pytest.importorskip("yaml")
    title = 'a: "b"\n--- # \\ \x85\u2028\ud83d \x07 \N{PARTY POPPER} - {c}'
    text = front_matter({"title": title, "date": "2024-05-03", "authors": ["no", "- x"], "source": None, "url": ""})
    assert text.split("\n")[0] == text.split("\n")[-1] == "---"
    found = yaml.safe_load(text.strip("-"))
    assert found["date"] == "2024-05-03"
    assert found["authors"] == ["no", "- x"]
    assert json.dumps(found["title"]) == json.dumps(title)


def test_comments_are_left_out_unless_they_are_wanted():
    page = PAGES / "report" / "page.html"
    assert "great idea" not in parcels.extract(page, URL).text
    with_comments = parcels.extract(page, URL, include_comments=True)
    assert "great idea" in with_comments.text
    assert "great idea" in with_comments.markdown
    assert "great idea" not in parcels.extract(page, URL, include_comments=False).markdown


@pytest.mark.parametrize("folder", sorted(PAGES.iterdir()), ids=lambda folder: folder.name)
@pytest.mark.parametrize("url", ["https://post.example/", URL, "https://shop.example/products/forum/thread-17?page=2"])
def test_the_address_does_not_change_the_text(folder, url):
    page = folder / "page.html"
    alone, addressed = parcels.extract(page), parcels.extract(page, url)
    assert alone.text == addressed.text
    assert alone.confidence == addressed.confidence
