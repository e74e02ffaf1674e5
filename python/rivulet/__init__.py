# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel streams of random numbers for NumPy, and access to the results of the program `rivulet`.

>>> import rivulet
>>> stream = rivulet.Stream("philox4x32", seed=42, id=7)
>>> stream.random(3)
array([0.40598197, 0.42380966, 0.89791735])

docs/python.md is the manual.
"""

from __future__ import annotations

from typing import NoReturn

from ._bitgen import BitGenerator
from ._library import generators, library_path, library_version
from ._program import run
from ._results import Results, open  # pylint: disable=redefined-builtin
from ._stream import Stream


def __getattr__(name: str) -> NoReturn:  # only for names that the module lacks
    advice = (" Use rivulet.Stream(seed=42), or numpy.random.Generator(rivulet.BitGenerator(seed=42))."
              if name in ("default_rng", "Generator", "RandomState", "SeedSequence", "random", "seed") else "")
    raise AttributeError(f"module 'rivulet' has no attribute {name!r}.{advice}")


__version__ = "0.1.0"
__all__ = ["BitGenerator", "Results", "Stream", "generators", "library_path", "library_version",
           "open", "run"]
