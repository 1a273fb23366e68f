# SPDX-License-Identifier: Apache-2.0 OR MIT
from typing import Protocol


class Buffer(Protocol):
    """bytes, bytearray, memoryview, mmap, a numpy array or any other contiguous buffer."""

    def __buffer__(self, flags: int, /) -> memoryview: ...
