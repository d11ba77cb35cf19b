"""Learners, calibration and co-training.

In: a matrix of numbers (NaN for missing values), sparse counts of words (`words.Words`) and labels.
Out: fitted learners (`learner.Learner`), stored as plain data (`stored.py`), and their probabilities.

Fitting may need SciPy, scikit-learn or LightGBM (the extra `learn`); prediction needs only NumPy.
"""
