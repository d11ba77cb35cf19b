"""www.harbourcourier.example: a small-town paper as such sites were in 2004. Tables, FONT, windows-1252, no style sheet."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

import re
from collections.abc import Callable
from functools import partial

from parcels.example_web import feeds
from parcels.example_web.gold import gold
from parcels.example_web.markup import inline, relative, said, text
from parcels.example_web.media import gif
from parcels.example_web.site import Route, Site, moved, plain_file
from parcels.example_web.sites.harbourcourier_frame import (
    FACE,
    HOST,
    NAME,
    SECTIONS,
    frame,
    href,
    image,
    story_path,
)
from parcels.example_web.sites.harbourcourier_story import article, print_version
from parcels.example_web.stories import Story, in_section, stories

PAGE_SIZE = 4
DUPLICATE = ("/archive/2004-03/flood_wall.htm", "flood-wall")
IMAGES = {
    "logo.gif": (320, 64, "003366"),
    "spacer.gif": (1, 1, "ffffff"),
    "dot.gif": (8, 8, "cc0000"),
    "arrow.gif": (8, 8, "003366"),
    "print.gif": (16, 16, "666666"),
    "listed.gif": (88, 31, "006633"),
    "b_on.gif": (16, 16, "cc0000"),
}
ROBOTS = f"""# The Harbour Courier
User-agent: *
Disallow: /cgi-bin/
Disallow: /private/

User-agent: GreedyBot
Disallow: /

Sitemap: http://{HOST}/sitemap.xml
"""


def encode(html: str) -> bytes:
    """Encode as Latin-1 if possible, else as windows-1252; the META element names the charset."""
    try:
        return html.replace("charset=windows-1252", "charset=iso-8859-1", 1).encode("latin-1")
    except UnicodeEncodeError:
        return html.encode("cp1252")


def _teaser(path: str, story: Story) -> str:
    thumb = ""
    if story.picture:
        source = relative(path, f"/photos/t{story.number}.gif")
        thumb = f'<IMG src="{source}" width=60 height=40 align=left hspace=4 alt=""{gold("siteimage")}>'
    return f"""<TR><TD{gold("sitenav")}>{thumb}<FONT {FACE} size=2><B><A href="{href(path, story.slug)}">{text(story.title)}</A></B></FONT><BR><FONT size=2>{text(story.lead[:150].rsplit(" ", 1)[0])}...</FONT> <FONT size=1 color="#999999">{said(story.day, "%-d %b")}</FONT><HR size=1>"""


def _home(path: str) -> str:
    newest = list(stories(NAME).values())
    lead, rest = newest[0], newest[1:9]
    blocks = "\n".join(
        f"""<TR><TD bgcolor="#DCE6F0"{gold("sitenav")}><FONT {FACE} size=2><B><A href="{relative(path, f"/{key}/")}">{text(name)}</A></B></FONT>
<TR><TD{gold("sitenav")}><UL>{"".join(f'<LI><A href="{href(path, story.slug)}">{text(story.title)}</A>' for story in in_section(NAME, key)[:3])}</UL>"""
        for key, name in SECTIONS.items()
    )
    centre = f"""<TABLE width="100%" border=0 cellpadding=4>
<TR><TD{gold("sitenav")}><FONT size=5><B><A href="{href(path, lead.slug)}">{text(lead.title)}</A></B></FONT><BR>{text(lead.lead)} <A href="{href(path, lead.slug)}">Full story</A>
{"".join(_teaser(path, story) for story in rest)}
{blocks}
<TR><TD{gold("sitenav")}><FONT size=2><B>From the archive:</B> <A href="/news.php?article=42">The pier, a month after the storm</A> | <A href="/story.asp?id=1001">Eclipse 1999: our special</A> | <A href="{DUPLICATE[0]}">Behind the flood wall</A> | <A href="/competition.htm">Win a hamper</A> | <A href="/private/staff.htm">Staff telephone list</A></FONT>
</TABLE>"""
    return frame(path, "The Harbour Courier - Port Ellery's newspaper since 1869", centre)


def _section(path: str, key: str, number: int) -> str:
    listed = in_section(NAME, key)
    shown = listed[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    turn = ""
    if number * PAGE_SIZE < len(listed):
        turn = f'<A href="/{key}/?page={number + 1}">Older stories &gt;&gt;</A>'
    if number > 1:
        turn += f' <A href="/{key}/">&lt;&lt; Newer stories</A>'
    centre = f"""<TABLE width="100%" border=0 cellpadding=4><TR><TD bgcolor="#003366"{gold("sitenav")}><FONT {FACE} color="#FFFFFF"><B>{text(SECTIONS[key])}</B></FONT>
{"".join(_teaser(path, story) for story in shown)}
<TR><TD align=right{gold("sitenav")}><FONT {FACE} size=1>{turn}</FONT>
</TABLE>"""
    return frame(path, f"Harbour Courier: {SECTIONS[key]}", centre)


def _words(path: str, title: str, paragraphs: tuple[str, ...], *, robots: str = "") -> str:
    head = f'\n<META name="robots" content="{robots}">' if robots else ""
    body = "\n".join(f"<P>{inline(line, lambda target: href(path, target), emphasis='B')}" for line in paragraphs)
    centre = f"<H2{gold('sitecontent')}>{text(title)}</H2>\n<DIV{gold('sitecontent')}>{body}</DIV>"
    return frame(path, f"Harbour Courier: {title}", centre, head=head, is_wide=True)


WORDS = {
    "/about.htm": (
        "About the Courier",
        (
            "The Harbour Courier was first printed in 1869 on a press that had come ashore from a wreck. It comes out "
            "on six days a week and has missed two issues, in 1916 and in 1953.",
            "Circulation in the first half of 2004 was 14,380. The editor is Lionel Garside.",
            "We correct mistakes on page two. Write to the editor, 3 Capstan Row, Port Ellery.",
        ),
    ),
    "/contact.htm": (
        "Contact us",
        (
            "News desk: 555 0143 or [news@harbourcourier.example](mailto:news@harbourcourier.example).",
            "Sport: 555 0144. Births, marriages and deaths: 555 0146, before four o'clock.",
            "Lost dogs: please ring the cliff team first and us second.",
        ),
    ),
    "/privacy.htm": (
        "Privacy",
        (
            "We use a *cookie* to remember the size of type that you like. We count visits to each page.",
            "If you ask for our e-mail alerts we keep your address until you tell us to stop.",
        ),
    ),
}


def _archive(path: str) -> str:
    rows = "\n".join(
        f'<LI>{said(story.day, "%-d %B")}: <A href="{href(path, story.slug)}">{text(story.title)}</A>'
        for story in stories(NAME).values()
    )
    centre = f"<H2{gold('sitenav')}>Archive, 2004</H2><UL{gold('sitenav')}>{rows}</UL>"
    return frame(path, "Harbour Courier: Archive", centre)


def _search(path: str) -> str:
    return _words(path, "Search", ("Your search found nothing. Try fewer words.",))


def not_found(path: str) -> str:
    """Return the page for an address that does not exist."""
    page = "/index.htm"  # links are written as seen from the front page
    centre = f"""<H2{gold("sitecontent")}>Page not found (404)</H2>
<P{gold("sitecontent")}>That page has slipped its moorings. It may have been moved when we tidied up in February.
<P{gold("sitenav")}><A href="/index.htm">Front page</A> - <A href="/archive.htm">Archive</A> {image(page, "spacer.gif", 1, 60)}"""
    return frame(page, "Harbour Courier: not found", centre)


def picture(path: str) -> tuple[str, bytes] | None:
    """Return an image of the site by its path."""
    name = path.rpartition("/")[2]
    if path == f"/images/{name}" and name in IMAGES:
        return "image/gif", gif(*IMAGES[name], is_transparent=name == "spacer.gif")
    if path == "/ads/banner17.gif":
        return "image/gif", gif(468, 60, "ffcc00")
    match = re.fullmatch(r"/photos/(t?)(\d+)\.gif", path)
    numbers = {story.number for story in stories(NAME).values() if story.picture}
    if match and int(match[2]) in numbers:
        size = (60, 40) if match[1] else (210, 140)
        return "image/gif", gif(*size, f"{int(match[2]) * 7919 % 0xFFFFFF:06x}")
    return None


def build() -> dict[str, Route]:
    """Return every route of the site."""
    known = stories(NAME)
    routes: dict[str, Route] = {}

    def add(path: str, render: Callable[[str], str]) -> None:
        routes[path] = Route(partial(render, path))

    add("/", _home)
    add("/index.htm", _home)
    for key in SECTIONS:
        add(f"/{key}/", partial(_section, key=key, number=1))
        for number in range(2, (len(in_section(NAME, key)) - 1) // PAGE_SIZE + 2):
            add(f"/{key}/?page={number}", partial(_section, key=key, number=number))
    for story in known.values():
        changed = story.updated or story.published
        path, printed = story_path(story), f"/print.asp?id={story.number}"
        routes[path] = Route(partial(article, path, story), modified=changed, story=story, is_article=True)
        routes[printed] = Route(partial(print_version, printed, story), modified=changed, story=story)
    twin = known[DUPLICATE[1]]
    routes[DUPLICATE[0]] = Route(partial(article, DUPLICATE[0], twin, canonical=story_path(twin)), story=twin)
    for path, (title, paragraphs) in WORDS.items():
        add(path, partial(_words, title=title, paragraphs=paragraphs))
    add("/archive.htm", _archive)
    notes = ("The sports desk is to be found at the Ship between twelve and two.",)
    add("/private/staff.htm", partial(_words, title="Staff telephone list", paragraphs=notes))
    add("/competition.htm", partial(_words, title="Win a hamper (closed)", paragraphs=notes, robots="noindex,follow"))
    add("/cgi-bin/search.cgi", _search)
    routes["/games/crossword.htm"] = Route(lambda: not_found("/games/crossword.htm"), status=404)
    gone = "This special has been withdrawn at the request of the sun."
    routes["/story.asp?id=1001"] = Route(lambda: f"<HTML><BODY><H1>Gone</H1><P>{gone}</BODY></HTML>", status=410)
    routes["/news.php?article=42"] = moved(f"http://{HOST}/story.asp?id=1042")
    routes["/robots.txt"] = plain_file(ROBOTS)
    routes["/rss.xml"] = Route(_rss, media="application/rss+xml", is_listed=False)
    routes["/sitemap.xml"] = Route(_sitemap, media="application/xml", is_listed=False)
    return routes


def _rss() -> bytes:
    entries = [
        feeds.FeedEntry(
            f"http://{HOST}{story_path(story)}", story.title, story.lead, story.published, "", story.section
        )
        for story in list(stories(NAME).values())[:15]
    ]
    feed = feeds.rss(
        "The Harbour Courier", f"http://{HOST}/", "Port Ellery and the coast", entries, charset="windows-1252"
    )
    return feed.encode("cp1252")


def _sitemap() -> bytes:
    pages = [(f"http://{HOST}/", "")] + [(f"http://{HOST}/{key}/", "") for key in SECTIONS]
    pages += [(f"http://{HOST}{story_path(story)}", story.day) for story in stories(NAME).values()]
    return feeds.sitemap(pages).encode()


SITE = Site(
    host=HOST,
    build=build,
    not_found=not_found,
    picture=picture,
    encode=encode,
    charset="",
    modified="2004-06-21T12:00:00+00:00",
    server="Microsoft-IIS/5.0",
    ignored=frozenset({"sec", "ref"}),
)
