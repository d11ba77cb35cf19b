"""Build a Meridian Post article: heading, tools, text, tags, related, author, comments, partners."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

from collections.abc import Callable

from parcels.example_web.gold import gold
from parcels.example_web.markup import attr, choice, inline, said, slug, text
from parcels.example_web.sites.meridianpost_frame import (
    HOME,
    NAME,
    PARTNERS,
    SECTIONS,
    frame,
    href,
    link,
    soup,
    story_path,
    thumb,
)
from parcels.example_web.stories import Piece, Story, stories, tags, with_tag

BIOGRAPHIES = {
    "Naomi Castellane": "Naomi Castellane writes about trade and the people in its way. She has reported from 31 countries.",
    "Tobias Renner": "Tobias Renner covers transport. He does not like flying.",
    "Gareth Pomeroy": "Gareth Pomeroy has been the Post’s political correspondent since 2001.",
    "Priscilla Vane": "Priscilla Vane is the business editor.",
    "Felix Arkwright": "Felix Arkwright writes about machines that talk to one another.",
    "Marguerite Hallam": "Marguerite Hallam reports on schools, archives and other places with shelves.",
    "Rory Mackellan": "Rory Mackellan has seen 412 finals and remembers most of them.",
    "Jerome Saltash": "Jerome Saltash is the Post’s critic at large.",
    "Sunniva Dahl": "Sunniva Dahl trained as a chemist and is the science correspondent.",
    "Owen Strake": "Owen Strake is a reporter and photographer based in Brackenford.",
    "Lena Aubrey": "Lena Aubrey takes pictures for the Post and counts things.",
    "Inês Valadares": "Inês Valadares is a photographer in Lisbon.",
    "Batmunkh Erdene": "Batmunkh Erdene reports for Orbis Newswire from Ulaanbaatar.",
}
SHARES = ("Share", "Chirp", "E-mail", "Print")


def tag_path(tag: str) -> str:
    """Return the path of a topic's page."""
    return f"/tag/{slug(tag)}/"


def author_path(name: str) -> str:
    """Return the path of an author's page."""
    return f"/author/{slug(name)}.html"


def article(path: str, story: Story, *, canonical: str = "") -> str:
    """Return the page of an article."""
    is_modern = choice(story, "modern", 2) == 0
    escape: Callable[[str], str] = soup if choice(story, "soup", 2) == 0 else text
    tag = "article" if is_modern else "div"
    head = f"""<meta name="description" content="{attr(story.lead[:155])}" />
<meta name="keywords" content="{attr(", ".join(story.tags))}" />
"""
    if canonical:
        head += f'<link rel="canonical" href="{HOME}{canonical}" />\n'
    if choice(story, "opengraph", 3):
        head += (
            f'<meta property="og:title" content="{attr(story.title)}" /><meta property="og:type" content="article" />\n'
        )
    content = f"""<{tag} class="{"article" if is_modern else "hentry article"}" id="a{story.number}">
<p class="kicker"{gold("sitenav")}><a href="/{story.section}/">{SECTIONS[story.section]}</a></p>
<h1 class="entry-title"{gold("title")}>{escape(story.title)}</h1>
{_standfirst(story, escape)}{_byline(story, is_modern=is_modern)}
{_share(story)}
{_picture(story, escape)}<div class="body entry-content">
{_body(story, escape)}
</div>
</{tag}>
{_tags(story)}{_related(story)}{_author(story)}{_partners(story)}{_comments(story)}"""
    crumbs = f'<a href="/">Home</a> &raquo; <a href="/{story.section}/">{SECTIONS[story.section]}</a> &raquo; <span>{text(story.tags[0])}</span>'
    return frame(path, story.title, content, section=story.section, head=head, crumbs=crumbs, body_class="art")


def _standfirst(story: Story, escape: Callable[[str], str]) -> str:
    if not story.standfirst:
        return ""
    tag = "h2" if choice(story, "standfirst", 2) else "p"
    return f'<{tag} class="standfirst"{gold("maincontent")}>{escape(story.standfirst)}</{tag}>\n'


def _byline(story: Story, *, is_modern: bool) -> str:
    parts = []
    if story.authors:
        names = [f'<a rel="author" href="{author_path(name)}">{text(name)}</a>' for name in story.authors]
        parts.append(f'<span class="author vcard"{gold("reporter")}>By {" and ".join(names)}</span>')
    if story.source:
        parts.append(f'<span class="source"{gold("source")}>{text(story.source)}</span>')
    if story.place and _place_style(story) == "byline":
        parts.append(f'<span class="location"{gold("country")}>in {text(story.place)}</span>')
    iso = story.published
    if is_modern:
        stamp = f'<time datetime="{iso}" pubdate="pubdate">{said(iso, "%-d %B %Y, %H:%M")}</time>'
    else:
        stamp = f'<abbr class="published" title="{iso}">{said(iso, "%A %-d %B %Y %H.%M BST")}</abbr>'
    if story.updated:
        stamp += f' <span class="updated">Last updated at {said(story.updated, "%H:%M")}</span>'
    return f'<div class="byline clearfix">{" ".join(parts)} <span class="date"{gold("timestamp")}>{stamp}</span></div>'


def _place_style(story: Story) -> str:
    return ("byline", "above", "strong")[choice(story, "place", 3)]


def _share(story: Story) -> str:
    url = attr(f"{HOME}{story_path(story)}")
    items = "".join(
        f'<li><a href="http://share.example/{name.lower()}?u={url}" rel="nofollow">{name}</a></li>'
        for name in SHARES[:3]
    )
    count = f'<li class="cc"><a href="#comments">{len(story.comments)} comments</a></li>' if story.comments else ""
    return f"""<ul class="share"{gold("sitenav")}>{items}<li><a href="javascript:window.print()">{SHARES[3]}</a></li>{count}
<li class="like"><iframe src="/widgets/like?id={story.number}" width="80" height="20" frameborder="0"></iframe></li></ul>"""


def _picture(story: Story, escape: Callable[[str], str]) -> str:
    if story.picture is None:
        return ""
    picture = story.picture
    return f"""<div class="main-picture"><img src="/media/{story.number}_460x288.png" width="460" height="288" alt="{attr(picture.alt)}"{gold("contentimage")} />
<p class="caption"{gold("suppcontent")}>{escape(picture.caption)} <span class="credit">{escape(picture.credit)}</span></p></div>
"""


def _body(story: Story, escape: Callable[[str], str]) -> str:
    out = []
    start = ""
    if story.place and _place_style(story) == "above":
        out.append(f'<p class="place"{gold("country")}>{text(story.place)}</p>')
    if story.place and _place_style(story) == "strong":
        start = f'<strong class="dateline"{gold("country")}>{text(story.place)}</strong> &mdash; '
    paragraphs = 0
    for piece in story.body:
        if piece.kind == "paragraph":
            line = inline(piece.lines[0], href, escape=escape)
            style = ' style="font-size: 17px"' if paragraphs == 0 and choice(story, "first", 2) else ""
            out.append(f"<p{style}{gold('maincontent')}>{start}{line}</p>")
            start = ""
            paragraphs += 1
            if paragraphs == 4:
                out.append(_ad_in_text(story))
        else:
            out.append(_other(story, piece, escape))
    return "\n".join(part for part in out if part)


def _ad_in_text(story: Story) -> str:
    if choice(story, "ad", 2):
        return ""
    return f'<div class="mpu inline"{gold("ads")}><p class="ad-label">Advertisement</p><iframe src="/ads/frame.html?slot=text" width="300" height="230" frameborder="0"></iframe></div>'


def _other(story: Story, piece: Piece, escape: Callable[[str], str]) -> str:
    main = gold("maincontent")
    if piece.kind == "header":
        tag = "h2" if choice(story, "header", 2) else "h3"
        return f"<{tag}{gold('subheaders')}>{escape(piece.lines[0])}</{tag}>"
    if piece.kind == "list":
        items = "".join(f"<li>{inline(line, href, escape=escape)}</li>" for line in piece.lines)
        return f'<ul class="facts"{main}>{items}</ul>'
    if piece.kind == "quote":
        lines = "".join(
            f"<cite>{escape(line.removeprefix('-- '))}</cite>" if line.startswith("-- ") else f"<p>{escape(line)}</p>"
            for line in piece.lines
        )
        return f"<blockquote{main}>{lines}</blockquote>"
    if piece.kind == "pull":
        return f'<div class="pullquote"{gold("suppcontent")}><span>&ldquo;</span>{escape(piece.lines[0])}<span>&rdquo;</span></div>'
    if piece.kind == "table":
        rows = [piece.cells(n) for n in range(len(piece.lines))]
        head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
        rest = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
        return f'<table class="data"{main}><tr>{head}</tr>\n{rest}</table>'
    if piece.kind == "image":
        alt, *words = piece.cells()
        caption = f'<p class="caption"{gold("suppcontent")}>{escape(" ".join(words))}</p>' if words else ""
        return f'<div class="picture"><img src="/media/{story.number}_300x188.png" width="300" height="188" alt="{attr(alt)}"{gold("contentimage")} />{caption}</div>'
    if piece.kind == "video":
        title, length = piece.cells()
        return f"""<div class="video"><iframe src="/embed/{story.number}" width="460" height="259" frameborder="0" title="{attr(title)}"{gold("contentimage")}></iframe>
<p{gold("suppcontent")}><strong>Video:</strong> {escape(title)} <span class="len">({length})</span></p></div>"""
    raise ValueError(f"the Meridian Post has no markup for a piece of kind {piece.kind!r}")


def _tags(story: Story) -> str:
    known = tags(NAME)
    items = ", ".join(
        f'<li><a rel="tag" href="{tag_path(tag)}">{text(tag)}</a></li>' for tag in story.tags if tag in known
    )
    return (
        f'<div class="tags"{gold("relatedlinks")}><span>Topics:</span> <ul style="display:inline">{items}</ul></div>\n'
    )


def _related(story: Story) -> str:
    if not story.related:
        return ""
    known = stories(NAME)
    items = "".join(
        f'<li>{thumb(known[name], 120, 75)}<h4><a href="{link(name)}">{text(known[name].title)}</a></h4><span class="meta">{said(known[name].published, "%-d %B")}</span></li>\n'
        for name in story.related
    )
    first = story.tags[0]
    more = f'<p><a href="{tag_path(first)}">More on {text(first)} ({len(with_tag(NAME, first))})</a></p>'
    return f'<div class="related"{gold("relatedlinks")}><h3>Related stories</h3><ul class="clearfix">{items}</ul>{more}</div>\n'


def _author(story: Story) -> str:
    boxes = []
    for name in story.authors:
        if name not in BIOGRAPHIES or choice(story, f"box {name}", 4) == 0:
            continue
        boxes.append(
            f'<div class="authorbox clearfix"><img src="/media/people/{slug(name)}.png" width="64" height="64" alt="{attr(name)}"{gold("siteimage")} />'
            f"<div{gold('suppcontent')}><h4>About the author</h4><p>{text(BIOGRAPHIES[name])}</p></div>"
            f'<p{gold("sitenav")}><a href="{author_path(name)}">All articles by {text(name.split()[0])}</a></p></div>\n'
        )
    return "".join(boxes)


def _partners(story: Story) -> str:
    if choice(story, "partners", 3) == 0:
        return ""
    items = "".join(
        f'<li><a href="http://promo.example/{key}?utm_source=meridian&amp;utm_campaign=a{story.number}" rel="nofollow"><img src="/ads/{key}.png" width="130" height="90" alt="" /><span>{text(title)}</span></a></li>\n'
        for key, title in PARTNERS
    )
    return f'<div class="sponsored"{gold("ads")}><h4>From our partners <small>(sponsored)</small></h4><ul class="clearfix">{items}</ul><a class="what" href="/about.html#ads">What is this?</a></div>\n'


def _comments(story: Story) -> str:
    label = gold("suppcontent")
    if not story.comments:
        closed = "Comments on this article are closed." if choice(story, "closed", 2) else ""
        return f'<div id="comments"><p{label}>{closed}</p></div>' if closed else ""
    items = "".join(
        f'<li id="c{n}"><img class="avatar" src="/media/avatar{n % 3}.png" width="40" height="40" alt=""{gold("siteimage")} /><strong>{text(name)}</strong> <span class="when">{text(when)}</span><p>{soup(words)}</p><a href="#reply-c{n}">Reply</a> &middot; <a href="#report-c{n}">Report</a></li>\n'
        for n, (name, when, words) in enumerate(story.comments, 1)
    )
    return f"""<div id="comments"{label}><h3>Comments ({len(story.comments)})</h3>
<ol class="commentlist">{items}</ol>
<form id="commentform" action="/comment" method="post"><p class="error" style="visibility: hidden">Please fill in your name.</p>
<label for="cn">Name</label><input id="cn" name="name" type="text" /><label for="ce">E-mail (will not be shown)</label><input id="ce" name="email" type="text" />
<label for="cc">Your comment</label><textarea id="cc" name="comment" rows="5" cols="50"></textarea><input type="hidden" name="article" value="{story.number}" /><input type="checkbox" name="notify" /> Tell me about replies <input type="submit" value="Post comment" /></form></div>
"""
