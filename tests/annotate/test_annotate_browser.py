"""The browser page in a real Chromium: labelled by keyboard, by two people, in two tabs, with the server killed."""

import contextlib
import json
import re
import subprocess
import sys
import time

import pytest
from annotate_world import PLAIN, Outside, Served, ask, hostile, id_of, make_store, many_blocks, say, served

from parcels.layout.chromium.renderer import FLAGS

pytestmark = pytest.mark.chromium
MS = 120_000  # a busy machine takes its time


@pytest.fixture(scope="module")
def browser(chromium_path):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if not flag.startswith("--host-resolver")]
        found = playwright.chromium.launch(executable_path=str(chromium_path), args=flags)
        yield found
        found.close()


class Tab:
    """A tab and what went wrong in it."""

    def __init__(self, context, url):
        self.page = context.new_page()
        self.page.set_default_timeout(MS)
        self.errors, self.requests = [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(url)
        self.ready()

    def ready(self, page=None):
        self.page.wait_for_selector(f'body[data-ready="{page}"]' if page else "body[data-ready]")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def until(self, condition):
        """Wait; Playwright's own way evaluates a string, which the page's policy forbids."""
        ends = time.monotonic() + MS / 1000
        while not self.page.evaluate(condition):
            assert time.monotonic() < ends, condition
            self.page.wait_for_timeout(50)

    def saved(self):
        self.until("document.getElementById('saved').textContent.startsWith('saved')")

    def own(self):
        return dict(self.page.evaluate("[...parcels.app.labelling.own]"))

    def classes(self, n):
        return self.page.get_attribute(f".region[data-n='{n}']", "class").split()


@pytest.fixture
def store(tmp_path):
    make_store(tmp_path / "store", {"ferry": PLAIN})
    return tmp_path / "store"


def address(server, annotator, page=None):
    return f"{server.origin}/?page={page or id_of('ferry')}#/label/{annotator}"


def annotations(store):
    from parcels.store import open_store

    rows = open_store(store).read("annotations").to_pylist()
    return sorted(rows, key=lambda row: row["annotated_at"])


def test_a_page_is_labelled_by_keyboard_reloaded_labelled_by_another_voted_and_exported(browser, store, tmp_path):
    with served(store) as server:
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        ann = Tab(context, address(server, "ann"))
        assert ann.page.locator(".region").count() == 11
        ann.press("v", "t", "r", "d", "m", "m", "h", "m", "i", "s", "s")
        assert len(ann.own()) == 11
        assert "own" in ann.classes(1)
        ann.press("Control+z", "Control+z", "Control+Shift+z")
        ann.saved()
        before = ann.own()
        assert (before[1], before[4], before[9], 10 in before) == ("title", "maincontent", "sitecontent", False)
        ann.page.reload()
        ann.ready()
        assert ann.own() == before
        assert ann.page.inner_text("#page-count") == "10 of 11 blocks"
        bob = Tab(browser.new_context(), address(server, "bob"))
        assert bob.own() == {}
        bob.page.click(".region[data-n='1']")
        bob.press("h")
        bob.page.click(".region[data-n='2']")
        bob.page.keyboard.down("Shift")
        bob.page.click(".region[data-n='3']")
        bob.page.keyboard.up("Shift")
        bob.press("r")
        bob.saved()
        assert bob.own() == {1: "subheaders", 2: "reporter", 3: "reporter"}
        agreed = json.loads(ask(f"{server.origin}/api/agreement")[2])
        assert agreed["items"] == 3
        assert agreed["agreed"] == pytest.approx(1 / 3)
        status, headers, text = ask(f"{server.origin}/export/votes")
        assert status == 200
        assert "attachment" in headers["content-disposition"]
        voted = {leaf["block"]: leaf["label"] for leaf in json.loads(text)["leaves"]}
        assert 1 not in voted
        assert voted[2] == "reporter"
        assert voted[5] == "maincontent"
        assert not ann.errors + bob.errors
    last = {(row["annotator"], row["n"]): row["label"] for row in annotations(store)}
    assert last["ann", 2] == "title"
    assert last["bob", 2] == "subheaders"
    assert last["ann", max(n for _, n in last)] == "none"  # taken back by undo


def test_predictions_are_confirmed_and_corrected(browser, store):
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann"))
        predicted = tab.page.evaluate("parcels.app.page.blocks.map((block) => block.label)")
        assert all(predicted)
        tab.press("Enter", "a")
        tab.press("Shift+Enter")
        tab.saved()
        assert tab.own() == dict(enumerate(predicted)) | {1: "ads"}
        tab.press("Control+z")
        assert len(tab.own()) == 2
        tab.page.click(".region[data-n='1']")
        tab.press("Backspace")
        tab.saved()
        assert list(tab.own()) == [0]
        tab.page.wait_for_selector("#panel table")
        assert "Votes of the views".lower() in tab.page.inner_text("#panel").lower()


def test_nothing_of_a_hostile_page_runs_and_nothing_leaves_the_machine(browser, tmp_path):
    outside = Outside()
    store = tmp_path / "store"
    make_store(store, {"bad": hostile(outside.url)})
    with served(store) as server:
        context = browser.new_context()
        tab = Tab(context, address(server, "ann", id_of("bad")))
        blocks = tab.page.evaluate("parcels.app.page.blocks.length")
        assert tab.page.locator(".region").count() >= blocks - 3  # but those that nothing shows
        tab.page.click(".region[data-n='0']")
        tab.press("t", "Enter", "z", "x")
        tab.saved()
        tab.page.wait_for_timeout(1500)  # a refresh of 0 seconds, lazy loads, autofocus
        assert tab.page.evaluate("document.body.dataset.pwned || null") is None
        assert (
            tab.page.evaluate("document.getElementById('frame').contentWindow.location.pathname")
            == f"/frame/{id_of('bad')}"
        )
        alone = context.new_page()  # the frame's address by itself, outside of the sandboxed frame
        alone.on("request", lambda request: tab.requests.append(request.url))
        alone.goto(f"{server.origin}/frame/{id_of('bad')}")
        alone.wait_for_timeout(500)
        alone.locator("h1").first.click()
        assert alone.evaluate("document.body.dataset.pwned || null") is None
        asked = [url for url in tab.requests if not url.startswith((server.origin, "data:", "about:"))]
        assert not asked
        assert len(context.pages) == 2
        assert not tab.errors
    outside.close()
    assert outside.asked == []


def test_two_thousand_blocks_are_shown_and_labelled(browser, tmp_path):
    store = tmp_path / "store"
    make_store(store, {"long": many_blocks(2000)})
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann", id_of("long")))
        assert tab.page.locator(".region").count() == 2000
        tab.page.click(".region[data-n='3']")
        tab.press("m")
        tab.press("Shift+Enter")
        tab.saved()
        assert tab.page.inner_text("#page-count") == "2000 of 2000 blocks"
    assert len({row["n"] for row in annotations(store)}) == 2000


def test_two_tabs_at_once_show_the_same(browser, store):
    with served(store) as server:
        context = browser.new_context()
        one, two = Tab(context, address(server, "ann")), Tab(context, address(server, "ann"))
        one.page.click(".region[data-n='1']")
        one.press("t")
        one.saved()
        two.until("parcels.app.labelling.own.get(1) === 'title'")
        two.page.click(".region[data-n='2']")
        two.press("r")
        two.page.click(".region[data-n='1']")
        two.press("h")
        two.saved()
        one.until("parcels.app.labelling.own.get(2) === 'reporter'")
        one.until("parcels.app.labelling.own.get(1) === 'subheaders'")
        assert one.own() == two.own() == {1: "subheaders", 2: "reporter"}


def test_a_killed_server_loses_nothing(browser, store):
    server = Served(store).start()
    try:
        tab = Tab(browser.new_context(), address(server, "ann"))
        tab.page.click(".region[data-n='1']")
        tab.press("t", "r")
        tab.saved()
        port = server.port
        server.kill()
        tab.press("d", "m")
        tab.until("document.getElementById('saved').textContent.includes('wait')")
        server.start(port)
        tab.saved()
        assert tab.own() == {1: "title", 2: "reporter", 3: "timestamp", 4: "maincontent"}
        tab.page.reload()
        tab.ready()
        assert tab.own() == {1: "title", 2: "reporter", 3: "timestamp", 4: "maincontent"}
    finally:
        server.stop()
    last = {row["n"]: row["label"] for row in annotations(store)}
    assert list(last.values()).count("maincontent") == 2
    assert {"title", "reporter", "timestamp", "contentlink"} <= set(last.values())


def test_a_tab_that_was_closed_while_the_server_was_away_loses_nothing(browser, store):
    server = Served(store).start()
    try:
        context = browser.new_context()
        tab = Tab(context, address(server, "ann"))
        port = server.port
        server.kill()
        tab.page.click(".region[data-n='1']")
        tab.press("t")
        tab.page.close()
        server.start(port)
        again = Tab(context, address(server, "ann"))
        again.until("parcels.app.labelling.own.get(1) === 'title'")
    finally:
        server.stop()
    assert [row["label"] for row in annotations(store)] == ["title"]


def test_the_next_page_comes_by_need_and_the_end_is_told(browser, tmp_path):
    store = tmp_path / "store"
    make_store(store, {"one": PLAIN, "two": PLAIN.replace(b"Ferry", b"Tram")})
    with served(store) as server:
        tab = Tab(browser.new_context(), f"{server.origin}/#/label/ann")
        first = tab.page.get_attribute("body", "data-ready")
        tab.press("Shift+Enter", "]")
        tab.until(f"document.body.dataset.ready !== '{first}'")
        tab.press("Shift+Enter")
        tab.saved()
        tab.press("]")
        tab.until("!document.getElementById('notice').hidden")
        assert "Thank you" in tab.page.inner_text("#notice")
        tab.press("[")
        tab.page.wait_for_selector(".region.own")


def test_a_name_is_asked_for_once(browser, store):
    with served(store) as server:
        page = browser.new_context().new_page()
        page.set_default_timeout(MS)
        page.goto(server.origin)
        page.fill("#name", "../ann")
        page.click("#ask-name .main")
        assert page.locator("#ask-name[open]").count() == 1  # the name is refused
        page.fill("#name", " Zoe\u0308  Müller")
        page.click("#ask-name .main")
        page.wait_for_selector("body[data-ready]")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.inner_text("#who") == "Zoë Müller"


def test_the_name_can_be_changed_and_each_sees_their_own_labels(browser, store):
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "Zo%C3%AB%20M%C3%BCller"))
        tab.page.click(".region[data-n='1']")
        tab.press("t")
        tab.saved()
        tab.page.click("#who")
        tab.page.fill("#name", "李")
        tab.page.click("#ask-name .main")
        tab.until("parcels.app.labelling.annotator === '李'")
        assert tab.own() == {}
        tab.page.click(".region[data-n='2']")
        tab.press("r")
        tab.saved()
        tab.page.reload()
        tab.ready()
        assert tab.page.inner_text("#who") == "李"
        assert tab.own() == {2: "reporter"}
        tab.page.click("#who")
        tab.page.click("#keep-name")
        assert tab.page.inner_text("#who") == "李"
        tab.page.click("#who")
        tab.page.fill("#name", "Zoë Müller")
        tab.page.click("#ask-name .main")
        tab.until("parcels.app.labelling.annotator === 'Zoë Müller'")
        assert tab.own() == {1: "title"}
        assert not tab.errors
    assert {row["annotator"]: row["label"] for row in annotations(store)} == {"Zoë Müller": "title", "李": "reporter"}


OVERFLOWING = """[...document.querySelectorAll('body *')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !one.closest('#stage') && !one.closest('.scroll');
}).map((one) => `${one.tagName}#${one.id}`)"""


@pytest.mark.parametrize("width", [420, 800, 1400])
def test_a_page_is_labelled_in_a_window_of_any_width(browser, store, width):
    with served(store) as server:
        tab = Tab(browser.new_context(viewport={"width": width, "height": 860}), address(server, "ann"))
        assert tab.page.evaluate("document.documentElement.scrollWidth") == width
        assert tab.page.evaluate(OVERFLOWING) == []
        pane = tab.page.locator("#pane").bounding_box()
        assert pane["width"] * pane["height"] > 0.3 * width * 860
        assert tab.page.evaluate("document.getElementById('pane').scrollWidth") <= pane["width"]
        tab.page.click(".region[data-n='1']")
        tab.page.click("[data-label=title]")
        tab.page.click("[data-label=reporter]")  # the next block is chosen by itself
        if width == 420:
            tab.page.click("#tools button[title*='confirm the']")
            tab.page.click("#tools button[title=undo]")
        tab.saved()
        assert tab.own() == {1: "title", 2: "reporter"}
        for button in ("open-pages", "open-project", "open-help", "who"):
            tab.page.click(f"#{button}")
            tab.page.wait_for_selector("dialog[open]")
            tab.page.wait_for_timeout(300)
            assert tab.page.evaluate(OVERFLOWING) == [], button
            tab.press("Escape")
        assert not tab.errors


def test_pages_are_searched_filtered_and_opened(browser, tmp_path):
    store = tmp_path / "store"
    make_store(store, {f"site{n}": PLAIN.replace(b"Ferry", f"Ship {n}".encode()) for n in range(60)})
    with served(store) as server:
        assert say(server.origin, id_of("site7"), "bob", [(1, "title")]) == 200
        tab = Tab(browser.new_context(), address(server, "ann", id_of("site3")))
        tab.press("/")
        tab.page.wait_for_selector(".page-row")
        assert tab.page.locator(".page-row").count() == 50
        tab.page.click("text=more ›")
        tab.until("document.querySelectorAll('.page-row').length === 10")
        tab.page.fill("[aria-label=search]", "SITE7")
        tab.until("document.querySelectorAll('.page-row').length === 1")
        tab.page.select_option("[aria-label=state]", "unlabelled")
        tab.until("document.querySelectorAll('.page-row').length === 0")
        tab.page.fill("[aria-label=search]", "")
        tab.page.select_option("[aria-label=state]", "labelled")
        tab.until("document.querySelectorAll('.page-row').length === 1")
        tab.page.click(".page-row")
        tab.ready(id_of("site7"))
        tab.press("[")
        tab.ready(id_of("site3"))
        assert not tab.errors


def test_an_orange_dot_marks_blocks_below_the_threshold_and_no_others(browser, store):
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann"))
        below = tab.page.evaluate("parcels.app.session.unsure_below")
        blocks = tab.page.evaluate("parcels.app.page.blocks")
        unsure = {block["n"] for block in blocks if block["confidence"] < below}
        assert 0 < len(unsure) < len(blocks)
        marked = "[...document.querySelectorAll('.region.unsure')].map((one) => Number(one.dataset.n))"
        assert set(tab.page.evaluate(marked)) == unsure
        assert f"confidence below {below:.0%}".replace("%", " %") in tab.page.inner_text("#legend")
        tab.page.hover(f".region[data-n='{min(unsure)}']")
        assert "only" in tab.page.inner_text("#chip")


def test_a_store_that_goes_away_is_told_and_labels_wait(browser, store):
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann"))
        away = store.rename(store.parent / "away")
        tab.page.click(".region[data-n='1']")
        tab.press("t")
        tab.until("document.getElementById('saved').textContent.includes('wait')")
        assert "The store cannot be reached" in tab.page.inner_text("#toast")
        away.rename(store)
        tab.saved()
        assert tab.own() == {1: "title"}
        assert not tab.errors
    assert [row["label"] for row in annotations(store)] == ["title"]


def test_what_floats_over_the_page_is_pinned_and_can_be_hidden(browser, tmp_path):
    store = tmp_path / "store"
    floating = b"<!DOCTYPE html><style>#f{position:fixed;inset:0;background:#0008}</style><div id=f><p>Accept</div>"
    make_store(store, {"float": floating + b"<p>Text of a long page.</p>" * 80})
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann", id_of("float")))
        height = "document.getElementById('frame').contentDocument.getElementById('f').getBoundingClientRect().height"
        assert tab.page.evaluate(height) == 800
        assert tab.page.evaluate("document.getElementById('frame').clientHeight") > 1500
        tab.press("x")
        shown = "getComputedStyle(document.getElementById('frame').contentDocument.getElementById('f')).visibility"
        assert tab.page.evaluate(shown) == "hidden"


@contextlib.contextmanager
def inspected(*pages):
    """The address of `parcels inspect`, as a process."""
    command = [sys.executable, "-m", "parcels.cli", "inspect", *map(str, pages), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield re.search(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.terminate()
            process.wait()


def test_the_inspector_shows_a_file_and_saves_nothing(browser, tmp_path):
    (tmp_path / "page.html").write_bytes(PLAIN)
    with inspected(tmp_path / "page.html") as url:
        tab = Tab(browser.new_context(), url)
        assert tab.page.locator(".region").count() == 11
        tab.page.click(".region[data-n='1']")
        tab.press("a")
        assert tab.own() == {}
        tab.page.wait_for_selector("#panel h3")
        assert "title" in tab.page.inner_text("#panel .said")
        assert not tab.page.is_visible("#go-on")  # there is no other page
        assert not tab.errors


def test_the_inspector_shows_every_page_that_it_was_given(browser, tmp_path):
    (tmp_path / "a.html").write_bytes(PLAIN)
    (tmp_path / "b.html").write_bytes(b"<div>" * 5000 + b"x")
    (tmp_path / "c.html").write_bytes(PLAIN.replace(b"Ferry", b"Tram"))
    with inspected(*(tmp_path / f"{name}.html" for name in "abc")) as url:
        tab = Tab(browser.new_context(), url)
        assert "page 1 of 3" in tab.page.inner_text("#page-url")
        tab.press("]")
        tab.until("document.getElementById('notice').textContent.includes('too-deep')")  # shown, and no dead end
        tab.press("]")
        tab.until("document.getElementById('page-url').textContent.startsWith('page 3 of 3')")
        assert "Tram" in tab.page.evaluate("parcels.app.page.blocks[1].text")
        tab.press("/")
        tab.page.wait_for_selector(".page-row")
        assert tab.page.locator(".page-row b").all_inner_texts() == ["a", "b", "c"]
        tab.page.click(".page-row")
        tab.until("document.getElementById('page-url').textContent.startsWith('page 1 of 3')")
        tab.page.click("#go-back")
        tab.until("document.getElementById('page-url').textContent.startsWith('page 3 of 3')")
        assert not tab.errors


def test_an_explanation_that_comes_late_is_not_shown_for_another_block(browser, store):
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann"))
        held = []
        tab.page.route("**/why/1", lambda route: held.append(route))
        tab.page.click(".region[data-n='1']")
        tab.until("parcels.app.panel.key.endsWith('/1')")
        while not held:
            tab.page.wait_for_timeout(50)
        tab.page.click(".region[data-n='2']")
        tab.until("parcels.app.panel.why.has(parcels.app.panel.key)")
        shown = tab.page.inner_text("#panel")
        held[0].continue_()
        tab.until("parcels.app.panel.why.size === 2 + Number(parcels.app.panel.why.has(parcels.app.page.page + '/0'))")
        assert tab.page.inner_text("#panel") == shown


def test_the_film_colours_blocks_in_the_round_that_labelled_them(browser, store):
    from classified_store import add_rounds

    from parcels.store import open_store

    add_rounds(open_store(store), "test", id_of("ferry"), rounds=3)
    with served(store) as server:
        tab = Tab(browser.new_context(), address(server, "ann"))
        tab.page.click("#open-film")
        tab.page.wait_for_selector("#film input[type=range]")
        tab.until("document.querySelectorAll('.region.own').length === 6")
        slide = "(round) => { const bar = document.querySelector('#film input'); bar.value = round;" + (
            " bar.dispatchEvent(new Event('input')); return document.querySelectorAll('.region.own').length }"
        )
        assert [tab.page.evaluate(slide, number) for number in (0, 1, 2, 3)] == [0, 2, 4, 6]
        tab.page.hover(".region[data-n='1']")
        assert tab.page.inner_text("#chip") == "maincontent · round 1 · lexical · 90 %"
        tab.page.click(".region[data-n='1']")
        tab.press("a")
        assert tab.own() == {}  # a film is watched, not labelled
        tab.page.click("#open-film")
        tab.press("t")
        assert tab.own() == {1: "title"}
        assert not tab.errors


def test_the_project_tells_the_queue_the_curve_and_the_agreement(browser, tmp_path):
    store = tmp_path / "store"
    make_store(store, {f"site{n}": PLAIN.replace(b"Ferry", f"Ship {n}".encode()) for n in range(8)})
    with served(store) as server:
        for n in range(7):
            said = json.loads(ask(f"{server.origin}/api/page/{id_of(f'site{n}')}")[2])["blocks"]
            for who in ("ann", "bob"):
                assert say(server.origin, id_of(f"site{n}"), who, [(one["n"], one["label"]) for one in said]) == 200
        tab = Tab(browser.new_context(), f"{server.origin}/#/label/cat")
        tab.press("q")
        tab.page.wait_for_selector("#project td")
        assert "others labelled it" in tab.page.inner_text("#project")
        tab.page.click("[data-tab=agreement]")
        tab.page.wait_for_selector("#project td")
        assert "1.000" in tab.page.inner_text("#project")
        tab.page.click("[data-tab=curve]")
        tab.page.wait_for_selector("#project svg")
        assert "50 more should lower it" in tab.page.inner_text("#project")
        assert not tab.errors
