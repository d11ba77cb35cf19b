"""From when on a leaf counts as hidden. Not compiled: compiled modules read them into C numbers of their own."""

from parcels.tags import lookup

# Why a reader cannot see a leaf, the reason that counts first.
REASONS = (None, "display", "visibility", "size", "off-screen", "colour", "covered")
SEEN_PX = 1.0  # what is less wide or high than this is not seen
LEAST_FONT_PX = 2.0
LEAST_OPACITY = 0.01
OPAQUE = 0.95
ALIKE = 8  # of 255: two colours whose parts differ by no more cannot be told apart
MOST_COVERS = 1000  # boxes that are asked whether they cover leaves, the largest of a page
MOST_AT_ONCE = 100_000  # leaves of the boxes that may cut them off, in one step
MOST_PAIRS = 2000  # of colours that are compared beforehand
WHITE = 0xFFFFFF  # the canvas
ALPHA_OPAQUE = round(OPAQUE * 255)
IS_PICTURE = lookup("img video iframe embed canvas")
# What hides its overflow and cuts nothing off: what the root and the body hide is the window's.
CUTS_NOTHING = lookup("html body img video audio iframe embed canvas object svg input textarea select")
