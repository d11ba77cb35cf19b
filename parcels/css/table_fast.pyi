from typing import Any

import numpy as np
from numpy.typing import NDArray

def fill(
    cells: Any,
    style: NDArray[np.intc],
    columns: list[NDArray[np.int32]],
    floats: NDArray[np.float32],
    codes: NDArray[np.int8],
    facts: NDArray[np.bool_],
    colours: NDArray[np.uint32],
    families: NDArray[np.int16],
) -> None: ...
