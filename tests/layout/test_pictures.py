"""Pictures of pages: names of areas, numbers of segments and the pages' own words are in them, legibly."""

import json
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

from parcels.cli.main import main
from parcels.html.page import read_page
from parcels.layout.boxes import canvas, font
from parcels.layout.picture import COLOURS, draw
from parcels.layout.render import lay_out

PAGE = (
    "<!doctype html><div id=header><a href=/>Harbour Post</a></div><div id=main><h1>Ferry aground</h1>"
    "<p>Nobody was hurt when the <a href=/f>morning ferry</a> ran aground.</p>"
    "<img alt='On the sand' width=300 height=90></div><div id=footer>Copyright 2025</div>"
)


def pixels(data: bytes) -> np.ndarray:
    width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    start = data.index(b"IDAT") + 4
    raw = zlib.decompress(data[start : start + int.from_bytes(data[start - 8 : start - 4])])
    return np.frombuffer(raw, np.uint8).reshape(height, 1 + 3 * width)[:, 1:].reshape(height, width, 3)


def says(picture: np.ndarray, words: str, colour: canvas.Colour, *, size: int = 1) -> bool:
    """True where the words stand in the picture, every dot of them in the colour and none beside."""
    wanted = font.dots_of(words, size)[:, : -size or None]
    is_ink = (picture == np.array(colour, np.uint8)).all(axis=2)
    height, width = (a - b + 1 for a, b in zip(is_ink.shape, wanted.shape, strict=True))
    is_here = np.ones((height, width), np.bool_)
    for (row, column), dot in np.ndenumerate(wanted):
        is_here &= is_ink[row : row + height, column : column + width] == dot
    return bool(is_here.any())


def layout_picture(html: str) -> np.ndarray:
    laid = lay_out(read_page(html))
    return pixels(draw(laid.page, laid.layout, laid.areas))


def test_a_layout_carries_the_names_of_areas_and_the_words_of_the_page():
    picture = layout_picture(PAGE)
    ink = {area: canvas.darker(colour) for area, colour in COLOURS.items()}
    assert says(picture, "Harbour Post", ink["header"])
    assert says(picture, "header", canvas.WHITE, size=2)
    assert says(picture, "footer", canvas.WHITE, size=2)
    assert says(picture, "Ferry aground", ink["centre"], size=2)
    assert says(picture, "Nobody was hurt when the", ink["centre"])
    assert says(picture, "morning ferry", ink["centre"])
    assert not says(picture, "Nobody was drowned", ink["centre"])


def test_segments_carry_their_numbers_and_their_words(tmp_path: Path, capfdbinary):
    (tmp_path / "page.html").write_text(PAGE)
    assert main(["segment", str(tmp_path / "page.html"), "--png", str(tmp_path / "page.png")]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    picture = pixels((tmp_path / "page.png").read_bytes())
    finals = {one["n"] for one in found["segments"]} - {one["parent"] for one in found["segments"]}
    for n in finals:
        assert says(picture, f"{n} informative" if n == found["informative"] else str(n), canvas.WHITE, size=2)
    inks = {tuple(colour) for colour in picture.reshape(-1, 3).tolist()} - {canvas.WHITE}
    assert any(says(picture, "Copyright 2025", ink) for ink in inks)


def test_words_that_would_be_written_over_each_other_are_one_text():
    picture = layout_picture(
        "<!doctype html><p style='width:300px'>Engineers who plan the repair of the <a href=/>Quay Street wall</a> "
        "have asked for the numbers. They had been using a table that was printed in 1936.</p>"
    )
    assert says(picture, "repair of the Quay Street wall", canvas.darker(COLOURS["centre"]))


@pytest.mark.parametrize(
    "html",
    ["", "<p></p>", "<p style='width:0;height:0;overflow:hidden'>x", "<p style='margin-left:-5000px'>" + "x " * 500,
     "<p style='position:absolute;left:5000px'>far", "<p>" + "日本語" * 50, "<p>" + "W" * 30_000,
     "<img><input><iframe>"],
)  # fmt: skip
def test_whatever_a_page_holds_is_drawn(html: str):
    assert layout_picture(f"<!doctype html>{html}<p>End").shape[2] == 3


def test_other_scripts_are_bars():
    picture = layout_picture("<!doctype html><p>日本語の新聞記事です")
    assert (picture == np.array(canvas.mixed(canvas.darker(COLOURS["centre"]), 0.55), np.uint8)).all(axis=2).sum() > 300


def test_a_paragraph_of_thousands_of_links_takes_no_long_time():
    laid = lay_out(read_page("<!doctype html><p>" + "word <a href=/>link</a> " * 10_000))
    before = time.process_time()
    draw(laid.page, laid.layout, laid.areas)
    assert time.process_time() - before < 10
