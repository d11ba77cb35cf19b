"""A model's folder that was sent to the executors as the bytes of a zip file."""

import io
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, cast


@cache
def opened_folder(data: bytes, opening: Callable[[Traversable], Any]) -> Any:
    """The model in the zip file, opened once a process."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    archive.filename = "sent to the executors"  # for messages: a path needs a name
    return opening(cast(Traversable, zipfile.Path(archive)))
