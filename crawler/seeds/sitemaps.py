"""Read site maps (sitemaps.org): sets of addresses, indexes of site maps, news; `unpacked` handles gzip."""

from collections import Counter
from collections.abc import Iterable, Iterator

from crawler.seeds.records import records
from crawler.seeds.seed import Seed, seed

MAX_URLS = 50_000  # of one file, as the protocol says; an index may name as many files
_ENTRIES = frozenset(["url", "sitemap"])
_OTHERS = frozenset(["image", "video", "xhtml"])  # their loc and title are not the page's


def read_sitemap(
    chunks: Iterable[bytes], *, url: str | None = None, charset: str | None = None,
    left_out: Counter[str] | None = None, max_urls: int = MAX_URLS,
) -> Iterator[Seed]:  # fmt: skip
    """Yield the pages (with a news map's titles and dates) and the further maps of a site map.

    >>> xml = b"<sitemapindex><sitemap><loc>http://a.example/1.xml.gz</loc></sitemap></sitemapindex>"
    >>> [(s.url, s.kind) for s in read_sitemap([xml])]
    [('http://a.example/1.xml.gz', 'sitemap')]
    """
    count = 0
    for entry in records(chunks, _ENTRIES, charset=charset, keep_prefix=_OTHERS):
        if count >= max_urls:
            if left_out is not None:
                left_out["past the limit of a site map"] += 1
            continue
        page = seed(
            entry.text("loc"), base=url, kind="sitemap" if entry.tag == "sitemap" else "page",
            title=entry.text("title"), published=entry.text("publication_date", "lastmod"), left_out=left_out,
        )  # fmt: skip
        if page is not None:
            count += 1
            yield page
