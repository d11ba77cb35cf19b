"""Build the frame of every Lumen page: components of 2025, deep DIVs, hashed class names, grid and flex."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

import re

from parcels.example_web.gold import gold
from parcels.example_web.markup import HOSTS, attr, digest, elsewhere, said, text
from parcels.example_web.stories import Story, stories

NAME = "lumen"
HOST = HOSTS[NAME]
HOME = f"http://{HOST}"
BUILD = "3f9c1b"
SECTIONS = {
    "science": "Science",
    "climate": "Climate",
    "technology": "Technology",
    "business": "Business",
    "culture": "Culture",
    "world": "World",
}
MOST_READ = ("island-passport", "lunar-dust", "deepfake-choir", "coffee-price", "repair-library")
BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
ICONS = {
    "search": "M10 2a8 8 0 1 0 5 14l5 5 1-1-5-5a8 8 0 0 0-6-13z",
    "share": "M4 12v8h16v-8M12 3v12M8 7l4-4 4 4",
    "save": "M6 3h12v18l-6-4-6 4z",
    "gift": "M3 9h18v4H3zM12 9v12M5 13v8h14v-8",
    "play": "M8 5v14l11-7z",
}


def c(*names: str) -> str:
    """Return a class attribute with hashed names, as a build tool writes them.

    >>> c("card")
    ' class="css-sh5yw4"'
    """
    return f' class="{" ".join(f"css-{digest(name)}" for name in names)}"'


def sheet(source: str) -> str:
    """Hash every `.c-name` of a style sheet in the same way."""
    return re.sub(r"\.c-([a-z]+(?:-[a-z]+)*)", lambda match: f".css-{digest(match[1])}", source)


def icon(name: str) -> str:
    """Return an inline drawing; its title is inside the SVG and is no leaf of the page."""
    return f'<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><title>{name}</title><path d="{ICONS[name]}" fill="currentColor"/></svg>'


def nest(inner: str, *names: str) -> str:
    """Wrap `inner` in one DIV per name, the first outermost."""
    for name in reversed(names):
        inner = f"<div{c(name)}>{inner}</div>"
    return inner


def story_path(story: Story) -> str:
    """Return the path of an article."""
    folder = "live" if story.kind == "live" else story.section
    return f"/{folder}/{story.slug}-{digest(story.slug)}"


def href(target: str) -> str:
    """Return the address of a target of a story: a slug, site/slug or an address."""
    if ":" in target:
        return target
    return elsewhere(target) if "/" in target else story_path(stories(NAME)[target])


def lazy(story: Story, width: int, height: int) -> str:
    """Return a thumbnail that a script loads when it comes into view."""
    if story.picture is None:
        return ""
    source = f"/i/{story.slug}/{width}x{height}.png"
    return f'<img src="{BLANK}" data-src="{source}" data-srcset="{source} 1x" width="{width}" height="{height}" loading="lazy" decoding="async" alt="{attr(story.picture.alt)}"{gold("siteimage")}>'


def card(story: Story, label: str) -> str:
    """Return a teaser of an article, with `label` as the gold label of its list."""
    by = f"<span>{text(', '.join(story.authors) or story.source)}</span> " if story.authors or story.source else ""
    picture = f"<div{c('card-picture')}>{lazy(story, 320, 200)}</div>" if story.picture else ""
    live = "<b>Live</b> " if story.kind == "live" else ""
    return f"""<li{c("card-shell")}><div{c("card")}{gold(label)}>{picture}<h3>{live}<a href="{story_path(story)}">{text(story.title)}</a></h3><p>{by}<time datetime="{story.published}">{said(story.published, "%-d %b %Y")}</time></p></div></li>"""


def frame(path: str, title: str, main: str, *, section: str = "", head: str = "", tail: str = "", bar: str = "") -> str:
    """Return a whole page around its main part."""
    return f"""<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)} · Lumen</title>
{head}<link rel="preload" href="/_assets/app.{BUILD}.css" as="style">
<link rel="stylesheet" href="/_assets/app.{BUILD}.css">
<link rel="stylesheet" href="/_assets/article.{BUILD}.css">
<link rel="alternate" type="application/atom+xml" href="/feed.atom" title="Lumen">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<script type="module" src="/_assets/app.{BUILD}.mjs"></script>
</head>
<body{c("root")}>
<a{c("skip")} href="#main"{gold("sitenav")}>Skip to main content</a>
{_consent()}
<div id="app" data-reactroot="">{nest(_header(section) + bar, "shell", "shell-inner")}
<main id="main" role="main" tabindex="-1">{nest(main, "page", "page-inner")}</main>
{_footer()}</div>
<template id="toast"><div role="status"><p>Copied to the clipboard</p></div></template>
<div hidden id="modal-root"{gold("newsletter")}><p>Already a member? Sign in</p></div>
{tail}
</body>
</html>
"""


def _consent() -> str:
    words = "We and our 38 partners keep cookies on your device to measure how Lumen is read. You may refuse those that are not needed."
    return f"""<div id="consent" role="dialog" aria-label="Cookies" aria-modal="false"{c("consent")}{gold("sitecontent")}><div{c("consent-words")}><strong>Your privacy</strong><p>{words} <a href="/privacy">Cookie policy</a></p></div><div{c("consent-buttons")}><button type="button">Accept all</button><button type="button">Only what is needed</button></div></div>"""


def _header(section: str) -> str:
    items = "".join(
        f'<li><a href="/{key}"{" aria-current=page" if key == section else ""}><span>{name}</span></a></li>'
        for key, name in SECTIONS.items()
    )
    inner = f"""<a{c("logo")} href="/" aria-label="Lumen, home"><svg viewBox="0 0 120 32" role="img"><title>Lumen</title><text x="0" y="25" font-size="26">Lumen</text></svg><span{c("sr")}{gold("sitenav")}>Lumen</span></a>
<nav role="navigation" aria-label="Sections"{c("nav")}{gold("sitenav")}><ul>{items}</ul></nav>
<form role="search" action="/search"{c("search")}{gold("search")}><input type="search" name="q" placeholder="Search Lumen" aria-label="Search"><button type="submit" aria-label="Search">{icon("search")}</button></form>
<div{c("account")}><a href="/account"{gold("sitenav")}>Sign in</a><a{c("cta")} href="/subscribe?utm_source=header&amp;utm_medium=button"{gold("newsletter")}>Become a member</a></div>"""
    return f'<header role="banner"{c("header")}>{nest(inner, "header-row")}</header>'


def rail() -> str:
    """Return the column beside an article or a list."""
    known = stories(NAME)
    read = "".join(
        f'<li><a href="{story_path(known[slug])}?utm_source=lumen&amp;utm_medium=rail&amp;utm_content={n}">{text(known[slug].title)}</a></li>'
        for n, slug in enumerate(MOST_READ, 1)
    )
    return f"""<aside role="complementary" aria-label="More from Lumen"{c("rail")}>
<section{c("box")}{gold("sitenav")}><h2>Most read</h2><ol>{read}</ol></section>
<section{c("letter")}{gold("newsletter")}><h2>Daybreak</h2><p>One good story and four short ones, before breakfast.</p><form action="/letters" method="post"><label{c("sr")} for="rail-mail">E-mail</label><input id="rail-mail" type="email" name="email" placeholder="you@example.org" required><button>Sign up free</button></form></section>
<div{c("slot")} role="complementary" aria-label="Advertisement"{gold("ads")}><span>Advertisement</span><iframe title="advertisement" src="/frames/slot?size=300x250" width="300" height="250" loading="lazy"></iframe></div>
<section{c("box")}{gold("sitecontent")}><h2>The air today</h2><dl><dt>CO₂ at Cape Fold</dt><dd>427 ppm</dd><dt>Arctic ice</dt><dd>11.2 million km²</dd></dl></section>
</aside>"""


def _footer() -> str:
    sections = "".join(f'<li><a href="/{key}">{name}</a></li>' for key, name in SECTIONS.items())
    return f"""<footer role="contentinfo"{c("footer")}><div{c("footer-columns")}{gold("sitenav")}>
<nav aria-label="Sections"><h2>Sections</h2><ul>{sections}</ul></nav>
<nav aria-label="Lumen"><h2>Lumen</h2><ul><li><a href="/about">About</a></li><li><a href="/contact">Contact</a></li><li><a href="/people">People</a></li><li><a href="/topics">Topics</a></li><li><a href="/letters">Letters</a></li><li><a href="/events">Events</a></li><li><a href="/privacy">Privacy</a></li></ul></nav>
<nav aria-label="Elsewhere"><h2>Elsewhere</h2><ul><li><a href="http://www.meridianpost.example/">Meridian Post</a></li><li><a href="//directory.example/Top/News/Magazines/">Directory</a></li><li><a href="/feed.atom">Atom</a></li></ul></nav>
<div{gold("newsletter")}><h2>Stay in the light</h2><p><a href="/subscribe">Support our reporting</a> from 5 a month.</p></div>
</div><p{c("legal")}{gold("sitecontent")}>© 2025 Lumen Media Cooperative. Made in Antwerp and elsewhere. ISSN 0000-0000.</p></footer>"""
