# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pi job gives the same hits in every stream, whatever it runs on and however it is cut."""

import itertools
import json
import math
import re
import unittest

import h5py
import numpy

import rivulet_cli
import twister

# Divisible by nothing at hand: not by the streams, ranks, threads, batches, lanes or block lengths.
POINTS = 1234567
STREAMS = 1037  # on 512 shipped sets: jumps, and ranks that begin in the middle of a round of sets
SHAPE = [f"pi.points={POINTS}", f"streams.count={STREAMS}", "output.file="]

POINT_KINDS = ("packed", "pair")
MAPPINGS = ("centred", "published")
VARIANTS = list(itertools.product(POINT_KINDS, MAPPINGS))

# (generator, point, mapping): (hits, digest) of SHAPE with the default seed. Serial and OpenMP
# builds, all compilers and processors must give these; dcmt1279 and dcmt2203 use created_sets().
GOLDEN = {
    ("dcmt521", "packed", "centred"): (
        969966, "a4983295aaa36dac96a2df5ccd7c32c1fd51369bd08b9f51c842bf10e8e11ff9"),
    ("dcmt521", "packed", "published"): (
        969955, "6d5bbb21b2d444427086aa60c850f4e85b928a5858c5c2572ca37bfa341fad6b"),
    ("dcmt521", "pair", "centred"): (
        969388, "e392dd9eed3717eeadb94dabcf65f53768e549d64c8294c72bca9557d22df363"),
    ("dcmt521", "pair", "published"): (
        969388, "e392dd9eed3717eeadb94dabcf65f53768e549d64c8294c72bca9557d22df363"),
    ("dcmt607", "packed", "centred"): (
        969476, "5bd3a86ea4c87187c423b35714835e89225aa0f16d8b7a8178a6b564d1178cbe"),
    ("dcmt607", "packed", "published"): (
        969465, "13ec4a93539db539bb6b6998ed0a610696d27684e0832a5c23f24118cea42204"),
    ("dcmt607", "pair", "centred"): (
        969727, "aa19fdb95906322d9e6d936b528449183bc8e8f717e5af1d3330101e26704daf"),
    ("dcmt607", "pair", "published"): (
        969727, "aa19fdb95906322d9e6d936b528449183bc8e8f717e5af1d3330101e26704daf"),
    ("dcmt1279", "packed", "centred"): (
        970091, "7696b72589a2634ea97ef25746c5738d610d1cc32bf0b829041446ff390f3dc8"),
    ("dcmt1279", "packed", "published"): (
        970081, "967608ab01f1f924452c35a28c14f2ce5cdebbcd0d5264c2dd089bbe09990b29"),
    ("dcmt1279", "pair", "centred"): (
        969269, "48b5f5138c664df23e47c99fdaaa09b193d50bfea4f79486136280d6d5829d83"),
    ("dcmt1279", "pair", "published"): (
        969269, "48b5f5138c664df23e47c99fdaaa09b193d50bfea4f79486136280d6d5829d83"),
    ("dcmt2203", "packed", "centred"): (
        970662, "d9c3c5f59d2a1997725d7d86f0e643c058531e9052cca235bbb9f104a17bc21f"),
    ("dcmt2203", "packed", "published"): (
        970645, "b4e52bf99ce962ede3743fae0f819ad51d8dc67cbc2498f63082be00d0fd8987"),
    ("dcmt2203", "pair", "centred"): (
        969623, "be3d184ef886e67fe3603cf3745ef5d2261683e9db7208231381ad5ba3b40f53"),
    ("dcmt2203", "pair", "published"): (
        969623, "be3d184ef886e67fe3603cf3745ef5d2261683e9db7208231381ad5ba3b40f53"),
}


def created_sets(case, exponent):
    """A parameter file of three sets, made here; also their rows (a, b, c)."""
    name = f"sets{exponent}.h5"
    case.run_ok("create", f"create.exponent={exponent}", "create.first_id=0", "create.count=3",
                "--output", name)
    with h5py.File(case.directory / name) as file:
        return name, [tuple(map(int, row)) for row in zip(file["a"], file["b"], file["c"])]


def shipped_sets(exponent):
    path = rivulet_cli.SOURCE_DIR / "include/rivulet/detail/rng" / f"shipped_{exponent}.inc"
    rows = re.findall(r"^\{(\d+), (0x[0-9a-f]+), (0x[0-9a-f]+), (0x[0-9a-f]+)\}",
                      path.read_text(encoding="utf-8"), re.MULTILINE)
    return [tuple(int(field, 16) for field in row[1:]) for row in rows]


class LayoutCase(rivulet_cli.Case):
    def pi(self, *overrides, point="packed", mapping="centred", **options):
        return self.run_ok("pi", *SHAPE, f"pi.point={point}", f"pi.mapping={mapping}", *overrides,
                           **options)

    def require(self, done, generator="dcmt521", point="packed", mapping="centred"):
        expected = GOLDEN[generator, point, mapping]
        self.assertEqual((done.hits, done.digest), expected, done.command)


class Golden(LayoutCase):
    """Every variant in the plainest layout, and in one that differs in everything."""

    def check(self, generator, *overrides):
        for point, mapping in VARIANTS:
            with self.subTest(generator=generator, point=point, mapping=mapping):
                variant = {"point": point, "mapping": mapping}
                select = [f"streams.generator={generator}", *overrides]
                self.require(self.pi(*select, **variant), generator, **variant)
                other = self.pi(*select, "streams.mapping=team", "pi.kernel=stored",
                                "pi.batches=7", **variant, threads=2,
                                ranks=rivulet_cli.ranks_up_to(3)[-1])
                self.require(other, generator, **variant)

    def test_dcmt521(self):
        self.check("dcmt521")

    def test_dcmt607(self):
        self.check("dcmt607")

    def test_dcmt1279(self):
        self.check("dcmt1279", "streams.parameters=" + created_sets(self, 1279)[0])

    def test_dcmt2203(self):
        self.check("dcmt2203", "streams.parameters=" + created_sets(self, 2203)[0])


class Layouts(LayoutCase):
    def test_ranks(self):
        for ranks in rivulet_cli.ranks_up_to(4):
            for mapping in ("lane", "team"):
                with self.subTest(ranks=ranks, mapping=mapping):
                    self.require(self.pi(f"streams.mapping={mapping}", ranks=ranks))

    def test_threads(self):
        for threads in (1, 2, 3):
            for kernel, mapping in itertools.product(("fused", "stored"), ("lane", "team")):
                with self.subTest(threads=threads, kernel=kernel, mapping=mapping):
                    self.require(self.pi(f"pi.kernel={kernel}", f"streams.mapping={mapping}",
                                         threads=threads))

    def test_batches_and_iterations(self):
        for batches in (1, 2, 7, 100, 100000):
            with self.subTest(batches=batches):
                self.require(self.pi(f"pi.batches={batches}"))
        self.require(self.pi("pi.iterations=3"))

    def test_memory_of_the_stored_kernel(self):
        refused = rivulet_cli.run("pi", *SHAPE, "pi.kernel=stored", "pi.memory=1 KiB")
        self.assertNotEqual(refused.code, 0)
        self.assertEqual(len(refused.messages), 1, refused)
        message = refused.messages[0]
        self.assertRegex(message, r"pi\.memory=1024 B is too small")
        smallest = int(re.search(r"at least (\d+) B", message).group(1))
        sizes = (smallest, smallest + 1, 5 * smallest + 12345, "300 KiB", "1 GiB", "auto")
        for memory, mapping in zip(sizes, ("lane", "team", "team", "lane", "team", "lane")):
            with self.subTest(memory=memory, mapping=mapping):
                done = self.pi("pi.kernel=stored", f"pi.memory={memory}",
                               f"streams.mapping={mapping}", threads=2)
                self.require(done)
                if isinstance(memory, int):
                    self.assertLessEqual(int(done.result("word buffer")), memory)
        too_small = rivulet_cli.run("pi", *SHAPE, "pi.kernel=stored", f"pi.memory={smallest - 1}")
        self.assertNotEqual(too_small.code, 0)

    def test_pairs_that_do_not_fill_a_block(self):
        """17 words a round: a pair is cut in two by every other round's end."""
        expected = GOLDEN["dcmt521", "pair", "centred"]
        for overrides in (["pi.kernel=stored", "pi.memory=64 KiB"], ["streams.mapping=team"],
                          ["pi.batches=100"]):
            done = self.pi(*overrides, point="pair", ranks=rivulet_cli.ranks_up_to(2)[-1])
            self.assertEqual((done.hits, done.digest), expected, done.command)

    def test_fewer_points_than_streams(self):
        digests = set()
        for ranks in rivulet_cli.ranks_up_to(4):
            done = self.run_ok("pi", "pi.points=3", "streams.count=7", "output.file=", ranks=ranks)
            digests.add(done.digest)
        self.assertEqual(len(digests), 1)


class StreamsAreFunctionsOfTheirId(LayoutCase):
    def hits_of(self, streams, each, *overrides, **options):
        self.run_ok("pi", f"pi.points={streams * each}", f"streams.count={streams}", *overrides,
                    "--output", "out.h5", **options)
        with h5py.File(self.directory / "out.h5") as file:
            return file["results/pi/hits"][:]

    def test_more_streams_leave_the_first_ones_alone(self):
        few = self.hits_of(530, 1001)
        many = self.hits_of(1100, 1001, ranks=rivulet_cli.ranks_up_to(2)[-1])
        numpy.testing.assert_array_equal(few, many[:530])

    def test_more_points_leave_the_first_ones_alone(self):
        few = self.hits_of(20, 1000)
        more = self.hits_of(20, 1001)
        self.assertTrue(set((more - few).tolist()) <= {0, 1})

    def test_seed_log2_jump_and_generator_matter(self):
        base = self.hits_of(600, 5000)
        for override in ("streams.seed=7", "streams.seed=4315228416",  # 20261120 + 2^32
                         "streams.generator=dcmt607"):
            with self.subTest(override=override):
                self.assertLess(numpy.count_nonzero(base == self.hits_of(600, 5000, override)), 60)
        jumped = self.hits_of(600, 5000, "streams.log2_jump=201")
        numpy.testing.assert_array_equal(base[:512], jumped[:512])
        self.assertLess(numpy.count_nonzero(base[512:] == jumped[512:]), 15)

    def test_against_an_independent_twister(self):
        for exponent in (521, 607, 1279, 2203):
            overrides = [f"streams.generator=dcmt{exponent}"]
            if exponent < 1279:
                sets = shipped_sets(exponent)
                self.assertEqual(len(sets), 512)
                sets = sets[:3]
            else:
                name, sets = created_sets(self, exponent)
                overrides.append(f"streams.parameters={name}")
            state = twister.native_states(exponent, 20261120, sets)
            words = twister.words(exponent, sets, state, 20000).astype(numpy.uint64)
            i, j = words >> numpy.uint64(16), words & numpy.uint64(0xFFFF)
            inside = (2 * i + 1)**2 + (2 * j + 1)**2 < (1 << 34)
            packed = numpy.count_nonzero(inside, axis=0)
            numpy.testing.assert_array_equal(self.hits_of(3, 20000, *overrides), packed)
            pair = [sum((2 * int(u) + 1)**2 + (2 * int(v) + 1)**2 < 1 << 66
                        for u, v in zip(words[0::2, s], words[1::2, s])) for s in range(3)]
            self.assertEqual(self.hits_of(3, 10000, *overrides, "pi.point=pair").tolist(), pair)


class Estimate(LayoutCase):
    POINTS = 200_000_000

    def estimate(self, point, mapping):
        return self.run_ok("pi", f"pi.points={self.POINTS}", f"pi.point={point}",
                           f"pi.mapping={mapping}", "output.file=", threads=2)

    def test_within_four_standard_errors(self):
        lattice = json.loads((rivulet_cli.DATA_DIR / "pi_lattice.json").read_text("utf-8"))
        hits = {}
        for point, mapping in VARIANTS:
            with self.subTest(point=point, mapping=mapping):
                done = self.estimate(point, mapping)
                estimate = float(done.result("pi"))
                error = float(done.result("standard error"))
                hits[point, mapping] = done.hits
                self.assertAlmostEqual(error, 4 * math.sqrt(
                    math.pi / 4 * (1 - math.pi / 4) / self.POINTS), delta=error / 100)
                expected = math.pi
                if (point, mapping) == ("packed", "published"):
                    expected = 4 * lattice["float32_no_fma_i_over_65535"] / lattice["total"]
                self.assertLess(abs(estimate - expected), 4 * error)
        # On the same words the bias of the published arithmetic shows far below the standard error.
        missing = (lattice["midpoint_i_plus_half_over_65536"] -
                   lattice["float32_no_fma_i_over_65535"]) / lattice["total"] * self.POINTS
        self.assertLess(abs(hits["packed", "centred"] - hits["packed", "published"] - missing),
                        4 * math.sqrt(missing))


if __name__ == "__main__":
    unittest.main()
