# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The correlate job's sums are exact with all methods and layouts, and tell good generators from bad ones."""

import hashlib
import struct
import unittest

import h5py
import numpy

import refusal
import rivulet_cli

STREAMS, EACH, LAGS = 19, 3001, 24  # the streams fill one tile of lanes and part of another; EACH is odd
SHAPE = [f"streams.count={STREAMS}", f"correlate.numbers={STREAMS * EACH + 7}",
         f"correlate.lags={LAGS}"]
# The digests of SHAPE with default values for all other keys. All builds, methods and machines must reproduce them.
GOLDEN = {"none": "133f9b51021c5915db6eaf38bca9d81caf35d9cc0a57bf0e73d861ce08febb76",
          "next": "c9761e42b9ff94961bec8fc83284ec74a0f0bd0a4c4e72546892817d50fe9159"}


HAS_FFTW = "build without FFTW" not in rivulet_cli.run("correlate", "correlate.method=fft", "--validate").err
METHODS = ("direct", "fft") if HAS_FFTW else ("direct",)


def products(x, y, lags):
    """Returns the sums of x(i) y(i + m) over rows, in integer arithmetic."""
    count = x.shape[1]
    return [int((x[:, :count - m] * y[:, m:]).sum()) for m in range(lags + 1)]


def expected(words, across, bit=0, lags=LAGS):
    """Returns the exact sums and C_m / C_0."""
    x = 2 * (words.astype(numpy.int64) >> (16 - bit) & 0xffff) - 65535
    y = numpy.roll(x, -1, axis=0) if across == "next" else x
    centred, partner = (one - x.mean() for one in (x, y))
    count = x.shape[1]
    covariance = [(centred[:, :count - m] * partner[:, m:]).sum() for m in range(lags + 1)]
    return products(x, y, lags), numpy.array(covariance) / (centred ** 2).sum()


def digest_of(sums):
    sha = hashlib.sha256()
    for m, value in enumerate(sums):
        sha.update(struct.pack("<QqQ", m, value >> 64, value & (2 ** 64 - 1)))
    return sha.hexdigest()


class CorrelateCase(rivulet_cli.Case):
    def correlate(self, *overrides, **options):
        done = self.run_ok("correlate", *overrides, "--output", "out.h5", **options)
        digest, data, facts = self.results("correlate")
        self.assertEqual(digest, done.digest)
        return done, data, facts

    def words(self):
        self.run_ok("fill", f"fill.numbers={STREAMS * EACH}", f"streams.count={STREAMS}",
                    "fill.type=uint32", "fill.order=blocked", "fill.to=file")
        with h5py.File(self.directory / "fill.h5") as file:
            return file["results/fill/numbers"][:].reshape(STREAMS, EACH)


class Content(CorrelateCase):
    def test_sums_are_those_of_plain_loops(self):
        words = self.words()
        for across, bit in (("none", 0), ("next", 0), ("none", 16), ("next", 3)):
            sums, correlation = expected(words, across, bit)
            for method in METHODS:
                with self.subTest(across=across, bit=bit, method=method):
                    done, data, facts = self.correlate(*SHAPE, f"correlate.across={across}", f"correlate.bit={bit}",
                                                       f"correlate.method={method}")
                    self.check(done, data, facts, sums, correlation, across)

    def check(self, done, data, facts, sums, correlation, across):
        found = [int(upper) * 2 ** 64 + int(lower)
                 for upper, lower in zip(data["product_upper"], data["product_lower"])]
        self.assertEqual(found, sums)
        self.assertEqual(done.digest, digest_of(sums))
        self.assertEqual(data["lag"].tolist(), list(range(LAGS + 1)))
        numpy.testing.assert_allclose(data["correlation"], correlation, rtol=0, atol=1e-12)
        self.assertEqual(facts["numbers"], STREAMS * EACH)
        self.assertEqual(facts["across"], across)
        tested = numpy.abs(correlation[0 if across == "next" else 1:])
        band = 2.5758293035489004 / (STREAMS * EACH) ** 0.5
        self.assertAlmostEqual(facts["band"], band, 15)
        self.assertEqual(facts["outside"], (tested > band).sum())
        self.assertAlmostEqual(facts["largest"], tested.max(), 12)
        self.assertEqual(facts["largest_lag"],
                         tested.argmax() + (0 if across == "next" else 1))
        self.assertAlmostEqual(facts["expected_outside"], 0.01 * len(tested), delta=0.01)
        self.assertEqual(int(done.result("outside")), facts["outside"])


class Layouts(CorrelateCase, refusal.Refusal):
    def same(self, across, *overrides, **options):
        with self.subTest(across=across, overrides=overrides, **options):
            done = self.run_ok("correlate", *SHAPE, f"correlate.across={across}", *overrides,
                               "output.file=", **options)
            self.assertEqual(done.digest, GOLDEN[across])

    def test_golden(self):
        for across in GOLDEN:
            for method in METHODS:
                self.same(across, f"correlate.method={method}", threads=3)
            self.same(across, "streams.mapping=team")

    def test_ranks(self):
        for across in GOLDEN:
            for ranks, method in ((2, METHODS[-1]), (4, METHODS[0])):
                if ranks in rivulet_cli.ranks_up_to(4):
                    self.same(across, f"correlate.method={method}", ranks=ranks)
        if rivulet_cli.MPIEXEC:  # on 3 ranks, the partner of the last rank's only stream is stream 0
            digests = {self.run_ok("correlate", "streams.count=3", "correlate.numbers=999",
                                   "correlate.lags=9", "correlate.across=next", "output.file=",
                                   ranks=ranks).digest for ranks in (1, 3)}
            self.assertEqual(len(digests), 1)

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_all_results_on_ranks(self):
        """All results are equal to the last bit, not only the sums in the digest, because means and ends are sums over
        ranks too."""
        deck = ["correlate.numbers=30000", "correlate.lags=20", "streams.count=30"]
        for across in GOLDEN:
            _, *alone = self.correlate(*deck, f"correlate.across={across}")
            for ranks in (2, 3):
                with self.subTest(across=across, ranks=ranks):
                    _, *found = self.correlate(*deck, f"correlate.across={across}", ranks=ranks)
                    for some, others in zip(found, alone):
                        self.assertEqual(list(some), list(others))
                        for name, value in some.items():
                            numpy.testing.assert_array_equal(value, others[name], name)

    def test_least_memory(self):
        for across in GOLDEN:
            for method in METHODS:
                deck = ["correlate", *SHAPE, f"correlate.method={method}", f"correlate.across={across}"]
                least = self.minimum_memory(deck, "correlate.memory")
                done = self.run_ok(*deck, f"correlate.memory={least}", "output.file=")
                self.assertEqual(done.digest, GOLDEN[across])
                self.assertEqual(int(done.result("number buffer")), least)


class Statistics(CorrelateCase):

    @unittest.skipUnless("fft" in METHODS, "built without FFTW")
    def test_the_known_bad_generator_is_caught(self):
        done = self.run_ok("correlate", "streams.generator=hybrid_tausworthe_listing",
                           "streams.count=1", "streams.seeding=published",
                           "correlate.numbers=1e6", "correlate.lags=100000",
                           "output.file=")
        self.assertGreater(float(done.result("largest")), 0.5)
        self.assertGreater(float(done.result("deviation")), 10)


class Refusals(refusal.Refusal):
    def test_decks(self):
        self.refuse_each((
            (["correlate", "streams.count=10", "correlate.numbers=1009", "correlate.lags=100"],
             "correlate.lags=100 for streams of 100 numbers"),
            (["correlate", "correlate.memory=1 KiB"], "correlate.memory=1024 B is too small")))
        self.refuse_each((
            (["correlate", "correlate.lags=1000001"], "correlate.lags", "1000000"),
            (["correlate", "correlate.numbers=63"], "correlate.numbers=63 for 64 streams")), ranks=[1])

    def test_too_few_streams(self):
        self.refuse(["correlate", "correlate.across=next", "streams.count=2"],
                    "correlate.across=next with streams.count=2", "counted twice",
                    ranks=rivulet_cli.ONE_AND_TWO)

    @unittest.skipIf("fft" in METHODS, "built with FFTW")
    def test_fft_without_fftw(self):
        self.refuse(["correlate", "correlate.method=fft"], "build without FFTW")
