"""What co-training over a store needs: the pool of unlabelled blocks, its scoring, and the checkpoint of each round.

In: annotations, features and the settings of a run. Out: what a round has chosen.
"""
