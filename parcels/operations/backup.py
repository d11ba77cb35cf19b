"""Backup of a crawl's frontier and spool into one file, and restore.

The frontier is copied first, then the spool. Rows reach the spool before the frontier marks a page done, so the copy
has the rows of every page that its frontier marks done, unless they were sealed into the tables before. Tables are
plain files: copy them afterwards with any tool.
"""

import contextlib
import datetime as dt
import io
import json
import os
import re
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import parcels
from parcels.common.optional import missing_extra
from parcels.errors import ConfigError, InputMissing

FORMAT = 1
MANIFEST, FILE, KEYS = "manifest.json", "frontier.sqlite", "frontier.keys"
SEGMENT = re.compile(r"spool/(?P<worker>[A-Za-z0-9_.~-]{1,200})/(?P<name>[A-Za-z0-9_-]{1,200}\.(spool|sealing))")
MANIFEST_BYTES = 1 << 16
KEY_BYTES = 1 << 29  # Redis allows no larger value
KEYS_PER_BATCH = 500


class Crawl(NamedTuple):
    """The places where a crawl keeps its state."""

    name: str
    frontier: str  # sqlite:PATH or redis://…
    folder: Path


class Saved(NamedTuple):
    """The contents of a backup."""

    kind: str
    entries: int  # addresses of a SQLite file, keys of a Redis server
    segments: int


def save(crawl: Crawl, target: Path) -> Saved:
    """Write a backup; an existing file is replaced when the new one is complete."""
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with tarfile.open(fresh, "w") as archive, tempfile.TemporaryDirectory() as folder:
            is_file = crawl.frontier.startswith("sqlite:")
            copy = Path(folder) / (FILE if is_file else KEYS)
            entries = _copy_file(crawl, copy) if is_file else _copy_keys(crawl, copy)
            kind = "sqlite" if is_file else "redis"
            manifest = {"format": FORMAT, "kind": kind, "crawl": crawl.name, "entries": entries,
                    "parcels": parcels.__version__, "made_at": dt.datetime.now(dt.UTC).isoformat()}  # fmt: skip
            _add_bytes(archive, MANIFEST, json.dumps(manifest).encode())
            archive.add(copy, copy.name)
            segments = _add_segments(archive, crawl.folder / "spool")
        with fresh.open("rb") as written:
            os.fsync(written.fileno())
        fresh.replace(target)
    except OSError as error:
        raise InputMissing(f"Cannot write {target}: {error.strerror or error}") from error
    finally:
        fresh.unlink(missing_ok=True)
    return Saved(kind, entries, segments)


def restore(source: Path, crawl: Crawl) -> Saved:
    """Restore a backup to where a crawl keeps its state; existing files are not overwritten."""
    try:
        with tarfile.open(source, "r:") as archive:
            manifest = _manifest(archive, source)
            if manifest["kind"] != ("sqlite" if crawl.frontier.startswith("sqlite:") else "redis"):
                raise ConfigError(
                    f"{source} is a backup of a {manifest['kind']} frontier, but {crawl.frontier} is of another kind."
                )
            if manifest["crawl"] != crawl.name:
                raise ConfigError(
                    f"{source} is a backup of crawl '{manifest['crawl']}'. Add --crawl {manifest['crawl']}."
                )
            if manifest["kind"] == "sqlite":
                _restore_file(archive, source, Path(crawl.frontier.removeprefix("sqlite:")))
            else:
                _restore_keys(archive, source, crawl)
            segments = _restore_segments(archive, crawl.folder / "spool")
    except (tarfile.TarError, EOFError) as error:
        raise ConfigError(f"{source} is not a backup, or incomplete: {error}") from error
    except OSError as error:
        raise InputMissing(f"Cannot restore {source}: {error.strerror or error}") from error
    return Saved(manifest["kind"], int(manifest["entries"]), segments)


# -- SQLite -------------------------------------------------------------------------------------------------------


def _copy_file(crawl: Crawl, target: Path) -> int:
    """Copy the SQLite frontier with SQLite's backup API, which is safe while a crawl writes."""
    path = Path(crawl.frontier.removeprefix("sqlite:"))
    if not path.is_file():
        raise InputMissing(f"No frontier at {path}. Name the crawl (--crawl) or the frontier (--frontier).")
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            return int(new.execute("SELECT count(*) FROM urls").fetchone()[0])
    except sqlite3.Error as error:
        raise InputMissing(f"Cannot copy {path}: {error}") from error


def _restore_file(archive: tarfile.TarFile, source: Path, target: Path) -> None:
    if target.exists():
        raise ConfigError(f"{target} already exists and is not overwritten. Move it away first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _write_member(archive, FILE, fresh, source)
        try:
            with contextlib.closing(sqlite3.connect(fresh)) as db:
                status = db.execute("PRAGMA quick_check").fetchone()[0]
        except sqlite3.Error as error:
            status = str(error)
        if status != "ok":
            raise ConfigError(f"The frontier in {source} is damaged: {status}")
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


# -- Redis --------------------------------------------------------------------------------------------------------


def _server(where: str) -> Any:
    try:
        import redis
    except ModuleNotFoundError as error:
        raise missing_extra("A frontier in Redis needs redis", extra="crawl") from error
    return redis.Redis.from_url(where, socket_timeout=60, socket_connect_timeout=5)


@contextlib.contextmanager
def _answering(where: str) -> Iterator[Any]:
    server = _server(where)
    from redis.exceptions import RedisError

    try:
        yield server
    except RedisError as error:
        raise InputMissing(f"The Redis server failed: {error}") from error
    finally:
        server.close()


def _prefix(crawl: Crawl) -> str:
    return f"parcels:{{{crawl.name}}}:"


def _pattern(crawl: Crawl) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in _prefix(crawl)) + "*"


def _copy_keys(crawl: Crawl, target: Path) -> int:
    """Copy every key in the server's own format. Keys are read one by one, so no crawler may run."""
    with _answering(crawl.frontier) as server, target.open("wb") as file:
        if server.hlen(_prefix(crawl) + "leases"):
            raise ConfigError(
                f"Crawl '{crawl.name}' has open leases. Stop its crawlers first, or copy the server's own files "
                "(BGSAVE, or the append-only folder) while they run."
            )
        count = 0
        keys = sorted(server.scan_iter(match=_pattern(crawl), count=1000))
        if not keys:
            raise InputMissing(f"The Redis server has no crawl '{crawl.name}'.")
        for start in range(0, len(keys), KEYS_PER_BATCH):
            part = keys[start : start + KEYS_PER_BATCH]
            pipeline = server.pipeline(transaction=False)
            for key in part:
                pipeline.dump(key)
            for key, packed in zip(part, pipeline.execute(), strict=True):
                if packed is not None:
                    for piece in (key, packed):
                        file.write(len(piece).to_bytes(4, "little") + piece)
                    count += 1
    return count


def _restore_keys(archive: tarfile.TarFile, source: Path, crawl: Crawl) -> None:
    with _answering(crawl.frontier) as server:
        if next(iter(server.scan_iter(match=_pattern(crawl), count=1000)), None) is not None:
            raise ConfigError(f"The Redis server already has a crawl '{crawl.name}', which is not overwritten.")
        stream = _member(archive, KEYS, source)
        expected = _prefix(crawl).encode()
        while key := _piece(stream, source, may_end=True):
            if not key.startswith(expected):
                raise ConfigError(f"{source} is damaged: unexpected key {key[:60]!r}")
            server.restore(key, 0, _piece(stream, source))


def _piece(stream: Any, source: Path, *, may_end: bool = False) -> bytes:
    head = stream.read(4)
    if not head and may_end:
        return b""
    length = int.from_bytes(head, "little")
    data = bytes(stream.read(length)) if len(head) == 4 and length <= KEY_BYTES else b""
    if len(data) != length or not data:
        raise ConfigError(f"{source} is damaged or incomplete.")
    return data


# -- the archive --------------------------------------------------------------------------------------------------


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def _add_segments(archive: tarfile.TarFile, spool: Path) -> int:
    """Add the spool segments of all workers; one that is sealed meanwhile is in the tables, a growing one is cut."""
    count = 0
    for path in sorted(spool.glob("*/*")):
        name = f"spool/{path.parent.name}/{path.name}"
        if SEGMENT.fullmatch(name):
            with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
                entry = tarfile.TarInfo(name)
                entry.size = os.fstat(file.fileno()).st_size
                if entry.size:
                    archive.addfile(entry, file)
                    count += 1
    return count


def _restore_segments(archive: tarfile.TarFile, spool: Path) -> int:
    count = 0
    for entry in archive.getmembers():
        match = SEGMENT.fullmatch(entry.name)
        if match and entry.isreg():
            target = spool / match["worker"] / match["name"]
            if target.exists():
                raise ConfigError(f"{target} already exists and is not overwritten. Move it away first.")
            target.parent.mkdir(parents=True, exist_ok=True)
            (target.parent / "lock").touch()  # the worker that gets the lock takes the folder over
            _write_member(archive, entry.name, target, spool)
            count += 1
    return count


def _manifest(archive: tarfile.TarFile, source: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(_member(archive, MANIFEST, source).read(MANIFEST_BYTES))
        if manifest["format"] != FORMAT:
            raise ConfigError(
                f"{source} has format {manifest['format']}, this version reads {FORMAT}. Install a newer parcels."
            )
        return {"kind": str(manifest["kind"]), "crawl": str(manifest["crawl"]), "entries": int(manifest["entries"])}
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{source} is damaged: {MANIFEST} cannot be read.") from error


def _member(archive: tarfile.TarFile, name: str, source: Path) -> Any:
    try:
        entry = archive.getmember(name)
    except KeyError:
        raise ConfigError(f"{source} is not a backup, or incomplete: it has no {name}") from None
    stream = archive.extractfile(entry) if entry.isreg() else None
    if stream is None:
        raise ConfigError(f"{source} is damaged: {name} is not a file.")
    return stream


def _write_member(archive: tarfile.TarFile, name: str, target: Path, source: Path) -> None:
    stream = _member(archive, name, source)
    with target.open("wb") as file:
        while data := stream.read(1 << 20):
            file.write(data)
        os.fsync(file.fileno())
