"""Serve the counts of a crawl to Prometheus, on loopback."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from parcels.common.optional import missing_extra

if TYPE_CHECKING:
    from crawler.session import CrawlSession


def serve_metrics(session: "CrawlSession", port: int) -> Any:
    """Serve the counts of a crawl session until the returned server is shut down."""
    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
    except ImportError as error:
        raise missing_extra("--metrics needs prometheus-client", extra="crawl") from error

    class Counts:
        def collect(self) -> Iterator[Any]:
            fetched = CounterMetricFamily(
                "parcels_crawl", "Numbers of fetched, rejected and retried addresses.", labels=["what"]
            )
            for what, count in list(session.counts.items()):
                fetched.add_metric([what], count)
            yield fetched
            yield GaugeMetricFamily("parcels_crawl_pending", "Queued addresses.", value=session.pending)
            yield GaugeMetricFamily("parcels_crawl_hosts", "Hosts with a request.", value=len(session.hosts))

    registry = CollectorRegistry()
    registry.register(Counts())
    server, _ = start_http_server(port, addr="127.0.0.1", registry=registry)
    return server
