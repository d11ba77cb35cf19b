"""Numbers that all of the flow knows by name. Not compiled: compiled modules read them into C numbers of their own."""

# What an element is to the flow, by tag.
BOX, REPLACED, BREAK, BREAK_CHANCE = 0, 1, 2, 3

MOST_PX = 1e6  # no number of a page is taken for more: 1e30 px must not spoil the sums
VIEW_HEIGHT = 800.0  # of the window that fixed boxes and percentages of the page's height refer to
ROUNDING = 0.05  # px that a line may be overrun by
DEEPEST = 100  # boxes within boxes; up to six of Python's thousand frames each
