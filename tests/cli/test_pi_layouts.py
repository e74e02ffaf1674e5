# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pi job gives the same hits in every stream, whatever it runs on and however it is cut."""

import itertools
import re

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
        969944, "9dcb152b34fd72191756f15eae0e88dca2e4ea94e2df5345fd8e3c1ed7bb2276"),
    ("dcmt521", "packed", "published"): (
        969932, "a863d3e365948be5759bfa4a450d1aea98cb667c1eb58430c5e93543f2f4f971"),
    ("dcmt521", "pair", "centred"): (
        969467, "060f9df8511daf3ab6a2801facf12905a4581708c767f80cdd4ae43889d38bd9"),
    ("dcmt521", "pair", "published"): (
        969467, "060f9df8511daf3ab6a2801facf12905a4581708c767f80cdd4ae43889d38bd9"),
    ("dcmt607", "packed", "centred"): (
        968948, "a6d6d6914fee010795b7da9a98355c3e0ab345aed58363e791cdc6f0a26aae4f"),
    ("dcmt607", "packed", "published"): (
        968935, "817c97bdbc16096b7bbf4b83c23e08415ba6e0010b945c17de3358ff791d0fb4"),
    ("dcmt607", "pair", "centred"): (
        969434, "ec7b19a11c50055cc19fa028911c183695855673a851eca912239dcbb2283981"),
    ("dcmt607", "pair", "published"): (
        969434, "ec7b19a11c50055cc19fa028911c183695855673a851eca912239dcbb2283981"),
    ("dcmt1279", "packed", "centred"): (
        970677, "0a35ca1dcba6000c467ad4cbda55f49a989f0901c919e3da787ae4efb4f65c5f"),
    ("dcmt1279", "packed", "published"): (
        970662, "1b51fbe087a096bf4a020c0af63715a558944876a551270840be62b015afd71f"),
    ("dcmt1279", "pair", "centred"): (
        970032, "8741ba2aee0091ff6938bcdab0526401b14e4c76e6fad551f51d3c67c9d04929"),
    ("dcmt1279", "pair", "published"): (
        970032, "8741ba2aee0091ff6938bcdab0526401b14e4c76e6fad551f51d3c67c9d04929"),
    ("dcmt2203", "packed", "centred"): (
        969996, "cdad194e47e706bafe51c0764a0b07f7db7dd4ae612f0792ae2024e5f9a054e0"),
    ("dcmt2203", "packed", "published"): (
        969981, "46889972e0e186d021ae1e29de929a0cc6214b961ae7d52362bfdd5cfc85ad2e"),
    ("dcmt2203", "pair", "centred"): (
        969080, "f4cdcdf223d246e3137a885bc62adfae71243defe0ead7065b096a3d2f2bea7e"),
    ("dcmt2203", "pair", "published"): (
        969080, "f4cdcdf223d246e3137a885bc62adfae71243defe0ead7065b096a3d2f2bea7e"),
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

    def test_other_exponents(self):
        """Of those that are built."""
        built = rivulet_cli.generators()
        for exponent in (one for one in (607, 1279, 2203) if f"dcmt{one}" in built):
            sets = [] if exponent == 607 else ["streams.parameters=" + created_sets(self, exponent)[0]]
            self.check(f"dcmt{exponent}", *sets)


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

    def least_memory(self, mapping):
        """Of the stored kernel, as the refusal of less says it."""
        refused = rivulet_cli.run("pi", *SHAPE, "pi.kernel=stored", "pi.memory=64 B",
                                  f"streams.mapping={mapping}")
        self.assertNotEqual(refused.code, 0)
        self.assertEqual(len(refused.messages), 1, refused)
        message = refused.messages[0]
        self.assertRegex(message, r"pi\.memory=64 B is too small")
        return int(re.search(r"at least (\d+) B", message).group(1))

    def test_memory_of_the_stored_kernel(self):
        for mapping in ("lane", "team"):
            least = self.least_memory(mapping)
            for memory in (least, least + 1, 5 * least + 12345, "300 KiB", "1 GiB", "auto"):
                with self.subTest(memory=memory, mapping=mapping):
                    done = self.pi("pi.kernel=stored", f"pi.memory={memory}",
                                   f"streams.mapping={mapping}", threads=2)
                    self.require(done)
                    if isinstance(memory, int):
                        self.assertLessEqual(int(done.result("word buffer")), memory)
            too_small = rivulet_cli.run("pi", *SHAPE, "pi.kernel=stored", f"pi.memory={least - 1}",
                                        f"streams.mapping={mapping}")
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

    def test_seed_log2_jump_and_generator_matter(self):
        base = self.hits_of(600, 5000)
        for override in ("streams.seed=7", "streams.seed=4315228416",  # 20261120 + 2^32
                         "streams.generator=mt19937"):
            with self.subTest(override=override):
                self.assertLess(numpy.count_nonzero(base == self.hits_of(600, 5000, override)), 60)
        jumped = self.hits_of(600, 5000, "streams.log2_jump=201")
        numpy.testing.assert_array_equal(base[:512], jumped[:512])
        self.assertLess(numpy.count_nonzero(base[512:] == jumped[512:]), 15)

    def test_against_an_independent_twister(self):
        built = rivulet_cli.generators()
        self.assertIn("dcmt521", built)
        for exponent in (one for one in (521, 607, 1279, 2203) if f"dcmt{one}" in built):
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
