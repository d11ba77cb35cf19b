"""Build the frame of every Meridian Post page: floats, boxes and scripts of 2012, half XHTML and half HTML5."""

# ruff: noqa: E501 - such pages have long lines, and where they break is part of the markup

from parcels.example_web.gold import gold
from parcels.example_web.markup import HOSTS, attr, elsewhere, said, text
from parcels.example_web.stories import Story, in_section, stories

NAME = "meridianpost"
HOST = HOSTS[NAME]
HOME = f"http://{HOST}"
SECTIONS = {
    "world": "World",
    "politics": "Politics",
    "business": "Business",
    "technology": "Technology",
    "sport": "Sport",
    "culture": "Culture",
    "science": "Science",
}
MOST_READ = ("bank-branches", "stadium-name", "open-buses", "mountain-stage", "film-archive")
PICKS = ("cork-forests", "bridge-sensors", "opera-tickets")
ENTITIES = {"“": "&ldquo;", "”": "&rdquo;", "’": "&#8217;", "é": "&eacute;", "í": "&#237;", "–": "&ndash;"}
PARTNERS = (
    ("ten-gadgets", "Ten gadgets that pay for themselves before Christmas"),
    ("dentists", "Dentists are talking about this one kitchen herb"),
    ("villa", "See what a villa in Alentejo costs in 2012"),
    ("broker", "Trade copper from your sofa: the beginner's guide"),
)


def soup(value: str) -> str:
    """Write characters beyond ASCII as named entities where there are some, as one content system did."""
    out = text(value).replace(" per cent", "&nbsp;per cent")
    for char, entity in ENTITIES.items():
        out = out.replace(char, entity)
    return out


def story_path(story: Story) -> str:
    """Return the path of an article."""
    return f"/{story.section}/{story.published[:4]}/{story.published[5:7]}/{story.slug}-{story.number}.html"


def link(slug: str, campaign: str = "") -> str:
    """Return the path of an article by its slug, with campaign parameters if `campaign` is given."""
    path = story_path(stories(NAME)[slug])
    return f"{path}?utm_source=post&amp;utm_medium={campaign}" if campaign else path


def href(target: str) -> str:
    """Return the address of a target of a story: a slug, site/slug or an address."""
    if ":" in target:
        return target
    if "/" in target:
        return elsewhere(target)
    name, mark, fragment = target.partition("#")
    return link(name) + mark + fragment


def thumb(story: Story, width: int, height: int) -> str:
    """Return a small picture in a list of articles."""
    if story.picture is None:
        return ""
    return f'<img src="/media/thumb/{story.number}_{width}x{height}.png" width="{width}" height="{height}" alt="{attr(story.picture.alt)}"{gold("siteimage")} />'


def frame(
    path: str,
    title: str,
    content: str,
    *,
    section: str = "",
    head: str = "",
    crumbs: str = "",
    body_class: str = "front",
) -> str:
    """Return a whole page around the content column."""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />
<title>{text(title)} | Meridian Post</title>
{head}<link rel="stylesheet" type="text/css" href="/css/reset.css" />
<link rel="stylesheet" type="text/css" href="/css/layout.css?v=118" media="all" />
<link rel="stylesheet" type="text/css" href="/css/article.css?v=118" media="all" />
<!--[if lt IE 9]>
<script type="text/javascript" src="/js/html5.js"></script>
<link rel="stylesheet" type="text/css" href="/css/ie.css" />
<![endif]-->
<link rel="alternate" type="application/rss+xml" title="Meridian Post" href="/rss.xml" />
<style type="text/css">.hp-{section or "home"} {{ border-color: #7a1f2b }} #promo-bar {{ background: #fff3c4; padding: 6px }}</style>
<script type="text/javascript">
//<![CDATA[
var MP = MP || {{}}; MP.page = {{ "section": "{section}", "path": "{path}" }};
document.write('<scr' + 'ipt src="/js/base.js"></scr' + 'ipt>');
$(function () {{ $('.tabs li').click(function () {{ $('#latest').html('<p class="loading">Loading&hellip;</p>'); }}); }});
//]]>
</script>
</head>
<body class="{body_class}">
<div id="skip" class="offscreen"{gold("sitenav")}><a href="#content">Skip to content</a></div>
<div id="promo-bar"{gold("newsletter")}>Read the Post on your telephone: <a href="/apps.html?utm_source=bar&amp;utm_campaign=apps">get the app</a> <a href="#" onclick="$('#promo-bar').hide(); return false">x</a></div>
<div id="leaderboard"{gold("ads")}><div class="ad-label">Advertisement</div>
<iframe src="/ads/frame.html?slot=top" width="728" height="90" frameborder="0" scrolling="no" title="Advertisement"></iframe>
<noscript><a href="http://promo.example/cruise"><img src="/ads/728x90.png" alt="ad" /></a></noscript></div>
<div id="page">
{_masthead(section)}
<div id="crumbs"{gold("sitenav")}>{crumbs or '<a href="/">Home</a>'}</div>
<div id="wrap" class="clearfix">
<div id="content">
{content}
</div>
{_sidebar()}
</div>
{_footer()}
</div>
<div id="lightbox" style="display:none"{gold("sitecontent")}><p>Close picture</p></div>
<div class="overlay" hidden="hidden"{gold("newsletter")}><p>Enjoying the Post? Take it for a month at half price.</p></div>
<noscript><div class="nojs">JavaScript is off in your browser.</div></noscript>
<script type="text/javascript">MP.stats = '<img src="/stats.gif?p=' + escape(location.pathname) + '" alt="" />';</script>
</body>
</html>
"""


def _masthead(section: str) -> str:
    items = []
    for key, name in SECTIONS.items():
        top = "".join(
            f'<li><a href="{link(story.slug)}">{text(story.title)}</a></li>' for story in in_section(NAME, key)[:2]
        )
        mark = ' class="on"' if key == section else ""
        items.append(
            f'<li{mark}><a href="/{key}/">{name}</a>\n<ul class="sub">{top}<li><a href="/{key}/">All {name.lower()} &raquo;</a></li></ul></li>'
        )
    return f"""<div id="masthead">
<a class="logo" href="/"><img src="/media/logo.png" width="290" height="46" alt="Meridian Post"{gold("siteimage")} /></a>
<div class="date"{gold("sitecontent")}>Friday 18 May 2012 &middot; Calderwick 14&deg; &middot; <span class="motto">Noon everywhere</span></div>
<div class="user"{gold("sitenav")}><a href="/login.html">Log in</a> | <a href="/register.html"{gold("newsletter")}>Subscribe</a> | Edition: <a href="/">Home</a> / <a href="/world/">World</a></div>
<form id="searchform" action="/search" method="get"{gold("search")}><fieldset><label class="offscreen" for="q">Search</label><input class="field" id="q" name="q" type="text" value="Search the Post" onfocus="this.value=''" /><input class="go" type="submit" value="Search" /></fieldset></form>
</div>
<div id="nav"{gold("sitenav")}><ul class="menu">
<li><a href="/">Home</a></li>
{chr(10).join(items)}
</ul></div>"""


def _sidebar() -> str:
    known = stories(NAME)
    read = "".join(
        f'<li><span class="n">{n}</span><a href="{link(slug, "mostread")}">{soup(known[slug].title)}</a></li>\n'
        for n, slug in enumerate(MOST_READ, 1)
    )
    latest = "".join(
        f'<li><a href="{link(story.slug)}">{text(story.title)}</a> <span>{said(story.published, "%H:%M")}</span></li>'
        for story in list(known.values())[:4]
    )
    picks = "".join(
        f'<li class="clearfix">{thumb(known[slug], 80, 60)} <a href="{link(slug)}">{text(known[slug].title)}</a></li>\n'
        for slug in PICKS
    )
    return f"""<div id="sidebar">
<div class="mpu"{gold("ads")}><div class="ad-label">Advertisement</div><iframe src="/ads/frame.html?slot=mpu" width="300" height="230" frameborder="0"></iframe></div>
<div class="box mostread"{gold("sitenav")}><ul class="tabs clearfix"><li class="on">Most read</li><li>Latest</li></ul>
<ol class="ranked">{read}</ol>
<ul id="latest" style="display: none">{latest}</ul></div>
<div class="box newsletter"{gold("newsletter")}><h3>The Noon Letter</h3><p>Six stories, every working day at twelve.</p>
<form action="/newsletter/thanks.html" method="post"><input type="text" name="email" placeholder="Your e-mail address" /> <select name="freq"><option>Daily</option><option>Weekly</option></select> <button type="submit">Sign up</button></form></div>
<div class="box"{gold("sitenav")}><h3>Editor&rsquo;s choice</h3><ul class="picks">{picks}</ul></div>
<div class="box markets"{gold("sitecontent")}><h3>Markets</h3><table><tr><td>Calder 40</td><td>3,118.4</td><td class="down">&minus;0.6%</td></tr><tr><td>Copper</td><td>7,642</td><td>+0.2%</td></tr></table><p class="note">Delayed by 15 minutes.</p></div>
<div class="box promo"{gold("ads")}><span class="ad-label">Promotion</span><a href="http://promo.example/cruise?utm_source=meridian"><img src="/ads/cruise.png" width="300" height="100" alt="Fjord cruises from 499" /></a></div>
</div>"""


def _footer() -> str:
    columns = "".join(
        f'<div class="col"><h4>{name}</h4><ul><li><a href="/{key}/">Front page</a></li><li><a href="/{key}/rss.xml">RSS</a></li>'
        + "".join(
            f'<li><a href="{link(story.slug)}">{text(story.title.split(",")[0].split(":")[0])}</a></li>'
            for story in in_section(NAME, key)[:1]
        )
        + "</ul></div>\n"
        for key, name in list(SECTIONS.items())[:5]
    )
    return f"""<div id="footer"><div class="clearfix"{gold("sitenav")}>
{columns}<div class="col"><h4>The Post</h4><ul><li><a href="/about.html">About us</a></li><li><a href="/contact.html">Contact</a></li><li><a href="/privacy.html">Privacy</a></li><li><a href="/jobs/">Jobs</a></li><li><a href="/authors.html">Our writers</a></li><li><a href="/tags.html">All topics</a></li><li><a href="http://www.harbourcourier.example/">Harbour Courier</a></li></ul></div>
</div><p class="legal"{gold("sitecontent")}>&copy; 2012 Meridian Post Publishing. Registered at Calderwick no. 10482. The Post is not responsible for the content of other sites. <a href="/privacy.html"{gold("sitenav")}>Cookies</a></p></div>"""
