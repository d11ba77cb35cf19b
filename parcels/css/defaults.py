"""The user-agent style sheet.

Values are those of the HTML standard, section 15 (Rendering), and of Chromium's sheet where they differ.
"""

from functools import cache

from parcels.css.columns import COLUMN
from parcels.css.sheets.declarations import parse_block
from parcels.css.sheets.packed import PackedValues
from parcels.css.values.longhands import Values

# Tags and their declarations. A tag may occur in several lines.
_SHEET = """
html body div article section nav main aside header footer address hgroup search p h1 h2 h3 h4 h5 h6 hr pre xmp listing
plaintext blockquote center ul ol dl dt dd dir menu form fieldset legend figure figcaption details summary dialog
frameset frame layer noframes optgroup option { display: block }
head script style title base link meta template noscript area datalist param rp source track noembed
basefont { display: none }
frame frameset { display: block }
slot rtc { display: contents }
body { margin: 8px }
p dl { margin-top: 1em; margin-bottom: 1em }
ul ol menu dir { margin-top: 1em; margin-bottom: 1em; padding-left: 40px }
li { display: list-item }
summary { display: list-item }
dd { margin-left: 40px }
blockquote figure { margin: 1em 40px }
pre xmp listing plaintext { margin-top: 1em; margin-bottom: 1em; white-space: pre }
pre xmp listing plaintext tt code kbd samp { font-family: monospace }
h1 { font-size: 2em; margin-top: 0.67em; margin-bottom: 0.67em; font-weight: bold }
h2 { font-size: 1.5em; margin-top: 0.83em; margin-bottom: 0.83em; font-weight: bold }
h3 { font-size: 1.17em; margin-top: 1em; margin-bottom: 1em; font-weight: bold }
h4 { margin-top: 1.33em; margin-bottom: 1.33em; font-weight: bold }
h5 { font-size: 0.83em; margin-top: 1.67em; margin-bottom: 1.67em; font-weight: bold }
h6 { font-size: 0.67em; margin-top: 2.33em; margin-bottom: 2.33em; font-weight: bold }
hr { margin: 0.5em auto; border: 1px inset; color: gray; overflow: hidden; box-sizing: border-box }
b strong { font-weight: bolder }
i em cite var dfn address { font-style: italic }
u ins { text-decoration: underline }
abbr acronym { text-decoration: none }
small { font-size: smaller }
big { font-size: larger }
sub sup { font-size: smaller }
sub { vertical-align: sub }
sup { vertical-align: super }
mark { background-color: #ffff00; color: #000 }
nobr { white-space: nowrap }
center { text-align: -webkit-center }
table { display: table; border-spacing: 2px; border-collapse: separate; box-sizing: border-box; text-indent: 0 }
caption { display: table-caption; text-align: -webkit-center }
thead tbody tfoot { display: table-row-group; vertical-align: middle }
tr { display: table-row }
td th { display: table-cell; padding: 1px; vertical-align: inherit }
th { font-weight: bold }
col colgroup { display: table-column }
input select button textarea meter progress { display: inline-block }
input select button textarea { margin: 0; text-indent: 0; letter-spacing: 0; text-transform: none; white-space: normal;
  font: 13.333px Arial; color: #000; text-align: start; line-height: normal }
input { padding: 1px 2px; border: 2px inset; background-color: #fff }
button { padding: 1px 6px; border: 2px outset; background-color: #efefef; text-align: center; box-sizing: border-box }
select { border: 1px solid; background-color: #fff; box-sizing: border-box; white-space: pre }
textarea { padding: 2px; border: 1px solid; background-color: #fff; font-family: monospace; white-space: pre-wrap }
meter progress { box-sizing: border-box; height: 1em; width: 10em }
meter { width: 5em }
fieldset { margin: 0 2px; padding: 0.35em 0.75em 0.625em; border: 2px groove }
legend { padding: 0 2px }
iframe { border: 2px inset }
video { overflow: hidden }
svg { overflow: hidden }
dialog { position: absolute; left: 0; right: 0; width: fit-content; height: fit-content; margin: auto; border: solid;
  padding: 1em; background-color: #fff; color: #000 }
marquee { display: inline-block; overflow: hidden }
ruby rt { display: inline }
rt { font-size: 50% }
img video audio canvas embed object { overflow: hidden }
img { overflow: visible }
"""
# In quirks mode a table starts afresh: HTML quirks mode, section 3.1 (tables inherit color from body).
_QUIRKS = """
table { font-size: medium; font-weight: 400; font-style: normal; line-height: normal; text-align: start;
  white-space: normal; color: -webkit-text }
input textarea { box-sizing: border-box }
"""
ROW_MIDDLE = "row-middle"  # the row group's alignment, else the middle
HEAD_CENTRE = "head-centre"  # the middle, unless an ancestor sets text-align
TABLE_START = "table-start"  # <center> and align=center do not apply inside tables
LISTS = frozenset(["ul", "ol", "dir", "menu", "dl"])
_LIST_RESET = parse_block("margin-top: 0; margin-bottom: 0").values()
_NOTHING = PackedValues({})


@cache
def _sheet(is_quirky: bool, is_nested: bool) -> dict[str, PackedValues]:
    by_tag: dict[str, Values] = {}
    by_tag["tr"] = {COLUMN["vertical-align"]: ROW_MIDDLE}
    by_tag["table"] = {COLUMN["text-align"]: TABLE_START}
    by_tag["th"] = {COLUMN["text-align"]: HEAD_CENTRE}
    for rule in (_SHEET + (_QUIRKS if is_quirky else "")).split("}"):
        tags, _, body = rule.partition("{")
        for tag in tags.split():
            by_tag.setdefault(tag, {}).update(parse_block(body).values())
    if is_nested:
        for tag in LISTS:
            by_tag.setdefault(tag, {}).update(_LIST_RESET)
    return {tag: PackedValues(values) for tag, values in by_tag.items()}


def user_agent_style(tag: str, *, is_quirky: bool = False, is_nested: bool = False) -> PackedValues:
    """Return the user-agent declarations for a tag; nested lists differ. The result is shared: do not change it.

    >>> user_agent_style("b").values == user_agent_style("strong").values, user_agent_style("no-such-tag").values
    (True, {})
    """
    return _sheet(is_quirky, is_nested).get(tag, _NOTHING)
