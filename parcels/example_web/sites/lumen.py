"""lumen.example: a magazine's site of 2025. Components, grid, custom elements, consent, prompts, JSON-LD."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files

from parcels.example_web import feeds
from parcels.example_web.gold import gold
from parcels.example_web.markup import inline, slug, text
from parcels.example_web.media import png, svg, wav
from parcels.example_web.site import Route, Site, moved, plain_file
from parcels.example_web.sites.lumen_frame import (
    BUILD,
    HOME,
    HOST,
    NAME,
    SECTIONS,
    c,
    card,
    frame,
    href,
    lazy,
    rail,
    sheet,
    story_path,
)
from parcels.example_web.sites.lumen_story import (
    BIOGRAPHIES,
    PARTNERS,
    amp,
    article,
    href_image,
    person_path,
    topic_path,
)
from parcels.example_web.stories import Story, authors, in_section, stories, tags, with_tag

PAGE_SIZE = 3
DUPLICATE = "cable-earthquakes"
OLD_ADDRESS = "/2025/03/11/internet-cable-earthquakes"
SIZES = {(24, 14), (112, 70), (320, 200), (680, 383), (1200, 675)}
ROBOTS = f"""User-agent: *
Disallow: /api/
Disallow: /search
Disallow: /account
Disallow: /frames/
Allow: /

User-agent: TrainBot
Disallow: /

Sitemap: {HOME}/sitemap.xml
"""


def _home(path: str) -> str:
    newest = list(stories(NAME).values())
    lead = newest[0]
    hero = f"""<section{c("hero")}{gold("sitenav")}><div>{lazy(lead, 680, 383)}</div><div><h2><a href="{story_path(lead)}">{text(lead.title)}</a></h2><p>{text(lead.lead)}</p></div></section>"""
    blocks = "".join(
        f"<section{c('box')}><h2{gold('sitenav')}><a href='/{key}'>{name}</a></h2><ul{c('grid')}>{''.join(card(story, 'sitenav') for story in in_section(NAME, key)[:3])}</ul></section>"
        for key, name in SECTIONS.items()
    )
    old = f"""<p{c("old")}{gold("sitenav")}>Elsewhere: <a href="{OLD_ADDRESS}">The cable that feels earthquakes</a>, <a href="/culture/cruise-diary-x1y2z3">A cruise diary</a>, <a href="/amp{story_path(stories(NAME)[DUPLICATE])}">the same for telephones</a>, <a href="/preview">next week</a></p>"""
    return frame(
        path,
        "Slow light on a fast world",
        f"<div{c('layout')}><div{c('story')}>{hero}{blocks}{old}</div>{rail()}</div>",
    )


def _listing(
    path: str,
    title: str,
    listed: Sequence[Story],
    *,
    section: str = "",
    number: int = 1,
    size: int = 99,
    words: str = "",
) -> str:
    shown = listed[(number - 1) * size : number * size]
    base = path.partition("?")[0]
    turn = f'<a rel="next" href="{base}?page={number + 1}">Older</a>' if number * size < len(listed) else ""
    if number > 1:
        turn += f' <a rel="prev" href="{base}{f"?page={number - 1}" if number > 2 else ""}">Newer</a>'
    pager = f'<nav aria-label="Pages"{gold("sitenav")}>{turn}</nav>' if turn else ""
    note = f"<p{gold('sitecontent')}>{text(words)}</p>" if words else ""
    main = f"<h1{c('headline')}{gold('sitenav')}>{text(title)}</h1>{note}<ul{c('grid')}>{''.join(card(story, 'sitenav') for story in shown)}</ul>{pager}"
    return frame(path, title, f"<div{c('layout')}><div{c('story')}>{main}</div>{rail()}</div>", section=section)


def _words(path: str, title: str, paragraphs: tuple[str, ...], *, robots: str = "") -> str:
    head = f'<meta name="robots" content="{robots}">\n' if robots else ""
    body = "".join(f"<p>{inline(line, href)}</p>" for line in paragraphs)
    return frame(path, title, f"<div{c('text')}{gold('sitecontent')}><h1>{text(title)}</h1>{body}</div>", head=head)


def _index(path: str, title: str, links: list[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="{target}">{text(name)}</a></li>' for target, name in links)
    return frame(path, title, f"<div{c('text')}{gold('sitenav')}><h1>{title}</h1><ul{c('topics')}>{items}</ul></div>")


WORDS = {
    "/about": (
        "About Lumen",
        (
            "Lumen is a cooperative of 41 readers and 19 journalists. It publishes about four stories a week.",
            "No advertiser sees a story before you do. Corrections stand at the end of the story that they correct.",
        ),
    ),
    "/contact": ("Contact", ("Write to desk@lumen.example. To send documents safely, use paper.",)),
    "/privacy": (
        "Privacy",
        ("We keep a count of stories read on your device. It is forgotten at the end of the month, and so are you.",),
    ),
    "/subscribe": ("Become a member", ("Five a month, or fifty a year. Students and the out of work: one.",)),
    "/letters": ("Letters", ("Daybreak comes before breakfast. Undertow, on Fridays, is about the sea.",)),
}


def not_found(path: str) -> str:
    """Return the page for an address that does not exist."""
    main = f'<div{c("text")}{gold("sitecontent")}><h1>It is dark here</h1><p>There is no page at this address.</p></div><p{gold("sitenav")}><a href="/">Back to the light</a></p>'
    return frame("/404", "Not found", main, head='<meta name="robots" content="noindex">\n')


def picture(path: str) -> tuple[str, bytes] | None:
    """Return an image of the site by its path."""
    match = re.fullmatch(r"/i/([a-z-]+)/(\d+)x(\d+)\.png", path)
    if match:
        story = stories(NAME).get(match[1])
        size = (int(match[2]), int(match[3]))
        return ("image/png", png(*size, match[1])) if story and story.picture and size in SIZES else None
    people = {f"/i/people/{slug(name)}.png" for name in BIOGRAPHIES}
    if path in people:
        return "image/png", png(72, 72, path)
    if path in {href_image(words) for words in PARTNERS}:
        return "image/png", png(160, 100, path)
    if path.startswith("/audio/") and path[7:].removesuffix(".wav") in stories(NAME):
        return "audio/wav", wav()
    if path == "/icon.svg":
        return "image/svg+xml", svg(32, 32, "L", colour="#fff", ground="#0b6e63").encode()
    return None


def build() -> dict[str, Route]:
    """Return every route of the site."""
    known = stories(NAME)
    routes: dict[str, Route] = {}

    def add(path: str, render: Callable[[str], str]) -> None:
        routes[path] = Route(partial(render, path))

    add("/", _home)
    for key, name in SECTIONS.items():
        listed = in_section(NAME, key)
        for number in range(1, (len(listed) - 1) // PAGE_SIZE + 2):
            path = f"/{key}" if number == 1 else f"/{key}?page={number}"
            add(path, partial(_listing, title=name, listed=listed, section=key, number=number, size=PAGE_SIZE))
    for story in known.values():
        path = story_path(story)
        changed = story.updated or story.published
        routes[path] = Route(partial(article, path, story), modified=changed, story=story, is_article=True)
    twin = known[DUPLICATE]
    routes[f"/amp{story_path(twin)}"] = Route(partial(amp, twin), story=twin)
    for tag in tags(NAME):
        add(topic_path(tag), partial(_listing, title=tag[:1].upper() + tag[1:], listed=with_tag(NAME, tag)))
    for name in authors(NAME):
        listed = [story for story in known.values() if name in story.authors]
        add(person_path(name), partial(_listing, title=name, listed=listed, words=BIOGRAPHIES[name]))
    add("/people", partial(_index, title="People", links=[(person_path(name), name) for name in authors(NAME)]))
    add("/topics", partial(_index, title="Topics", links=[(topic_path(tag), tag) for tag in tags(NAME)]))
    for path, (title, paragraphs) in WORDS.items():
        add(path, partial(_words, title=title, paragraphs=paragraphs))
    add(
        "/preview",
        partial(
            _words, title="Next week", paragraphs=("A story about fog, if it clears.",), robots="noindex, nofollow"
        ),
    )
    add("/account", partial(_words, title="Sign in", paragraphs=("We have sent you a letter.",), robots="noindex"))
    add(
        "/search",
        partial(_words, title="Search", paragraphs=("Nothing found, which is also a finding.",), robots="noindex"),
    )
    slot = "<!doctype html><title>ad</title><p>Your advertisement here</p>\n"
    routes["/frames/slot?size=300x250"] = Route(lambda: slot, is_listed=False)
    routes["/events"] = Route(lambda: not_found("/events"), status=404)
    routes["/culture/cruise-diary-x1y2z3"] = Route(
        lambda: "<!doctype html><title>Gone</title><p>Withdrawn.</p>\n", status=410
    )
    routes[OLD_ADDRESS] = moved(HOME + story_path(twin), status=308)
    return routes | _files()


def _files() -> dict[str, Route]:
    known = list(stories(NAME).values())
    folder = files("parcels.example_web") / "css" / NAME
    routes = {
        f"/_assets/{name}.{BUILD}.css": plain_file(
            sheet((folder / f"{name}.css").read_text(encoding="utf-8")), "text/css"
        )
        for name in ("app", "article")
    }
    for name in (f"app.{BUILD}", "amp"):
        routes[f"/_assets/{name}.mjs"] = plain_file("export {};\n", "text/javascript")
    routes["/robots.txt"] = plain_file(ROBOTS)
    entries = [
        feeds.FeedEntry(
            HOME + story_path(story),
            story.title,
            story.lead,
            story.published,
            story.updated,
            story.section,
            story.authors,
        )
        for story in known
    ]
    routes["/feed.atom"] = plain_file(
        feeds.atom("Lumen", f"{HOME}/", f"{HOME}/feed.atom", entries), "application/atom+xml"
    )
    pages = [(f"{HOME}/", "")] + [(f"{HOME}/{key}", "") for key in SECTIONS]
    pages += [(HOME + story_path(story), story.updated or story.published) for story in known]
    routes["/sitemap.xml"] = plain_file(feeds.sitemap(pages), "application/xml")
    return routes


SITE = Site(
    host=HOST,
    build=build,
    not_found=not_found,
    picture=picture,
    modified="2025-06-18T12:00:00+00:00",
    server="edge",
    is_gzipped=True,
    ignored=frozenset({"q", "n"}),
)
