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
          np.dtype(np.float64): 3, np.dtype(np.int64): 1}
_REALS: tuple[np.dtype[Any], ...] = (np.dtype(np.float64), np.dtype(np.float32))
_BITS: tuple[np.dtype[Any], ...] = (np.dtype(np.uint64), np.dtype(np.uint32))
_INTEGERS: tuple[np.dtype[Any], ...] = (np.dtype(np.int64), np.dtype(np.uint64))
_MAKES: dict[str, tuple[np.dtype[Any], ...]] = {
    "bits": _BITS, "bernoulli": (np.dtype(bool), np.dtype(np.uint64)),
    **dict.fromkeys(("below", "binomial", "geometric", "integers", "poisson"), _INTEGERS)}
_PIECE = 1 << 24  # numbers of a call: between calls Python sees Ctrl-C
_WIDTHS = {"unit_vector": 3, "on_disk": 2}  # numbers of a point
_INTERVALS = ("[)", "()", "(]", "[]", "zero_replaced")
# Methods, and "below", the library's integers below a number.
_DISTRIBUTIONS = ("bernoulli", "below", "beta", "binomial", "bits", "cauchy", "chi_square",
                  "exponential", "gamma", "geometric", "integers", "log_normal", "normal", "on_disk",
                  "poisson", "random", "student", "truncated_normal", "uniform", "unit_vector",
                  "von_mises")


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


def _require_fillable(out: Any, distribution: str | None) -> None:
    allowed = _MAKES.get(distribution, _REALS) if distribution else _REALS + _BITS
    if not isinstance(out, np.ndarray) or out.dtype not in allowed:
        what = f"of {out.dtype}" if isinstance(out, np.ndarray) else f"a {type(out).__name__}"
        names = " or ".join(one.name for one in allowed)
        raise ValueError(f"out is {what} ({distribution or 'this'} fills NumPy arrays of {names}, "
                         "of the machine's byte order). Pass one.")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError("out cannot be filled (it must be C-contiguous, aligned and "
                         "writeable). Fill a new array and copy it: out[...] = "
                         "stream.fill(numpy.empty(out.shape, out.dtype)).")


class Stream(Numbers):
    """Stream `id` of a generator and a seed: a sequence of numbers that depends on nothing else.

    generator: a name of rivulet.generators(); philox4x32 if None
    seed: 0 .. 2^64 - 1; 20261120 if None; with seeding="published" only mt19937 and mtgp11213 use it
    id: 0 .. 2^40; of counter-based generators up to 2^63 - 1
    seeding: "native", or "published" as the programs did that the generator is known from
    parameters: of twisters "shipped", "published", or a file made by `rivulet create`
    options: the generator's own (docs/deck.md, section streams), such as log2_jump, ij, kl

    Methods return a Python number if `size` is None, else an array of that shape and of `dtype`.
    Each draws from where the last one ended. Two threads that use one stream take turns, call by
    call: for numbers that do not depend on their order give each thread a stream.

    >>> stream = Stream("philox4x32", seed=1, id=0)
    >>> stream.integers(1, 7, size=10)
    array([6, 6, 4, 5, 5, 6, 3, 4, 2, 4])
    >>> same = Stream("philox4x32", seed=1, id=0)
    >>> same.integers(1, 7, size=4), same.integers(1, 7, size=6)
    (array([6, 6, 4, 5]), array([5, 6, 3, 4, 2, 4]))
    """

    def fill(self, out: Array, distribution: str | None = None, *parameters: Any, **named: Any
             ) -> Array:
        """Fills an array of float32 or float64 with numbers in [0, 1), of uint32 or uint64 with
        bits, or with what the method of the name `distribution` draws of these parameters, in a
        `dtype` of that method. Counts also take uint64, bernoulli too (0 and 1).

        >>> import numpy as np
        >>> Stream("ranmar48", 42).fill(np.empty(2, np.float32), "exponential", mean=10)
        array([10.033845, 17.70324 ], dtype=float32)
        """
        has_bits = isinstance(out, np.ndarray) and out.dtype in _BITS
        name = distribution or ("bits" if has_bits else "uniform")
        values = _parameters(name, parameters, named)
        _require_fillable(out, distribution)
        if name == "integers":
            self._integers(out, *values)
        elif out.dtype == bool:
            out[...] = self.bernoulli(values[0], out.shape)
        elif name == "random":
            self._draw(out, "uniform", (0, 1, *values))
        else:
            self._draw(out, name, values)
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
        address, points = out.__array_interface__["data"][0], out.size // width
        with self.lock:
            for first in range(0, points, _PIECE):
                self._library.check(self._library.draw(
                    self._sequence, distribution.encode(), len(values), values, _TYPES[out.dtype],
                    min(_PIECE, points - first), address + first * width * out.itemsize))
        if distribution == "geometric" and out.dtype == np.int64:  # the library's are uint64
            counts = out.view(np.uint64)
            np.minimum(counts, np.uint64(2**63 - 1), out=counts)

    def _new(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        out = np.empty(1 if size is None else size, dtype)
        self._draw(out, distribution, parameters)
        return out[0].item() if size is None else out

    def _real(self, size: Size, dtype: Any, distribution: str, *parameters: float) -> Result:
        return self._new(size, _known_type(dtype, _REALS), distribution,
                         *parameters)

    def _count(self, size: Size, distribution: str, *parameters: float) -> Result:
        return self._new(size, np.int64, distribution, *parameters)

    def _points(self, size: Size, dtype: Any, distribution: str) -> Array:
        shape = () if size is None else np.empty(size, np.void).shape
        out = np.empty((*shape, _WIDTHS[distribution]), _known_type(dtype, _REALS))
        self._draw(out, distribution, ())
        return out

    def random(self, size: Size = None, dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Uniform in [0, 1), or in an `interval` "()", "(]" or "[]", or "zero_replaced": [0, 1) with
        the least other number in place of 0. Doubles have 53 bits (ranmar24: 24;
        other RANMAR, ranluxpp and mixmax17: 48).
        """
        return self._real(size, dtype, "uniform", 0, 1, _interval(interval))

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size = None,
                dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Uniform between `low` and `high`, with an `interval` as of random()."""
        return self._real(size, dtype, "uniform", low, high, _interval(interval))

    def bits(self, size: Size = None, dtype: Any = np.uint64) -> Result:
        """Random bits, as uint64 or uint32."""
        return self._new(size, _known_type(dtype, _BITS), "bits")

    def integers(self, low: int, high: int | None = None, size: Size = None,
                 dtype: Any = np.int64) -> Result:
        """`low` .. `high` - 1, or 0 .. `low` - 1 if `high` is None, with exactly equal probabilities, as
        int64 or uint64."""
        out = np.empty(1 if size is None else size, _known_type(dtype, _INTEGERS))
        self._integers(out, low, high)
        return out[0].item() if size is None else out

    def _integers(self, out: Array, low: int, high: int | None) -> None:
        first, end = (0, low) if high is None else (low, high)
        first, count = operator.index(first), operator.index(end) - operator.index(first)
        limits = np.iinfo(out.dtype)
        if not limits.min <= first < first + count <= limits.max + 1:
            raise ValueError(f"integers from {first} to below {first + count} (they must be one at "
                             f"least, and {out.dtype}). Choose others.")
        if count < 1 << 64 and int(float(count)) != count:
            raise ValueError(f"{count} different integers (from 2^53 on the library takes numbers "
                             "alone that a double holds). Choose a smaller range, or a power of 2.")
        words = out.view(np.uint64)
        self._draw(words, *(("bits", ()) if count == 1 << 64 else ("below", (count,))))
        words += np.uint64(first % (1 << 64))

    def bernoulli(self, p: float = 0.5, size: Size = None) -> Result:
        """True with probability `p`, 0 .. 1, as bool."""
        drawn = self._new(size, np.uint64, "bernoulli", p)
        return bool(drawn) if size is None else drawn.astype(bool)

    def normal(self, mean: float = 0.0, sigma: float = 1.0, size: Size = None,
               dtype: Any = np.float64) -> Result:
        """Normal variables, by inversion: one uniform number each. `sigma` >= 0 is the standard
        deviation (NumPy: loc, scale)."""
        return self._real(size, dtype, "normal", mean, sigma)

    def exponential(self, mean: float = 1.0, size: Size = None, dtype: Any = np.float64) -> Result:
        """Exponential variables of mean `mean` > 0 (NumPy: scale)."""
        return self._real(size, dtype, "exponential", mean)

    def gamma(self, shape: float, scale: float = 1.0, size: Size = None, dtype: Any = np.float64
              ) -> Result:
        """Gamma variables of mean `shape` * `scale`, both > 0."""
        return self._real(size, dtype, "gamma", shape, scale)

    def chi_square(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Chi-square variables of `degrees` > 0 degrees of freedom (NumPy: chisquare, df)."""
        return self._real(size, dtype, "chi_square", degrees)

    def beta(self, a: float, b: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Beta variables in [0, 1], of density ~ x^(a-1) (1-x)^(b-1); `a`, `b` > 0."""
        return self._real(size, dtype, "beta", a, b)

    def student(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Student's t of `degrees` > 0 degrees of freedom (NumPy: standard_t, df)."""
        return self._real(size, dtype, "student", degrees)

    def log_normal(self, mu: float = 0.0, sigma: float = 1.0, size: Size = None,
                   dtype: Any = np.float64) -> Result:
        """exp of normal variables of mean `mu` and standard deviation `sigma` >= 0 (NumPy: lognormal,
        mean, sigma)."""
        return self._real(size, dtype, "log_normal", mu, sigma)

    def truncated_normal(self, mean: float, sigma: float, low: float, high: float,
                         size: Size = None, dtype: Any = np.float64) -> Result:
        """Normal variables of `mean` and standard deviation `sigma` > 0 (before the truncation) between
        the bounds `low` and `high`, which may be infinite."""
        return self._real(size, dtype, "truncated_normal", mean, sigma, low, high)

    def cauchy(self, location: float = 0.0, scale: float = 1.0, size: Size = None,
               dtype: Any = np.float64) -> Result:
        """Cauchy (Breit-Wigner) variables around `location`; `scale` > 0 is half the width at half the
        height (NumPy: standard_cauchy, of 0 and 1)."""
        return self._real(size, dtype, "cauchy", location, scale)

    def von_mises(self, mean: float, concentration: float, size: Size = None,
                  dtype: Any = np.float64) -> Result:
        """Angles in radians, within pi of `mean` (NumPy: mu); `concentration` >= 0 (kappa)."""
        return self._real(size, dtype, "von_mises", mean, concentration)

    def poisson(self, mean: float, size: Size = None) -> Result:
        """Counts of mean `mean`, 0 .. 2^40 (NumPy: lam), as int64."""
        return self._count(size, "poisson", mean)

    def binomial(self, n: int, p: float, size: Size = None) -> Result:
        """Successes of `n` trials, 0 .. 2^50, each of probability `p`, as int64."""
        return self._count(size, "binomial", n, p)

    def geometric(self, p: float, size: Size = None) -> Result:
        """Failures before the first success, of probability `p` >= 2^-58, as int64: at most 2^63 - 1,
        where uint64 (see fill) have a few larger ones. NumPy counts the success, too."""
        return self._count(size, "geometric", p)

    def unit_vector(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """Points x, y, z (the last axis) uniform on the sphere of radius 1.

        >>> Stream("philox4x32", 42).unit_vector(5).shape
        (5, 3)
        """
        return self._points(size, dtype, "unit_vector")

    def on_disk(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """Points x, y (the last axis) uniform in the disk of radius 1."""
        return self._points(size, dtype, "on_disk")
