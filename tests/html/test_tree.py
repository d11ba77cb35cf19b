"""The reader of trees and the scans: compiled and interpreted give the same, and elements come when asked for."""

import importlib.util
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import parcels
from benchmarks.quality.mutations import mutate
from parcels import scan
from parcels.errors import SkipRecord
from parcels.html import leaf_walk, tree
from parcels.html.leaves import walk
from parcels.html.page import read_page

PAGES = [
    "<p>One<!-- a --> two<b>three</b><!-- b -->four<?php five ?>six</p>seven",
    "<body hidden style='display:none'><p style='color:red'>a<i hidden>b</i>c<span style=''>d</span>",
    "<script>var a = '<b>';</script>x<svg width=9><path d=M0>drawn</path></svg>y<template><p>z</template>",
    "<textarea name=t>  own\n text</textarea> <select name=s><option value=1>one<option>two</select>end",
    "<video src=v>fallback<source src=w>behind<track>more</video><embed title=e>tail<wbr>word",
    "<a href=x><a href=y>link</a></a><p CLASS=Big id=é title='&lt;&amp;é' data-x data-x=2>café\u00a0\u2003x</p>",
    "<my-element some:name=1 xml:lang=en xmlns:og='http://o'><og:title>t</og:title></my-element>",
    "<iframe>inner</iframe><noscript><img alt=n></noscript><object><p>o</object><map><area></map><canvas>c</canvas>",
    "<head><unknown>swallows<p>all</p></unknown></head>",
    "<div>" * 200 + "deep" + "</div> " * 200,
    "just text",
]


def as_lists(found: tree.FlatTree) -> list[list[object]]:
    return [part.tolist() if isinstance(part, np.ndarray) else part for part in found]


def interpreted_walk():
    """The walk's source, not what was compiled from it."""
    path = Path(parcels.__file__).parent / "html" / "leaf_walk.py"
    spec = importlib.util.spec_from_file_location("interpreted_leaf_walk", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def walked(module, found: tree.FlatTree, shows_hidden: bool) -> list[list[object]]:
    one = module.LeafWalk(found, shows_hidden)
    one.run()
    arrays = [np.asarray(values).tolist() for values in (one.is_visible, one.link, one.first_leaf, one.end_leaf)]
    arrays += [np.asarray(values)[: len(one.kinds)].tolist() for values in (one.owners, one.opened, one.spaced)]
    return [*arrays, one.styled, one.kinds, one.texts]


def hostile_pages(count: int) -> list[bytes]:
    """Mutations of all pages in one."""
    whole = "".join(PAGES).encode()
    return [mutate(whole, random.Random(seed)) for seed in range(count)]


@pytest.mark.skipif(tree._native is None, reason="the reader is not compiled: python setup.py build_ext --inplace")
@pytest.mark.parametrize("html", PAGES)
def test_the_compiled_reader_gives_what_the_interpreted_one_gives(html):
    root = etree.HTML(html)
    assert as_lists(tree.read_tree(root)) == as_lists(tree.read_interpreted(root))


@pytest.mark.skipif(tree._native is None, reason="the reader is not compiled: python setup.py build_ext --inplace")
def test_the_compiled_reader_reads_xml_with_namespaces_entities_and_character_data():
    xml = b"""<!DOCTYPE a [<!ENTITY e "entity"><!ENTITY f "other">]>
    <a xmlns="u:1" xmlns:x="u:2" x:href="1" href="2&e;3">
    t<b x:k="v">&f;after</b><![CDATA[ raw <i> ]]>more<?go on?>tail<x:c/>&e; end</a>"""
    for resolves in (True, False):
        root = etree.fromstring(xml, etree.XMLParser(resolve_entities=resolves, strip_cdata=False))
        assert as_lists(tree.read_tree(root)) == as_lists(tree.read_interpreted(root))
        part = root[0]
        assert as_lists(tree.read_tree(part)) == as_lists(tree.read_interpreted(part))


@pytest.mark.skipif(tree._native is None, reason="the reader is not compiled: python setup.py build_ext --inplace")
def test_hostile_pages_are_read_alike_and_crash_nothing():
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    read = 0
    for html in hostile_pages(150):
        root = etree.fromstring(html.replace(b"\0", b"") or b"x", parser)
        if root is not None:
            read += 1
            assert as_lists(tree.read_tree(root)) == as_lists(tree.read_interpreted(root))
    assert read > 100


@pytest.mark.skipif(tree._native is None, reason="the reader is not compiled: python setup.py build_ext --inplace")
def test_the_reader_takes_elements_only():
    for odd in (etree.Comment("x"), etree.ProcessingInstruction("x")):
        with pytest.raises(ValueError, match="must be an element"):
            tree.read_tree(odd)
    with pytest.raises(TypeError):
        tree._native.Reader({}, b"", (), {}).read(None)


@pytest.mark.parametrize("shows_hidden", [False, True])
@pytest.mark.parametrize("html", PAGES)
def test_the_walk_is_the_same_compiled_and_interpreted_over_either_reader(html, shows_hidden):
    root, plain = etree.HTML(html), interpreted_walk()
    expected = walked(plain, tree.read_interpreted(root), shows_hidden)
    assert walked(leaf_walk, tree.read_tree(root), shows_hidden) == expected
    assert walked(leaf_walk, tree.read_interpreted(root), shows_hidden) == expected
    assert walked(plain, tree.read_tree(root), shows_hidden) == expected


def test_texts_and_tails_are_those_of_the_elements_outside_what_is_opaque():
    nodes = read_page(PAGES[0] + PAGES[2] + PAGES[3]).nodes
    for row, element in enumerate(nodes.elements):
        inside = {above.tag for above in element.iterancestors()} & tree.OPAQUE
        is_silent = bool(inside) or (element.tag in tree.OPAQUE and element.tag != "textarea")
        assert nodes.texts[row] == (None if is_silent else element.text)
        assert nodes.tails[row] == (None if inside or not row else element.tail)


def test_elements_are_created_on_access_and_are_lxmls_own():
    page = read_page("<p>one<!-- x --><b>two</b>")
    elements = page.nodes.elements
    assert len(elements) == len(page.nodes) == 4
    assert elements[0] is page.root
    assert elements[-1] is page.root.find("body/p/b")
    assert [element.tag for element in elements[1:3]] == ["body", "p"]
    assert list(elements) == list(page.root.iter(etree.Element))


def test_elements_of_a_tree_that_was_changed_are_refused():
    root = etree.HTML("<p>one<p>two")
    nodes, _ = walk(root)
    root.find("body").remove(root.find("body/p"))
    with pytest.raises(RuntimeError, match="had 4 elements when it was read and has 3 now"):
        nodes.elements[0]


def test_what_was_read_outlives_its_tree():
    nodes, leaves = walk(etree.HTML(PAGES[5]))
    nodes = type(nodes)([], *[getattr(nodes, name) for name in nodes.__slots__[1:]])
    assert nodes.attributes[-1] == {"class": "Big", "id": "é", "title": "<&é", "data-x": ""}
    assert leaves.text[-1] == "café x"


def test_threads_read_pages_at_once_and_get_the_same():
    pages = [page.encode() for page in PAGES] * 3 + hostile_pages(30)

    def read(html: bytes) -> object:
        try:
            page = read_page(html)
        except SkipRecord as skipped:
            return skipped.reason
        return page.leaves.text, page.nodes.tags, page.nodes.attributes, len(list(page.nodes.elements))

    alone = [read(html) for html in pages]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, pages * 4)) == alone * 4


@given(st.text(alphabet=st.sampled_from("ab \t\n\x0b\x1c\x85\u00a0\u2003\u3000é\u200b😀"), max_size=12))
def test_text_is_folded_alike(text):
    assert scan.fold(text) == " ".join(text.split())


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=3), st.data())
def test_bytes_are_found_where_python_finds_them(data, wanted, more):
    data += more.draw(st.sampled_from([b"", wanted, wanted[:-1], wanted[1:], wanted + data]))
    rare = more.draw(st.integers(0, len(wanted) - 1))
    assert scan.find(data, wanted, rare) == data.find(wanted)


@given(st.lists(st.sampled_from([b"<", b"a", b"Z", b"z", b"[", b"`", b"{", b"@", b"/"])), st.integers(0, 5))
def test_a_tag_is_a_sign_with_a_letter_behind_it(parts, most):
    data = b"".join(parts)
    assert scan.tag_count(data, most) == min(most, len(re.findall(rb"<[a-zA-Z]", data)))


@given(st.text(alphabet="ab! \n\x01", min_size=8, max_size=40))
def test_long_ascii_text_is_folded_alike(text):
    assert scan.fold(text) == " ".join(text.split())


def test_white_space_is_that_of_python():
    for code in (*range(0x300), *range(0x1680, 0x1690), *range(0x2000, 0x2070), 0x3000, 0xFEFF, 0x10000):
        for text in (f"a{chr(code)}b", f"a {chr(code)}b", f"{chr(code)}a", f"a{chr(code)}\u0100"):
            assert scan.fold(text) == " ".join(text.split())


def test_a_place_outside_the_wanted_bytes_is_refused():
    with pytest.raises(ValueError, match="rare"):
        scan.find(b"abc", b"b", 1)


def python_takes(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@given(st.lists(st.one_of(st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary())))
def test_utf8_is_what_python_takes_for_it(parts):
    data = b"".join(parts)
    assert scan.is_utf8(data) == python_takes(data)


def test_a_character_across_two_chunks_is_utf8_and_half_of_one_at_the_end_is_not():
    for before in range(scan.CHUNK - 3, scan.CHUNK + 1):
        data = b"x" * before + "\N{FIRE}".encode()
        assert scan.is_utf8(data)
        assert not scan.is_utf8(data[:-1])


def test_every_pair_of_bytes_and_the_edges_of_longer_forms_are_judged_as_python_does():
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)
    pairs = [bytes((a, b)) for a in range(128, 256) for b in range(256)]
    longer = [bytes((a, b, c, d)) for a in range(0xE0, 256) for b in edges for c in edges for d in edges]
    for data in (*pairs, *longer, *(form[:3] for form in longer)):
        for padded in (data, b"x" * 33 + data + b"y"):
            assert scan.is_utf8(padded) == python_takes(padded), padded
