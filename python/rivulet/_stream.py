# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams: a generator's numbers as NumPy arrays, by the distributions of the C++ library."""

from __future__ import annotations

import ctypes
import inspect
import operator
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._numbers import Numbers

Array = npt.NDArray[Any]
Size = Union[None, int, "tuple[int, ...]"]
Result = Any  # a number if size is None, else an array of that shape

# rivulet_type and rivulet_interval
_TYPES = {np.dtype(np.uint32): 0, np.dtype(np.uint64): 1, np.dtype(np.float32): 2,
          np.dtype(np.float64): 3}
_REALS = (np.dtype(np.float64), np.dtype(np.float32))
_BITS = (np.dtype(np.uint64), np.dtype(np.uint32))
_INTEGERS = (np.dtype(np.int64), np.dtype(np.uint64))
_WIDTHS = {"unit_vector": 3, "on_disk": 2}  # numbers of a point
_INTERVALS = ("[)", "()", "(]", "[]", "zero_replaced")
# What the library makes: but for "below", integers below a number, by methods of the same name.
_DISTRIBUTIONS = ("bernoulli", "below", "beta", "binomial", "bits", "cauchy", "chi_square",
                  "exponential", "gamma", "geometric", "log_normal", "normal", "on_disk", "poisson",
                  "student", "truncated_normal", "uniform", "unit_vector", "von_mises")


def _parameters(distribution: str, given: tuple[Any, ...], named: dict[str, Any]
                ) -> tuple[Any, ...]:
    """In the library's order, which is that of the method."""
    if distribution not in _DISTRIBUTIONS:
        raise ValueError(f"no distribution {distribution!r} (there are "
                         f"{', '.join(_DISTRIBUTIONS)}). Choose one of these.")
    signature = inspect.signature(getattr(Stream, distribution, lambda n: n))
    wanted = [one for one in signature.parameters.values()
              if one.name not in ("self", "size", "dtype")]
    try:
        bound = inspect.Signature(wanted).bind(*given, **named)
    except TypeError as failure:
        raise TypeError(f"{distribution}: {failure}") from None
    bound.apply_defaults()
    if distribution == "below" and any(value > 2**53 for value in bound.arguments.values()):
        raise ValueError("below: integers below more than 2**53 (its parameter is a double). "
                         "Use integers().")
    return tuple(_interval(value) if name == "interval" else value
                 for name, value in bound.arguments.items())


def _interval(name: str | int) -> int:
    if name in range(len(_INTERVALS)):  # rivulet_interval
        return int(name)
    if name in _INTERVALS:
        return _INTERVALS.index(name)
    raise ValueError(f"interval={name!r} (there are {', '.join(_INTERVALS)}). Choose one of these.")


def _known_type(dtype: Any, allowed: tuple[np.dtype[Any], ...]) -> np.dtype[Any]:
    found: np.dtype[Any] = np.dtype(dtype)
    if found in allowed:
        return found
    names = " and ".join(one.name for one in allowed)
    raise ValueError(f"dtype {found} (this makes {names}). Choose one of these.")


class Stream(Numbers):
    """Stream `id` of a generator and a seed: a sequence of numbers that depends on nothing else.

    generator: a name of rivulet.generators(); the library's default, dcmt521, if None
    seed: 0 .. 2^64 - 1; 20261120 if None
    id: 0 .. 2^40; of counter-based generators up to 2^63 - 1
    seeding: "native", or "published" as the programs did that the generator is known from
    parameters: of twisters "shipped", "published", or a file made by `rivulet create`
    options: the generator's own (docs/deck.md, section streams), such as log2_jump, ij, kl

    Every method takes `size`, None for one number, or an array's shape, and draws from where the
    last one ended. Two threads that use one stream take turns, call by call: for numbers that do
    not depend on their order give each thread a stream.

    >>> stream = Stream("mt19937", seed=1, id=0)
    >>> stream.integers(1, 7, size=10)
    array([6, 3, 4, 2, 6, 2, 1, 2, 1, 5])
    >>> same = Stream("mt19937", seed=1, id=0)
    >>> same.integers(1, 7, size=4), same.integers(1, 7, size=6)
    (array([6, 3, 4, 2]), array([6, 2, 1, 2, 1, 5]))
    """

    def fill(self, out: Array, distribution: str | None = None, *parameters: Any, **named: Any
             ) -> Array:
        """Fills an array of float32 or float64 with numbers in [0, 1), of uint32 or uint64 with
        bits, or with what the method of the name `distribution` draws of these parameters. Counts
        take uint64; "below" with n gives integers below n.

        >>> import numpy as np
        >>> Stream("ranmar48", 42).fill(np.empty(2, np.float32), "exponential", mean=10)
        array([10.033845, 17.70324 ], dtype=float32)
        """
        if not isinstance(out, np.ndarray) or out.dtype not in _TYPES:
            what = f"of {out.dtype}" if isinstance(out, np.ndarray) else f"a {type(out).__name__}"
            raise ValueError(f"out is {what} (it must be a NumPy array of float32, float64, uint32 "
                             "or uint64, of the machine's byte order). Pass one.")
        if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
            raise ValueError("out cannot be filled (it must be C-contiguous, aligned and "
                             "writeable). Fill a new array and copy it: out[...] = "
                             "stream.fill(numpy.empty(out.shape, out.dtype)).")
        if distribution is None:
            distribution = "uniform" if out.dtype.kind == "f" else "bits"
        self._draw(out, distribution, _parameters(distribution, parameters, named))
        return out

    def _draw(self, out: Array, distribution: str, parameters: tuple[float, ...]) -> None:
        width = _WIDTHS.get(distribution, 1)
        if width > 1 and (out.ndim == 0 or out.shape[-1] != width):
            raise ValueError(f"out of shape {out.shape} (each {distribution} has {width} numbers). "
                             f"Pass an array whose last axis has length {width}.")
        if out.size == 0:
            return
        try:
            values = (ctypes.c_double * len(parameters))(*parameters)
        except TypeError:
            raise TypeError(f"{distribution}{parameters} (parameters are numbers). Where they "
                            "differ from element to element, scale and shift an array.") from None
        with self.lock:
            self._library.check(self._library.draw(
                self._sequence, distribution.encode(), len(values), values, _TYPES[out.dtype],
                out.size // width, out.__array_interface__["data"][0]))

    def _new(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        out = np.empty(1 if size is None else size, dtype)
        self._draw(out, distribution, parameters)
        return out[0].item() if size is None else out

    def _real(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        return self._new(size, _known_type(dtype, _REALS), distribution,
                         *parameters)

    def _count(self, size: Size, distribution: str, *parameters: float) -> Result:
        """As int64, which has room for all but numbers below n."""
        counts = self._new(size, np.uint64, distribution, *parameters)
        return counts if size is None else counts.view(np.int64)

    def _points(self, size: Size, dtype: Any, distribution: str) -> Array:
        shape = () if size is None else size if isinstance(size, tuple) else (size,)
        out = np.empty((*shape, _WIDTHS[distribution]), _known_type(dtype, _REALS))
        self._draw(out, distribution, ())
        return out

    def random(self, size: Size = None, dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Uniform in [0, 1), or in "()", "(]", "[]". Doubles have 53 bits, of RANMAR its own."""
        return self._real(size, dtype, "uniform", 0, 1, _interval(interval))

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size = None,
                dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Uniform between low and high."""
        return self._real(size, dtype, "uniform", low, high, _interval(interval))

    def bits(self, size: Size = None, dtype: Any = np.uint64) -> Result:
        """Random bits, as uint64 or uint32."""
        return self._new(size, _known_type(dtype, _BITS), "bits")

    def integers(self, low: int, high: int | None = None, size: Size = None,
                 dtype: Any = np.int64) -> Result:
        """low .. high - 1, or 0 .. low - 1, with exactly equal probabilities, as int64 or uint64."""
        kind = _known_type(dtype, _INTEGERS)
        first, end = (0, low) if high is None else (low, high)
        first, count = operator.index(first), operator.index(end) - operator.index(first)
        limits = np.iinfo(kind)
        if not limits.min <= first < first + count <= limits.max + 1:
            raise ValueError(f"integers from {first} to below {first + count} (they must be one at "
                             f"least, and {kind.name}). Choose others.")
        if count < 1 << 64 and int(float(count)) != count:
            raise ValueError(f"{count} different integers (from 2^53 on the library takes numbers "
                             "alone that a double holds). Choose a smaller range, or a power of 2.")
        drawn = (self._new(size, np.uint64, "bits") if count == 1 << 64 else
                 self._new(size, np.uint64, "below", count))
        if size is None:
            return first + drawn
        drawn += np.uint64(first % (1 << 64))
        return drawn.view(kind)

    def bernoulli(self, p: float = 0.5, size: Size = None) -> Result:
        """True with probability p, as bool."""
        return self._new(size, np.uint64, "bernoulli", p) != 0

    def normal(self, mean: float = 0.0, sigma: float = 1.0, size: Size = None,
               dtype: Any = np.float64) -> Result:
        """Normal variables, by inversion: always one uniform number each. NumPy calls mean and sigma
        loc and scale."""
        return self._real(size, dtype, "normal", mean, sigma)

    def exponential(self, mean: float = 1.0, size: Size = None, dtype: Any = np.float64) -> Result:
        """Exponentially distributed numbers."""
        return self._real(size, dtype, "exponential", mean)

    def gamma(self, shape: float, scale: float = 1.0, size: Size = None, dtype: Any = np.float64
              ) -> Result:
        """Gamma variables, of mean shape * scale."""
        return self._real(size, dtype, "gamma", shape, scale)

    def chi_square(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Chi-square variables."""
        return self._real(size, dtype, "chi_square", degrees)

    def beta(self, a: float, b: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Beta variables, in [0, 1]."""
        return self._real(size, dtype, "beta", a, b)

    def student(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Student's t."""
        return self._real(size, dtype, "student", degrees)

    def log_normal(self, mu: float = 0.0, sigma: float = 1.0, size: Size = None,
                   dtype: Any = np.float64) -> Result:
        """exp of normal variables."""
        return self._real(size, dtype, "log_normal", mu, sigma)

    def truncated_normal(self, mean: float, sigma: float, low: float, high: float,
                         size: Size = None, dtype: Any = np.float64) -> Result:
        """Normal variables between two bounds, which may be infinite."""
        return self._real(size, dtype, "truncated_normal", mean, sigma, low, high)

    def cauchy(self, location: float = 0.0, scale: float = 1.0, size: Size = None,
               dtype: Any = np.float64) -> Result:
        """Cauchy's (Breit-Wigner) numbers; scale is half the width at half the height."""
        return self._real(size, dtype, "cauchy", location, scale)

    def von_mises(self, mean: float, concentration: float, size: Size = None,
                  dtype: Any = np.float64) -> Result:
        """Angles about a mean, in radians, within pi of it."""
        return self._real(size, dtype, "von_mises", mean, concentration)

    def poisson(self, mean: float, size: Size = None) -> Result:
        """Counts of a mean up to 2^40."""
        return self._count(size, "poisson", mean)

    def binomial(self, n: int, p: float, size: Size = None) -> Result:
        """Successes of n trials, up to 2^50."""
        return self._count(size, "binomial", n, p)

    def geometric(self, p: float, size: Size = None) -> Result:
        """Failures before the first success (NumPy counts the success, too)."""
        return self._count(size, "geometric", p)

    def unit_vector(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """x, y, z of length 1, uniform on the sphere: the last axis.

        >>> Stream("philox4x32", 42).unit_vector(5).shape
        (5, 3)
        """
        return self._points(size, dtype, "unit_vector")

    def on_disk(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """x, y, uniform in the disk of radius 1: the last axis."""
        return self._points(size, dtype, "on_disk")
