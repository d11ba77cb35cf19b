"""Bytes to text."""

import pytest

from parcels.errors import SkipRecord
from parcels.html.decode import decode, known_charset

WORDS = "Über café naïve façade – “quoted” prices in €"


def text(data: bytes, content_type: str | None = None) -> str:
    return decode(data, content_type).utf8.decode("utf-8")


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides(charset):
    data = f"<meta charset=koi8-r>{WORDS}".encode(charset)
    assert text(data, "text/html; charset=shift_jis").endswith(WORDS)
    assert decode(data).found_by == "bom"


def test_the_http_header_goes_before_the_meta_tag():
    data = "<meta charset=windows-1251>Привет".encode("koi8-r")
    assert text(data, "text/html; charset=KOI8-R").endswith("Привет")
    assert decode(data, "text/html; charset=KOI8-R").found_by == "http"


def test_the_meta_tag_decides_without_a_header():
    for tag in ("<meta charset=windows-1251>", '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=cp1251">'):
        data = (tag + "Привет").encode("cp1251")
        assert text(data).endswith("Привет")
        assert decode(data).found_by == "meta"


def test_an_xml_prolog_names_the_charset():
    data = "<?xml version='1.0' encoding='iso-8859-2'?><p>Łódź".encode("iso-8859-2")
    assert text(data).endswith("Łódź")


def test_valid_utf8_is_utf8_whatever_its_meta_tag_declares():
    data = f"<meta charset=iso-8859-1>{WORDS}".encode()
    assert text(data).endswith(WORDS)
    assert decode(data).charset == "utf-8"


def test_latin_1_means_windows_1252_on_the_web():
    data = f"<meta charset=iso-8859-1>{WORDS}".encode("cp1252")
    assert text(data).endswith(WORDS)


def test_utf8_with_a_few_broken_bytes_stays_utf8():
    data = (WORDS * 20).encode() + b"\xff" + b"ende"
    assert text(data) == WORDS * 20 + "\ufffdende"
    cut_in_a_character = (WORDS * 20).encode()[:-1]
    assert decode(cut_in_a_character).charset == "utf-8"


@pytest.mark.parametrize(
    ("charset", "sample"),
    [
        ("shift_jis", "今日の天気は晴れです。明日は雨が降るでしょう。新聞を読みました。"),
        ("euc_jp", "今日の天気は晴れです。明日は雨が降るでしょう。新聞を読みました。"),
        ("gb18030", "今天天气很好。明天可能会下雨。我看了报纸上的新闻。"),
        ("big5", "今天天氣很好。明天可能會下雨。我看了報紙上的新聞。"),
        ("cp1251", "Сегодня хорошая погода, а завтра будет дождь. Мы читали газету."),
    ],
)
def test_an_undeclared_charset_is_detected(charset, sample):
    assert text((sample * 5).encode(charset)) == sample * 5


def test_a_few_accents_without_a_tag_are_read_as_western():
    assert text("Saarbrücker Zeitung, Gödel".encode("latin-1")) == "Saarbrücker Zeitung, Gödel"


def test_utf16_without_a_mark_is_detected_by_its_zero_bytes():
    for charset in ("utf-16-le", "utf-16-be"):
        assert text("<html><body><p>Plain words in wide characters".encode(charset)).endswith("wide characters")


def test_a_meta_tag_that_declares_utf16_is_not_believed():
    assert text("<meta charset=utf-16><p>é".encode()).endswith("é")


@pytest.mark.parametrize("label", ["none", "", "hex", "base64", "idna", "rot13", "unicode_escape", "\0", "x" * 500])
def test_labels_that_are_no_charset_are_passed_over(label):
    assert known_charset(label) is None
    assert text(f"<meta charset='{label}'>é".encode()).endswith("é")


def test_nul_bytes_are_dropped():
    assert text(b"<p>a\0b") == "<p>ab"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \r\n\t ", "empty"),
        (b"%PDF-1.7 ...", "binary"),
        (b"\x89PNG\r\n\x1a\n....", "binary"),
        (b"PK\x03\x04....", "binary"),
        (b"\x00\x00\x00\x18ftypmp42", "binary"),
        (bytes(range(1, 32)) * 100, "binary"),
    ],
)
def test_binary_data_is_refused_with_a_reason(data, reason):
    with pytest.raises(SkipRecord) as caught:
        decode(data, where="here")
    assert caught.value.reason == reason
    assert "here" in str(caught.value)
