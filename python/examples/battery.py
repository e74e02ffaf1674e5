# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs SmallCrush on words of NumPy's MT19937 through librivulet (docs/battery.md)."""

import ctypes

import numpy
import rivulet

library = ctypes.CDLL(rivulet.library_path())
library.rivulet_message.restype = ctypes.c_char_p
rng = numpy.random.Generator(numpy.random.MT19937(42))

@ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_uint32))
def draw(_, count, words):
    numpy.ctypeslib.as_array(words, (count,))[:] = rng.integers(2**32, size=count, dtype=numpy.uint32)
    return count

@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_double, ctypes.c_int)
def tell(_, name, statistic, p, fails):
    print(name.decode(), p, "fails" if fails else "")

if library.rivulet_battery(b"small", draw, tell, None) != 0:
    raise RuntimeError(library.rivulet_message().decode())
