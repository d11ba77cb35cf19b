"""The parts of co-training on Spark: training set, pool and checkpoints. The loop is `parcels.learn.cotrain`.

In: annotations, features and the settings of a run. Out: the blocks that each round labelled.
"""
