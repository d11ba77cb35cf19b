"""Absurd pages: bounded time, and boxes with finite numbers."""

import time

import numpy as np
import pytest

from parcels.css.cascade import computed_style
from parcels.html.page import read_page
from parcels.layout.boxes.virtual import render

SECONDS = 5.0

PAGES = {
    "a table of absurd spans": "<table>" + ("<tr>" + "<td colspan=1000000 rowspan=65534>x" * 50) * 100 + "</table>",
    "a row of absurd spans": "<table><tr>" + "<td colspan=1000000 rowspan=65534>x" * 5000,
    "a column of absurd spans": "<table>" + "<tr><td colspan=1000000 rowspan=65534>x" * 5000,
    "many floats": "<style>i { float: left; width: 10px; height: 10px }</style>" + "<i></i>" * 100_000,
    "many floats of growing size": "".join(
        f"<div style='float:{('left', 'right')[n % 2]};width:{n % 97}px;height:{n}px'></div>x" for n in range(5000)
    ),
    "absurd lengths": "<div style='width:1e30px;margin-left:-1e30px;padding:1e30px;height:1e30px;font-size:1e30px'>x"
    "<p style='width:-50px;height:-50px;margin:-1e9px;padding:-5px'>y<p style='left:1e30px;position:absolute'>z",
    "shares of nothing": "<div style='height:50%'><div style='height:50%;width:1e9%'><img width=50% height=50%>x"
    "<table width=1e9%><td width=200%>y<td width=300%>z",
    "nested blocks": "<div>" * 2000 + "deep" + "</div>" * 2000 + "<p>after",
    "nested inline elements": "<b>" * 2000 + "deep" + "</b>" * 2000 + "<p>after",
    "nested tables": "<table><tr><td>" * 600 + "deep",
    "nested flex boxes": "<style>div { display: flex }</style>" + "<div>" * 1500 + "deep",
    "nested grids": "<style>div { display: grid }</style>" + "<div>" * 1500 + "deep",
    "nested inline blocks": "<style>div { display: inline-block }</style>" + "<div>" * 1500 + "deep",
    "nested floats": "<style>div { float: left }</style>" + "<div>" * 1500 + "deep",
    "nested absolute boxes": "<style>div { position: absolute }</style>" + "<div>" * 1500 + "deep",
    "a huge grid": "<style>main { display: grid; grid-template-columns: repeat(9999, 1px) } b { grid-row: 99999 / 1;"
    " grid-column: 99999 }</style><main>" + "<b>x</b>" * 3000,
    "a full flex row": "<style>main { display: flex; flex-wrap: wrap } b { flex: 1 1 1e30px; min-width: 90% }</style>"
    "<main>" + "<b>x</b>" * 20_000,
    "one long word": "<p>" + "x" * 500_000,
    "one long text": "<p>" + "word " * 100_000,
    "many covers": "<style>i { position: absolute; inset: 0; background: #fff; width: 100%; height: 100% }</style>"
    + "<p>text<i></i>" * 3000,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_hostile_page_is_laid_out_in_bounded_time(name: str) -> None:
    page = read_page(PAGES[name])
    styles = computed_style(page)
    start = time.process_time()
    layout = render(page, styles)
    assert time.process_time() - start < SECONDS
    boxes = np.concatenate([layout.nodes, layout.leaves])
    known = boxes[~np.isnan(boxes[:, 0])]
    assert len(known)
    assert np.isfinite(known).all()
    assert (np.abs(known) <= 1e6).all()
    assert np.isfinite(layout.height)
    assert not np.isnan(layout.leaves[:, 0]).any()
    assert len(layout.hidden_reason) == len(page.leaves)


def test_columns_that_state_shares_but_hold_no_cell_are_laid_out():
    page = read_page("<table><col width=50%><col width=30%><caption>Only a caption</caption></table><p>after")
    assert np.isfinite(render(page, computed_style(page)).leaves).all()


def test_more_pieces_on_a_line_than_there_was_room_for_are_all_set():
    pieces = "<b>x</b><img width=1 height=1><span style='display:inline-block'>y <i>z</i></span>" * 300
    page = read_page(f"<div style='white-space:nowrap'>{pieces}</div>")
    leaves = render(page, computed_style(page)).leaves
    assert np.isfinite(leaves).all()
    assert (np.diff(leaves[:, 0]) > 0).all()  # one line, every piece right of the one before it
