# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests numpy.random.Generator with rivulet.BitGenerator."""

import copy
import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import rivulet
from test_stream import usable

from rivulet import BitGenerator, Stream


@pytest.mark.parametrize("generator", usable())
def test_generator_has_the_stream_s_numbers(generator):
    bits = BitGenerator(generator, 42, 7)
    rng = np.random.Generator(bits)
    stream = Stream(generator, 42, 7)
    np.testing.assert_array_equal(rng.random(1000), stream.random(1000))
    if generator != "ranmar24":  # NumPy makes floats from 32 bits, and ranmar24's numbers have 24
        np.testing.assert_array_equal(rng.random(1001, dtype=np.float32), stream.random(1001, np.float32))
    whole = rng.integers(0, 2**64, size=500, dtype=np.uint64, endpoint=False)
    np.testing.assert_array_equal(whole, stream.bits(500))
    assert bits.position == stream.position
    # NumPy's own distributions use the stream's numbers.
    normal = rng.standard_normal(20000)
    assert abs(normal.mean()) < 0.05 and abs(normal.std() - 1) < 0.05
    assert sorted(rng.permutation(100)) == list(range(100))
    assert bits.position > stream.position


def test_it_is_one_of_numpy_s():
    """The methods of NumPy's base class work."""
    bits = BitGenerator("mt19937", 1)
    assert isinstance(bits, np.random.BitGenerator)
    words = Stream("mt19937", 1).bits(7, np.uint32)
    np.testing.assert_array_equal(bits.random_raw(6), words[:6])
    assert bits.random_raw(output=False) is None and bits.position == 7
    assert bits.ctypes.next_double(bits.ctypes.state) == Stream("mt19937", 1).skipped(7).random()


def test_copies():
    bits = BitGenerator("ranmar48", 1)
    np.random.Generator(bits).random(5)
    expected = Stream("ranmar48", 1).random(8)[5:]
    for one in (copy.copy(bits), pickle.loads(pickle.dumps(bits)), bits.skipped(0)):
        np.testing.assert_array_equal(np.random.Generator(one).random(3), expected)
    state = bits.state
    rng = np.random.Generator(bits)
    rng.random(3)
    bits.state = state
    np.testing.assert_array_equal(rng.random(3), expected)


def test_numpy_s_jumped_is_refused():
    with pytest.raises(NotImplementedError, match=r"Use another id: BitGenerator\(name, seed, id=1\)"):
        BitGenerator("mt19937", 1).jumped()


@pytest.mark.parametrize("copied", (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))))
def test_generators_are_copied(copied):
    """Copies work, even with NumPy before 2.0, which unpacks the bit generator's __reduce__."""
    rng = np.random.Generator(BitGenerator("philox4x32", 1))
    rng.bit_generator.spawn(2)
    rng.random(5)
    one = copied(rng)
    expected = Stream("philox4x32", 1).random(10)[5:]
    np.testing.assert_array_equal(one.random(5), expected)
    assert isinstance(one.bit_generator, BitGenerator)
    np.testing.assert_array_equal(one.bit_generator.spawn(1)[0].random_raw(2),
                                  Stream("philox4x32", 1).child(2).bits(2, np.uint32))
    if one.bit_generator is not rng.bit_generator:  # since NumPy 2.0, copy.copy shares the bit generator
        np.testing.assert_array_equal(rng.random(5), expected)


@pytest.mark.skipif("philox4x64" not in rivulet.generators(), reason="not built")
def test_numpy_s_philox_as_the_page_says():
    page = (pathlib.Path(os.environ["RIVULET_SOURCE_DIR"]) / "docs" / "philox.md").read_text(encoding="utf-8")
    words = re.search(r"`(numpy\.random\.Philox\(.*?\))`,", page)[1]
    for seed, s in ((42, 0), (2**63 + 5, 7), (2**64 - 1, 2**40)):
        theirs = eval(words, {"numpy": np, "seed": seed, "s": s})  # pylint: disable=eval-used
        np.testing.assert_array_equal(theirs.random_raw(10), Stream("philox4x64", seed, s).bits(10))


def test_spawn():
    bits = BitGenerator("philox4x32", 1)
    child, = bits.spawn(1)
    np.testing.assert_array_equal(np.random.Generator(child).random(5),
                                  Stream("philox4x32", 1).child(0).random(5))
    if not hasattr(np.random.Generator, "spawn"):
        return
    rng = np.random.Generator(bits).spawn(1)[0]
    np.testing.assert_array_equal(rng.random(5), Stream("philox4x32", 1).child(1).random(5))


def test_threads_share_the_lock(sorted_of_two_threads):
    bits = BitGenerator("mt19937", 1)
    rng = np.random.Generator(bits)
    assert rng.bit_generator.lock is bits.lock
    np.testing.assert_array_equal(sorted_of_two_threads(lambda: rng.random(101)),
                                  np.sort(Stream("mt19937", 1).random(600 * 101)))


def test_the_end_of_the_sequence_ends_the_program():
    """NumPy's functions cannot return an error, so the program ends with a message."""
    script = ("import numpy, rivulet; bits = rivulet.BitGenerator('philox4x32');"
              "bits.skip(2**65 - 4); rng = numpy.random.Generator(bits);"
              "rng.random(1); rng.random(2000)")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          check=False)
    assert done.returncode == -6
    assert "rivulet: the position would leave the sequence's range" in done.stderr
