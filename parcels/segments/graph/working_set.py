"""The quadratic programme of a structural SVM over its working set of constraints, solved in the dual.

A constraint requires the slack of its example to be at least `level - direction . w`. The dual has one multiplier per
constraint; those of one example add up to at most C / N. The solver moves weight from the least to the most violated
constraint of each example until no example can gain more than the tolerance.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PASSES = 5  # per call; later constraints move the optimum anyway
STEPS = 10  # moves per example and pass


class WorkingSet:
    """Constraints by example, their multipliers, and the resulting weights."""

    def __init__(self, examples: int, width: int, strength: float):
        self.cap = strength / max(examples, 1)
        self.weights: Floats = np.zeros(width)
        self._directions: list[Floats] = [np.zeros((0, width)) for _ in range(examples)]
        self._levels: list[Floats] = [np.zeros(0) for _ in range(examples)]
        self._alphas: list[Floats] = [np.zeros(0) for _ in range(examples)]

    def __len__(self) -> int:
        return sum(len(levels) for levels in self._levels)

    def slack(self, example: int) -> float:
        """Return the largest violation among the constraints of an example, at least 0."""
        violated = self._levels[example] - self._directions[example] @ self.weights
        return float(violated.max(initial=0.0))

    def add(self, example: int, direction: Floats, level: float) -> None:
        """Add a constraint."""
        self._directions[example] = np.append(self._directions[example], direction[None], axis=0)
        self._levels[example] = np.append(self._levels[example], level)
        self._alphas[example] = np.append(self._alphas[example], 0.0)

    def solve(self, tolerance: float) -> bool:
        """Optimise; returns True once no example can gain more than the tolerance."""
        examples = [number for number, levels in enumerate(self._levels) if len(levels)]
        for _ in range(PASSES):
            if max([self._improve(example, tolerance) for example in examples], default=0.0) <= tolerance:
                return True
        return False

    def objective(self) -> float:
        """Return the primal objective over these constraints."""
        slacks = sum(self.slack(example) for example in range(len(self._levels)))
        return float(self.weights @ self.weights) / 2 + self.cap * slacks

    def _improve(self, example: int, tolerance: float) -> float:
        """Move the multipliers of one example; returns the initial difference of violations."""
        directions, alphas = self._directions[example], self._alphas[example]
        if not len(alphas):
            return 0.0
        first = 0.0
        for step in range(STEPS):
            violated = self._levels[example] - directions @ self.weights
            up = int(violated.argmax())
            free = self.cap - float(alphas.sum())
            held = np.where(alphas > 0, violated, np.inf)
            down = int(held.argmin())
            # The slack itself is a constraint with violation 0 and takes part like the others.
            high, low = max(float(violated[up]), 0.0), min(float(held[down]), 0.0 if free > 1e-15 else np.inf)
            gap = high - low
            if step == 0:
                first = gap
            if gap <= tolerance / 2:
                break
            is_up, is_down = violated[up] > 0, held[down] <= low
            move = (directions[up] if is_up else 0.0) - (directions[down] if is_down else 0.0)
            room = float(alphas[down]) if is_down else free
            length = float(np.dot(move, move)) if is_up or is_down else 0.0
            size = room if length <= 1e-18 else min(room, gap / length)
            if is_up:
                alphas[up] += size
            if is_down:
                alphas[down] = max(0.0, alphas[down] - size)
            self.weights = self.weights + size * move
        return first
