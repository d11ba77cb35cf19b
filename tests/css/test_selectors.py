import pytest

from parcels.css.cascade import computed_style
from parcels.css.selectors.keys import key_names, nested
from parcels.css.selectors.parser import selector, selector_list
from parcels.html.page import read_page

PAGE = """<!doctype html><html lang=en-GB><body>
<div id=main class="wide box"><p id=p1 class=first>1</p><p id=p2>2</p><span id=s1>3</span>
<p id=p3 class="last Big">4</p></div>
<ul id=list><li id=l1>a</li><li id=l2><a id=a1 href="http://x.example/y.pdf" title="one two">b</a></li><li id=l3>c</li>
<li id=l4>d</li><li id=l5>e</li></ul>
<form id=form><input id=i1 type=checkbox checked><input id=i2 disabled data-x="en-us"><input id=i3 placeholder=q></form>
<div id=empty></div><section id=outer><div id=inner><em id=deep>f</em></div></section>
<a id=a2>no address</a></body></html>"""


def matched(selectors: str) -> set[str]:
    """The ids of the elements that a rule with these selectors applies to."""
    html = PAGE.replace(
        "<body>", f"<style>{selectors} {{ letter-spacing: 7px }} * {{ letter-spacing: 0 }}</style><body>"
    )
    page = read_page(html.replace("* { letter-spacing: 0 }", ":where(*) { letter-spacing: 0 }"))
    styles = computed_style(page)
    return {
        element.get("id")
        for row, element in enumerate(page.nodes.elements)
        if styles.letter_spacing[row] == 7 and element.get("id")
    }


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        ("#p1", "p1"),
        ("p", "p1 p2 p3"),
        ("P.first", "p1"),
        (".wide.box", "main"),
        (".wide.none", ""),
        ("div p", "p1 p2 p3"),
        ("ul > li > a", "a1"),
        ("body > li", ""),
        ("section em", "deep"),
        ("section > em", ""),
        (".first + p", "p2"),
        (".first ~ p", "p2 p3"),
        ("span+p", "p3"),
        ("[href]", "a1"),
        ('[href^="http://x"]', "a1"),
        ("[href$='.pdf']", "a1"),
        ("[href*=example]", "a1"),
        ("[title~=two]", "a1"),
        ("[title=one]", ""),
        ("[data-x|=en]", "i2"),
        ("[class~=big i]", "p3"),
        ("p:not(.first)", "p2 p3"),
        ("p:not(.first, .last)", "p2"),
        (":is(#p1, #p2)", "p1 p2"),
        (":where(ul, form) > :is(li, input):first-child", "l1 i1"),
        ("li:first-child", "l1"),
        ("li:last-child", "l5"),
        ("li:nth-child(odd)", "l1 l3 l5"),
        ("li:nth-child(2n)", "l2 l4"),
        ("li:nth-child(-n+2)", "l1 l2"),
        ("li:nth-last-child(2)", "l4"),
        ("li:nth-child(3)", "l3"),
        ("p:nth-of-type(3)", "p3"),
        ("span:first-of-type", "s1"),
        ("p:last-of-type", "p3"),
        ("em:only-child", "deep"),
        ("span:only-of-type", "s1"),
        ("div:empty", "empty"),
        (":root body #p1", "p1"),
        ("input:checked", "i1"),
        ("input:disabled", "i2"),
        ("input:enabled", "i1 i3"),
        ("a:link", "a1"),
        ("a:any-link", "a1"),
        ("#l1:lang(en)", "l1"),
        ("li:has(> a)", "l2"),
        ("ul:has(a)", "list"),
        ("section:has(p)", ""),
        ("p:hover", ""),
        ("p::before", ""),
        ("p:after", ""),
        ("p:not(:hover)", "p1 p2 p3"),
        ("p:first-child::first-line", ""),
        ("#p1, p:hover", "p1"),
        ("#p1, p:no-such-thing", ""),
        ("#p1, p:-moz-odd-thing", "p1"),
        ("#p1, ::-webkit-odd-thing", "p1"),
        ("#p1, p..x", "p1"),
        (r"#\70 1", "p1"),
        ("*|p", "p1 p2 p3"),
        ("section * em", "deep"),
        ("div > * ~ span", "s1"),
    ],
)
def test_a_selector_matches_what_a_browser_matches(selectors: str, expected: str) -> None:
    assert matched(selectors) == set(expected.split())


def test_specificity_counts_ids_then_classes_then_tags() -> None:
    def weight(text: str) -> int:
        found = selector(text)
        assert found is not None
        return found.specificity

    assert weight("#a") > weight(".a.b.c.d") > weight("div span b i p") > weight("*")
    assert weight("[x]") == weight(":first-child") == weight(".a")
    assert weight(":where(#a)") == 0
    assert weight(":is(#a, b)") == weight("#a")
    assert weight("p:not(.x)") == weight("p.x")


def test_lists_are_split_outside_of_brackets_and_strings() -> None:
    assert selector_list('a, b:is(c, d), [title="x,y"]') == ["a", "b:is(c, d)", '[title="x,y"]']


def test_nested_selectors_take_the_place_of_the_ampersand() -> None:
    assert nested([".a"], ["&.b", "& > c", "d", ".e &"]) == [".a.b", ".a > c", ".a d", ".e .a"]


def test_many_nested_selectors_do_not_multiply() -> None:
    assert len(nested([f".a{n}" for n in range(100)], [f".b{n}" for n in range(100)])) == 100


def test_a_key_is_the_rarest_name() -> None:
    assert key_names("div#a.b") == ("#a",)
    assert key_names("div.a.b") == (".b",)
    assert key_names("ul li") == ("li",)
    assert key_names("[href].x") == (".x",)
    assert key_names("[href]") == ("[href",)


def test_class_names_are_case_sensitive_only_in_standards_mode() -> None:
    rule = "<style>.big { display: none }</style><p class=Big>x"
    assert computed_style(read_page("<!doctype html>" + rule)).display[-1] == 2
    assert computed_style(read_page(rule)).display[-1] == 0
