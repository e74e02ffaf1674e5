# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The class Stream, which draws NumPy arrays of random numbers from the distributions of the C++ library."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ._drawing import BITS, INTEGERS, REALS, Array, Drawing, Reals, Result, Size, checked_dtype

_DTYPES: dict[str, tuple[np.dtype[Any], ...]] = {
    "bits": BITS, "bernoulli": (np.dtype(bool), np.dtype(np.uint64)),
    **dict.fromkeys(("below", "binomial", "geometric", "integers", "poisson"), INTEGERS)}
_NUMBERS = (float, int, np.floating, np.integer)
_UNIT = ("uniform", (0, 1, 0))
_WORD: tuple[str, tuple[float, ...]] = ("bits", ())
_INTERVALS = ("[)", "()", "(]", "[]", "zero_replaced")
# Method names, and "below", the library's distribution of integers below a bound.
_DISTRIBUTIONS = ("bernoulli", "below", "beta", "binomial", "bits", "cauchy", "chi_square", "exponential", "gamma",
                  "geometric", "integers", "log_normal", "normal", "on_disk", "poisson", "random", "student",
                  "truncated_normal", "uniform", "unit_vector", "von_mises")


def _parameters(distribution: str, given: tuple[Any, ...], named: dict[str, Any]
                ) -> tuple[Any, ...]:
    """Returns the parameters as a tuple in the order of the method's signature, which is also the library's order."""
    if distribution not in _DISTRIBUTIONS:
        raise ValueError(f"no distribution {distribution!r} (choices: "
                         f"{', '.join(_DISTRIBUTIONS)}). Pass one of these, such as 'normal'.")
    try:
        bound = _signature(distribution).bind(*given, **named)
    except TypeError as failure:
        raise TypeError(f"{distribution}: {failure}") from None
    bound.apply_defaults()
    if distribution == "below" and any(value > 2**53 for value in bound.arguments.values()):
        raise ValueError("below: integers below more than 2**53 (its parameter is a double). "
                         "Use integers().")
    return tuple(_interval(value) if name == "interval" else value
                 for name, value in bound.arguments.items())


@functools.cache
def _signature(distribution: str) -> inspect.Signature:
    """Returns the method's signature without self, size, dtype and keyword-only parameters."""
    signature = inspect.signature(getattr(Stream, distribution, lambda n: n))
    return inspect.Signature([one for one in signature.parameters.values()
                              if one.name not in ("self", "size", "dtype") and one.kind != one.KEYWORD_ONLY])


def _interval(name: str | int) -> int:
    if name in _INTERVALS:
        return _INTERVALS.index(name)
    if name in range(len(_INTERVALS)):  # a value of rivulet_interval (rivulet.h)
        return int(name)
    raise ValueError(f"interval={name!r} (choices: {', '.join(map(repr, _INTERVALS))}). Pass one of these, such as "
                     "interval='()'.")


def _require_fillable(out: Any, distribution: str | None) -> None:
    allowed = _DTYPES.get(distribution, REALS) if distribution else REALS + BITS
    if not isinstance(out, np.ndarray) or out.dtype not in allowed:
        what = f"of {out.dtype}" if isinstance(out, np.ndarray) else f"a {type(out).__name__}"
        names = " or ".join(one.name for one in allowed)
        raise ValueError(f"out is {what} ({distribution or 'this'} fills NumPy arrays of {names}, "
                         f"of the machine's byte order). Pass, for example, numpy.empty(100, '{allowed[0].name}').")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned):
        raise ValueError("out cannot be filled (it must be C-contiguous, aligned and "
                         "writeable). Fill a new array and copy it: out[...] = "
                         "stream.fill(numpy.empty(out.shape, out.dtype)).")


class Stream(Drawing):
    """Stream `id` of a generator and a seed: a sequence of numbers that depends on its arguments alone.

    generator: a name in rivulet.generators(); None means philox4x32
    seed: 0 .. 2^64 - 1; a list or array of integers or a numpy.random.SeedSequence is hashed to such a number; None
        means 20261120; with seeding="published" only mt19937 and mtgp11213 use the seed
    id: 0 .. 2^40; for counter-based generators up to 2^63 - 1
    seeding: "native", or "published": the seeding of the program that published the generator
    parameters: for twisters "shipped", "published", or a file that `rivulet create` wrote
    options: options of the generator (docs/deck.md, section streams), such as log2_jump, ij, kl

    Methods return a Python number if `size` is None, else an array of shape `size` and type `dtype`. Each call
    continues where the last one ended. Threads may share a stream, but which thread gets which numbers then depends on
    the order of their calls. For reproducible numbers, give each thread its own stream.

    Unknown names and arguments out of range raise ValueError. Arguments of a wrong type raise TypeError. If a process
    calls fork() after it has created a stream, all streams raise RuntimeError in the child.

    >>> stream = Stream("philox4x32", seed=1, id=0)
    >>> stream.integers(1, 7, size=10)
    array([6, 6, 4, 5, 5, 6, 3, 4, 2, 4])
    >>> same = Stream("philox4x32", seed=1, id=0)
    >>> same.integers(1, 7, size=4), same.integers(1, 7, size=6)
    (array([6, 6, 4, 5]), array([5, 6, 3, 4, 2, 4]))
    """

    def fill(self, out: Array, distribution: str | None = None, *parameters: Any, **named: Any
             ) -> Array:
        """Fills an array of any shape in place, and returns it.

        Without `distribution`, float32 and float64 arrays get numbers in [0, 1), and uint32 and uint64 arrays get
        random bits. `distribution` is the name of a method, followed by the method's parameters. The array must then
        have a dtype that the method returns; counts and bernoulli (0 and 1) also fill uint64. Raises ValueError unless
        the array is C-contiguous, aligned, writeable and in native byte order.

        >>> import numpy as np
        >>> Stream("ranmar48", 42).fill(np.empty(2, np.float32), "exponential", mean=10)
        array([10.033845, 17.70324 ], dtype=float32)
        """
        has_bits = isinstance(out, np.ndarray) and out.dtype in BITS
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

    def random(self, size: Size = None, dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Draws uniform float64 or float32 numbers in [0, 1).

        `interval` is "[)", "()", "(]", "[]", or "zero_replaced", which is [0, 1) with 0 replaced by the smallest
        positive number. Doubles have 53 random bits (ranmar24: 24; other RANMAR, ranluxpp and mixmax17: 48).

        >>> Stream("philox4x32", seed=42).random((2, 3), np.float32).shape
        (2, 3)
        """
        if size is None and interval == "[)" and dtype is np.float64:
            return self._next(_UNIT)
        return self._real(size, dtype, "uniform", 0, 1, _interval(interval))

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size = None,
                dtype: Any = np.float64, interval: str = "[)") -> Result:
        """Draws uniform float64 or float32 numbers between `low` and `high` > `low`. `interval` is as for random()."""
        if size is None and dtype is np.float64:
            return self._next(("uniform", (low, high, _interval(interval))))
        return self._real(size, dtype, "uniform", low, high, _interval(interval))

    def bits(self, size: Size = None, dtype: Any = np.uint64) -> Result:
        """Draws uint64 or uint32 integers with uniform random bits."""
        return self._new(size, checked_dtype(dtype, BITS), "bits")

    def integers(self, low: int, high: int | None = None, size: Size = None,
                 dtype: Any = np.int64, *, endpoint: bool = False) -> Result:
        """Draws integers `low` .. `high` - 1, or 0 .. `low` - 1 if `high` is None, as int64 or uint64. With
        `endpoint=True` the range includes its end. Each integer has exactly the same probability. Raises
        ValueError if the range is empty, does not fit `dtype`, or has a size that is not exact as a double.

        >>> Stream("philox4x32", seed=42).integers(1, 7, size=(2, 3)).shape
        (2, 3)
        """
        if endpoint:
            low, high = (low, high + 1) if high is not None else (0, low + 1)
        if size is None and dtype is np.int64 and type(low) is int:
            first, end = (0, low) if high is None else (low, high)
            if type(end) is int and -1 << 63 <= first < end <= 1 << 63 and end - first <= 1 << 32:
                return first + self._below(end - first)
        out = np.empty(1 if size is None else size, checked_dtype(dtype, INTEGERS))
        self._integers(out, low, high)
        return out[0].item() if size is None else out

    def _below(self, count: int) -> int:
        """Returns an integer in 0 .. count - 1 for count <= 2^32, by Lemire's method, like rivulet::Below with 32
        bits."""
        scaled: int = self._next(_WORD) * count
        if scaled & 0xffffffff < count:
            while scaled & 0xffffffff < (1 << 32) % count:
                scaled = self._next(_WORD) * count
        return scaled >> 32

    def _integers(self, out: Array, low: int, high: int | None) -> None:
        first, end = (0, low) if high is None else (low, high)
        first, count = operator.index(first), operator.index(end) - operator.index(first)
        limits = np.iinfo(out.dtype)
        if not limits.min <= first < first + count <= limits.max + 1:
            raise ValueError(f"integers from {first} to {first + count - 1} (this range is empty, or does not fit "
                             f"{out.dtype}). Pass a range within {limits.min} .. {limits.max}, lower bound first.")
        if count < 1 << 64 and int(float(count)) != count:
            raise ValueError(f"a range of {count} integers (above 2^53, the size of a range must be exact as a "
                             "double). Choose a smaller range, or a power of 2.")
        words = out.view(np.uint64)
        self._draw(words, *(("bits", ()) if count == 1 << 64 else ("below", (count,))))
        words += np.uint64(first % (1 << 64))

    def bernoulli(self, p: float = 0.5, size: Size = None) -> Result:
        """Draws bool values that are True with probability `p` in 0 .. 1."""
        drawn = self._new(size, np.uint64, "bernoulli", p)
        return bool(drawn) if size is None else drawn.astype(bool)

    def normal(self, mean: Reals = 0.0, sigma: Reals = 1.0, size: Size = None,
               dtype: Any = np.float64, *, loc: Reals | None = None, scale: Reals | None = None) -> Result:
        """Draws normal float64 or float32 numbers by inversion, each from one uniform number. `sigma` >= 0 is the
        standard deviation. `mean` and `sigma` (or NumPy's names, `loc` and `scale`) may be arrays, which broadcast.

        >>> Stream("philox4x32", seed=42).normal(loc=[0, 100], scale=[1, 10]).round(3)
        array([ 0.287, 85.479])
        """
        mean, sigma = mean if loc is None else loc, sigma if scale is None else scale
        if not (isinstance(mean, _NUMBERS) and isinstance(sigma, _NUMBERS)):
            if np.any(np.less(sigma, 0)):
                raise ValueError(f"normal: sigma={sigma} (standard deviations cannot be negative). Pass sigma >= 0.")
            return self._spread(self.standard_normal, mean, sigma, size, dtype)
        if size is None and dtype is np.float64:
            return self._next(("normal", (mean, sigma)))
        return self._real(size, dtype, "normal", mean, sigma)

    def standard_normal(self, size: Size = None, dtype: Any = np.float64) -> Result:
        """Same as normal(0, 1, size, dtype)."""
        return self.normal(0, 1, size, dtype)

    def _spread(self, standard: Callable[..., Array], mean: Reals, factor: Reals, size: Size, dtype: Any) -> Array:
        """Returns mean + factor * standard numbers. If `size` is None, the result has the broadcast shape of mean and
        factor."""
        mean, factor = np.asarray(mean, dtype), np.asarray(factor, dtype)
        shape = np.broadcast_shapes(mean.shape, factor.shape)
        drawn: Array = standard(shape if size is None else size, dtype)
        drawn *= factor
        drawn += mean
        return drawn

    def exponential(self, mean: Reals = 1.0, size: Size = None, dtype: Any = np.float64,
                    *, scale: Reals | None = None) -> Result:
        """Draws exponential float64 or float32 numbers with mean `mean` > 0 (or NumPy's name, `scale`). `mean` may be
        an array."""
        mean = mean if scale is None else scale
        if not isinstance(mean, _NUMBERS):
            if not np.all(np.greater(mean, 0)):
                raise ValueError(f"exponential: mean={mean} (means must be positive). Pass mean > 0.")
            return self._spread(self.standard_exponential, 0, mean, size, dtype)
        if size is None and dtype is np.float64:
            return self._next(("exponential", (mean,)))
        return self._real(size, dtype, "exponential", mean)

    def standard_exponential(self, size: Size = None, dtype: Any = np.float64) -> Result:
        """Same as exponential(1, size, dtype)."""
        return self.exponential(1, size, dtype)

    def standard_gamma(self, shape: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Same as gamma(shape, 1, size, dtype)."""
        return self.gamma(shape, 1, size, dtype)

    def dirichlet(self, alpha: Any, size: Size = None) -> Array:
        """Draws points on the simplex as a float64 array of shape `(*size, len(alpha))`. The components of a point sum
        to 1.
        The density is proportional to the product of x_i^(alpha_i - 1), with all `alpha` > 0. The method draws the
        first component's gamma variables for all points, then the second's, and so on.

        >>> Stream("philox4x32", seed=42).dirichlet([1, 2, 3], size=5).shape
        (5, 3)
        """
        shapes = [float(one) for one in alpha]
        if not min(shapes, default=0) > 0:
            raise ValueError(f"dirichlet: alpha={shapes} (it has one or more components, all > 0). Pass such a list.")
        count = () if size is None else np.empty(size, np.void).shape
        drawn = np.stack([self.gamma(shape, 1, count) for shape in shapes], axis=-1)
        points: Array = drawn / drawn.sum(axis=-1, keepdims=True)
        return points

    def permutation(self, x: Any) -> Array:
        """Returns 0 .. `x` - 1 (int64) in random order or, if `x` is an array, a copy with its rows in random order.
        Each order has the same probability. The method sorts the items by random 64-bit words, one per item.

        >>> sorted(Stream("philox4x32", seed=42).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if isinstance(x, (int, np.integer)):
            return self._order(int(x))
        rows = np.asarray(x)
        return rows[self._order(len(rows))]

    def _order(self, count: int) -> Array:
        while True:
            words = self.bits(count)
            order: Array = np.argsort(words, kind="stable")
            if count < 2 or not (words[order[1:]] == words[order[:-1]]).any():
                return order  # all words are distinct; with equal words the stable sort would be biased

    def shuffle(self, x: Any) -> None:
        """Shuffles the rows of an array, or the items of a list, in place. The order is that of permutation()."""
        if isinstance(x, np.ndarray):
            x[...] = self.permutation(x)
        else:
            x[:] = [x[i] for i in self._order(len(x))]

    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None) -> Any:
        """Chooses elements of an array, or of 0 .. `a` - 1. Returns one element if `size` is None, else an array of
        shape `size`. Elements have equal probabilities unless `p` lists their probabilities, whose sum is 1. With
        `replace=False` each element is chosen at most once, and `p` must be None.

        >>> Stream("philox4x32", seed=42).choice(["a", "b"], 4, p=[0, 1]).tolist()
        ['b', 'b', 'b', 'b']
        """
        items = np.arange(a) if isinstance(a, (int, np.integer)) else np.asarray(a)
        shape = () if size is None else np.empty(size, np.void).shape
        count = int(np.prod(shape))
        if not len(items) and count:
            raise ValueError("choice from an empty array (nothing can be chosen). Pass one element or more.")
        if not replace and (p is not None or count > len(items)):
            raise ValueError(f"choice of {count} of {len(items)} without replacement (each is drawn at most once, "
                             "and p needs replace=True). Lower size, or omit p.")
        if p is None:
            places = (self.integers(len(items), size=shape) if replace
                      else self._order(len(items))[:count].reshape(shape))
        else:
            weights = np.asarray(p, np.float64)
            if weights.shape != (len(items),) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-8:
                raise ValueError(f"p of shape {weights.shape} for {len(items)} elements (p needs one probability for "
                                 "each, none negative, with sum 1). Pass p=numpy.divide(p, numpy.sum(p)) to "
                                 "normalize weights.")
            sums = np.cumsum(weights)
            places = np.searchsorted(sums / sums[-1], self.random(shape), side="right")
        return items[places] if size is not None else items[int(places)]

    def gamma(self, shape: float, scale: float = 1.0, size: Size = None, dtype: Any = np.float64
              ) -> Result:
        """Draws gamma float64 or float32 numbers with the parameters `shape` > 0 and `scale` > 0. The mean is
        `shape` * `scale`."""
        return self._real(size, dtype, "gamma", shape, scale)

    def chi_square(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Draws chi-square float64 or float32 numbers with `degrees` > 0 degrees of freedom (NumPy: chisquare(df))."""
        return self._real(size, dtype, "chi_square", degrees)

    def beta(self, a: float, b: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Draws beta float64 or float32 numbers in [0, 1], with `a` > 0 and `b` > 0. The density is proportional to
        x^(a-1) (1-x)^(b-1)."""
        return self._real(size, dtype, "beta", a, b)

    def student(self, degrees: float, size: Size = None, dtype: Any = np.float64) -> Result:
        """Draws float64 or float32 numbers from Student's t distribution with `degrees` > 0 degrees of freedom (NumPy:
        standard_t(df))."""
        return self._real(size, dtype, "student", degrees)

    def log_normal(self, mu: float = 0.0, sigma: float = 1.0, size: Size = None,
                   dtype: Any = np.float64) -> Result:
        """Draws log-normal float64 or float32 numbers: exp of normal numbers with mean `mu` and standard deviation
        `sigma` >= 0 (NumPy: lognormal(mean, sigma))."""
        if size is None and dtype is np.float64:
            return self._next(("log_normal", (mu, sigma)))
        return self._real(size, dtype, "log_normal", mu, sigma)

    def truncated_normal(self, mean: float, sigma: float, low: float, high: float,
                         size: Size = None, dtype: Any = np.float64) -> Result:
        """Draws normal float64 or float32 numbers between `low` and `high`, which may be infinite. `mean` and
        `sigma` > 0 are the mean and standard deviation before truncation."""
        return self._real(size, dtype, "truncated_normal", mean, sigma, low, high)

    def cauchy(self, location: float = 0.0, scale: float = 1.0, size: Size = None,
               dtype: Any = np.float64) -> Result:
        """Draws Cauchy (Breit-Wigner) float64 or float32 numbers around `location`. `scale` > 0 is the half width at
        half maximum. (NumPy's standard_cauchy has location 0 and scale 1.)"""
        return self._real(size, dtype, "cauchy", location, scale)

    def von_mises(self, mean: float, concentration: float, size: Size = None,
                  dtype: Any = np.float64) -> Result:
        """Draws von Mises angles (float64 or float32) in radians, at most pi from `mean` (NumPy: mu). `concentration`
        (NumPy: kappa) is >= 0."""
        return self._real(size, dtype, "von_mises", mean, concentration)

    def poisson(self, mean: float, size: Size = None) -> Result:
        """Draws Poisson counts (int64) with mean `mean` in 0 .. 2^40 (NumPy: lam)."""
        return self._new(size, np.int64, "poisson", mean)

    def binomial(self, n: int, p: float, size: Size = None) -> Result:
        """Draws the number of successes (int64) in `n` trials with success probability `p`; `n` is in 0 .. 2^50, and
        `p` in 0 .. 1."""
        return self._new(size, np.int64, "binomial", n, p)

    def geometric(self, p: float, size: Size = None) -> Result:
        """Draws the number of failures (int64) before the first success, which has probability `p` in 2^-58 .. 1. NumPy
        also counts the success. Numbers above 2^63 - 1 become 2^63 - 1; fill() with a uint64 array keeps them."""
        return self._new(size, np.int64, "geometric", p)

    def unit_vector(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """Draws points x, y, z uniformly on the unit sphere, as a float64 or float32 array of shape `(*size, 3)`.

        >>> Stream("philox4x32", 42).unit_vector(5).shape
        (5, 3)
        """
        return self._points(size, dtype, "unit_vector")

    def on_disk(self, size: Size = None, dtype: Any = np.float64) -> Array:
        """Draws points x, y uniformly in the unit disk, as a float64 or float32 array of shape `(*size, 2)`.

        >>> Stream("philox4x32", 42).on_disk(5).shape
        (5, 2)
        """
        return self._points(size, dtype, "on_disk")
