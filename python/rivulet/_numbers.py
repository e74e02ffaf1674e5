# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What streams and bit generators have in common: a sequence of the library, of one stream."""

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
Seed = Union[None, int, "list[int]", "tuple[int, ...]", np.random.SeedSequence]
OWN = 4  # RIVULET_OWN
SEEDINGS = ("native", "published")
_HALF = 62  # bits of a skip at a time
_names = itertools.count()


class Lock(vars(_thread)["RLock"]):  # type: ignore[misc]
    """Held while numbers are drawn. In a child of fork() it refuses, as the library does."""

    refused = False


def _in_child() -> None:
    def refuse(*_: Any) -> None:
        one = library()
        one.check(one.initialize())  # which fails, and says why

    if Numbers._any_made:
        Lock.acquire = Lock.__enter__ = refuse
        Lock.refused = True


os.register_at_fork(after_in_child=_in_child)


class Numbers:
    """The generator's own numbers, in their order, from which all others are made."""

    _any_made = False
    _buffer = 0  # numbers drawn ahead

    def __init__(self, generator: str | None = None, seed: Seed = None, id: int = 0,
                 *, seeding: str = "native", parameters: str | None = None,
                 **options: int) -> None:
        """See Stream."""
        one = library()
        wanted = Options(one)
        if seeding not in SEEDINGS:
            raise ValueError(f"seeding={seeding!r} (there are {' and '.join(SEEDINGS)}). Choose "
                             "one of these.")
        if isinstance(seed, (list, tuple)):
            seed = np.random.SeedSequence(seed)
        if isinstance(seed, np.random.SeedSequence):
            seed = int(seed.generate_state(1, np.uint64)[0])
        given = {"generator": generator, "seed": seed, "first_stream": id,
                 "seeding": SEEDINGS.index(seeding), "parameters": parameters, "type": OWN,
                 "buffer_numbers": self._buffer}
        for name, value in given.items():
            if value is not None:
                wanted[name] = value
        wanted["generator_options"] = " ".join(f"{name}={value}" for name, value in options.items())
        self._create(one, one.create, wanted["generator"], wanted.buffer)
        self._warn()

    def _create(self, one: Library, function: Callable[..., int], generator: str,
                *arguments: Any) -> None:
        self._library = one
        self._handle = 0
        self._generator = generator
        self._children = 0
        self.lock = Lock()
        sequence = ctypes.c_int64()
        name = f"python {os.getpid()} {next(_names)}".encode()
        one.check(function(name, *arguments, ctypes.byref(sequence)))
        Numbers._any_made = True
        self._handle = sequence.value

    @property
    def _sequence(self) -> int:
        """The library's sequence, at this object's position."""
        return self._handle

    @classmethod
    def _made(cls: type[Self], kept: tuple[str, int, bytes]) -> Self:
        self = cls.__new__(cls)
        generator, children, bytes_ = kept
        one = library()
        try:
            self._create(one, one.create_from, generator, len(bytes_), bytes_)
        except RuntimeError:
            if not Lock.refused:
                raise
            # The first draw raises instead: a Pool waits for ever for a worker that cannot unpickle its task.
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
        """The seed; a child has its own, as it has its own id."""
        return self._described("seed")

    @property
    def id(self) -> int:
        """The stream's id."""
        return self._described("id")

    @property
    def position(self) -> int:
        """How many of the generator's own numbers have been used: two of a 32-bit generator make a
        double. Two streams of one id that have the same position go on alike."""
        high, low = ctypes.c_uint64(), ctypes.c_uint64()
        with self.lock:
            self._library.check(self._library.position(self._sequence, ctypes.byref(high),
                                                       ctypes.byref(low)))
        return high.value << 64 | low.value

    @property
    def state(self) -> bytes:
        """The whole stream with its position, as bytes of the library (rivulet_save). Assign them to
        a stream of the same generator to go on from there, on any machine. They do not contain the
        count of spawn(), which pickle and copy keep."""
        one, size = self._library, ctypes.c_int64()
        with self.lock:
            one.check(one.save_size(self._sequence, ctypes.byref(size)))
            to = ctypes.create_string_buffer(size.value)
            one.check(one.save(self._sequence, size.value, to))
        return to.raw

    @state.setter
    def state(self, bytes_: bytes) -> None:
        bytes_ = bytes(memoryview(bytes_))  # not of a number, which makes zeros
        with self.lock:
            self._library.check(self._library.restore(self._sequence, len(bytes_), bytes_))

    def skip(self, count: int) -> None:
        """Leaves out `count` of the generator's own numbers, in logarithmic time (sfc64: in linear)."""
        one = self._library
        count = operator.index(count)
        high, low = (max(count, -1 << 63), 0) if count < 0 else divmod(count, 1 << _HALF)
        if high >= 1 << 63:
            raise ValueError(f"a skip of {count} (positions end at 2^127 at most). Skip less.")
        with self.lock:
            before = self.state if high > 0 and low > 0 else b""
            one.check(one.skip_power(self._sequence, high, _HALF))
            status = one.skip_power(self._sequence, low, 0)
            if status != 0:
                message = _failure(one, status)
                if before:
                    self.state = before
                raise message

    def skipped(self: Self, count: int) -> Self:
        """A copy that has skipped `count` of the generator's own numbers.

        The two draw the same numbers once this one has got there: streams that are to be
        independent need different ids.
        """
        other = copy.copy(self)
        other.skip(count)
        return other

    def child(self: Self, number: int) -> Self:
        """Child `number` (64 bits) of the stream: a function of the stream and of the number,
        whatever the position. Of philox4x32, philox4x32_7, philox4x64 and threefry4x64.

        >>> from rivulet import Stream
        >>> Stream("philox4x32", 42).child(3).child(0).random()
        0.5300626624968764
        """
        number = operator.index(number)
        if not 0 <= number < 1 << 64:
            raise ValueError(f"child {number} (numbers of children have 64 bits). Choose 0 .. 2^64 - 1.")
        with self.lock:  # refuses in a forked process
            pass
        made = type(self).__new__(type(self))
        made._create(self._library, self._library.create_child, self._generator, self._sequence,
                     number)
        return made

    def spawn(self: Self, count: int) -> list[Self]:
        """The next `count` children: a second call goes on counting."""
        count = operator.index(count)
        if count < 0:
            raise ValueError(f"spawn({count}) (a count cannot be negative). Pass 0 or more.")
        with self.lock:
            first = self._children
            made = [self.child(first + i) for i in range(count)]
            self._children += len(made)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # NumPy before 2.0 takes a Generator's to pieces: three, and one argument.
        return type(self)._made, ((self._generator, self._children, self.state),), None

    def __copy__(self: Self) -> Self:
        return self._made((self._generator, self._children, self.state))

    def __deepcopy__(self: Self, _: Any) -> Self:
        return copy.copy(self)

    def __repr__(self) -> str:
        what = self._text(self._library.describe)
        return f"<rivulet.{type(self).__name__} {what} position={self.position}>"


def _failure(one: Library, status: int) -> Exception:
    try:
        one.check(status)
    except (RuntimeError, ValueError) as failure:
        return failure
    raise AssertionError(status)
