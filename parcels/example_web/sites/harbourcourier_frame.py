"""Build the frame of every Harbour Courier page: nested tables of 2004, written by hand and not always closed."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

from parcels.example_web.gold import gold
from parcels.example_web.markup import HOSTS, attr, elsewhere, relative, text
from parcels.example_web.stories import Story, stories

NAME = "harbourcourier"
HOST = HOSTS[NAME]
SECTIONS = {
    "local": "Local News",
    "politics": "Politics",
    "business": "Business",
    "sport": "Sport",
    "arts": "Arts & Leisure",
    "sea": "Sea & Science",
}
MOST_READ = ("cannery-jobs", "dog-rescue", "rovers-cup", "flood-wall", "regatta")
FACE = 'face="Verdana, Arial, Helvetica"'
STYLE = """<STYLE type="text/css"><!--
A.menu { color: #003366; text-decoration: none; font-family: Verdana, Arial; font-size: 11px }
A.menu:hover { color: #CC0000 }
.small { font-size: 10px; color: #666666 }
TD.story { font-family: "Times New Roman", Times, serif; font-size: 15px }
--></STYLE>"""
SCRIPT = """<SCRIPT language="JavaScript"><!--
function openWin(u) { window.open(u, 'pop', 'width=480,height=400,scrollbars=yes'); return false }
var today = new Date(); if (document.images) { b1 = new Image(); b1.src = '/images/b_on.gif' }
// --></SCRIPT>"""


def story_path(story: Story) -> str:
    """Return the path of an article: sport and arts have folders, other articles come from a database."""
    if story.section == "sport":
        return f"/sport/2004/{story.slug.replace('-', '_')}.htm"
    if story.section == "arts":
        return f"/arts/{story.slug}.htm"
    return f"/story.asp?id={story.number}"


def href(path: str, target: str) -> str:
    """Return the link from a page at `path` to a target of a story: a slug, site/slug or an address."""
    if ":" in target:
        return target
    if "/" in target:
        return elsewhere(target)
    return attr(relative(path, story_path(stories(NAME)[target])))


def image(
    path: str, name: str, width: int, height: int, alt: str = "", label: str = "siteimage", more: str = ""
) -> str:
    """Return an IMG element of the site."""
    source = relative(path, f"/images/{name}")
    return f'<IMG src="{source}" width={width} height={height} border=0 alt="{attr(alt)}"{more}{gold(label)}>'


def frame(path: str, title: str, centre: str, *, head: str = "", is_wide: bool = False) -> str:
    """Return a whole page around the centre column."""
    centre_width = 610 if is_wide else 440
    right = f"<TD width=10>{image(path, 'spacer.gif', 10, 1)}<TD width=160 valign=top>{_right(path)}"
    if is_wide:
        right = ""
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML><HEAD>
<META http-equiv="Content-Type" content="text/html; charset=windows-1252">
<TITLE>{text(title)}</TITLE>
<META name="generator" content="PageHand 4.1">{head}
{STYLE}
{SCRIPT}
</HEAD>
<BODY bgcolor="#FFFFFF" text="#000000" link="#003366" vlink="#663366" alink="#CC0000" topmargin=0 leftmargin=0>
<CENTER>
{_banner(path)}
{_masthead(path)}
<TABLE width=760 border=0 cellspacing=0 cellpadding=0>
<TR>
<TD width=136 valign=top bgcolor="#DCE6F0">{_menu(path)}
<TD width=10>{image(path, "spacer.gif", 10, 1)}
<TD width={centre_width} valign=top class=story>
{centre}
{right}
</TABLE>
{_footer(path)}
</CENTER>
</BODY></HTML>
"""


def _banner(path: str) -> str:
    return f"""<TABLE width=760 border=0 cellpadding=4><TR><TD align=center{gold("ads")}><FONT {FACE} size=1 color="#999999">ADVERTISEMENT</FONT><BR>
<A href="http://ads.harbourcourier.example/click?b=17"><IMG src="{relative(path, "/ads/banner17.gif")}" width=468 height=60 border=1 alt="Seaview Conservatories: the rain stays out"></A>
</TABLE>"""


def _masthead(path: str) -> str:
    sections = " | ".join(
        f'<A href="{relative(path, f"/{key}/")}"><FONT color="#FFFFFF">{text(name)}</FONT></A>'
        for key, name in SECTIONS.items()
    )
    return f"""<TABLE width=760 border=0 cellspacing=0 cellpadding=0>
<TR><TD rowspan=2 width=330><A href="{relative(path, "/index.htm")}">{image(path, "logo.gif", 320, 64, "The Harbour Courier")}</A>
<TD align=right valign=top{gold("sitecontent")}><FONT {FACE} size=1>Monday, 21 June 2004 &nbsp; Port Ellery: <B>17&deg;C</B>, showers<BR><I>The paper that goes out with the tide</I></FONT></TD>
<TR><TD align=right{gold("search")}>
<FORM action="{relative(path, "/cgi-bin/search.cgi")}" method=get><FONT {FACE} size=1><B>Search the Courier:</B></FONT>
<INPUT type=text name=q size=16 maxlength=40> <SELECT name=where><OPTION selected>All stories<OPTION>Headlines<OPTION>Classifieds</SELECT> <INPUT type=submit value="Go">
</FORM></TD></TR>
</TABLE>
<TABLE width=760 border=0 cellspacing=0 cellpadding=3 bgcolor="#003366"><TR><TD align=center{gold("sitenav")}><FONT {FACE} size=2 color="#FFFFFF"><B><A href="{relative(path, "/index.htm")}"><FONT color="#FFFFFF">Home</FONT></A> | {sections}</B></FONT></TD></TR></TABLE>"""


def _menu(path: str) -> str:
    dot = image(path, "dot.gif", 8, 8, "*")
    items = [(f"/{key}/", name) for key, name in SECTIONS.items()]
    more = [
        ("/about.htm", "About us"),
        ("/contact.htm", "Contact us"),
        ("/archive.htm", "Archive"),
        ("/games/crossword.htm", "Crossword"),  # a page that went with its editor: 404
        ("/privacy.htm", "Privacy"),
        ("/rss.xml", "RSS (new!)"),
    ]

    def rows(links: list[tuple[str, str]]) -> str:
        return "\n".join(
            f'<TR><TD width=10>{dot}<TD><A class=menu href="{relative(path, target)}">{text(name)}</A>'
            for target, name in links
        )

    return f"""
<TABLE width=130 border=0 cellspacing=0 cellpadding=2>
<TR><TD colspan=2 bgcolor="#99B3CC"{gold("sitenav")}><FONT {FACE} size=1><B>NEWS</B></FONT>
<TBODY{gold("sitenav")}>{rows(items)}</TBODY>
<TR><TD colspan=2 bgcolor="#99B3CC"{gold("sitenav")}><FONT {FACE} size=1><B>SERVICES</B></FONT>
<TBODY{gold("sitenav")}>{rows(more)}</TBODY>
</TABLE>
<BR>
<TABLE width=126 border=1 cellspacing=0 cellpadding=3 align=center bordercolor="#99B3CC"><TR><TD bgcolor="#FFFFFF"{gold("sitecontent")}><FONT {FACE} size=1><B>High water</B><BR>Port Ellery<BR>03.51 &nbsp; 4.6 m<BR>16.20 &nbsp; 4.4 m<BR>Sunset 21.34</FONT></TABLE>
<BR><CENTER{gold("sitenav")}><A href="http://directory.example/Top/News/Newspapers/Regional/">{image(path, "listed.gif", 88, 31, "Listed in the Directory")}</A><BR><FONT size=1>Our sister paper:<BR><A href="http://www.meridianpost.example/?utm_source=courier&utm_medium=menu">Meridian Post</A></FONT></CENTER>
{image(path, "spacer.gif", 136, 20)}"""


def _right(path: str) -> str:
    known = stories(NAME)
    read = "\n".join(f'<LI><A href="{_counted(href(path, slug))}">{text(known[slug].title)}</A>' for slug in MOST_READ)
    return f"""
<TABLE width=160 border=0 cellspacing=0 cellpadding=4 bgcolor="#F0F0E0"><TR><TD{gold("newsletter")}><FONT {FACE} size=1><B>E-mail alerts</B><BR>The headlines in your in-box every morning at seven.<BR>
<FORM action="{relative(path, "/cgi-bin/alert.cgi")}" method=post><INPUT type=hidden name=list value=daily><INPUT type=text name=email value="your e-mail" size=14><BR><INPUT type=submit value="Sign me up"></FORM></FONT></TABLE>
<BR>
<TABLE width=160 border=1 cellspacing=0 cellpadding=4 bordercolor="#003366"><TR><TD{gold("sitecontent")}><FONT {FACE} size=1><B>COURIER POLL</B><BR>Should the town build the swing bridge?
<FORM action="{relative(path, "/cgi-bin/vote.cgi")}" method=post><INPUT type=radio name=v value=1>Yes<BR><INPUT type=radio name=v value=2>No<BR><INPUT type=radio name=v value=3>Ask me in 90 years<BR><INPUT type=submit value="Vote"></FORM>
1,204 votes so far. Not scientific.</FONT></TD></TR></TABLE>
<BR>
<TABLE width=160 border=0 cellspacing=0 cellpadding=2><TR><TD bgcolor="#003366"{gold("sitenav")}><FONT {FACE} size=1 color="#FFFFFF"><B>Most read this week</B></FONT>
<TR><TD{gold("sitenav")}><FONT {FACE} size=1><OL>
{read}
</OL></FONT></TABLE>
<TABLE width=160 border=0 cellspacing=0 cellpadding=3 bgcolor="#FFFFCC"><TR><TD{gold("ads")}><FONT {FACE} size=1 color="#666666">Ads by HarbourAds</FONT><BR>
<FONT {FACE} size=1><A href="http://ads.harbourcourier.example/click?t=4"><B>Boat engines from £290</B></A><BR>Serviced, 12-month guarantee. Holm Road.<BR><BR>
<A href="http://ads.harbourcourier.example/click?t=9"><B>Lose a stone by Regatta Day</B></A><BR>Ask Sandra how.<BR><BR><A href="http://ads.harbourcourier.example/click?t=12"><B>Cheap ferry to Kristiansand</B></A><BR>Foot passengers £19 return.</FONT></TABLE>"""


def _counted(link: str) -> str:
    """Add to a link the page that it is on, with an unescaped ampersand as was common in 2004."""
    return f"{link}&ref=most" if "?" in link else link


def _footer(path: str) -> str:
    return f"""<TABLE width=760 border=0 cellspacing=0 cellpadding=6><TR><TD colspan=2><HR size=1 noshade>
<TR><TD{gold("sitenav")}><FONT {FACE} size=1><A href="{relative(path, "/about.htm")}">About</A> - <A href="{relative(path, "/contact.htm")}">Contact</A> - <A href="{relative(path, "/privacy.htm")}">Privacy</A> - <A href="mailto:webmaster@harbourcourier.example">Webmaster</A> - <A href="#top">Top of page</A></FONT>
<TD align=right{gold("sitecontent")}><FONT {FACE} size=1 color="#666666">© 2004 Harbour Courier Newspapers Ltd, 3 Capstan Row, Port Ellery. Tel. 555 0143.<BR>Best viewed at 800 x 600.</FONT>
</TABLE>"""
