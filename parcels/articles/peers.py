"""Other extractors, run on the same pages for comparison; none of them is needed for anything else."""

from collections.abc import Callable
from typing import Any

from parcels.errors import ConfigError

Peer = Callable[[bytes, str | None], dict[str, Any]]


def peer(name: str) -> Peer:
    """A peer by its name; ConfigError where it is unknown or not installed."""
    maker = PEERS.get(name)
    if maker is None:
        raise ConfigError(f"--against {name}: known are {', '.join(PEERS)}")
    try:
        return maker()
    except ImportError as error:
        raise ConfigError(f"--against {name}: install it first (pip install {name})") from error


def _trafilatura() -> Peer:
    from trafilatura import bare_extraction  # type: ignore[import-not-found,unused-ignore]

    def run(html: bytes, url: str | None) -> dict[str, Any]:
        found = bare_extraction(html, url=url, with_metadata=True)
        if found is None:
            return {}
        said = found if isinstance(found, dict) else found.as_dict()
        authors = [name for name in (said.get("author") or "").split("; ") if name]
        return {"text": said["text"], "title": said["title"], "published": said["date"], "authors": authors}

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
