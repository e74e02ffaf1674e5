# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fill job's numbers equal those of an independent implementation, with any ranks, threads and fill.memory."""

import hashlib
import math
import struct

import h5py
import numpy

import ranmar
import refusal
import rivulet_cli

NUMBERS = 20011  # a prime
STREAMS = 37     # two tiles of lanes and a partial one
SHAPE = [f"fill.numbers={NUMBERS}", f"streams.count={STREAMS}"]
IJ, KL = 1802, 30081 - 20  # for some streams the overflow of kl increments ij

ORDERS = {
    "interleaved": ("interleaved", None),
    "blocked": ("blocked", None),
    "short runs": ("blocked", STREAMS * 3),
    "long runs": ("blocked", STREAMS * 300),
    "whole periods": ("blocked", STREAMS * 97),
}
PUBLISHED = ["streams.seeding=published", f"streams.ij={IJ}", f"streams.kl={KL}"]

# The digest of SHAPE with ranmar48x, the default seed and doubles, in any order. cli_digests tests all generators.
GOLDEN = "719221d93f73ddd60f2c3805d4bb03a713fc5f4916f5651259668fd0b677db58"


def order_overrides(name):
    order, block = ORDERS[name]
    return [f"fill.order={order}"] + ([f"fill.block={block}"] if block else [])


def ranmar_streams(variant, each):
    """Returns the streams' numbers, doubles in [0, 1)."""
    return [numpy.ldexp(numpy.array(ranmar.raw(variant, *ranmar.seeds_of(s, IJ, KL), each), dtype="<f8"),
                        -ranmar.VARIANTS[variant][0]) for s in range(STREAMS)]


def digest_of(streams, counts):
    """Returns the digest, which covers (count, sum of b_i, sum of (i + 1) b_i) of each stream; b_i are the numbers'
    bits."""
    sha = hashlib.sha256()
    for one, count in zip(streams, counts):
        bits = one[:count].view(f"<u{one.itemsize}").astype("<u8")
        weights = numpy.arange(1, count + 1, dtype="<u8")
        sha.update(struct.pack("<QQQ", count, int(bits.sum(dtype="<u8")),
                               int((bits * weights).sum(dtype="<u8"))))
    return sha.hexdigest()


class FillCase(rivulet_cli.Case):
    def fill(self, *overrides, **options):
        done = self.run_ok("fill", *SHAPE, *overrides, "fill.to=file", "--output", "out.h5",
                           **options)
        with h5py.File(self.directory / "out.h5") as file:
            return done, file["results/fill/numbers"][:]


class Content(FillCase):
    def test_ranmar_in_every_order(self):
        for variant in ranmar.VARIANTS.keys() & rivulet_cli.generators().keys():
            streams = ranmar_streams(variant, NUMBERS // STREAMS + 301)
            for name, (order, block) in ORDERS.items():
                with self.subTest(variant=variant, order=name):
                    done, numbers = self.fill(*PUBLISHED, f"streams.generator={variant}",
                                              *order_overrides(name))
                    expected = ranmar.filled(streams, NUMBERS, order, block)
                    numpy.testing.assert_array_equal(numbers, expected)
                    self.check_file(done, streams, order, block)

    def check_file(self, done, streams, order, block):
        with h5py.File(self.directory / "out.h5") as file:
            fill = file["results/fill"]
            counts = fill["counts"][:].tolist()
            self.assertEqual(sum(counts), NUMBERS)
            self.assertEqual(digest_of(streams, counts), done.digest)
            self.assertEqual(file.attrs["digest"], done.digest)
            self.assertEqual(fill.attrs["numbers"], NUMBERS)
            self.assertEqual(fill.attrs["type"], "double")
            self.assertEqual(fill.attrs["interval"], "closed_open")
            self.assertEqual(fill.attrs["order"], order)
            if block:
                self.assertEqual(fill.attrs["run"], block // STREAMS)
            self.assertEqual(int(done.result("checksum")),
                             int(fill["checksum1"][:].sum(dtype="<u8")))

    def test_types_and_intervals(self):
        """All types and intervals for a 48-bit generator. The unit test NumberFormat covers all widths and the extreme
        numbers."""
        deck = [*PUBLISHED, "streams.generator=ranmar48"]
        raw = (self.fill(*deck)[1] * 2.0**48).astype("<u8")
        pairs = raw[:NUMBERS // (2 * STREAMS) * 2 * STREAMS].reshape(-1, 2, STREAMS) >> numpy.uint64(16)
        real = raw.astype("<f8")
        for kind, interval, expected in (
                ("double", "open", (2 * real + 1) / 2.0**49), ("double", "open_closed", (real + 1) / 2.0**48),
                ("double", "closed", real / (2.0**48 - 1)), ("double", "zero_replaced", numpy.maximum(real, 1) / 2.0**48),
                ("float", "closed_open", (raw >> numpy.uint64(24)).astype("<f4") / numpy.float32(2**24)),
                ("uint32", "closed_open", (raw >> numpy.uint64(16)).astype("<u4")),
                ("uint64", "closed_open", (pairs[:, 0] << numpy.uint64(32) | pairs[:, 1]).ravel())):
            with self.subTest(type=kind, interval=interval):
                _, numbers = self.fill(*deck, f"fill.type={kind}", f"fill.interval={interval}")
                self.assertEqual(numbers.dtype, expected.dtype)
                numpy.testing.assert_array_equal(numbers[:len(expected)], expected)


class Layouts(FillCase):
    def test_ranks_and_memory(self):
        for name in ORDERS:
            first = None
            for ranks, memory in rivulet_cli.layouts((1, "auto"), (1, "13000"), (2, "30 KiB"), (2, "auto"), (4, "13000")):
                with self.subTest(order=name, ranks=ranks, memory=memory):
                    overrides = ["streams.generator=ranmar48x", *order_overrides(name),
                                 f"fill.memory={memory}"]
                    done, numbers = self.fill(*overrides, ranks=ranks)
                    first = first or (done.digest, numbers)
                    self.assertEqual(done.digest, first[0])
                    numpy.testing.assert_array_equal(numbers, first[1])
                    if ORDERS[name][1] is None:  # with blocks, some streams may have more numbers
                        self.assertEqual(done.digest, GOLDEN)
                    if memory == "13000":
                        self.assertLessEqual(int(done.result("number buffer")), 13000 * ranks)

    def test_threads_and_iterations(self):
        for threads, iterations in ((1, 3), (3, 1)):
            for to in ("memory", "file"):
                done = self.run_ok("fill", *SHAPE, "streams.generator=ranmar48x", f"fill.to={to}",
                                   f"fill.iterations={iterations}", threads=threads)
                self.assertEqual(done.digest, GOLDEN)

    def test_fewer_numbers_than_streams(self):
        for order in ("interleaved", "blocked"):
            done = self.run_ok("fill", "fill.numbers=5", "streams.count=9", "fill.to=file",
                               f"fill.order={order}", ranks=rivulet_cli.ranks_up_to(4)[-1])
            self.assertEqual(done.result("numbers"), "5")
            with h5py.File(self.directory / "fill.h5") as file:
                self.assertEqual(file["results/fill/counts"][:].tolist(), [1] * 5 + [0] * 4)
                self.assertEqual(file["results/fill/numbers"].shape, (5,))

    def test_stored_deck_repeats_the_run(self):
        done, numbers = self.fill("fill.type=float", "fill.interval=open")
        self.require_repeated(done, ranks=rivulet_cli.ranks_up_to(2)[-1])
        with h5py.File(self.directory / "again.h5") as file:
            numpy.testing.assert_array_equal(file["results/fill/numbers"][:], numbers)


class Laws(FillCase):
    GENERATORS = ("dcmt521", "ranmar48", "philox4x32")

    def test_numbers(self):
        """The numbers of each law are functions of the uniform numbers. The test checks them with the logarithms and
        error functions of NumPy and Python."""
        for generator in self.GENERATORS & rivulet_cli.generators().keys():
            for kind, rounding in (("double", 2.0**-52), ("float", 2.0**-23)):
                with self.subTest(generator=generator, type=kind):
                    deck = [f"streams.generator={generator}", f"fill.type={kind}"]
                    unit = self.fill(*deck, "fill.interval=open")[1].astype("<f8")
                    above_0 = self.fill(*deck, "fill.interval=open_closed")[1].astype("<f8")
                    normal = self.fill(*deck, "fill.law=normal")[1].astype("<f8")
                    probability = numpy.array([math.erfc(-z / math.sqrt(2)) / 2 for z in normal])
                    self.assert_near(probability, unit, 3 * rounding * (1 + normal**2))
                    exponential = self.fill(*deck, "fill.law=exponential", "fill.mean=2.5")[1]
                    self.assert_near(exponential.astype("<f8"), -2.5 * numpy.log(above_0), 2 * rounding)
                    scaled = self.fill(*deck, "fill.law=normal", "fill.mean=-3", "fill.deviation=2")[1]
                    numpy.testing.assert_array_equal(scaled, (2 * normal).astype(scaled.dtype) - scaled.dtype.type(3))
                    log_normal = self.fill(*deck, "fill.law=log_normal", "fill.mean=-1", "fill.deviation=0.5")[1]
                    self.assert_near(log_normal.astype("<f8"), numpy.exp(0.5 * normal - 1),
                                     3 * rounding * (1 + abs(normal)))

    def assert_near(self, numbers, expected, relative):
        self.assertLess(numpy.max(abs(numbers - expected) / (relative * abs(expected))), 1)

    def test_layouts(self):
        for law, kind in (("normal", "double"), ("exponential", "float"), ("log_normal", "double")):
            deck = [f"fill.law={law}", f"fill.type={kind}"]
            expected = self.run_ok("fill", *SHAPE, *deck, "output.file=").digest
            for ranks, memory in rivulet_cli.layouts((1, "13000"), (2, "auto"), (4, "30 KiB")):
                for more in (["fill.order=blocked"], ["streams.mapping=team"], ["streams.segments=7"]):
                    with self.subTest(law=law, ranks=ranks, memory=memory, more=more):
                        done = self.run_ok("fill", *SHAPE, *deck, *more, f"fill.memory={memory}", "output.file=",
                                           ranks=ranks)
                        self.assertEqual(done.digest, expected)

    def test_stored_deck_repeats_the_run(self):
        done, _ = self.fill("fill.law=normal", "fill.mean=7")
        self.require_repeated(done)
        with h5py.File(self.directory / "out.h5") as file:
            self.assertEqual(file["results/fill"].attrs["law"], "normal")


class Refusals(refusal.Refusal):
    def test_decks(self):
        self.refuse_each((
            (["fill", "fill.mean=1"], "fill.mean=1 and fill.deviation=1 with fill.law=uniform"),
            (["fill", "fill.law=normal", "fill.type=uint32"], "fill.law=normal with fill.type=uint32"),
            (["fill", "fill.law=normal", "fill.interval=open"], "with fill.interval=open"),
            (["fill", "fill.law=exponential", "fill.mean=-1"], "a positive fill.mean"),
            (["fill", "fill.law=exponential", "fill.deviation=2"], "Set a positive fill.mean"),
            (["fill", "fill.law=normal", "fill.deviation=-1"], "fill.deviation"),
            (["fill", "fill.law=normal", "fill.type=float", "fill.mean=1e100"], "a float cannot hold them"),
            (["fill", "fill.law=exponential", "fill.type=float", "fill.mean=1e-60"], "a float cannot hold them"),
            *((["fill", f"fill.type={kind}", "fill.interval=open"], f"fill.interval=open with fill.type={kind}",
               "only real numbers have an interval") for kind in ("uint32", "uint64")),
            (["fill", "fill.block=4096"], "fill.block=4096 with fill.order=interleaved"),
            (["fill", "fill.order=blocked", "fill.block=5000"], "fill.block=5000 for 4096 streams",
             "multiple of streams.count"),
            (["fill", "fill.numbers=0"], "fill.numbers"),
            (["fill", "fill.numbers=1e19"], "fill.numbers", "1000000000000000000")), ranks=(1,))
        self.refuse(["fill", "fill.to=file", "output.file="], "fill.to=file without output.file",
                    output=None)

    def test_too_little_memory(self):
        least = self.minimum_memory(["fill", *SHAPE], "fill.memory", ranks=rivulet_cli.ONE_AND_TWO)
        self.run_ok("fill", *SHAPE, f"fill.memory={least}", "output.file=")

    def test_a_full_disk(self):
        for order in ("interleaved", "blocked"):
            self.refuse(["fill", "fill.numbers=1e7", "fill.to=file", f"fill.order={order}"],
                        "cannot write 'out.h5", "File too large", file_limit=20 << 20)

    def test_more_than_any_disk_holds(self):
        done = rivulet_cli.run("fill", "fill.numbers=1e15", "fill.to=file", cwd=self.directory)
        self.require_refusal(done, ["cannot write 'fill.h5", " for 7.11 PiB). "])
        self.assertNotIn("ulimit", done.err)
        self.assertEqual(self.files(), [])
