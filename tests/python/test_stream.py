# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams draw the same numbers as the program and the C++ library, and keep their positions."""

import copy
import os
import pickle
import subprocess
import threading

import numpy as np
import pytest

import rivulet
from rivulet import Stream, _drawing

PROGRAM = os.environ.get("RIVULET_PROGRAM", "rivulet")
TYPES = {"double": np.float64, "float": np.float32, "uint32": np.uint32, "uint64": np.uint64}
COUNTER_BASED = {"philox4x32", "philox4x32_7", "threefry4x64", "philox4x64"}


def by_program(generator, kind, count, *options):
    """Returns the numbers that `rivulet stream` writes."""
    done = subprocess.run(
        [PROGRAM, "stream", "fill", f"streams.generator={generator}", "streams.count=1",
         f"fill.type={kind}", f"fill.numbers={count}", *options], capture_output=True, check=True)
    return np.frombuffer(done.stdout, TYPES[kind])


def usable():
    """Returns the generators that start without a parameter file."""
    found = []
    for name in rivulet.generators():
        try:
            Stream(name)
            found.append(name)
        except ValueError as failure:
            assert name.startswith("dcmt") and "shipped" in str(failure) or "published" in str(failure)
    return found


def test_the_default():
    """The default is philox4x32. tests/cli/once/test_docs.py checks that choosing.md lists no test that it fails."""
    for default in (Stream(), Stream(seed=20261120), rivulet.BitGenerator()):
        assert default.generator == "philox4x32"
    assert list(Stream().bits(3, np.uint32)) == [0x6bc4ef19, 0x10da5a39, 0x07e23ae6]
    # Another generator with the default seed.
    assert list(Stream("dcmt521").bits(3, np.uint32)) == [0x4da5b44d, 0xac430d59, 0xca2b34ec]
    assert pickle.loads(pickle.dumps(Stream("dcmt521"))).generator == "dcmt521"


@pytest.mark.parametrize("generator, kind", [
    (name, kind) for name in rivulet.generators() for kind in (TYPES if name == "philox4x32" else ["double"])])
def test_numbers_are_those_of_the_program(generator, kind):
    seeding = "native" if generator in usable() else "published"
    arguments = {"streams.seed": 42, "streams.first": 7, "streams.seeding": seeding}
    try:
        stream = Stream(generator, 42, 7, seeding=seeding)
    except ValueError as failure:  # a twister without shipped sets; the program refuses it too
        with pytest.raises(subprocess.CalledProcessError) as refused:
            by_program(generator, kind, 1, *(f"{k}={v}" for k, v in arguments.items()))
        assert str(failure).split(" (")[0] in refused.value.stderr.decode()
        return
    expected = by_program(generator, kind, 1000, *(f"{k}={v}" for k, v in arguments.items()))
    drawn = stream.fill(np.empty(1000, TYPES[kind]))
    np.testing.assert_array_equal(drawn, expected)
    # Two calls return the same numbers as one, and so does a call after a skip, which counts the generator's own
    # numbers.
    again = Stream(generator, 42, 7, seeding=seeding)
    first = again.fill(np.empty(300, TYPES[kind]))
    np.testing.assert_array_equal(np.concatenate([first, again.fill(np.empty(700, TYPES[kind]))]),
                                  expected)
    assert again.position == stream.position
    third = Stream(generator, 42, 7, seeding=seeding)
    third.skip(stream.position // 1000 * 400)
    np.testing.assert_array_equal(third.fill(np.empty(600, TYPES[kind])), expected[400:])


needs_ranmar24 = pytest.mark.skipif("ranmar24" not in rivulet.generators(), reason="not built")


@needs_ranmar24
def test_published_numbers():
    assert Stream("mt19937", 5489, seeding="published").bits(10000, np.uint32)[-1] == 4123659995
    james = Stream("ranmar24", seeding="published", ij=1802, kl=9373)
    james.skip(20000)
    assert james.random() == 6533892 / 2**24


METHODS = [
    ("random", {}), ("uniform", {"low": -1, "high": 3}), ("bits", {}), ("integers", {"low": -3, "high": 4}),
    ("bernoulli", {"p": 0.3}), ("normal", {"mean": 3, "sigma": 2}), ("exponential", {"mean": 2}),
    ("gamma", {"shape": 3, "scale": 2}), ("chi_square", {"degrees": 5}), ("beta", {"a": 2, "b": 3}),
    ("student", {"degrees": 9}), ("log_normal", {"mu": 0.1, "sigma": 0.2}),
    ("truncated_normal", {"mean": 1, "sigma": 2, "low": -np.inf, "high": np.inf}),
    ("cauchy", {"location": 91.2, "scale": 1.25}), ("von_mises", {"mean": 0.5, "concentration": 1e9}),
    ("poisson", {"mean": 30}), ("binomial", {"n": 10, "p": 0.3}), ("geometric", {"p": 0.25}),
    ("unit_vector", {}), ("on_disk", {}),
]


def test_counts_at_the_ends_of_their_ranges():
    def stream():  # its next double is 2^-53, the smallest
        one = Stream("philox4x32", seed=1, id=8966574609325376825)
        one.skip(36697733063521395024)
        return one

    for p in (2.0**-58, 3.9e-18):
        assert stream().geometric(p) == 2**63 - 1
        assert stream().geometric(p, (2, 3))[0, 0] == 2**63 - 1
        assert stream().fill(np.empty((), np.int64), "geometric", p) == 2**63 - 1
        assert stream().fill(np.empty(1, np.uint64), "geometric", p)[0] > 2**63
    assert 5e18 < stream().geometric(2.0**-57) < 2**63 - 1
    for method, parameters, least, most in (
            ("geometric", (2.0**-58,), 0, 2**63 - 1), ("geometric", (1,), 0, 0),
            ("poisson", (2.0**40,), 2**40 - 9 * 2**20, 2**40 + 9 * 2**20), ("poisson", (0,), 0, 0),
            ("binomial", (2**50, 1), 2**50, 2**50), ("binomial", (2**50, 1 - 2.0**-53), 2**50 - 60, 2**50),
            ("binomial", (2**50, 2.0**-1074), 0, 0), ("binomial", (0, 0.5), 0, 0)):
        drawn = getattr(stream(), method)(*parameters, size=10000)
        assert drawn.dtype == np.int64
        assert least <= drawn.min() and drawn.max() <= most, method


@needs_ranmar24
def test_intervals():
    stream = Stream("ranmar24", 1)
    closed = stream.random(10, interval="[]")
    np.testing.assert_array_equal(closed, Stream("ranmar24", 1).random(10) * 2**24 / (2**24 - 1))
    with pytest.raises(ValueError, match="interval='open'"):
        stream.random(interval="open")


def test_integers():
    stream = Stream("philox4x32", 1)
    assert set(stream.integers(3, size=100)) == {0, 1, 2}
    assert set(stream.integers(-2, 1, size=100)) == {-2, -1, 0}
    whole = stream.integers(-2**63, 2**63, size=1000)
    assert whole.dtype == np.int64 and (whole < 0).any() and (whole > 0).any()
    high = stream.integers(2**63, 2**64, size=100, dtype=np.uint64)
    assert high.dtype == np.uint64 and (high >= 2**63).all()
    assert isinstance(stream.integers(5), int)
    for bad in ((0,), (3, 3), (-2**63 - 1, 0), (0, 2**63 + 1)):
        with pytest.raises(ValueError, match="this range is empty"):
            stream.integers(*bad)
    with pytest.raises(ValueError, match="must be exact as a double"):
        stream.integers(2**53 + 1)
    with pytest.raises(ValueError, match="dtype int32"):
        stream.integers(3, dtype=np.int32)


def test_parameters_by_name():
    stream, start = (Stream("philox4x32", seed=42, id=7) for _ in range(2))
    kinds = {"random": {"dtype": np.float32}, "bits": {"dtype": np.uint32}}
    for name, named in METHODS:
        drawn = getattr(stream, name)(size=(2, 3), **named, **kinds.get(name, {}))
        np.testing.assert_array_equal(drawn, start.fill(np.empty_like(drawn), name, **named))
    assert stream.position == start.position


@pytest.mark.parametrize("size, shape", [((), ()), ([2, 3], (2, 3)), (np.int64(3), (3,)), (0, (0,))])
def test_sizes(size, shape):
    stream = Stream("philox4x32", 1)
    for method, parameters in (("normal", ()), ("poisson", (3,)), ("bernoulli", ()), ("integers", (9,))):
        drawn = getattr(stream, method)(*parameters, size=size)
        assert isinstance(drawn, np.ndarray) and drawn.shape == shape
    assert stream.unit_vector(size).shape == (*shape, 3) and stream.on_disk(size).shape == (*shape, 2)
    assert stream.bernoulli() in (True, False) and isinstance(stream.bernoulli(), bool)


@pytest.mark.parametrize("distribution, parameters", METHODS)
def test_pieces_are_the_same_numbers(distribution, parameters, monkeypatch):
    """Several calls draw a large array, so Python can handle Ctrl-C between them."""
    whole, pieces = Stream("mt19937", 1), Stream("mt19937", 1)
    expected = getattr(whole, distribution)(**parameters, size=1000)
    calls, draw = [], pieces._library.draw
    monkeypatch.setattr(_drawing, "_PIECE", 299)
    monkeypatch.setattr(pieces._library, "draw", lambda *words: calls.append(words) or draw(*words))
    np.testing.assert_array_equal(getattr(pieces, distribution)(**parameters, size=1000), expected)
    assert len(calls) == 4 and pieces.position == whole.position


def test_parameters_of_fill():
    out = np.empty(5)
    np.testing.assert_array_equal(Stream("philox4x32", 1).fill(out, "normal"), Stream("philox4x32", 1).normal(size=5))
    np.testing.assert_array_equal(Stream("philox4x32", 1).fill(out, "uniform", 0, 2, interval="()"),
                                  Stream("philox4x32", 1).uniform(0, 2, size=5, interval="()"))
    below = Stream("philox4x32", 1).fill(np.empty(5, np.uint64), "below", 6)
    np.testing.assert_array_equal(below, Stream("philox4x32", 1).integers(6, size=5))
    for parameters, named, message in (((), {"loc": 3}, "normal: got an unexpected keyword argument 'loc'"),
                                       ((1, 2, 3), {}, "normal: too many positional arguments"),
                                       ((np.zeros(2),), {}, r"\(parameters are numbers\)")):
        with pytest.raises(TypeError, match=message):
            Stream("philox4x32").fill(out, "normal", *parameters, **named)
    with pytest.raises(TypeError, match="gamma: missing a required argument: 'shape'"):
        Stream("philox4x32").fill(out, "gamma")


@pytest.mark.parametrize("generator", usable())
def test_single_numbers_are_those_of_arrays(generator):
    """Single numbers are drawn ahead, but the numbers and the position equal those of arrays."""
    single, arrays = Stream(generator, 3, 1), Stream(generator, 3, 1)
    calls = [("random", ()), ("normal", ()), ("normal", (3, 2)), ("exponential", ()), ("log_normal", (0, 0.5)),
             ("uniform", (-2, 5)), ("integers", (6,)), ("integers", (-5, 2**31)), ("poisson", (4,))]
    for turn, (name, parameters) in enumerate(20 * calls):
        count = (1, 2, 3, 30, 200)[turn % 5]
        expected = getattr(arrays, name)(*parameters, size=count)
        drawn = [getattr(single, name)(*parameters) for _ in range(count)]
        assert drawn == expected.tolist(), (name, turn)
        assert type(drawn[0]) is type(expected[0].item())
        if turn % 7 == 0:
            assert single.position == arrays.position
    for _ in range(40):
        single.normal()
    arrays.normal(size=40)
    copied = [pickle.loads(pickle.dumps(single)), copy.copy(single), single.skipped(0)]
    assert single.random() == arrays.random() == copied[0].random() == copied[1].random() == copied[2].random()
    single.skip(11)
    arrays.skip(11)
    assert single.state == arrays.state
    with pytest.raises(ValueError, match="sigma"):
        single.normal(0, -1)
    with pytest.raises(TypeError, match="parameters are numbers"):
        single.log_normal(np.zeros(2))
    assert single.random() == arrays.random()


def test_names_and_arguments_of_numpy():
    def stream():
        return Stream("philox4x32", 1)

    np.testing.assert_array_equal(stream().normal(loc=3, scale=2, size=5), stream().normal(3, 2, size=5))
    np.testing.assert_array_equal(stream().exponential(scale=2, size=5), stream().exponential(2, size=5))
    np.testing.assert_array_equal(stream().standard_normal((2, 3)), stream().normal(size=(2, 3)))
    np.testing.assert_array_equal(stream().standard_gamma(2.5, 4), stream().gamma(2.5, size=4))
    np.testing.assert_array_equal(stream().integers(1, 6, 50, endpoint=True), stream().integers(1, 7, 50))
    np.testing.assert_array_equal(stream().integers(6, size=50, endpoint=True), stream().integers(7, size=50))
    mean, sigma = np.array([[0], [100]]), np.array([1, 2, 3])
    spread = stream().normal(mean, sigma)
    np.testing.assert_array_equal(spread, stream().normal(size=(2, 3)) * sigma + mean)
    assert stream().normal([0, 1], 2).shape == (2,) and stream().exponential([1, 2], size=(4, 2)).shape == (4, 2)
    for wrong in (lambda: stream().normal(0, [1, -1]), lambda: stream().exponential([1, 0])):
        with pytest.raises(ValueError, match="Pass (sigma|mean)"):
            wrong()
    with pytest.raises(ValueError, match="broadcast"):
        stream().normal([1, 2], [1, 2, 3])
    assert (Stream("philox4x32", [1, 2, 3]).seed == Stream("philox4x32", np.random.SeedSequence([1, 2, 3])).seed
            == Stream("philox4x32", np.array([1, 2, 3])).seed
            == int(np.random.SeedSequence([1, 2, 3]).generate_state(1, np.uint64)[0]))


def test_orders_and_choices():
    stream = Stream("philox4x32", 1)
    assert sorted(stream.permutation(1000).tolist()) == list(range(1000))
    rows = np.arange(20).reshape(10, 2)
    assert sorted(map(tuple, stream.permutation(rows).tolist())) == list(map(tuple, rows.tolist()))
    items, array = list("abcdefgh"), np.arange(100)
    stream.shuffle(items)
    stream.shuffle(array)
    assert sorted(items) == list("abcdefgh") != items
    assert sorted(array.tolist()) == list(range(100)) != array.tolist()
    orders = np.array([stream.permutation(4) for _ in range(24000)]) @ [64, 16, 4, 1]
    _, counts = np.unique(orders, return_counts=True)
    assert len(counts) == 24 and ((counts - 1000) ** 2 / 1000).sum() < 50  # chi-square, 23 degrees: p = 9e-4
    assert stream.choice(5) in range(5) and stream.choice([7]) == 7
    assert sorted(stream.choice(6, 6, replace=False).tolist()) == list(range(6))
    chosen = stream.choice(["a", "b", "c"], (100, 100), p=[0.5, 0, 0.5])
    assert chosen.shape == (100, 100) and set(chosen.ravel()) == {"a", "c"}
    assert abs((chosen == "a").mean() - 0.5) < 0.025  # 5 sigma
    points = stream.dirichlet([1, 2, 3], 10000)
    np.testing.assert_allclose(points.sum(axis=-1), 1)
    np.testing.assert_allclose(points.mean(axis=0), np.array([1, 2, 3]) / 6, atol=0.012)
    assert stream.dirichlet((0.5, 0.5)).shape == (2,)
    for wrong in (lambda: stream.choice(3, 4, replace=False), lambda: stream.choice(3, p=[1, 0]),
                  lambda: stream.choice(2, p=[0.5, 0.6]), lambda: stream.choice(2, p=[-1, 2]),
                  lambda: stream.choice(2, replace=False, p=[0.5, 0.5]), lambda: stream.dirichlet([])):
        with pytest.raises(ValueError, match=r"\. (Choose|Lower|Pass) "):
            wrong()


def test_threads_share_single_numbers():
    stream, drawn = Stream("philox4x32", 1), [[], [], []]
    threads = [threading.Thread(target=lambda to=to: to.extend(stream.random() for _ in range(3000))) for to in drawn]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(sum(drawn, [])) == sorted(Stream("philox4x32", 1).random(9000).tolist())
    assert stream.position == 18000


@pytest.mark.parametrize("generator", usable())
def test_places(generator):
    stream = Stream(generator, 3, 1)
    stream.normal(size=101)
    position, state = stream.position, stream.state
    expected = stream.random(50)
    copied = [pickle.loads(pickle.dumps(stream)), copy.copy(stream), copy.deepcopy(stream)]
    after = stream.random(7)
    for one in copied:
        assert one.generator == generator
        np.testing.assert_array_equal(one.random(7), after)
    stream.state = state
    assert stream.position == position
    np.testing.assert_array_equal(stream.random(50), expected)

    start = Stream(generator, 3, 1)
    skipped = start.skipped(position)
    assert start.position == 0
    np.testing.assert_array_equal(skipped.random(50), expected)
    far = (2**20 if generator == "sfc64" else 3 * 2**61) + 12345  # sfc64 skips step by step
    at = skipped.position
    skipped.skip(far)
    assert skipped.position == at + far
    assert repr(start) == f"<rivulet.Stream {generator} seed=3 id=1 position=0>"
    assert (start.seed, start.id) == (copy.copy(start).seed, pickle.loads(pickle.dumps(start)).id) == (3, 1)


def test_skips_that_take_too_long():
    stream = Stream("sfc64")
    with pytest.raises(ValueError, match=r"sfc64 skips number by number, so positions end at 2\^45"):
        stream.skipped(2**45 + 1)
    assert stream.position == 0


def test_states_of_others():
    stream = Stream("mt19937")
    altered = bytearray(stream.state)
    altered[100] ^= 1
    for bytes_, message in ((b"", "size=0"), (stream.state[:-1], "not a saved sequence"),
                            (bytes(altered), "checksum"),
                            (Stream("ranmar48").state, r"ranmar48.*Assign it to a stream with generator=ranmar48\.$")):
        with pytest.raises(ValueError, match=message):
            stream.state = bytes_
    assert stream.position == 0


@pytest.mark.parametrize("generator", usable())
def test_children(generator):
    stream = Stream(generator, 42, 7)
    if generator not in COUNTER_BASED:
        with pytest.raises(ValueError, match=f"{generator} has no children"):
            stream.child(0)
        with pytest.raises(ValueError, match="no children"):
            stream.spawn(2)
        return
    stream.random(3)
    children = [stream.child(n) for n in (0, 1, 2**64 - 1)]
    drawn = [tuple(child.bits(2)) for child in children]
    assert len(set(drawn)) == 3
    assert tuple(Stream(generator, 42, 7).child(1).bits(2)) == drawn[1]
    assert tuple(Stream(generator, 42, 8).child(1).bits(2)) != drawn[1]
    spawned = stream.spawn(1) + pickle.loads(pickle.dumps(stream)).spawn(1)
    assert [tuple(one.bits(2)) for one in spawned] == drawn[:2]
    assert tuple(pickle.loads(pickle.dumps(stream.child(1).child(5))).bits(2)) \
        == tuple(Stream(generator, 42, 7).child(1).child(5).bits(2))


def test_two_threads_take_turns(sorted_of_two_threads):
    stream = Stream("mt19937", 1)
    np.testing.assert_array_equal(sorted_of_two_threads(lambda: stream.bits(101)),
                                  np.sort(Stream("mt19937", 1).bits(600 * 101)))
