"""A readable stream of known size that keeps its own position: the base of archive files."""

import io


class Positioned(io.RawIOBase):
    """Position and size of a stream. A class derived from it has `read`, which moves `at`."""

    def __init__(self, size: int, at: int = 0):
        self.size, self.at = size, at

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the position."""
        return self.at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Set the position; nothing is read before the next `read`."""
        self.at = max({io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence] + offset, 0)
        return self.at
