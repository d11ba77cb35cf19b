"""Learners and co-training: arrays in, arrays out.

A learner (`learner.Learner`) is fitted on numbers (a matrix, NaN where a value is missing) and words (`words.Words`).
Fitting may use SciPy, scikit-learn or LightGBM (the extra `learn`); predicting needs NumPy alone, and a
stored learner is plain data (`stored.py`).
"""
