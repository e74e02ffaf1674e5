# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pi job counts the same hits in every stream, on every layout and with every division of the work."""

import itertools

import h5py
import numpy

import refusal
import rivulet_cli
import twister

# Not divisible by the numbers of streams, ranks, threads, batches or lanes, or by block lengths.
POINTS = 1234567
STREAMS = 1037  # with 512 shipped sets this needs jumps, and ranks begin in the middle of a round of sets
SHAPE = [f"pi.points={POINTS}", f"streams.count={STREAMS}", "output.file="]

# (point, mapping): (hits, digest) of SHAPE with dcmt521 and the default seed. Serial and OpenMP builds with all
# compilers and processors must reproduce these values. cli_digests tests the other generators.
GOLDEN = {
    ("packed", "centred"): (969944, "9dcb152b34fd72191756f15eae0e88dca2e4ea94e2df5345fd8e3c1ed7bb2276"),
    ("packed", "published"): (969932, "a863d3e365948be5759bfa4a450d1aea98cb667c1eb58430c5e93543f2f4f971"),
    ("pair", "centred"): (969467, "060f9df8511daf3ab6a2801facf12905a4581708c767f80cdd4ae43889d38bd9"),
    ("pair", "published"): (969467, "060f9df8511daf3ab6a2801facf12905a4581708c767f80cdd4ae43889d38bd9"),
}


def created_sets(case, exponent):
    """Creates a parameter file of three sets. Returns its name and the rows (a, b, c)."""
    name = f"sets{exponent}.h5"
    case.run_ok("create", f"create.exponent={exponent}", "create.first_id=0", "create.count=3",
                "--output", name)
    with h5py.File(case.directory / name) as file:
        return name, [tuple(map(int, row)) for row in zip(file["a"], file["b"], file["c"])]


class LayoutCase(rivulet_cli.Case):
    def pi(self, *overrides, point="packed", mapping="centred", **options):
        return self.run_ok("pi", *SHAPE, f"pi.point={point}", f"pi.mapping={mapping}", *overrides,
                           **options)

    def require(self, done, point="packed", mapping="centred"):
        self.assertEqual((done.hits, done.digest), GOLDEN[point, mapping], done.command)


class Golden(LayoutCase):
    """Runs every variant in the simplest layout, and in a layout that differs in all respects."""

    def test_dcmt521(self):
        for point, mapping in GOLDEN:
            with self.subTest(point=point, mapping=mapping):
                variant = {"point": point, "mapping": mapping}
                self.require(self.pi(**variant), **variant)
                other = self.pi("streams.mapping=team", "pi.kernel=stored", "pi.batches=7", **variant, threads=2,
                                ranks=rivulet_cli.ranks_up_to(3)[-1])
                self.require(other, **variant)


class Layouts(LayoutCase, refusal.Refusal):
    def test_ranks(self):
        for ranks in rivulet_cli.ranks_up_to(4):
            for mapping in ("lane", "team"):
                with self.subTest(ranks=ranks, mapping=mapping):
                    self.require(self.pi(f"streams.mapping={mapping}", ranks=ranks))

    def test_threads(self):
        for threads in (2, 3):  # the tests above have one thread
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
        for mapping in ("lane", "team"):
            least = self.minimum_memory(["pi", *SHAPE, "pi.kernel=stored", f"streams.mapping={mapping}"], "pi.memory")
            for memory in (least, least + 1, 5 * least + 12345, "300 KiB", "1 GiB", "auto"):
                with self.subTest(memory=memory, mapping=mapping):
                    done = self.pi("pi.kernel=stored", f"pi.memory={memory}",
                                   f"streams.mapping={mapping}", threads=2)
                    self.require(done)
                    if isinstance(memory, int):
                        self.assertLessEqual(int(done.result("word buffer")), memory)

    def test_pairs_that_do_not_fill_a_block(self):
        """A round has 17 words, so every other round ends within a pair."""
        for overrides in (["pi.kernel=stored", "pi.memory=64 KiB"], ["streams.mapping=team"],
                          ["pi.batches=100"]):
            self.require(self.pi(*overrides, point="pair", ranks=rivulet_cli.ranks_up_to(2)[-1]), "pair")

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

    def test_against_an_independent_twister(self):
        built = rivulet_cli.generators()
        self.assertIn("dcmt521", built)
        for exponent in (one for one in (521, 607, 1279, 2203) if f"dcmt{one}" in built):
            overrides = [f"streams.generator=dcmt{exponent}"]
            if exponent < 1279:
                sets = twister.shipped_sets(exponent)[:3]
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
