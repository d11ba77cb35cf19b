import datetime as dt
from dataclasses import replace

import parcels
from jobs.articles import row_of

STORY = "<p>The old pier burnt down last night, and nobody was hurt, the fire brigade said." * 4
DATES = "<h1>Old pier burns</h1><p>3 May 2024<p>Updated 5 May 2024, 21:10 BST"


def test_the_last_change_is_a_text_with_its_zone_and_a_time():
    found = replace(parcels.extract(f"{DATES}{STORY}"), page_type="article")
    row = row_of(found, "0" * 32, "content@1")
    assert (row["published"], row["modified"]) == ("2024-05-03", "2024-05-05T21:10:00+01:00")
    assert row["modified_at"] == dt.datetime(2024, 5, 5, 20, 10, tzinfo=dt.UTC)


def test_a_page_that_is_no_article_has_no_dates():
    found = replace(parcels.extract(f"{DATES}{STORY}"), page_type="listing")
    row = row_of(found, "0" * 32, "content@1")
    assert [row[name] for name in ("published", "published_at", "modified", "modified_at")] == [None] * 4
