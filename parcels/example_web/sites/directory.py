"""directory.example: a hand-edited directory of links in nested categories, with RDF dumps as DMOZ made them."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files

from parcels.example_web import feeds
from parcels.example_web.gold import gold
from parcels.example_web.markup import HOSTS, attr, elsewhere, text
from parcels.example_web.media import gif
from parcels.example_web.site import Route, Site, plain_file
from parcels.example_web.stories import stories

HOST = "directory.example"
HOME = f"http://{HOST}"
NAMESPACES = (
    'xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/"'
)
UPDATED = "2025-06-20 03:12:44"
ROBOTS = f"User-agent: *\nDisallow: /cgi-bin/\n\nSitemap: {HOME}/sitemap.xml\n"


@dataclass(frozen=True)
class Category:
    """A category: its path, number, description and a related one."""

    path: str
    number: int
    description: str
    related: str

    @property
    def name(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True)
class Link:
    """An external page that is listed in a category."""

    category: str
    url: str
    title: str
    description: str


@cache
def categories() -> dict[str, Category]:
    """Return all categories by path."""
    rows = [line.split("\t") for line in _lines("categories.tsv")]
    return {path: Category(path, int(number), words, related) for path, number, words, related in rows}


@cache
def links() -> tuple[Link, ...]:
    """Return all listed pages in the order of the file; `site/slug` stands for an article."""
    listed = []
    for line in _lines("links.tsv"):
        category, target, title, description = line.split("\t")
        if ":" not in target:
            site, _, name = target.partition("/")
            title = stories(site)[name].title
            target = elsewhere(target)
        listed.append(Link(category, target, title, description))
    return tuple(listed)


def _lines(name: str) -> list[str]:
    path = files("parcels.example_web") / "content" / "directory" / name
    return path.read_text(encoding="utf-8").splitlines()


def _children(path: str) -> list[Category]:
    return [one for one in categories().values() if one.path.rpartition("/")[0] == path]


def _count(path: str) -> int:
    return sum(link.category == path or link.category.startswith(f"{path}/") for link in links())


def _frame(title: str, body: str) -> str:
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">
<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"><title>{text(title)}</title>
<base href="{HOME}/">
<style type="text/css">body {{ font-family: sans-serif; margin: 1em 2em }} .bar {{ background: #363 }} .bar a {{ color: #fff }} dl.cats {{ width: 48%; float: left }} ul.sites {{ clear: both }}</style></head>
<body><div class="bar"><a href="Top/"><img src="logo.gif" width="120" height="40" alt="The Directory"{gold("siteimage")}></a>
<span{gold("sitenav")}><a href="about.html">about</a> | <a href="rdf/">rdf</a> | <a href="Top/News/">news</a></span></div>
<form action="cgi-bin/search" method="get"{gold("search")}><input name="search" size="30"> <input type="submit" value="Search"> <select name="cat"><option>the entire directory<option>only this category</select></form>
{body}
<hr><p{gold("sitecontent")}>Last update: 3:12 UT, Friday, June 20, 2025. Made by 47 volunteers, who disagree. The content may be used freely.</p>
</body></html>
"""


def _category(path: str) -> str:
    one = categories()[path]
    parts = path.split("/")
    trail = ": ".join(
        f'<a href="{"/".join(parts[: n + 1])}/">{part.replace("_", " ")}</a>' for n, part in enumerate(parts[:-1])
    )
    children = "".join(
        f'<dt><a href="{child.path}/"><b>{child.name.replace("_", " ")}</b></a> <i>({_count(child.path)})</i><dd>{text(child.description)}'
        for child in _children(path)
    )
    listed = "".join(
        f'<li><a href="{attr(link.url)}">{text(link.title)}</a> - {text(link.description)}\n'
        for link in links()
        if link.category == path
    )
    related = (
        f'<p{gold("sitenav")}>See also: <a href="{one.related}/">{one.related.replace("/", ": ").replace("_", " ")}</a></p>'
        if one.related
        else ""
    )
    body = f"""<p{gold("sitenav")}>{trail}{": " if trail else ""}<b>{one.name.replace("_", " ")}</b> ({_count(path)})</p>
<p{gold("sitecontent")}>{text(one.description)}</p>
{f'<dl class="cats"{gold("sitenav")}>{children}</dl>' if children else ""}
{related}{f'<ul class="sites"{gold("sitenav")}>{listed}</ul>' if listed else ""}"""
    return _frame(f"The Directory - {path.replace('/', ': ')}", body)


def _words(title: str, html: str) -> str:
    return _frame(
        f"The Directory - {title}", f"<h1{gold('sitecontent')}>{title}</h1><div{gold('sitecontent')}>{html}</div>"
    )


def not_found(path: str) -> str:
    """Return the page for an address that does not exist."""
    return _words(
        "No such category", f"<p>There is no page {text(path)}. Start again from the <a href='Top/'>top</a>.</p>"
    )


def _content_rdf() -> bytes:
    out = [f'<?xml version="1.0" encoding="UTF-8"?>\n<RDF {NAMESPACES}>\n  <!-- Generated at {UPDATED} GMT -->\n']
    for one in categories().values():
        mine = [link for link in links() if link.category == one.path]
        refs = "".join(f'    <link r:resource="{attr(link.url)}"></link>\n' for link in mine)
        out.append(f'  <Topic r:id="{one.path}">\n    <catid>{one.number}</catid>\n{refs}  </Topic>\n')
        out += [
            f'  <ExternalPage about="{attr(link.url)}">\n    <d:Title>{text(link.title)}</d:Title>\n'
            f"    <d:Description>{text(link.description)}</d:Description>\n    <topic>{one.path}</topic>\n  </ExternalPage>\n"
            for link in mine
        ]
    return ("".join(out) + "</RDF>\n").encode()


def _structure_rdf() -> bytes:
    out = [f'<?xml version="1.0" encoding="UTF-8"?>\n<RDF {NAMESPACES}>\n  <!-- Generated at {UPDATED} GMT -->\n']
    for one in categories().values():
        narrow = "".join(f'    <narrow r:resource="{child.path}"></narrow>\n' for child in _children(one.path))
        related = f'    <related r:resource="{one.related}"></related>\n' if one.related else ""
        out.append(
            f'  <Topic r:id="{one.path}">\n    <catid>{one.number}</catid>\n    <d:Title>{one.name}</d:Title>\n'
            f"    <d:Description>{text(one.description)}</d:Description>\n    <lastUpdate>{UPDATED}</lastUpdate>\n{narrow}{related}  </Topic>\n"
        )
    return ("".join(out) + "</RDF>\n").encode()


def _tsv() -> bytes:
    return "".join(f"{link.url}\t{link.category}\n" for link in links()).encode()


def _sitemap() -> bytes:
    return feeds.sitemap([(f"{HOME}/{path}/", "") for path in categories()]).encode()


def picture(path: str) -> tuple[str, bytes] | None:
    """Return the one image of the site."""
    return ("image/gif", gif(120, 40, "336633")) if path == "/logo.gif" else None


def build() -> dict[str, Route]:
    """Return every route of the site."""
    routes = {f"/{path}/": Route(partial(_category, path)) for path in categories()}
    routes["/"] = Route(partial(_category, "Top"))
    sites = ", ".join(f'<a href="http://{host}/">{host}</a>' for host in HOSTS.values())
    routes["/about.html"] = Route(partial(_words, "About", f"<p>A directory of a very small web: {sites}.</p>"))
    dumps = "".join(
        f'<li><a href="rdf/{name}">{name}</a>' for name in ("content.rdf.u8", "structure.rdf.u8", "urls.tsv")
    )
    routes["/rdf/"] = Route(partial(_words, "Data", f"<p>The whole directory, every night:</p><ul>{dumps}</ul>"))
    routes["/cgi-bin/search"] = Route(partial(_words, "Search", "<p>No match.</p>"))
    routes["/robots.txt"] = plain_file(ROBOTS)
    routes["/sitemap.xml"] = Route(_sitemap, media="application/xml")
    routes["/rdf/content.rdf.u8"] = Route(_content_rdf, media="application/rdf+xml")
    routes["/rdf/structure.rdf.u8"] = Route(_structure_rdf, media="application/rdf+xml")
    routes["/rdf/urls.tsv"] = Route(_tsv, media="text/tab-separated-values")
    return routes


SITE = Site(
    host=HOST,
    build=build,
    not_found=not_found,
    picture=picture,
    modified="2025-06-20T03:12:44+00:00",
    server="Apache/2.4",
    ignored=frozenset({"search", "cat"}),
)
