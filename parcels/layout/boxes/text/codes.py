"""Characters that the measuring of texts knows by number."""

TABLED = 0x530  # Latin, Greek, Cyrillic, Armenian's first: characters below are looked up one by one
PUNCTUATION_FROM, PUNCTUATION_TO = 0x2000, 0x2070  # dashes, quotes, dots, and blanks of no width
IDEOGRAPHS = 0x2E80  # from here on a character is as wide as it is high and a line may end behind it
BLANK, END, HYPHEN = 32, 10, 45
