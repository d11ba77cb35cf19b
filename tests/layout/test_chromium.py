"""Chromium as renderer: the same rows as the page's, nothing runs, nothing leaves, a hang costs one page."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from parcels import example_web
from parcels.css.sheets.source import SheetSource
from parcels.errors import ConfigError, SkipRecord
from parcels.html.page import read_page
from parcels.layout.chromium.renderer import ROW, ChromiumRenderer, marked_html


@pytest.fixture(scope="module")
def browser(chromium_path: Path) -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer(program=chromium_path) as started:
        yield started


@pytest.mark.chromium
def test_every_leaf_of_an_example_page_that_is_displayed_has_a_box(browser: ChromiumRenderer):
    url = example_web.article_urls("www.harbourcourier.example")[0]
    answer = example_web.fetch(url)
    page = read_page(answer.body, url, content_type=answer.headers["Content-Type"])
    layout = browser.render(page)
    is_shown = np.array([reason != "display" for reason in layout.hidden_reason])
    assert layout.renderer == "chromium"
    assert is_shown.sum() > 100
    assert np.isfinite(layout.leaves[is_shown]).all()
    assert layout.height > 500


@pytest.mark.chromium
def test_boxes_stand_on_the_rows_of_the_page_although_the_browser_parses_it_anew(browser: ChromiumRenderer):
    html = (
        "<!doctype html><style>body{margin:0}div{height:50px}</style>"
        "<div id=a>One</div><!-- note --><table><tr><td>Cell</table>loose<div id=b>Two</div>"
    )
    page = read_page(html)
    layout = browser.render(page)
    rows = {element.get("id"): row for row, element in enumerate(page.nodes.elements)}
    assert layout.nodes[rows["a"]].tolist() == [0, 0, 1000, 50]
    assert layout.nodes[rows["b"], 1] > layout.nodes[rows["a"], 1]
    assert np.isfinite(layout.leaves).all()
    assert layout.leaves[:, 1].tolist() == sorted(layout.leaves[:, 1].tolist())


@pytest.mark.chromium
def test_external_sheets_that_are_at_hand_are_used_with_what_they_import(browser: ChromiumRenderer):
    page = read_page("<!doctype html><link rel=stylesheet href=css/a.css><div id=x>One</div><p>Two</p>")
    sheets = SheetSource(
        {"site/css/a.css": b"@import 'b.css'; p{display:none}", "site/css/b.css": b"#x{width:123px}"}, "site"
    )
    layout = browser.render(page, sheets)
    row = next(row for row, element in enumerate(page.nodes.elements) if element.get("id") == "x")
    assert layout.nodes[row, 2] == 123
    assert layout.hidden_reason == (None, "display")


@pytest.mark.chromium
def test_a_page_makes_no_request_and_runs_no_script(browser: ChromiumRenderer):
    asked: list[str] = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = f"http://127.0.0.1:{server.server_address[1]}"
        page = read_page(
            f"<base href='{there}/'><link rel=stylesheet href='{there}/a.css'><style>@import '{there}/b.css';"
            f"body{{background:url({there}/c.png)}}@font-face{{font-family:f;src:url({there}/f.woff)}}p{{font-family:f}}"
            f"</style><meta http-equiv=refresh content='0;url={there}/r'><script src='{there}/s.js'></script>"
            f"<p onclick=x>Text</p><img src='{there}/i.png' onerror='document.body.textContent=1'>"
            f"<iframe src='{there}/frame'></iframe><object data='{there}/o'></object>"
            f"<video src='{there}/v' autoplay></video>"
            f"<link rel=preload as=image href='{there}/p.png'><script>document.body.remove()</script>"
        )
        layout = browser.render(page)
        server.shutdown()
    assert asked == []
    assert np.isfinite(layout.leaves[0]).all()


@pytest.mark.chromium
def test_hidden_leaves_say_why(browser: ChromiumRenderer):
    page = read_page(
        "<!doctype html><p>Seen<p style='font-size:0'>size<div style='position:absolute;left:-9999px'>off</div>"
        "<p style='color:#fff;background:#fff'>ink<p style='opacity:0'>clear"
        "<div style='position:relative;height:30px'>under"
        "<div style='position:absolute;inset:0;background:#eee;z-index:2'></div></div>"
    )
    reasons = dict(zip(page.leaves.text, browser.render(page).hidden_reason, strict=True))
    assert reasons == {
        "Seen": None,
        "size": "size",
        "off": "off-screen",
        "ink": "colour",
        "clear": "visibility",
        "under": "covered",
    }


@pytest.mark.chromium
def test_a_page_that_takes_too_long_is_skipped_and_the_next_gets_a_fresh_browser(chromium_path: Path):
    with ChromiumRenderer(program=chromium_path, seconds=0.001) as hasty:
        with pytest.raises(SkipRecord) as skipped:
            hasty.render(read_page("<p>x" * 20_000))
        assert skipped.value.reason == "too-slow"
        hasty.seconds = 20.0
        assert np.isfinite(hasty.render(read_page("<p>x")).leaves).all()
        assert hasty.starts == 2


def test_a_missing_browser_is_an_error_with_the_package_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("parcels.common.machine.chromium", lambda: None)
    with pytest.raises(ConfigError, match="apt-get install chromium"):
        ChromiumRenderer().start()


def test_a_page_goes_to_the_browser_without_scripts_and_with_its_rows():
    page = read_page(
        "<head><meta http-equiv=refresh content=0></head><p>One<script>alert(1)</script><noscript>No</noscript>"
    )
    html = marked_html(page)
    assert "alert" not in html
    assert "refresh" not in html
    assert ">No<" not in html
    assert html.count(ROW) == len(page.nodes)
    assert page.root.xpath("count(//*[@*[starts-with(name(), 'data-parcels')]])") == 0
