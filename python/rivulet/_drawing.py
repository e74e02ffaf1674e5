# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The base class of Stream, which draws arrays or single numbers from a named distribution of the library."""

from __future__ import annotations

import ctypes
import difflib
import functools
from typing import Any, NoReturn, Union

import numpy as np
import numpy.typing as npt

from ._numbers import Numbers

Array = npt.NDArray[Any]
Size = Union[None, int, "tuple[int, ...]"]
Reals = Any  # a number or an array
Result = Any  # a number if size is None, else an array of shape size

# Values of rivulet_type (rivulet.h).
_TYPES = {np.dtype(np.uint32): 0, np.dtype(np.uint64): 1, np.dtype(np.float32): 2,
          np.dtype(np.float64): 3, np.dtype(np.int64): 1}
REALS: tuple[np.dtype[Any], ...] = (np.dtype(np.float64), np.dtype(np.float32))
BITS: tuple[np.dtype[Any], ...] = (np.dtype(np.uint64), np.dtype(np.uint32))
INTEGERS: tuple[np.dtype[Any], ...] = (np.dtype(np.int64), np.dtype(np.uint64))
_PIECE = 1 << 24  # numbers (or points) per library call; Python handles Ctrl-C between calls
_WIDTHS = {"unit_vector": 3, "on_disk": 2}  # numbers per point


@functools.lru_cache(maxsize=256)
def _doubles(*parameters: float) -> Any:
    return (ctypes.c_double * len(parameters))(*parameters)


def checked_dtype(dtype: Any, allowed: tuple[np.dtype[Any], ...]) -> np.dtype[Any]:
    found: np.dtype[Any] = np.dtype(dtype)
    if found in allowed:
        return found
    names = " or ".join(one.name for one in allowed)
    raise ValueError(f"dtype {found} (this method draws {names}). Pass one of these as dtype.")


_NUMPY_NAMES = {"randint": "integers", "rand": "random", "randn": "standard_normal", "lognormal": "log_normal",
                "chisquare": "chi_square", "vonmises": "von_mises", "standard_t": "student", "jumped": "skipped",
                "advance": "skip"}


class Drawing(Numbers):
    """A sequence that draws from the library's distributions."""

    def __getattr__(self, name: str) -> NoReturn:  # only for attributes that do not exist
        if name == "capsule":
            raise AttributeError("a Stream is not a bit generator of NumPy (it has its own distributions). Use "
                                 "these, or numpy.random.Generator(rivulet.BitGenerator(...)).")
        meant = _NUMPY_NAMES.get(name) or next(iter(difflib.get_close_matches(name, dir(type(self)), 1, 0.85)), "")
        if not meant and hasattr(np.random.Generator, name):
            meant = f"numpy.random.Generator(rivulet.BitGenerator(...)).{name}"
        advice = f"Use {meant}." if meant else "Its methods are on the page docs/python.md."
        error = AttributeError(f"a Stream has no attribute {name!r}. {advice}")
        error.name = name  # otherwise Python adds a suggestion of its own
        raise error

    def _draw(self, out: Array, distribution: str, parameters: tuple[float, ...]) -> None:
        width = _WIDTHS.get(distribution, 1)
        if width > 1 and (out.ndim == 0 or out.shape[-1] != width):
            raise ValueError(f"out of shape {out.shape} (each {distribution} has {width} numbers). "
                             f"Pass an array whose last axis has length {width}.")
        if out.size == 0:
            return
        try:
            values = _doubles(*parameters)
        except TypeError:
            raise TypeError(f"{distribution}{parameters} (parameters are numbers). Where they "
                            "differ from element to element, scale and shift an array.") from None
        address, points = out.__array_interface__["data"][0], out.size // width
        with self.lock:
            for first in range(0, points, _PIECE):
                self._library.check(self._library.draw(
                    self._sequence, distribution.encode(), len(values), values, _TYPES[out.dtype],
                    min(_PIECE, points - first), address + first * width * out.itemsize))
        if distribution == "geometric" and out.dtype == np.int64:  # the library draws uint64
            counts = out.view(np.uint64)
            np.minimum(counts, np.uint64(2**63 - 1), out=counts)

    # Single numbers are drawn ahead into a list and popped from its end, because a library call takes ten times as
    # long as a pop. After a refill, the library's sequence is still at the start of the list. Every other method uses
    # the property _sequence, which first moves the sequence past the popped numbers and discards the list.

    _ahead_law: tuple[str, tuple[float, ...]] | None = None  # distribution and parameters of the numbers in the list
    _ahead: list[Any] = []
    _ahead_size = 0  # initial length of the list
    _numbers_per_item = 0  # how many of the generator's own numbers each item uses

    @property
    def _sequence(self) -> int:
        if self._ahead_law is None:
            return self._handle
        with self.lock:
            used, self._ahead_law = self._ahead_size - len(self._ahead), None
            self._ahead, self._ahead_size = [], 0
            if used > 0:
                self._library.check(self._library.skip_power(self._handle, used * self._numbers_per_item, 0))
        return self._handle

    def _next(self, law: tuple[str, tuple[float, ...]]) -> Any:
        """Returns one double of a distribution, or 32 random bits for "bits"."""
        with self.lock:
            try:
                is_same = self._ahead_law == law
            except ValueError:  # a parameter is an array; _draw raises TypeError
                is_same = False
            if is_same:
                return self._ahead.pop() if self._ahead else self._refilled(*law)
            out = np.empty(1, np.uint32 if law[0] == "bits" else np.float64)
            self._draw(out, *law)
            self._ahead_law = law
            return out[0].item()

    def _refilled(self, distribution: str, parameters: tuple[float, ...]) -> Any:
        capacity = min(8 * self._ahead_size or 16, 1024)
        law, sequence = self._ahead_law, self._sequence
        out = np.empty(capacity, np.uint32 if distribution == "bits" else np.float64)
        count, numbers_per_item = ctypes.c_int64(), ctypes.c_int64()
        self._library.check(self._library.draw_ahead(
            sequence, distribution.encode(), len(parameters), _doubles(*parameters), _TYPES[out.dtype],
            capacity, out.__array_interface__["data"][0], ctypes.byref(count), ctypes.byref(numbers_per_item)))
        self._ahead_law, self._ahead_size, self._numbers_per_item = law, count.value, numbers_per_item.value
        self._ahead = out[count.value - 1::-1].tolist() if count.value < capacity else out[::-1].tolist()
        return self._ahead.pop()

    def _new(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        out = np.empty(1 if size is None else size, dtype)
        self._draw(out, distribution, parameters)
        return out[0].item() if size is None else out

    def _real(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        return self._new(size, checked_dtype(dtype, REALS), distribution, *parameters)

    def _points(self, size: Size, dtype: Any, distribution: str) -> Array:
        shape = () if size is None else np.empty(size, np.void).shape
        out = np.empty((*shape, _WIDTHS[distribution]), checked_dtype(dtype, REALS))
        self._draw(out, distribution, ())
        return out
