# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A bit generator for numpy.random.Generator."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ._library import Library
from ._numbers import Numbers

_NAME = b"BitGenerator"  # by which NumPy knows the capsule
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class _Bitgen(ctypes.Structure):
    """NumPy's bitgen_t (numpy/random/bitgen.h)."""

    _fields_ = [("state", ctypes.c_void_p), ("next_uint64", ctypes.c_void_p),
                ("next_uint32", ctypes.c_void_p), ("next_double", ctypes.c_void_p),
                ("next_raw", ctypes.c_void_p)]


class BitGenerator(Numbers):
    """Stream `id` of a generator and a seed for NumPy's distributions; arguments as of Stream.

    NumPy calls functions of the library, none of Python. random() has the numbers of
    Stream.random(); other distributions are NumPy's own.

    >>> import numpy, rivulet
    >>> rng = numpy.random.Generator(rivulet.BitGenerator("ranmar48", seed=42, id=7))
    >>> rng.random(2), rivulet.Stream("ranmar48", seed=42, id=7).random(2)
    (array([0.53920277, 0.64598192]), array([0.53920277, 0.64598192]))
    """

    _buffer = 4096  # a call for each number: refills should be rare

    def _create(self, one: Library, function: Callable[..., int], generator: str,
                *arguments: Any) -> None:
        super()._create(one, function, generator, *arguments)
        functions = (ctypes.cast(getattr(one.cdll, "rivulet_" + name), ctypes.c_void_p)
                     for name, _ in _Bitgen._fields_[1:])
        self._bitgen = _Bitgen(self._sequence, *functions)
        #: What NumPy takes the functions from.
        self.capsule = _new_capsule(ctypes.addressof(self._bitgen), _NAME, None)
