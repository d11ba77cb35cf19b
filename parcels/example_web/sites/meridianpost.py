"""www.meridianpost.example: a national paper's site of 2012. Floats, several style sheets, scripts, comments, partners."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files

from parcels.example_web import feeds
from parcels.example_web.gold import gold
from parcels.example_web.markup import inline, said, slug, text
from parcels.example_web.media import gif, png
from parcels.example_web.site import Route, Site, moved, plain_file
from parcels.example_web.sites.meridianpost_frame import (
    HOME,
    HOST,
    NAME,
    SECTIONS,
    frame,
    href,
    link,
    story_path,
    thumb,
)
from parcels.example_web.sites.meridianpost_story import BIOGRAPHIES, article, author_path, tag_path
from parcels.example_web.stories import Story, authors, in_section, stories, tags, with_tag

PAGE_SIZE = 3
DUPLICATE = "pension-vote"
SHEETS = ("reset", "type", "layout", "article", "print", "ie")
AD_PICTURES = {
    "728x90": (728, 90),
    "cruise": (300, 100),
    "ten-gadgets": (130, 90),
    "dentists": (130, 90),
    "villa": (130, 90),
    "broker": (130, 90),
}
SIZES = {(460, 288), (300, 188)}
THUMBS = {(80, 60), (120, 75), (140, 88)}
ROBOTS = f"""User-agent: *
Crawl-delay: 0.1
Disallow: /ads/
Disallow: /search
Disallow: /embed/
Disallow: /widgets/
Disallow: /login.html

User-agent: OldBot
Crawl-delay: 10

Sitemap: {HOME}/sitemap.xml
Sitemap: {HOME}/sitemap-news.xml
"""


def _teaser(story: Story) -> str:
    by = f" &middot; {text(story.authors[0])}" if story.authors else ""
    return f"""<div class="teaser"{gold("sitenav")}>{thumb(story, 140, 88)}<h3><a href="{link(story.slug)}">{text(story.title)}</a></h3>
<p>{text(story.lead)}</p><p class="meta">{said(story.published, "%-d %B %Y")}{by}</p></div>
"""


def _home(path: str) -> str:
    newest = list(stories(NAME).values())
    lead = newest[0]
    columns = "".join(
        f'<div class="box"{gold("sitenav")}><h3><a href="/{key}/">{name}</a></h3><ul>'
        + "".join(
            f'<li><a href="{link(story.slug)}">{text(story.title)}</a></li>' for story in in_section(NAME, key)[:3]
        )
        + "</ul></div>\n"
        for key, name in SECTIONS.items()
    )
    content = f"""<div class="lead"{gold("sitenav")}><img src="/media/{lead.number}_460x288.png" width="460" height="288" alt=""{gold("siteimage")} /><h2><a href="{link(lead.slug, "lead")}">{text(lead.title)}</a></h2><p>{text(lead.lead)}</p></div>
<div id="carousel"{gold("sitenav")}><div class="pane">{_teaser(newest[1])}</div><div class="pane" style="display:none">{_teaser(newest[2])}</div></div>
{"".join(_teaser(story) for story in newest[3:8])}
{columns}
<p class="old"{gold("sitenav")}>From our archive: <a href="/article/4821">The railway reaches Turkana</a>, <a href="/world/2011/12/quake-appeal-4102.html">Earthquake appeal</a>, <a href="{story_path(stories(NAME)[DUPLICATE])}?view=all">The pension vote on one page</a>, <a href="/newsletter/thanks.html">Noon Letter</a></p>"""
    return frame(path, "News, opinion, noon everywhere", content)


def _listing(
    path: str,
    title: str,
    listed: Sequence[Story],
    *,
    section: str = "",
    number: int = 1,
    size: int = 99,
    base: str = "",
) -> str:
    shown = listed[(number - 1) * size : number * size]
    count = (len(listed) - 1) // size + 1
    pages = " ".join(
        f"<strong>{n}</strong>" if n == number else f'<a href="{base if n == 1 else f"{base}page/{n}"}">{n}</a>'
        for n in range(1, count + 1)
    )
    pager = f'<div class="pager"{gold("sitenav")}>Page {pages}</div>' if count > 1 else ""
    content = f"<h1{gold('sitenav')}>{text(title)}</h1>\n{''.join(_teaser(story) for story in shown)}{pager}"
    return frame(path, title, content, section=section)


def _author(path: str, name: str) -> str:
    listed = [story for story in stories(NAME).values() if name in story.authors]
    content = f"""<h1{gold("sitenav")}>{text(name)}</h1><img src="/media/people/{slug(name)}.png" width="64" height="64" alt=""{gold("siteimage")} />
<p{gold("sitecontent")}>{text(BIOGRAPHIES[name])}</p>{"".join(_teaser(story) for story in listed)}"""
    return frame(path, name, content)


def _index(path: str, title: str, links: list[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="{target}">{text(name)}</a></li>' for target, name in links)
    return frame(path, title, f"<h1{gold('sitenav')}>{title}</h1><ul{gold('sitenav')}>{items}</ul>")


def _words(path: str, title: str, paragraphs: tuple[str, ...], *, robots: str = "") -> str:
    head = f'<meta name="robots" content="{robots}" />\n' if robots else ""
    body = "".join(f"<p>{inline(line, href)}</p>\n" for line in paragraphs)
    return frame(path, title, f'<div class="body"{gold("sitecontent")}><h1>{text(title)}</h1>{body}</div>', head=head)


WORDS = {
    "/about.html": (
        "About the Meridian Post",
        (
            "The Meridian Post was founded in Calderwick in 1888 and has appeared at noon ever since, a custom that its printers have asked to be allowed to change.",
            "It belongs to a trust. Its editor is Winifred Locke. Sponsored links are paid for and are marked as such.",
        ),
    ),
    "/contact.html": (
        "Contact",
        (
            "News desk: news@meridianpost.example. Corrections: 0555 0188. Letters of fewer than 200 words have a better chance.",
        ),
    ),
    "/privacy.html": (
        "Privacy and cookies",
        (
            "We set a cookie for your edition and another to count you once. Partners set their own; see [the directory](http://directory.example/Top/Society/Privacy/) for advice.",
        ),
    ),
    "/apps.html": (
        "The Post on your telephone",
        ("The app is free for a month. It needs a telephone of 2010 or later.",),
    ),
    "/register.html": ("Subscribe", ("Take the Post for 14 a month, or for 9 without the paper.",)),
}


def not_found(path: str) -> str:
    """Return the page for an address that does not exist."""
    content = f'<div class="body"{gold("sitecontent")}><h1>We cannot find that page</h1><p>The address may be mistyped, or the page may have been moved. The clock above is right.</p></div><p{gold("sitenav")}><a href="/">Front page</a> or <a href="/tags.html">all topics</a></p>'
    return frame("/404", "Page not found", content, head='<meta name="robots" content="noindex" />\n')


def _bare(title: str, words: str) -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body><p>{words}</p></body></html>\n"


def picture(path: str) -> tuple[str, bytes] | None:
    """Return an image of the site by its path."""
    known = {story.number for story in stories(NAME).values() if story.picture}
    match = re.fullmatch(r"/media/(thumb/)?(\d+)_(\d+)x(\d+)\.png", path)
    if match and int(match[2]) in known and (int(match[3]), int(match[4])) in (THUMBS if match[1] else SIZES):
        return "image/png", png(int(match[3]), int(match[4]), match[2])
    if path == "/media/logo.png":
        return "image/png", png(290, 46, "logo")
    match = re.fullmatch(r"/ads/([a-z0-9-]+)\.png", path)
    if match and match[1] in AD_PICTURES:
        return "image/png", png(*AD_PICTURES[match[1]], match[1])
    match = re.fullmatch(r"/media/(avatar[0-2]|people/[a-z-]+)\.png", path)
    people = {f"people/{slug(name)}" for name in BIOGRAPHIES}
    if match and (match[1] in people or match[1].startswith("avatar")):
        return "image/png", png(64, 64, match[1])
    return ("image/gif", gif(1, 1, "ffffff", is_transparent=True)) if path == "/stats.gif" else None


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
            path = f"/{key}/" if number == 1 else f"/{key}/page/{number}"
            add(
                path,
                partial(
                    _listing, title=name, listed=listed, section=key, number=number, size=PAGE_SIZE, base=f"/{key}/"
                ),
            )
        routes[f"/{key}"] = moved(f"{HOME}/{key}/")
        routes[f"/{key}/rss.xml"] = Route(partial(_rss, listed, f"Meridian Post: {name}"), media="application/rss+xml")
    for story in known.values():
        path = story_path(story)
        changed = story.updated or story.published
        routes[path] = Route(partial(article, path, story), modified=changed, story=story, is_article=True)
        if any(piece.kind == "video" for piece in story.pieces):
            player = _bare("Player", "This video needs a plug-in.")
            routes[f"/embed/{story.number}"] = Route(partial(str, player), is_listed=False)
    twin = known[DUPLICATE]
    routes[f"{story_path(twin)}?view=all"] = Route(
        partial(article, f"{story_path(twin)}?view=all", twin, canonical=story_path(twin)), story=twin
    )
    for tag in tags(NAME):
        add(tag_path(tag), partial(_listing, title=tag, listed=with_tag(NAME, tag)))
    for name in authors(NAME):
        add(author_path(name), partial(_author, name=name))
    add(
        "/authors.html",
        partial(_index, title="Our writers", links=[(author_path(name), name) for name in authors(NAME)]),
    )
    add("/tags.html", partial(_index, title="All topics", links=[(tag_path(tag), tag) for tag in tags(NAME)]))
    for path, (title, paragraphs) in WORDS.items():
        add(path, partial(_words, title=title, paragraphs=paragraphs))
    add(
        "/newsletter/thanks.html",
        partial(_words, title="Thank you", paragraphs=("Your first letter comes at noon.",), robots="noindex"),
    )
    add("/login.html", partial(_words, title="Log in", paragraphs=("Logging in is not possible at the moment.",)))
    add("/search", partial(_words, title="Search", paragraphs=("Type a word and press Search.",), robots="noindex"))
    for slot in ("top", "mpu", "text"):
        routes[f"/ads/frame.html?slot={slot}"] = Route(
            partial(str, _bare("ad", "Your advertisement here")), is_listed=False
        )
    routes["/widgets/like"] = Route(partial(str, _bare("Like", "Like 12")), is_listed=False)
    routes["/jobs/"] = Route(lambda: not_found("/jobs/"), status=404)
    gone = _bare("Gone", "The appeal closed on 31 January and this page has been removed.")
    routes["/world/2011/12/quake-appeal-4102.html"] = Route(lambda: gone, status=410)
    routes["/article/4821"] = moved(f"{HOME}{story_path(known['kenya-rail-line'])}")
    return routes | _files()


def _files() -> dict[str, Route]:
    known = list(stories(NAME).values())
    folder = files("parcels.example_web") / "css" / NAME
    routes = {
        f"/css/{name}.css": plain_file((folder / f"{name}.css").read_text(encoding="utf-8"), "text/css")
        for name in SHEETS
    }
    routes |= {f"/js/{name}.js": plain_file("/* quiet */\n", "application/javascript") for name in ("base", "html5")}
    routes["/robots.txt"] = plain_file(ROBOTS)
    maps = [f"{HOME}/sitemap-{name}.xml" for name in ("articles", "sections", "news")]
    routes["/sitemap.xml"] = plain_file(feeds.sitemap_index(maps), "application/xml")
    pages = [(HOME + story_path(story), story.updated or story.published) for story in known]
    routes["/sitemap-articles.xml"] = plain_file(feeds.sitemap(pages), "application/xml")
    sections = [(f"{HOME}/{key}/", "") for key in SECTIONS]
    routes["/sitemap-sections.xml"] = plain_file(feeds.sitemap(sections), "application/xml")
    news = feeds.news_sitemap("Meridian Post", [_entry(story) for story in known[:8]])
    routes["/sitemap-news.xml"] = plain_file(news, "application/xml")
    routes["/rss.xml"] = Route(partial(_rss, known[:20], "Meridian Post"), media="application/rss+xml")
    return routes


def _entry(story: Story) -> feeds.FeedEntry:
    return feeds.FeedEntry(
        HOME + story_path(story), story.title, story.lead, story.published, story.updated, story.section, story.authors
    )


def _rss(listed: Sequence[Story], title: str) -> bytes:
    return feeds.rss(title, f"{HOME}/", "Noon everywhere", [_entry(story) for story in listed]).encode()


SITE = Site(
    host=HOST,
    build=build,
    not_found=not_found,
    picture=picture,
    server="nginx/1.0.15",
    ignored=frozenset({"v", "p", "q", "id"}),
)
