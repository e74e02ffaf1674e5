# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bit generator for numpy.random.Generator."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.random.bit_generator import SeedlessSeedSequence

from ._library import Library
from ._numbers import Numbers

_NAME = b"BitGenerator"  # name that NumPy gives the capsule
_in_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_in_capsule.restype = ctypes.c_void_p
_in_capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
_FUNCTIONS = ("next_uint64", "next_uint32", "next_double", "next_raw")


class _Bitgen(ctypes.Structure):
    """NumPy's bitgen_t (numpy/random/bitgen.h)."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("state", *_FUNCTIONS)]


class BitGenerator(Numbers, np.random.BitGenerator):  # type: ignore[misc]
    """A stream as a bit generator for numpy.random.Generator. Takes the same arguments as Stream.

    NumPy calls the library directly, without Python. Generator.random() returns the same numbers as
    Stream.random(). NumPy computes all other distributions by its own methods.

    >>> import numpy, rivulet
    >>> rng = numpy.random.Generator(rivulet.BitGenerator("ranmar48", seed=42, id=7))
    >>> rng.random(2), rivulet.Stream("ranmar48", seed=42, id=7).random(2)
    (array([0.53920277, 0.64598192]), array([0.53920277, 0.64598192]))
    """

    _buffer = 32768  # numbers; NumPy calls once for each number, so refills should be rare
    capsule: Any  # set by NumPy; numpy.random.Generator reads the functions from it
    lock: Any = None  # makes the attribute assignable (NumPy's is read-only); Numbers sets it

    def _create(self, lib: Library, function: Callable[..., int], generator: str,
                *arguments: Any) -> None:
        np.random.BitGenerator.__init__(self, SeedlessSeedSequence())  # type: ignore[arg-type]
        super()._create(lib, function, generator, *arguments)
        bitgen = _Bitgen.from_address(_in_capsule(self.capsule, _NAME))
        bitgen.state = self._sequence
        for name in _FUNCTIONS:
            called = getattr(lib.cdll, "rivulet_" + name)
            setattr(bitgen, name, ctypes.cast(called, ctypes.c_void_p))

    def jumped(self, jumps: int = 1) -> NoReturn:
        """Raises NotImplementedError: an independent stream needs another `id`, not a jump."""
        raise NotImplementedError("BitGenerator has no jumped() (streams differ by their ids). Use another id: "
                                  "BitGenerator(name, seed, id=1). skipped(count) stays in the same stream.")

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Returns the generator's next words: an int if `size` is None, else a uint64 array of shape `size`.

        With `output=False`, draws `size` words and returns None, as NumPy's bit generators do.
        """
        draw: Any = super().random_raw
        with self.lock:
            return draw(size, output)
