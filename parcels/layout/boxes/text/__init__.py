"""Measure text: widths of letters and words in the font of the virtual screen.

In: texts and font sizes. Out: widths in CSS pixels.
"""
