# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the exceptions and warnings that streams raise, and their messages."""

import pathlib

import numpy as np
import pytest

import rivulet
from rivulet import Stream


def test_arrays_that_cannot_be_filled():
    stream = Stream("philox4x32", 1)
    locked = np.empty(3)
    locked.flags.writeable = False
    for bad in (np.empty(10)[::2], np.empty((3, 3)).T[:2], locked):
        with pytest.raises(ValueError, match="C-contiguous, aligned and writeable"):
            stream.fill(bad)
    for bad in ([1.0], np.empty(3, np.int32), np.empty(3, ">f8"), np.empty(3, np.complex128), np.empty(3, bool)):
        with pytest.raises(ValueError, match="fills NumPy arrays of float64 or float32 or uint64 or uint32"):
            stream.fill(bad)
    for bad, call, makes in ((np.empty(3), ("poisson", 3), "int64 or uint64"),
                             (np.empty(3), ("bits",), "uint64 or uint32"),
                             (np.empty(3, np.int64), ("normal",), "float64 or float32"),
                             (np.empty(3), ("bernoulli",), "bool or uint64")):
        with pytest.raises(ValueError, match=rf"^out is of {bad.dtype} \({call[0]} fills NumPy arrays of {makes}, "):
            stream.fill(bad, *call)
    assert stream.position == 0
    assert stream.fill(np.empty((0, 3))).shape == (0, 3)
    assert (stream.fill(np.full((2, 3), -1.0)) >= 0).all()
    assert stream.random((2, 0)).shape == (2, 0)


def test_refusals_are_the_library_s():
    for make, message in (
            (lambda: Stream("nope"), r"known generators: .*\)\. Set generator to one of these\.$"),
            (lambda: Stream("philox4x3"), r"known generators: .*\)\. Did you mean 'philox4x32'\?$"),
            (lambda: Stream("philox4x32", -1), "must be 0 .. 18446744073709551615"),
            (lambda: Stream("philox4x32", 2**64), "must be 0 .."),
            (lambda: Stream("philox4x32", id=-1), r"id=-1 \(it must be 0 .. 9223372036854775807\)"),
            (lambda: Stream("mt19937", id=2**41), r"^id=2199023255552 \(stream ids end at 2"),
            (lambda: Stream("mt19937").child(1), r"give each stream its own id\.$"),
            (lambda: Stream("philox4x32", seeding="native "), "seeding='native '"),
            (lambda: Stream("philox4x32", seeding="published"), "no published seeding"),
            (lambda: Stream("philox4x32", log2jump=1), "Did you mean 'log2_jump'"),
            (lambda: Stream("dcmt521", parameters="/nope.h5"), "/nope.h5"),
            (lambda: Stream("philox4x32").normal(0, -1), r"normal\(0, -1\) \(normal\(mean, sigma\) needs sigma >= 0"),
            (lambda: Stream("philox4x32").poisson(2.0**41), "0 <= mean <= 2"),
            (lambda: Stream("philox4x32").skip(-1), "do not run backwards"),
            (lambda: Stream("philox4x32").skip(2**65), "positions end at"),
            (lambda: Stream("philox4x32").skip(2**200), "positions end at"),
            (lambda: Stream("philox4x32").child(-1), "have 64 bits"),
            (lambda: Stream("philox4x32").spawn(-5), r"^spawn\(-5\) \(a count cannot be negative\)"),
            (lambda: Stream("philox4x32\0x"), r"^generator=b'philox4x32\\x00x' \(it has a zero byte\)"),
            (lambda: Stream("dcmt521", parameters="shipped\0"), "^parameters=.*zero byte"),
            (lambda: Stream("philox4x32", log2_jump="1\0"), "zero byte"),
            (lambda: Stream("philox4x32").fill(np.empty(1), "normal\0"), "no distribution 'normal.x00'"),
            (lambda: Stream("philox4x32").random(-1), "negative"),
            (lambda: Stream("philox4x32").fill(np.empty(1), "gaussian"), "no distribution 'gaussian'.* normal,"),
            (lambda: Stream("philox4x32").fill(np.empty(1, np.uint64), "gaussian"), "no distribution 'gaussian'"),
            (lambda: Stream("philox4x32").uniform(3, 1), r"low < high, high - low finite\)\. Choose"),
            (lambda: Stream("philox4x32", xyz=1), r'no generator has an option "xyz" .*\)\. Pass one of these, such'),
            (lambda: Stream("philox4x32", first_stream=1), 'no generator has an option "first_stream"'),
            (lambda: Stream("dcmt521", parameters=pathlib.Path("/nope.h5")), "/nope.h5"),
            (lambda: Stream("philox4x32").choice([]), "^choice from an empty array"),
            (lambda: Stream("philox4x32").dirichlet([1, 0]), r"^dirichlet: alpha=\[1.0, 0.0\] .* all > 0"),
            (lambda: Stream("philox4x32").random(3, np.int64), "dtype int64")):
        with pytest.raises(ValueError, match=message):
            make()


def test_arguments_of_other_types():
    for make, message in (
            (lambda: Stream(42), r"^generator=42 \(it must be text\)\. Name the arguments: Stream\("),
            (lambda: rivulet.BitGenerator(np.int64(42)), "^generator=.*it must be text"),
            (lambda: Stream(parameters=3), "^parameters=3 .*it must be text"),
            (lambda: Stream(seed="42"), r"^seed='42' \(it must be a whole number\)"),
            (lambda: Stream("philox4x32").spawn(2.0), "float"),
            (lambda: Stream("philox4x32", stream=3), r"^there is no argument 'stream' .*\. Pass id=\.$"),
            (lambda: Stream("philox4x32", size=3), r"^there is no argument 'size' .*\. Pass it to a method: "),
            (lambda: Stream(id=1.5), r"^id=1\.5 .*whole number"),
            (lambda: setattr(Stream("philox4x32"), "state", 5), "bytes-like object is required")):
        with pytest.raises(TypeError, match=message):
            make()


def test_a_stream_is_not_a_bit_generator():
    with pytest.raises(AttributeError, match="rivulet.BitGenerator"):
        np.random.Generator(Stream("philox4x32"))


def test_names_of_numpy():
    for make, message in ((lambda: Stream("philox4x32").randint(5), r"Use integers\.$"),
                          (lambda: Stream("philox4x32").multivariate_normal([0], [[1]]), r"BitGenerator\(\.\.\.\)\)\."),
                          (lambda: Stream("philox4x32").poison(3), r"Use poisson\.$"),
                          (lambda: rivulet.default_rng(3), r"Use rivulet\.Stream\(seed=42\)")):
        with pytest.raises(AttributeError, match=message):
            make()


def test_weak_seeds_warn():
    with pytest.warns(UserWarning, match="weak") as caught:
        Stream("ranmar48", seeding="published", ij=31328, kl=0)
    assert caught[0].filename == __file__


@pytest.mark.skipif("hybrid_tausworthe_listing" not in rivulet.generators(), reason="not built")
def test_messages_name_arguments_not_keys_of_decks():
    with pytest.warns(UserWarning, match=r"\. Set generator=hybrid_tausworthe\.$"):
        Stream("hybrid_tausworthe_listing", seeding="published")
    with pytest.raises(ValueError, match=r"^seed=8589934592 does not fit .* or set seeding=native\.$"):
        Stream("mt19937", 2**33, seeding="published")
