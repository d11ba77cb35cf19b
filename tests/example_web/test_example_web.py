"""The example web: every page answers, every link leads somewhere, and the gold covers what a reader sees."""

import gzip
import http.client
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from functools import cache
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from lxml import etree, html

from parcels import example_web as web
from parcels.errors import InputMissing
from parcels.example_web.gold import ATTRIBUTE, LABELS
from parcels.example_web.stories import SITES, stories

NEWS = web.hosts()[:3]
PASSED_OVER = {
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "math",
    "object",
    "option",
    "datalist",
    "canvas",
    "map",
}
MEDIA = {"img", "video", "audio", "iframe", "embed", "input", "textarea", "select"}
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ATOM = "{http://www.w3.org/2005/Atom}"


@cache
def asked(url: str) -> web.Response:
    return web.fetch(url)


def served(url: str) -> bytes:
    return asked(url).body


def tree(body: bytes, url: str) -> html.HtmlElement:
    charset = None if "harbourcourier" in url else "utf-8"
    return html.document_fromstring(body, parser=html.HTMLParser(encoding=charset))


def leaves(element: html.HtmlElement, label: str | None = None) -> Iterator[tuple[str, str, str | None]]:
    """(kind, text, label) of every visible leaf below an element, in document order."""
    if not isinstance(element.tag, str) or element.tag in PASSED_OVER or is_hidden(element):
        return
    label = element.get(ATTRIBUTE, label)
    if element.tag in MEDIA:
        yield element.tag, element.get("alt") or element.get("title") or element.get("placeholder") or "", label
        return
    if element.text and element.text.split():
        yield "text", " ".join(element.text.split()), label
    for child in element:
        yield from leaves(child, label)
        if child.tail and child.tail.split():
            yield "text", " ".join(child.tail.split()), label


def is_hidden(element: html.HtmlElement) -> bool:
    style = element.get("style", "").replace(" ", "").lower()
    return element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


def body_leaves(body: bytes, url: str) -> list[tuple[str, str, str | None]]:
    return list(leaves(tree(body, url).find("body")))


@cache
def gold_leaves(url: str) -> list[tuple[str, str, str | None]]:
    return body_leaves(web.gold_html(url), url)


@cache
def hrefs(url: str) -> set[str]:
    page = tree(served(url), url)
    base = page.find(".//base")
    root = url if base is None else base.get("href")
    return {urldefrag(urljoin(root, link.strip()))[0] for link in page.xpath("//a/@href")}


def is_ours(url: str) -> bool:
    return urlsplit(url).scheme == "http" and urlsplit(url).hostname in web.hosts()


@pytest.mark.parametrize("host", web.hosts())
def test_every_url_listed_gives_a_page(host):
    for url in web.urls(host) + web.forbidden_urls(host):
        response = web.fetch(url)
        assert (response.status, response.headers["Content-Type"].split(";")[0]) == (200, "text/html"), url
        assert int(response.headers["Content-Length"]) == len(response.body)


@pytest.mark.parametrize("host", web.hosts())
def test_every_link_leads_somewhere_that_answers(host):
    meant_to_be_dead = {url for one in web.hosts() for url in web.dead_urls(one)}
    found = {link for url in web.urls(host) for link in hrefs(url) if is_ours(link)}
    for link in sorted(found):
        response = asked(link)
        if link in meant_to_be_dead:
            assert response.status in (404, 410), link
        else:
            assert response.status in (200, 301, 302, 308), link
        if "Location" in response.headers:
            assert web.fetch(response.headers["Location"]).status == 200, link


@pytest.mark.parametrize("host", web.hosts())
def test_every_page_can_be_reached_by_links_from_the_front_page(host):
    start = f"http://{host}/"
    seen, queue = {start}, [start]
    while queue:
        for link in hrefs(queue.pop()):
            link = re.split(r"[?&]utm_", link)[0]
            response = asked(link) if link not in seen and urlsplit(link).hostname == host else None
            if response and response.status == 200 and response.headers["Content-Type"].startswith("text/html"):
                seen.add(link)
                queue.append(link)
    assert set(web.urls(host)) <= seen | {f"http://{host}/index.htm"}


@pytest.mark.parametrize("host", NEWS)
def test_every_picture_style_sheet_and_frame_exists(host):
    found = set()
    for url in [*web.urls(host), f"http://{host}/nowhere"]:
        page = tree(served(url), url)
        wanted = page.xpath(
            "//img/@src | //img/@data-src | //iframe/@src | //audio/@src | //link/@href | //script/@src"
        )
        wanted += [part.split()[0] for value in page.xpath("//@srcset | //@data-srcset") for part in value.split(",")]
        found |= {urljoin(url, link) for link in wanted if not link.startswith("data:")}
    missing = [link for link in sorted(found) if is_ours(link) and asked(link).status != 200]
    assert missing == []
    for link in found:
        body = served(link) if is_ours(link) else b""
        if urlsplit(link).path.endswith(".png"):
            assert body.startswith(b"\x89PNG")
        if urlsplit(link).path.endswith(".gif"):
            assert body.startswith(b"GIF89a")


@pytest.mark.parametrize("site", SITES)
def test_a_site_has_twenty_distinct_articles_in_at_least_five_sections(site):
    found = list(stories(site).values())
    assert len(found) >= 20
    assert len({story.section for story in found}) >= 5
    assert min(len(story.paragraphs) for story in found) >= 4
    assert len({line for story in found for line in story.paragraphs if len(line) > 40}) == sum(
        len(line) > 40 for story in found for line in story.paragraphs
    )


def test_parts_are_missing_here_and_there():
    found = [web.truth(url) for host in NEWS for url in web.article_urls(host)]
    for name in ("authors", "source", "place", "published", "updated"):
        present = sum(bool(getattr(truth, name)) for truth in found)
        assert 0 < present < len(found), name
    kinds = Counter(piece.kind for site in SITES for story in stories(site).values() for piece in story.pieces)
    assert {"header", "list", "quote", "pull", "table", "video", "facts", "live", "card", "note"} <= set(kinds)


def test_feeds_and_sitemaps_parse_and_list_what_exists():
    found = []
    for url in ("http://www.harbourcourier.example/rss.xml", "http://www.meridianpost.example/rss.xml"):
        found += [link.text for link in etree.fromstring(served(url)).iter("link")]
    feed = etree.fromstring(served("http://lumen.example/feed.atom"))
    found += [entry.find(f"{ATOM}link").get("href") for entry in feed.iter(f"{ATOM}entry")]
    for host in web.hosts():
        queue = [f"http://{host}/sitemap.xml"]
        while queue:
            root = etree.fromstring(served(queue.pop()))
            locations = [loc.text for loc in root.iter(f"{SITEMAP}loc")]
            (queue if root.tag == f"{SITEMAP}sitemapindex" else found).extend(locations)
    assert len(found) > 150
    assert {web.fetch(url).status for url in found} == {200}


def test_robots_name_their_sitemaps_and_forbid_something():
    for host in web.hosts():
        lines = served(f"http://{host}/robots.txt").decode().splitlines()
        assert [web.fetch(line.split(": ")[1]).status for line in lines if line.startswith("Sitemap")]
        assert web.forbidden_urls(host)
    assert b"Crawl-delay" in served("http://www.meridianpost.example/robots.txt")


def test_the_rdf_dumps_parse_and_agree_with_the_table_of_urls():
    dmoz = "{http://dmoz.org/rdf/}"
    content = etree.fromstring(served("http://directory.example/rdf/content.rdf.u8"))
    structure = etree.fromstring(served("http://directory.example/rdf/structure.rdf.u8"))
    rows = [line.split("\t") for line in served("http://directory.example/rdf/urls.tsv").decode().splitlines()]
    pages = [[page.get("about"), page.find(f"{dmoz}topic").text] for page in content.iter(f"{dmoz}ExternalPage")]
    assert sorted(pages) == sorted(rows)
    topics = {topic.get("{http://www.w3.org/TR/RDF/}id") for topic in structure.iter(f"{dmoz}Topic")}
    assert len(topics) >= 12
    assert {category for _, category in rows} <= topics
    assert {url for host in NEWS for url in web.article_urls(host)} <= {url for url, _ in rows}


@pytest.mark.parametrize("host", web.hosts())
def test_served_pages_show_no_trace_of_gold_and_have_the_same_leaves(host):
    for url in web.urls(host):
        marked = web.gold_html(url)
        assert ATTRIBUTE.encode() not in served(url)
        assert len(marked) - len(served(url)) == sum(
            marked.count(f' {ATTRIBUTE}="{label}"'.encode()) * len(f' {ATTRIBUTE}="{label}"') for label in LABELS
        )
        plain = [leaf[:2] for leaf in body_leaves(served(url), url)]
        assert plain == [leaf[:2] for leaf in gold_leaves(url)]


@pytest.mark.parametrize("host", web.hosts())
def test_gold_covers_every_visible_leaf(host):
    for url in web.urls(host):
        bare = [leaf for leaf in gold_leaves(url) if leaf[2] not in LABELS]
        assert bare == [], url


def test_each_of_the_17_labels_occurs_on_every_news_site():
    for host in NEWS:
        seen = Counter(leaf[2] for url in web.article_urls(host) for leaf in gold_leaves(url))
        assert set(seen) == set(LABELS), host


@pytest.mark.parametrize("host", NEWS)
def test_the_gold_of_an_article_says_what_its_truth_says(host):
    for url in web.article_urls(host):
        truth, found = web.truth(url), gold_leaves(url)
        words = {label: [text for _, text, own in found if own == label] for label in LABELS}
        assert " ".join(truth.title.split()) in words["title"], url
        main = squeezed("".join(text for _, text, own in found if own in ("maincontent", "contentlink")))
        for paragraph in truth.paragraphs:
            assert squeezed(paragraph) in main, (url, paragraph)
        assert all(name in " ".join(words["reporter"]) for name in truth.authors), url
        assert bool(words["timestamp"]) == (truth.published is not None), url
        assert not truth.source or truth.source in " ".join(words["source"] + words["country"] + words["maincontent"])
        assert not truth.place or truth.place in " ".join(words["country"] + words["maincontent"])


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_bytes_are_the_same_in_every_process():
    code = (
        "import hashlib; from parcels import example_web as w; "
        "print(hashlib.sha256(b''.join(w.fetch(u).body for h in w.hosts() for u in w.urls(h))).hexdigest())"
    )
    runs = {subprocess.check_output([sys.executable, "-c", code], env={"PYTHONHASHSEED": str(seed)}) for seed in (1, 2)}
    assert len(runs) == 1


def test_importing_it_reads_no_article_and_nothing_heavy():
    code = (
        "import sys, parcels.example_web; heavy = 'numpy lxml scrapy pyspark parcels.example_web.sites.lumen'; "
        "print([name for name in heavy.split() if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code]).strip() == b"[]"


def test_the_harbour_courier_leaves_the_charset_to_its_meta_tag():
    charsets = set()
    for url in web.article_urls(NEWS[0]):
        response = web.fetch(url)
        assert response.headers["Content-Type"] == "text/html"
        charset = response.body.split(b"charset=")[1].split(b'"')[0].decode()
        charsets.add(charset)
        assert web.truth(url).title in " ".join(response.body.decode(charset).split())
    assert charsets == {"iso-8859-1", "windows-1252"}


def test_a_duplicate_names_its_canonical_address():
    for host in NEWS:
        articles = set(web.article_urls(host))
        pointing = set()
        for url in set(web.urls(host)) - articles:
            canonical = tree(served(url), url).xpath("//link[@rel='canonical']/@href")
            pointing |= {link for link in canonical if link != url}
        assert pointing
        assert pointing <= articles


def test_campaign_parameters_do_not_change_the_page():
    url = web.article_urls("lumen.example")[0]
    assert served(f"{url}?utm_source=a&utm_medium=b") == served(url)


def test_asking_for_the_truth_of_a_front_page_says_what_to_do():
    with pytest.raises(InputMissing, match="article_urls"):
        web.truth("http://lumen.example/")
    with pytest.raises(InputMissing, match="urls"):
        web.gold_html("http://lumen.example/nowhere")


def test_the_server_answers_as_a_proxy_and_keeps_a_list():
    with web.ExampleWeb.serve() as running:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": running.proxy}))
        url = web.article_urls("lumen.example")[0]
        with opener.open(url, timeout=10) as response:
            assert response.read() == served(url)
            assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert [(one.host, one.path, one.status) for one in running.requests] == [
            ("lumen.example", urlsplit(url).path, 200)
        ]


def test_the_server_answers_by_host_header_on_one_connection():
    with web.ExampleWeb.serve() as running:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=10)

        def ask(method: str, path: str, host: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
            connection.request(method, path, headers={"Host": host, **headers})
            response = connection.getresponse()
            return response, response.read()

        first, body = ask("GET", "/local/", NEWS[0])
        assert (first.status, body) == (200, served(f"http://{NEWS[0]}/local/"))
        head, nothing = ask("HEAD", "/local/", NEWS[0])
        assert (head.headers["Content-Length"], nothing) == (str(len(body)), b"")
        again, nothing = ask("GET", "/local/", NEWS[0], **{"If-None-Match": first.headers["ETag"]})
        assert (again.status, nothing) == (304, b"")
        since, _ = ask("GET", "/local/", NEWS[0], **{"If-Modified-Since": first.headers["Last-Modified"]})
        assert since.status == 304
        packed, body = ask("GET", "/", "lumen.example", **{"Accept-Encoding": "gzip, br"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(body) == served("http://lumen.example/")
        moved, _ = ask("GET", "/article/4821", NEWS[1])
        assert (moved.status, moved.headers["Location"][:32]) == (301, "http://www.meridianpost.example/")
        gone, _ = ask("GET", "/story.asp?id=1001", NEWS[0])
        assert gone.status == 410
        unknown, body = ask("GET", "/", "www.nowhere.example")
        assert (unknown.status, b"no host 'www.nowhere.example'" in body) == (502, True)
        connection.close()
        assert len(running.requests) == 8


def test_the_module_runs_and_names_its_hosts():
    with subprocess.Popen([sys.executable, "-m", "parcels.example_web"], stdout=subprocess.PIPE, text=True) as process:
        try:
            lines = [process.stdout.readline() for _ in range(5)]
        finally:
            process.terminate()
    assert lines[0].startswith("HTTP proxy on http://127.0.0.1:")
    assert [line.strip() for line in lines[1:]] == [f"http://{host}/" for host in web.hosts()]


def test_a_taken_port_is_one_clear_line_and_the_address_stands_in_the_file(tmp_path):
    command = [sys.executable, "-m", "parcels.example_web"]
    file = tmp_path / "web.txt"
    with subprocess.Popen([*command, "--address", file], stdout=subprocess.PIPE, text=True) as first:
        try:
            said = first.stdout.readline()
            for _ in range(200):
                if file.exists() and file.read_text():
                    break
                time.sleep(0.05)
            address = file.read_text()
            assert said == f"HTTP proxy on {address} for:\n"
            second = subprocess.run(
                [*command, "--port", address.rpartition(":")[2]],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
        finally:
            first.terminate()
    assert second.returncode == 2
    assert "Traceback" not in second.stderr
    assert "Address already in use" in second.stderr
