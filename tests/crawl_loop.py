"""A crawl without Scrapy and without a network: leases in, answers from a function, entries out."""

from collections.abc import Callable

from crawler.frontier.contract import ROBOTS, Lease
from crawler.options import CrawlOptions
from crawler.responses import Response, Retry, read_response
from crawler.run import CrawlRun

Web = Callable[[Lease], Response]


class Unreachable(Exception):
    """Raised by a web that does not answer; its text is the reason."""


QUICK = {"delay": 0.0, "concurrency": 8, "retry_seconds": 0.01}


def options(folder, **fields) -> CrawlOptions:
    return CrawlOptions(store=str(folder / "store"), **{**QUICK, **fields})


def html(text: str, *, status: int = 200, at: float = 1_800_000_000.0, **headers: str) -> Response:
    stated = [(name.replace("_", "-"), value) for name, value in ({"Content_Type": "text/html"} | headers).items()]
    return Response(status, stated, text.encode(), at)


def step(run: CrawlRun, web: Web) -> Lease | None:
    """Fetch one address."""
    lease = run.session.next(8)
    if lease is None:
        return None
    try:
        answer = web(lease)
    except Unreachable as error:
        run.session.released(lease)
        run.session.unreachable_host(lease, str(error))
        return lease
    run.session.responded(lease)
    if lease.kind == ROBOTS:
        run.session.robots_received(lease, answer)
        return lease
    found = read_response(lease, answer, run.session.context)
    if isinstance(found, Retry):
        run.session.give_back(lease, found)
    else:
        run.session.take(found)
    return lease


def fetch_all(run: CrawlRun, web: Web) -> list[Lease]:
    """Fetch until nothing is left, and end the crawl."""
    fetched = []
    while run.session.is_busy:
        lease = step(run, web)
        if lease is not None:
            fetched.append(lease)
    run.close()
    return fetched


def site(pages: dict[str, str | Response]) -> Web:
    """A web of some addresses; all others are not there."""

    def answer(lease: Lease) -> Response:
        found = pages.get(lease.url)
        return html("", status=404) if found is None else found if isinstance(found, Response) else html(found)

    return answer


def links(*targets: str) -> str:
    return "<p>Some words of a page.</p>" + "".join(f'<a href="{target}">{target}</a> ' for target in targets)
