"""Figures of the papers, in per cent or as F1 and accuracy, with the place where they stand."""

from typing import NamedTuple


class Figure(NamedTuple):
    """Error in per cent before and after co-training; None where the paper does not say."""

    before: float | None
    after: float | None = None


BASIC = {  # Lee, Kan and Lai 2004, section 7.1; what is after co-training follows from the reductions that it states
    "baseline": Figure(70.6),
    "single view": Figure(35.0),
    "lexical": Figure(33.2, 33.2 * (1 - 0.358)),
    "stylistic": Figure(32.5, 32.5 * (1 - 0.061)),
    "combined": Figure(38.4, 25.0),
}
CSS = {  # section 7.2; after co-training there is only a plot
    "baseline": Figure(83.4),
    "single view": Figure(33.3),
    "lexical": Figure(39.5),
    "stylistic": Figure(39.7),
    "combined": Figure(42.3),
}
IMPORTANCE = {  # section 7.3; the ways of Song et al. 2004 had 14.1, 18.9 and 16.2 on their own pages
    "baseline": Figure(34.1),
    "single view": Figure(19.5),
    "combined": Figure(21.1, 17.6),
}
F1 = {  # table 3: combined, iteration 1 and iteration 20; the labels that it does not list have 0
    "maincontent": (0.829, 0.892),
    "sitenav": (0.705, 0.816),
    "search": (0.509, 0.703),
    "sitecontent": (0.282, 0.148),
    "relatedlinks": (0.276, 0.071),
    "siteimage": (0.195, 0.0),
    "contentimage": (0.118, 0.0),
}
LAI = {  # Lai 2004, section 6: accuracy of the words alone (ten folds), and after co-training
    "title": (0.182, 0.227),
    "timestamp": (0.435, 0.478),
    "reporter": (0.545, 0.591),
    "source": (0.0, 0.0),
    "contentimage": (0.12, 0.16),
    "contentlink": (0.023, 0.068),
    "maincontent": (0.836, 0.910),
    "suppcontent": (0.222, 0.247),
    "subheaders": (0.0, 0.105),
    "relatedlinks": (0.551, 0.582),
    "newsletter": (0.114, 0.229),
    "siteimage": (0.771, 0.806),
    "sitecontent": (0.344, 0.432),
    "sitenav": (0.677, 0.692),
    "ads": (0.095, 0.365),
    "search": (0.583, 0.667),
}
