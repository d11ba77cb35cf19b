"""Build a Lumen article: heading, picture, text with prompts and cards, topics, more, partners, state."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

import json

from parcels.example_web.gold import gold
from parcels.example_web.markup import attr, choice, inline, said, slug, text
from parcels.example_web.sites.lumen_frame import (
    HOME,
    NAME,
    SECTIONS,
    c,
    card,
    frame,
    href,
    icon,
    lazy,
    nest,
    rail,
    story_path,
)
from parcels.example_web.stories import Piece, Story, stories, with_tag

WORDS_A_MINUTE = 230
BIOGRAPHIES = {
    "Maren Osei": "Maren Osei covers the sea and what lies under it.",
    "Tomasz Wieliczko": "Tomasz Wieliczko is a physicist who writes slowly.",
    "Rukmini Datta": "Rukmini Datta reports with a camera and a spreadsheet.",
    "Dorian Achterberg": "Dorian Achterberg edits Lumen’s climate pages.",
    "Ffion Bellweather": "Ffion Bellweather writes about tools and the people who are told to use them.",
    "Yusra Lindholm": "Yusra Lindholm is the business editor.",
    "Anouk Varga": "Anouk Varga is a critic. She lives in Budapest.",
    "Benedikt Loos": "Benedikt Loos reports from edges.",
    "Signe Toft": "Signe Toft is a photographer on the coast of Jutland.",
}
PROMPTS = (
    (
        "You have two free stories left this month.",
        "Members read without limits, and pay for the parts that take five weeks.",
        "See the offers",
    ),
    ("Enjoying this story?", "Daybreak brings one like it every morning.", "Get the letter"),
)
PARTNERS = ("A mattress that listens", "Grow mushrooms in your boots", "Why engineers are buying this lamp")


def topic_path(tag: str) -> str:
    """Return the path of a topic's page."""
    return f"/topic/{slug(tag)}"


def person_path(name: str) -> str:
    """Return the path of an author's page."""
    return f"/people/{slug(name)}"


def minutes(story: Story) -> int:
    """Return the reading time in minutes."""
    return max(2, round(sum(len(line.split()) for line in story.paragraphs) / WORDS_A_MINUTE))


def article(path: str, story: Story) -> str:
    """Return the page of an article."""
    body = f"""<article{c("story")} itemscope itemtype="https://schema.org/NewsArticle">
{_heading(story)}
{_figure(story)}{_listen(story)}
{nest(_text(story), "text-shell", "text-grid", "text")}
{_end(story)}
</article>"""
    layout = f"<div{c('layout')}>{body}{rail()}{_more(story)}{_partners(story)}</div>"
    bar = (
        f'<div{c("sticky")} aria-hidden="true"><span{gold("title")}>{text(story.title)}</span><a href="#share"{gold("sitenav")}>Share</a></div>'
        if choice(story, "bar", 2)
        else ""
    )
    return frame(path, story.title, layout, section=story.section, head=_head(story), tail=_state(story), bar=bar)


def amp(story: Story) -> str:
    """Return the AMP page, which names the full page as canonical."""
    return f"""<!doctype html>
<html amp lang="en"><head><meta charset="utf-8"><title>{text(story.title)}</title>
<link rel="canonical" href="{HOME}{story_path(story)}"><script async src="/_assets/amp.mjs"></script></head>
<body><header{gold("sitenav")}><a href="/">Lumen</a></header><article>
{_heading(story)}{_text(story)}</article>
<footer{gold("sitecontent")}>© 2025 Lumen Media Cooperative <a href="{story_path(story)}"{gold("sitenav")}>View the full page</a></footer></body></html>
"""


def _head(story: Story) -> str:
    image = f"{HOME}/i/{story.slug}/1200x675.png"
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "LiveBlogPosting" if story.kind == "live" else "NewsArticle",
        "headline": story.title,
        "datePublished": story.published,
        "dateModified": story.updated or story.published,
        "author": [{"@type": "Person", "name": name} for name in story.authors]
        or {"@type": "Organization", "name": story.source},
        "publisher": {"@type": "Organization", "name": "Lumen"},
        "articleSection": SECTIONS[story.section],
        "mainEntityOfPage": HOME + story_path(story),
    }
    if story.picture:
        data["image"] = [image]
    return f"""<meta name="description" content="{attr(story.lead[:150])}">
<link rel="canonical" href="{HOME}{story_path(story)}">
<meta property="og:type" content="article"><meta property="og:title" content="{attr(story.title)}"><meta property="og:url" content="{HOME}{story_path(story)}">{f'<meta property="og:image" content="{image}">' if story.picture else ""}
<meta property="article:published_time" content="{story.published}"><meta name="robots" content="max-image-preview:large">
<script type="application/ld+json">{json.dumps(data, ensure_ascii=False)}</script>
"""


def _state(story: Story) -> str:
    """Return the state of the page's program: a script that repeats most of the text."""
    state = {
        "route": story_path(story),
        "article": {
            "id": story.slug,
            "title": story.title,
            "blocks": [{"kind": piece.kind, "text": list(piece.lines)} for piece in story.body],
        },
        "flags": {"paywall": "metered", "ab": {"bar": bool(choice(story, "bar", 2))}},
        "html": "<div class='css-ghost'><p>Loading</p></div>",
    }
    content = json.dumps(state, ensure_ascii=False).replace("</", "<\\/")
    return f'<script id="__STATE__" type="application/json">{content}</script>\n<script>window.__STATE__=JSON.parse(document.getElementById("__STATE__").textContent)</script>'


def _heading(story: Story) -> str:
    dek = f"<p{c('dek')}{gold('maincontent')}>{text(story.standfirst)}</p>" if story.standfirst else ""
    live = "<b>Live</b> · " if story.kind == "live" else ""
    return f"""<header{c("story-header")}><p{c("eyebrow")}{gold("sitenav")}>{live}<a href="/{story.section}">{SECTIONS[story.section]}</a></p>
<h1{c("headline")} itemprop="headline"{gold("title")}>{text(story.title)}</h1>{dek}
<div{c("meta")}>{_people(story)}{_stamps(story)}{_share()}</div></header>"""


def _people(story: Story) -> str:
    faces = "".join(
        f'<img{c("avatar")} src="/i/people/{slug(name)}.png" width="36" height="36" alt=""{gold("siteimage")}>'
        for name in story.authors
    )
    out = ""
    if story.authors:
        names = ", ".join(
            f'<a rel="author" href="{person_path(name)}"><span itemprop="author">{text(name)}</span></a>'
            for name in story.authors
        )
        out = f"<div{c('faces')}>{faces}</div><div{gold('reporter')}><span>By </span>{names}</div>"
    if story.source:
        out += f"<div{c('agency')}{gold('source')}>{text(story.source)}</div>"
    if story.place:
        out += f"<div{c('pin')}{gold('country')}>{text(story.place)}</div>"
    return out


def _stamps(story: Story) -> str:
    form = "%-d %B %Y, %H:%M" if choice(story, "clock", 2) else "%b %-d, %Y"
    out = f'<time datetime="{story.published}" itemprop="datePublished">{said(story.published, form)}</time>'
    if story.updated:
        out += f' <span>Updated <time datetime="{story.updated}">{said(story.updated, "%-d %b, %H:%M")}</time></span>'
    return f"<div{c('stamps')}{gold('timestamp')}>{out} <span>{minutes(story)} min read</span></div>"


def _share() -> str:
    buttons = "".join(
        f'<button type="button" aria-label="{name.title()}">{icon(name)}<span{c("sr")}>{name.title()}</span></button>'
        for name in ("share", "save", "gift")
    )
    return f'<div id="share" role="toolbar" aria-label="Share"{c("share")}{gold("sitenav")}>{buttons}</div>'


def _figure(story: Story) -> str:
    if story.picture is None:
        return ""
    picture, base = story.picture, f"/i/{story.slug}"
    if choice(story, "lazy", 3) == 0:
        full = f"{base}/1200x675.png"
        image = f'<img src="{base}/24x14.png" data-src="{full}" class="lazyload" width="1200" height="675" alt="{attr(picture.alt)}"{gold("contentimage")}><noscript><img src="{full}" alt="{attr(picture.alt)}"></noscript>'
    else:
        image = f"""<picture><source media="(min-width: 60rem)" srcset="{base}/1200x675.png 1200w, {base}/680x383.png 680w" sizes="680px" type="image/png"><img src="{base}/680x383.png" srcset="{base}/680x383.png 1x, {base}/1200x675.png 2x" width="680" height="383" fetchpriority="high" alt="{attr(picture.alt)}"{gold("contentimage")}></picture>"""
    return f"""<figure{c("figure")}>{nest(image, "ratio")}<figcaption{gold("suppcontent")}>{text(picture.caption)} <span{c("credit")}>{text(picture.credit)}</span></figcaption></figure>
"""


def _listen(story: Story) -> str:
    if choice(story, "listen", 3):
        return ""
    return f"""<lumen-player{c("listen")}><button type="button" aria-label="Play"{gold("sitenav")}>{icon("play")}<span{c("sr")}>Play</span></button><span{gold("suppcontent")}>Listen to this story · {minutes(story) + 1} min</span><audio preload="none" src="/audio/{story.slug}.wav" title="{attr(story.title)}"{gold("contentimage")}></audio></lumen-player>"""


def _text(story: Story) -> str:
    out, paragraphs, prompt_after = [], 0, 2 + choice(story, "prompt", 3)
    for piece in story.body:
        if piece.kind == "paragraph":
            out.append(f"<p{gold('maincontent')}>{inline(piece.lines[0], href, extra=' data-track=inline')}</p>")
            paragraphs += 1
            if paragraphs == prompt_after:
                out.append(_prompt(story))
            if paragraphs == prompt_after + 3 and choice(story, "slot", 2):
                out.append(
                    f"<div{c('slot')}{gold('ads')}><span>Advertisement</span><iframe title='advertisement' src='/frames/slot?size=300x250' width='300' height='250' loading='lazy'></iframe></div>"
                )
        else:
            out.append(_other(story, piece))
    return "\n".join(out)


def _prompt(story: Story) -> str:
    head, words, button = PROMPTS[choice(story, "prompt words", 2)]
    return f"""<lumen-prompt data-kind="meter"><aside{c("prompt")}{gold("newsletter")}><strong>{head}</strong><p>{words}</p><a{c("cta")} href="/subscribe?utm_source=story&amp;utm_medium=prompt">{button}</a></aside></lumen-prompt>"""


def _other(story: Story, piece: Piece) -> str:
    main = gold("maincontent")
    if piece.kind == "header":
        return f'<h2 id="{slug(piece.lines[0])}"{gold("subheaders")}>{text(piece.lines[0])}</h2>'
    if piece.kind in ("list", "keys"):
        items = "".join(f"<li>{inline(line, href)}</li>" for line in piece.lines)
        return (
            f"<ul{main}>{items}</ul>"
            if piece.kind == "list"
            else f'<section{c("keys")} aria-label="Key points"{main}><h4>Key points</h4><ul>{items}</ul></section>'
        )
    if piece.kind == "quote":
        lines = "".join(
            f"<cite>{text(line.removeprefix('-- '))}</cite>" if line.startswith("-- ") else f"<p>{text(line)}</p>"
            for line in piece.lines
        )
        return f"<blockquote{c('quote')}{main}>{lines}</blockquote>"
    if piece.kind == "pull":
        return f'<aside{c("pull")} role="doc-pullquote"{gold("suppcontent")}><p>{text(piece.lines[0])}</p></aside>'
    if piece.kind == "facts":
        items = "".join(f"<li>{text(line)}</li>" for line in piece.lines[1:])
        return f"<aside{c('facts')}{gold('suppcontent')}><h3>{text(piece.lines[0])}</h3><ul>{items}</ul></aside>"
    if piece.kind == "table":
        rows = [piece.cells(n) for n in range(len(piece.lines))]
        head = "".join(f'<th scope="col">{text(cell)}</th>' for cell in rows[0])
        rest = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
        return f"<div{c('scroller')}{main}><table><thead><tr>{head}</tr></thead><tbody>{rest}</tbody></table></div>"
    if piece.kind == "image":
        alt, *words = piece.cells()
        caption = f"<figcaption{gold('suppcontent')}>{text(' '.join(words))}</figcaption>" if words else ""
        source = f"/i/{story.slug}/680x383.png?n=2"
        return f'<figure{c("figure")}><img src="{source}" width="680" height="383" loading="lazy" alt="{attr(alt)}"{gold("contentimage")}>{caption}</figure>'
    if piece.kind == "live":
        clock, title = piece.cells()
        return f"""<div{c("entry")} id="e-{clock.replace(":", "")}"><time datetime="{story.day}T{clock}:00+01:00"{gold("timestamp")}>{clock}</time><h2{gold("subheaders")}>{text(title)}</h2></div>"""
    if piece.kind == "card":
        other = stories(NAME)[piece.lines[0]]
        return f"""<lumen-card><a{c("inline-card")} href="{story_path(other)}"{gold("relatedlinks")}>{lazy(other, 112, 70)}<span><em>Read more</em> {text(other.title)}</span></a></lumen-card>"""
    if piece.kind == "note":
        return f"<p{c('note')}{main}>{text(piece.lines[0])}</p>"
    raise ValueError(f"Lumen has no markup for a piece of kind {piece.kind!r}")


def _end(story: Story) -> str:
    topics = "".join(f'<li><a href="{topic_path(tag)}" rel="tag">{text(tag)}</a></li>' for tag in story.tags)
    about = "".join(
        f"<p{c('about')}{gold('suppcontent')}>{text(BIOGRAPHIES[name])}</p>"
        for name in story.authors
        if choice(story, name, 3)
    )
    return f"<footer{c('story-footer')}>{about}<ul{c('topics')}{gold('relatedlinks')}>{topics}</ul></footer>"


def _more(story: Story) -> str:
    known = stories(NAME)
    chosen = [known[name] for name in story.related]
    chosen += [other for other in with_tag(NAME, story.tags[0]) if other not in chosen and other != story]
    cards = "".join(card(other, "relatedlinks") for other in chosen[:4])
    return f"<section{c('more')} aria-labelledby='more'><h2 id='more'{gold('relatedlinks')}>More on {text(story.tags[0])}</h2><ul{c('grid')}>{cards}</ul></section>"


def _partners(story: Story) -> str:
    if choice(story, "partners", 3) == 0:
        return ""
    items = "".join(
        f'<li><a rel="sponsored nofollow" href="http://promo.example/l/{slug(words)}?utm_source=lumen"><img src="{href_image(words)}" width="160" height="100" alt="" loading="lazy">{words}</a></li>'
        for words in PARTNERS
    )
    return f"<section{c('partners')} aria-label='Partner stories'{gold('ads')}><h2>Partner stories <small>Paid for</small></h2><ul{c('grid')}>{items}</ul></section>"


def href_image(words: str) -> str:
    """Return the picture of a partner's offer."""
    return f"/i/partners/{slug(words)}.png"
