"""CPU time from bytes to blocks, against lxml's own parsing plus one iteration over its tree."""

from lxml import etree

from benchmarks import corpora
from benchmarks.speed.timing import cpu_ms
from parcels.divide import DIVIDERS
from parcels.html.page import read_page
from parcels.inputs import RawPage
from parcels.processed_page import ProcessedPage
from parcels.results import blocks_of

LIMIT = 3.0  # times the peer


def lxml_only(html: bytes) -> int:
    root = etree.fromstring(html, etree.HTMLParser(encoding="utf-8"))
    return sum(1 for _ in root.iter())


def main() -> bool:
    pages = [page.html for page in corpora.pages("news17")]
    times = cpu_ms(
        {
            "lxml: parse and iterate": lxml_only,
            "read_page (decode, parse, leaves)": read_page,
            **{
                f"page to blocks, {name}": lambda html, d=divide: d(read_page(html))
                for name, divide in DIVIDERS.items()
            },
            "page to blocks, fine, as objects": lambda html: blocks_of(
                ProcessedPage(RawPage("", html)), has_layout=False
            ),
        },
        pages,
    )
    peer = times["lxml: parse and iterate"]
    print(f"news17, {len(pages)} pages, mean {sum(map(len, pages)) / len(pages) / 1000:.0f} kB; ms of CPU a page")
    for name, milliseconds in times.items():
        print(f"  {name:<36} {milliseconds:6.2f} ms  {milliseconds / peer:5.2f} x")
    return times["page to blocks, fine"] <= LIMIT * peer


if __name__ == "__main__":
    raise SystemExit(0 if main() else 4)
