"""The messages of a crawl while it runs and at its end."""

import io

from crawl_loop import fetch_all, html, links, options, site, step

from crawler.progress import ProgressReporter, summary
from crawler.run import CrawlRun

HOME = "http://a.example/"
WEB = site({
    HOME: links("/gone", "/busy", *(f"/{n}" for n in range(20)), "http://b.a.example/"), "http://b.a.example/": "<p>B",
    f"{HOME}busy": html("", status=500), **{f"{HOME}{n}": "<p>A page." for n in range(20)},
})  # fmt: skip


def test_the_live_line_has_pages_speed_queue_hosts_errors_and_the_time_left(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, retry_seconds=60.0))
    reporter = ProgressReporter(run.session, limit=None, stream=io.StringIO())
    step(run, WEB)
    run.sink.settle()
    reporter.line(100.0)
    for _ in range(23):
        step(run, WEB)
    run.sink.settle()
    line = reporter.line(110.0)
    assert line.startswith(f"{run.session.counts['pages']} pages, 2.3/s, ")
    assert "hosts 2" in line
    assert "http-404 1" in line
    assert "http-500 1" in line
    assert line.endswith(" left")
    run.close()


def test_the_summary_says_what_was_rejected_and_what_is_left(tmp_path):
    run = CrawlRun(options(tmp_path, seeds=(HOME,), robots=False, retry_seconds=0.001))
    fetch_all(run, WEB)
    said = "\n".join(summary(run.session.counts, 3.0, crawl="crawl", run_id=run.run_id, saved=2, left=5))
    assert "crawled 22 pages in 3.0 s" in said
    assert "rejected 2: http-404 1, http-500 1" in said or "rejected 2: http-500 1, http-404 1" in said
    assert "retried 3: http-500 3" in said
    assert "saved 2 entries" in said
    assert "5 addresses are left" in said
