"""Which seeds: equal numbers a topic; articles and index pages; sub-categories and listed sites."""

import tracemalloc
from collections import Counter
from collections.abc import Iterator

from crawler.seeds import Seed
from crawler.seeds.article_urls import url_score
from crawler.seeds.directory import directory_links
from crawler.seeds.dmoz import read_content
from crawler.seeds.sample import MAX_LEVEL_2003, WITHOUT_2003, by_topic
from parcels import example_web
from parcels.html.page import read_page

MEGABYTE = 1 << 20


def directory(count: int = 3000) -> list[Seed]:
    topics = ["Arts/Movies", "Arts/Movies/Titles/A/B/C", "News", "Regional/Europe", "Science/Physics"]
    return [Seed(f"http://site{n}.example/", topic=topics[n % len(topics)]) for n in range(count)]


def test_every_topic_gets_its_quota_and_no_more():
    left_out: Counter[str] = Counter()
    chosen = by_topic(directory(), per_topic=100, max_level=MAX_LEVEL_2003, without=WITHOUT_2003, left_out=left_out)
    assert Counter(seed.topic for seed in chosen) == {"Arts": 100, "News": 100, "Science": 100}
    assert left_out == {"topic left out": 600, "below the last level": 600, "over the quota of its topic": 1500}


def test_the_choice_depends_on_the_seed_and_on_nothing_else():
    seeds = directory()
    chosen = by_topic(seeds, per_topic=50, seed=1)
    assert by_topic([*reversed(seeds), *seeds[:500]], per_topic=50, seed=1) == chosen
    other = by_topic(seeds, per_topic=50, seed=2)
    assert len({seed.url for seed in chosen} & {seed.url for seed in other}) < 0.2 * len(chosen)


def test_every_address_is_as_likely_as_any_other():
    seeds = [Seed(f"http://site{n}.example/", topic="Arts") for n in range(1000)]
    chosen = [seed.url for number in range(50) for seed in by_topic(seeds, per_topic=100, seed=number)]
    first = sum(url in {seed.url for seed in seeds[:500]} for url in chosen)
    assert 0.45 < first / len(chosen) < 0.55


def test_topics_at_a_deeper_level():
    chosen = by_topic(directory(), per_topic=10, level=2)
    assert {seed.topic for seed in chosen} == {"Arts/Movies", "News", "Regional/Europe", "Science/Physics"}


def long_dump(size: int) -> Iterator[bytes]:
    """A dump of this many bytes with faults in it, by pieces that cut records in two."""
    yield b"<RDF>"
    for n in range(size // 160):
        topic = b"Topic%d" % (n % 15)
        yield b'<ExternalPage about="http://site%d.example/?a=1&b">\n<d:Title>A \x07 site \xe9</d:Title>' % n
        yield b"<d:Description>%b</d:Description><topic>Top/%b/x</topic></ExternalPage>" % (b"words " * 8, topic)


def test_a_long_dump_is_read_in_little_memory():
    """Three megabytes here; a gigabyte in `python -m benchmarks seeds`."""
    tracemalloc.start()
    try:
        chosen = by_topic(read_content(long_dump(3 * MEGABYTE)), per_topic=100)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(chosen) > 1000
    assert peak < 2 * MEGABYTE


def test_an_address_alone_orders_articles_before_sections():
    articles = [
        "http://a.example/2024/05/07/three-hurt-in-harbour-fire",
        "http://a.example/world/article/ferry-sinks-12345",
    ]
    sections = [
        "http://a.example/",
        "http://a.example/world/",
        "http://a.example/tag/fire?page=2",
        "http://a.example/p/3",
    ]
    assert min(map(url_score, articles)) > max(map(url_score, sections))


def test_a_directory_site_is_walked_by_category():
    host = example_web.hosts()[3]
    queue, sites, categories = [f"http://{host}/"], {}, set()
    while queue:
        url = queue.pop()
        answer = example_web.fetch(url)
        if url in categories or answer.status != 200:
            continue
        categories.add(url)
        found = directory_links(read_page(answer.body, url).root, url=url)
        queue += [seed.url for seed in found.sub_categories]
        sites |= {seed.url: seed.topic for seed in found.sites}
    expected = {url for url in example_web.urls(host) if url.endswith("/") and "?" not in url}
    assert len(expected & categories) >= 0.9 * len(expected), expected - categories
    assert sites
    assert not any(host in url for url in sites)
    assert None not in {topic for url, topic in sites.items()} or len(set(sites.values())) > 1


def test_categories_by_query_and_sites_behind_a_redirect():
    html = """<footer><a href="http://maker.example/">made by</a></footer>
    <a href="?cat=7">Chess</a><a href="?cat=1&p=2">2</a>
    <a href="/about.html">About</a><a href="/go?url=http%3A%2F%2Fsite.example%2F">A site</a>
    <a href="https://www.facebook.com/share">f</a><a href="http://listed.example/x">Listed</a><a href="#top">up</a>"""
    found = directory_links(read_page(html).root, url="http://dir.example/list.php?cat=1", topic="Games")
    assert [(seed.url, seed.topic) for seed in found.sub_categories] == [
        ("http://dir.example/list.php?cat=7", "Games/Chess"), ("http://dir.example/list.php?cat=1&p=2", "Games"),
    ]  # fmt: skip
    assert [(seed.url, seed.topic) for seed in found.sites] == [
        ("http://site.example/", "Games"), ("http://listed.example/x", "Games")
    ]  # fmt: skip
