"""Other extractors, for comparison on the same pages. They are optional packages."""

from collections.abc import Callable
from typing import Any

from parcels.errors import ConfigError

Peer = Callable[[bytes, str | None], dict[str, Any]]


def peer(name: str) -> Peer:
    """Return another extractor by its name; raises ConfigError where it is unknown or not installed."""
    maker = PEERS.get(name)
    if maker is None:
        raise ConfigError(f"--against must be one of {', '.join(PEERS)}, got {name}")
    try:
        return maker()
    except ImportError as error:
        raise ConfigError(f"--against {name}: the package is not installed; pip install {name}") from error


def _trafilatura() -> Peer:
    from trafilatura import bare_extraction  # type: ignore[import-not-found,unused-ignore]

    def run(html: bytes, url: str | None) -> dict[str, Any]:
        extracted = bare_extraction(html, url=url, with_metadata=True)
        if extracted is None:
            return {}
        fields = extracted if isinstance(extracted, dict) else extracted.as_dict()
        authors = [name for name in (fields.get("author") or "").split("; ") if name]
        return {"text": fields["text"], "title": fields["title"], "published": fields["date"], "authors": authors}

    return run


def _readability() -> Peer:
    from lxml import html as markup
    from readability import Document  # type: ignore[import-not-found,unused-ignore]

    def run(html: bytes, url: str | None) -> dict[str, Any]:
        document = Document(html)
        text = "\n\n".join(map(str, markup.fromstring(document.summary()).itertext()))
        return {"text": text, "title": document.short_title(), "published": None, "authors": []}

    return run


PEERS: dict[str, Callable[[], Peer]] = {"trafilatura": _trafilatura, "readability-lxml": _readability}
