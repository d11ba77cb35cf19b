import pytest

from parcels.text.clocks import clock_beside
from parcels.text.days import find_days, label_in, meaning_of


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2020", "May 3rd, 2020", "the 3rd of May, 2020", "3-May-20", "3. Mai 2020", "3 mai 2020",
        "3 de mayo de 2020", "3 maggio 2020", "3 de maio de 2020", "3 mei 2020", "3 maja 2020", "3 мая 2020",
        "3 Μαΐου 2020", "3 Mayıs 2020", "2020. május 3.", "2020 m. gegužės 3 d.", "2020. gada 3. maijs",
        "3. svibnja 2020", "3 toukokuuta 2020", "3 травня 2020", "2020年5月3日", "2020年 05月03日",
        "2020년 5월 3일", "2020. 5. 3.", "3 مايو 2020", "٣ مايو ٢٠٢٠", "3 במאי 2020", "3 मई 2020",
        "3 พฤษภาคม 2563", "3 tháng 5, 2020", "3 Mei 2020", "3.5.2020", "03 / 05 / 2020", "2020-05-03",
        "2020/5/3", "入力2020.05.03.", "am03.05.2020", "By Ann LeeMay 3, 2020", "NewsMAY 3, 2020",
        "Sun, May 3, 202011:35 pm",
    ],
)  # fmt: skip
def test_a_day_is_read_in_many_languages_and_forms(text):
    assert [day.value for day in find_days(text)] == ["2020-05-03"]


@pytest.mark.parametrize(
    "text",
    ["", "In May 2020", "3 May", "192.168.20.12", "10:12 May 2020", "31 June 2020", "13.13.2020", "6 August 1945",
     "2020/7/11-12", "https://a.example/2020/05/03/pier", "call 555-12-2020"],
)  # fmt: skip
def test_incomplete_dates_ranges_and_other_numbers_are_no_days(text):
    assert find_days(text) == []


def test_days_of_a_text_are_found_in_order_without_overlaps():
    text = "May 5, 2020May 6, 2020; updated 2020-05-07"
    assert [(day.value, text[day.start : day.end]) for day in find_days(text)] == [
        ("2020-05-05", "May 5, 2020"), ("2020-05-06", "May 6, 2020"), ("2020-05-07", "2020-05-07"),
    ]  # fmt: skip


def test_a_name_of_two_languages_is_read_in_the_language_of_the_page():
    assert find_days("3. listopada 2020")[0].value == "2020-11-03"
    assert find_days("3. listopada 2020", language="hr")[0].value == "2020-10-03"


def test_both_readings_of_two_numbers_are_kept():
    assert [(day.value, day.other) for day in find_days("3/4/2020 5/5/2020 12/31/2020")] == [
        ("2020-04-03", "2020-03-04"), ("2020-05-05", None), ("2020-12-31", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("Published 3 May 2020, updated 5 May 2020", ["published", "updated"]),
        ("03.05.2020 - Güncelleme : 05.05.2020", [None, "updated"]),
        ("입력2020.05.03 08:53최종수정2020.05.05 11:32", ["published", "updated"]),
        ("Modifié le dimanche 3 mai 2020", ["updated"]),
        ("2020年5月3日 更新", ["updated"]),
        ("#1 · Joined 3 May 2020", ["other"]),
        ("13 replies, last post by Bo Ek 3 May 2020", ["other"]),
        ("Fire, 3 May 2020", [None]),
    ],
)
def test_words_beside_a_day_state_its_meaning(text, meanings):
    days = find_days(text)
    assert [meaning_of(text, days, number) for number in range(len(days))] == meanings


def test_a_label_may_have_a_line_of_its_own():
    text = "3 May 2020"
    assert meaning_of(text, find_days(text), 0, "Last updated:") == "updated"
    assert label_in("Undated") is None


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("3 May 2020, 21:10", "T21:10:00"),
        ("3 May 2020 9:10 PM EDT", "T21:10:00-04:00"),
        ("3 May 2020 9:10 PMTags", "T21:10:00"),
        ("3 May 2020, 21.10 Uhr", "T21:10:00"),
        ("3 May 2020 at 21h10", "T21:10:00"),
        ("3 May 2020 21:10:05 GMT+5:30", "T21:10:05+05:30"),
        ("3 May 2020 오후 9:10", "T21:10:00"),
        ("21:10 UTC 3 May 2020", "T21:10:00+00:00"),
        ("3 May 2020 12:05 am", "T00:05:00"),
        ("3 May 2020, 21:10 HOME", "T21:10:00"),
        ("3 May 2020, 21.10 dollars", None),
        ("3 May 2020, 25:10", None),
        ("3 May 2020", None),
    ],
)
def test_the_time_beside_a_day_has_the_zone_that_is_stated(text, clock):
    day = find_days(text)[0]
    assert clock_beside(text, day.start, day.end) == clock


def test_digits_without_end_cost_no_time():
    assert find_days("1" * 100_000) == find_days("1 " * 50_000) == find_days("2020 " * 20_000) == []
