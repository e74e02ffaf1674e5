# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The base class of Stream and BitGenerator: a library sequence with one stream."""

from __future__ import annotations

import _thread
import copy
import ctypes
import itertools
import operator
import os
import re
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, Union

import numpy as np

from ._library import Library, Options, in_python, library

Self = TypeVar("Self", bound="Numbers")
Seed = Union[None, int, "list[int]", "tuple[int, ...]", "np.ndarray[Any, Any]", np.random.SeedSequence]
OWN = 4  # RIVULET_OWN
SEEDINGS = ("native", "published")
_HALF = 62  # skip() splits a count into a multiple of 2^62 and a remainder
_names = itertools.count()
_OTHER_NAMES = {"random_state": "seed=", "stream": "id=", "stream_id": "id=", "number": "id=", "index": "id=",
                "dtype": "it to a method: stream.random(3, dtype='float32')",
                "size": "it to a method: stream.random(3)"}


class Lock(vars(_thread)["RLock"]):  # type: ignore[misc]
    """The lock that a stream holds while it draws. In a child of fork(), acquiring it raises the library's
    RuntimeError."""

    refused = False


def _in_child() -> None:
    def refuse(*_: Any) -> None:
        lib = library()
        lib.check(lib.initialize())  # raises RuntimeError with the library's message

    if Numbers._any_created:
        Lock.acquire = Lock.__enter__ = refuse
        Lock.refused = True


os.register_at_fork(after_in_child=_in_child)


class Numbers:
    """A sequence of a generator's own numbers (rivulet.h: raw numbers). Distributions compute all other numbers from
    them."""

    _any_created = False
    _buffer = 0  # numbers that the library draws ahead

    def __init__(self, generator: str | None = None, seed: Seed = None, id: int = 0,
                 *, seeding: str = "native", parameters: str | None = None,
                 **options: int) -> None:
        """See Stream."""
        lib = library()
        c_options = Options(lib)
        if seeding not in SEEDINGS:
            raise ValueError(f"seeding={seeding!r} (choices: {', '.join(SEEDINGS)}). Pass "
                             "seeding='native' or seeding='published'.")
        if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim > 0):
            seed = np.random.SeedSequence(seed)
        if isinstance(seed, np.random.SeedSequence):
            seed = int(seed.generate_state(1, np.uint64)[0])
        fields = {"generator": generator, "seed": seed, "first_stream": id,
                  "seeding": SEEDINGS.index(seeding), "parameters": parameters, "type": OWN,
                  "buffer_numbers": self._buffer}
        for name, value in fields.items():
            if value is not None:
                c_options[name] = value
        for name in options:
            if name in _OTHER_NAMES:
                raise TypeError(f"there is no argument {name!r} (it has another name, or is a method's). Pass "
                                f"{_OTHER_NAMES[name]}.")
        c_options["generator_options"] = " ".join(f"{name}={value}" for name, value in options.items())
        self._create(lib, lib.create, c_options["generator"], c_options.buffer)
        self._warn()

    def _create(self, lib: Library, function: Callable[..., int], generator: str,
                *arguments: Any) -> None:
        self._library = lib
        self._handle = 0
        self._generator = generator
        self._children = 0
        self.lock = Lock()
        sequence = ctypes.c_int64()
        name = f"python {os.getpid()} {next(_names)}".encode()
        lib.check(function(name, *arguments, ctypes.byref(sequence)))
        Numbers._any_created = True
        self._handle = sequence.value

    @property
    def _sequence(self) -> int:
        """The handle of the library's sequence, which is at this object's position."""
        return self._handle

    @classmethod
    def _made(cls: type[Self], saved: tuple[str, int, bytes]) -> Self:
        self = cls.__new__(cls)
        generator, children, bytes_ = saved
        lib = library()
        try:
            self._create(lib, lib.create_from, generator, len(bytes_), bytes_)
        except RuntimeError:
            if not Lock.refused:
                raise
            # In a forked child, the first draw raises instead. An error here would break unpickling in a worker of a
            # Pool, and the Pool would wait forever.
        self._children = children
        return self

    def _text(self, function: Callable[..., int]) -> str:
        text = ctypes.create_string_buffer(65536)
        self._library.check(function(self._sequence, len(text), text))
        return in_python(text.value.decode())

    def _described(self, name: str) -> int:
        found = re.search(rf" {name}=(\d+)", self._text(self._library.describe))
        assert found
        return int(found[1])

    def _warn(self) -> None:
        for line in self._text(self._library.warnings).splitlines():
            warnings.warn(line, stacklevel=3)

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            self._library.destroy(self._handle)

    @property
    def generator(self) -> str:
        """The generator's name."""
        return self._generator

    @property
    def seed(self) -> int:
        """The seed, an int. A child of a stream has its own seed and id."""
        return self._described("seed")

    @property
    def id(self) -> int:
        """The stream's id, an int."""
        return self._described("id")

    @property
    def position(self) -> int:
        """The count of the generator's own numbers used so far, an int. A double uses two numbers of a 32-bit
        generator. Two copies of a stream at the same position continue with the same numbers."""
        high, low = ctypes.c_uint64(), ctypes.c_uint64()
        with self.lock:
            self._library.check(self._library.position(self._sequence, ctypes.byref(high),
                                                       ctypes.byref(low)))
        return high.value << 64 | low.value

    @property
    def state(self) -> bytes:
        """The stream and its position as bytes (rivulet_save of rivulet.h), valid on any machine. If these bytes are
        assigned to a stream of the same generator, it continues from that position. Assigning other bytes raises
        ValueError; other types raise TypeError. The bytes do not contain the number of children that spawn() has
        created; pickle and copy keep that number."""
        lib, size = self._library, ctypes.c_int64()
        with self.lock:
            lib.check(lib.save_size(self._sequence, ctypes.byref(size)))
            to = ctypes.create_string_buffer(size.value)
            lib.check(lib.save(self._sequence, size.value, to))
        return to.raw

    @state.setter
    def state(self, bytes_: bytes) -> None:
        bytes_ = bytes(memoryview(bytes_))  # memoryview rejects an int n; bytes(n) alone would return n zeros
        with self.lock:
            self._library.check(self._library.restore(self._sequence, len(bytes_), bytes_))

    def skip(self, count: int) -> None:
        """Skips `count` >= 0 of the generator's own numbers, in logarithmic time (sfc64: in linear time). Raises
        ValueError if `count` is negative, or if the new position is past the generator's end (at most 2^127)."""
        lib = self._library
        count = operator.index(count)
        high, low = (max(count, -1 << 63), 0) if count < 0 else divmod(count, 1 << _HALF)
        if high >= 1 << 63:
            raise ValueError(f"a skip of {count} (positions end at 2^127 or below). Pass a smaller count.")
        with self.lock:
            before = self.state if high > 0 and low > 0 else b""
            lib.check(lib.skip_power(self._sequence, high, _HALF))
            status = lib.skip_power(self._sequence, low, 0)
            if status != 0:
                message = _failure(lib, status)
                if before:
                    self.state = before
                raise message

    def skipped(self: Self, count: int) -> Self:
        """Returns a copy that has skipped `count` of the generator's own numbers.

        The copy is `count` numbers ahead on the same stream, so the two overlap. Independent streams need different
        ids.
        """
        other = copy.copy(self)
        other.skip(count)
        return other

    def child(self: Self, number: int) -> Self:
        """Returns child `number` (0 .. 2^64 - 1) of the stream. The child depends on the stream and the number,
        not on the position. Only philox4x32, philox4x32_7, philox4x64 and threefry4x64 have children; other
        generators raise ValueError.

        >>> from rivulet import Stream
        >>> Stream("philox4x32", 42).child(3).child(0).random()
        0.5300626624968764
        """
        number = operator.index(number)
        if not 0 <= number < 1 << 64:
            raise ValueError(f"child {number} (numbers of children have 64 bits). Choose 0 .. 2^64 - 1.")
        with self.lock:  # raises in a forked child
            pass
        made = type(self).__new__(type(self))
        made._create(self._library, self._library.create_child, self._generator, self._sequence,
                     number)
        return made

    def spawn(self: Self, count: int) -> list[Self]:
        """Returns a list of the next `count` children. Each call continues after the last child of the previous
        call."""
        count = operator.index(count)
        if count < 0:
            raise ValueError(f"spawn({count}) (a count cannot be negative). Pass 0 or more.")
        with self.lock:
            first = self._children
            made = [self.child(first + i) for i in range(count)]
            self._children += len(made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # NumPy before 2.0 unpacks this result when it pickles a Generator. The result must have three items, and
        # the second item must be a tuple of one argument.
        return type(self)._made, ((self._generator, self._children, self.state),), None

    def __copy__(self: Self) -> Self:
        return self._made((self._generator, self._children, self.state))

    def __deepcopy__(self: Self, _: Any) -> Self:
        return copy.copy(self)

    def __repr__(self) -> str:
        description = self._text(self._library.describe)
        return f"<rivulet.{type(self).__name__} {description} position={self.position}>"


def _failure(lib: Library, status: int) -> Exception:
    try:
        lib.check(status)
    except (RuntimeError, ValueError) as failure:
        return failure
    raise AssertionError(status)
