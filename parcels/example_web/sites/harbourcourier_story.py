"""Build a Harbour Courier article: the centre column in its variants, and the printer's version."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

from parcels.example_web.gold import gold
from parcels.example_web.markup import attr, choice, inline, relative, said, text
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
from parcels.example_web.stories import Piece, Story, stories


def article(path: str, story: Story, *, canonical: str = "") -> str:
    """Return the page of an article."""
    head = f'\n<LINK rel="canonical" href="http://{HOST}{canonical}">' if canonical else ""
    head += f'\n<META name="description" content="{attr(story.lead[:140])}">'
    crumbs = f"""<FONT {FACE} size=1{gold("sitenav")}><A href="{relative(path, "/index.htm")}">Home</A> &gt; <A href="{relative(path, f"/{story.section}/")}">{text(SECTIONS[story.section])}</A></FONT><BR>"""
    centre = f"""<A name="top"></A>
{crumbs}
<!-- begin story {story.number} -->
{_heading(story)}
{_tools(path, story)}
{_photo(path, story)}
{_body(path, story)}
{_tail(story)}
<!-- end story -->
{_related(path, story)}"""
    return frame(path, f"Harbour Courier: {story.title}", centre, head=head)


def print_version(path: str, story: Story) -> str:
    """Return the page for the printer: no frame, a logo, the text."""
    return f"""<HTML><HEAD><META http-equiv="Content-Type" content="text/html; charset=windows-1252">
<META name="robots" content="noindex"><TITLE>Print: {text(story.title)}</TITLE></HEAD>
<BODY bgcolor=white onLoad="if (window.print) window.print()">
<P>{image(path, "logo.gif", 160, 32, "The Harbour Courier")}
<P><FONT size=1{gold("sitenav")}>[<A href="{attr(relative(path, story_path(story)))}">Back to the story</A>]</FONT>
{_heading(story)}
{_body(path, story)}
{_tail(story)}
<HR><P><FONT size=1{gold("sitecontent")}>Printed from the Harbour Courier, http://{HOST}/. © 2004. Not for resale.</FONT>
</BODY></HTML>
"""


def _heading(story: Story) -> str:
    variant = 3 if story.section == "sport" else choice(story, "heading", 3)
    title = text(story.title)
    date, byline = _date(story, variant), _byline(story, variant)
    if variant == 0:
        return f"<H2{gold('title')}>{title}</H2>\n{date}{byline}"
    if variant == 1:
        return f'{date}<FONT size="+2" color="#003366"{gold("title")}><B>{title}</B></FONT><BR>\n{byline}'
    if variant == 2:
        return f"<H1{gold('title')}><FONT size=5>{title}</FONT></H1>\n{byline}{date}"
    return f"""<TABLE width="100%" border=0 cellpadding=4 bgcolor="#006633"><TR><TD{gold("title")}><FONT {FACE} size=4 color="#FFFFFF"><B>{title}</B></FONT></TABLE>
{byline}{date}"""


def _date(story: Story, variant: int) -> str:
    if not story.is_dated:
        return ""
    has_time = "T" in story.published
    forms = ("%A, %-d %B %Y", "%-d-%b-%Y", "%a %-d %B %Y", "%B %-d, %Y")
    clocks = (", %H:%M", " %H:%M", ", %H.%M", " at %H:%M")
    said_at = said(story.published, forms[variant] + (clocks[variant] if has_time else ""))
    out = f'<FONT {FACE} size=1 color="#666666"{gold("timestamp")}>{said_at}'
    if story.updated:
        out += f"<BR>Last updated: {said(story.updated, forms[variant] + clocks[variant])}"
    return out + "</FONT><BR>\n"


def _byline(story: Story, variant: int) -> str:
    out = ""
    if story.authors:
        names = " and ".join(
            f'<A href="mailto:{story.emails[name]}">{text(name)}</A>'
            if variant == 0 and name in story.emails
            else f"<B>{text(name)}</B>"
            for name in story.authors
        )
        by = "From our man on the touchline, " if story.section == "sport" and len(story.authors) == 1 else "By "
        out = f"<FONT size=2{gold('reporter')}>{by}{names}</FONT><BR>\n"
    if story.source and story.dateline != "agency":
        out += f"<I><FONT size=2{gold('source')}>{text(story.source)}</FONT></I><BR>\n"
    return out


def _tools(path: str, story: Story) -> str:
    target = relative(path, f"/print.asp?id={story.number}")
    return f"""<TABLE border=0 cellspacing=0 cellpadding=2><TR><TD{gold("sitenav")}><A href="{target}">{image(path, "print.gif", 16, 16, "Print")}</A> <FONT {FACE} size=1><A href="{target}">Printer-friendly version</A> &nbsp;|&nbsp; <A href="javascript:openWin('/cgi-bin/mail.cgi')">E-mail this story</A></FONT></TABLE>"""


def _photo(path: str, story: Story) -> str:
    if story.picture is None:
        return ""
    side = "left" if choice(story, "photo", 3) == 0 else "right"
    picture = story.picture
    return f"""<TABLE width=220 border=0 cellspacing=0 cellpadding=4 align={side} bgcolor="#EEEEEE"><TR><TD><IMG src="{relative(path, f"/photos/{story.number}.gif")}" width=210 height=140 alt="{attr(picture.alt)}"{gold("contentimage")}>
<TR><TD{gold("suppcontent")}><FONT {FACE} size=1>{text(picture.caption)} <I>{text(picture.credit)}</I></FONT></TABLE>"""


def _body(path: str, story: Story) -> str:
    """Return the paragraphs: P elements without an end, or two BR elements inside one FONT."""
    main = gold("maincontent")
    out, is_first = [], True
    is_br = story.style == "br"
    if story.dateline == "field":
        out.append(f"<FONT {FACE} size=1{gold('country')}>{text(story.place)}</FONT><BR><BR>")
    if is_br:
        out.append(f'<FONT face="Georgia, Times" size=3{main}>')
    is_open = choice(story, "open", 2) == 0
    for piece in story.body:
        if piece.kind == "paragraph":
            line = inline(piece.lines[0], lambda target: href(path, target), emphasis="I")
            start = _dateline(story) if is_first else ""
            is_first = False
            if is_br:
                out.append(f"{start}{line}<BR><BR>")
            elif is_open:
                out.append(f'<P align="left"{main}><FONT size=3>{start}{line}')  # neither is closed
            else:
                out.append(f"<P{main}>{start}{line}</P>")
        else:
            out.append(_other(piece))
    return "\n".join(out) + ("</FONT>" if is_br else "")


def _other(piece: Piece) -> str:
    if piece.kind == "header":
        return f"<H4{gold('subheaders')}>{text(piece.lines[0])}</H4>"
    if piece.kind == "list":
        items = "\n".join(f"<LI>{text(line)}" for line in piece.lines)
        return f"<UL{gold('maincontent')}>\n{items}\n</UL>"
    raise ValueError(f"the Harbour Courier has no markup for a piece of kind {piece.kind!r}")


def _dateline(story: Story) -> str:
    place, source = text(story.place), text(story.source)
    if story.dateline == "bold":
        return f"<B{gold('country')}>{place}</B> -- "
    if story.dateline == "caps":
        return f"{place} -- "
    if story.dateline == "agency":
        variant = choice(story, "dateline", 3)
        if variant == 0:
            return f"<B{gold('country')}>{place}</B> <I{gold('source')}>({source})</I> -- "
        if variant == 1:
            return f"<B{gold('country')}>{place} ({source}) --</B> "
        return f"{place} ({source}) -- "
    return ""


def _tail(story: Story) -> str:
    name = next(iter(story.emails), "")
    if not name or choice(story, "tail", 2) == 0:
        return "<BR clear=all>"
    email = story.emails[name]
    return f"""<P><FONT {FACE} size=1{gold("reporter")}><I>You can reach {text(name)} at <A href="mailto:{email}">{email}</A>.</I></FONT></P><BR clear=all>"""


def _related(path: str, story: Story) -> str:
    if not story.related:
        return ""
    known = stories(NAME)
    rows = "\n".join(
        f'<TR><TD width=10 valign=top>{image(path, "arrow.gif", 8, 8, ">")}<TD{gold("relatedlinks")}><FONT {FACE} size=2><A href="{href(path, slug)}">{text(known[slug].title)}</A></FONT> <FONT size=1 color="#666666">({said(known[slug].day, "%-d %b")})</FONT>'
        for slug in story.related
    )
    return f"""<TABLE width="100%" border=0 cellspacing=0 cellpadding=3><TR><TD colspan=2 bgcolor="#DCE6F0"{gold("relatedlinks")}><FONT {FACE} size=1><B>RELATED STORIES</B></FONT>
{rows}
</TABLE>"""
