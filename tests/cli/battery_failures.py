# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generators with known defects fail exactly those tests of the battery that theory predicts.

If a generator is linear over GF(2) and has k bits of state, each bit of its words has a linear complexity of at most k,
but LinearComp expects half the number of tested bits. Matrices of more than k columns lack full rank. For S interleaved
streams the complexity is at most S k. Streams and seeds in all arrangements fail no test.
"""

import numpy

import rivulet_cli
import test_digests
from battery_case import FAILED, BatteryCase

# Matrix ranks with 60, 300 and 1200 columns, from the first 30 bits of each word and from 10 later bits. Linear
# complexity of bits 0 and 29, counted from the highest, in 120000 words and in 400020 words.
RANKS = ["crush.56", "crush.57", "crush.58", "crush.59", "crush.60", "crush.61"]
COMPLEXITY = ["crush.71", "crush.72", "big.80", "big.81"]
# Hamming weights of middle bits and of low bits, and gaps of low bits.
LOW_BITS = ["big.63", "big.61", "big.64", "big.35"]


class Failures(BatteryCase):
    def require(self, tests, failing, *deck):
        """Runs the tests. Exactly those in `failing` must fail. If `failing` is empty, no test may be suspicious
        either."""
        done, found = self.battery("battery", f"battery.tests={' '.join(tests)}", *deck, timeout=1200,
                                   code=FAILED if failing else 0)
        failed = {name.split()[0] for name in found["failed"].split(", ")} - {"none"}
        self.assertEqual(failed, set(failing), done)
        if not failing:
            self.assertEqual(found["suspicious"], "none", done)

    def require_streams(self, tests, failing, generator, count=1, *more):
        with self.subTest(generator=generator, count=count):
            self.require(tests, failing, f"streams.generator={generator}", f"streams.count={count}", *more)

    def test_linear_generators(self):
        self.require_streams(RANKS + COMPLEXITY, [], "philox4x32")
        self.require_streams(RANKS + COMPLEXITY, COMPLEXITY, "mt19937")
        self.require_streams(RANKS + COMPLEXITY, RANKS[4:] + COMPLEXITY, "dcmt521")
        self.require_streams(RANKS + COMPLEXITY, RANKS[2:] + COMPLEXITY, "lfsr113")
        # The congruential part has short periods, and therefore a small complexity, only in the low bits of a word.
        self.require_streams(RANKS + COMPLEXITY, [*RANKS[3:], "crush.72", "big.81"], "hybrid_tausworthe")

    def test_linear_generators_interleaved(self):
        self.require_streams(["big.70", *COMPLEXITY], ["big.70", *COMPLEXITY], "lfsr113", 64)
        self.require_streams(RANKS + COMPLEXITY, [], "lfsr113", 4096)

    def test_low_bits_of_ranmar(self):
        self.require_streams(LOW_BITS, [], "philox4x32")
        self.require_streams(LOW_BITS[:-1], [], "ranmar24")
        self.require_streams(LOW_BITS, LOW_BITS[1:], "ranmar48")

    def test_a_listing_with_misprints(self):
        """The generator of the misprinted listing has a period of a few thousand words."""
        small = [f"small.{number}" for number in range(1, 11)]
        self.require_streams(small, set(small) - {"small.8"}, "hybrid_tausworthe_listing", 1,
                             "streams.seeding=published")

    def test_randu(self):
        """RANDU (words 2 x, with x = 65539 x' mod 2^31) fails each of these tests when the test runs alone."""
        words = numpy.ones(2**25, numpy.uint32)
        done = 1
        while done < len(words):
            words[done:2 * done] = words[:done] * numpy.uint32(pow(65539, done, 2**31))
            done *= 2
        (words << 1).astype("<u4").tofile(self.directory / "randu.bin")
        for number in (1, 2, 3, 4, 5, 6, 8, 9, 10):
            with self.subTest(number=number):
                self.require([f"small.{number}"], [f"small.{number}"], "battery.source=randu.bin")


# Matrix ranks with 64, 256 and 1024 columns from all bits, the low 8 bits, the lowest and the highest bit. Linear
# complexities, products of Hamming weights of neighbouring words, and birthday spacings of high and of low bits.
ARRANGED = ("long.9 long.10 long.11 long.12 beyond.19 windows.1 windows.32 crush.71 crush.72 long.4 beyond.54 "
            "beyond.56")
SMALLEST_P = 1e-8  # bound for about 3000 p-values; the seeds are fixed
LARGE = {"mt19937", "mtgp11213"}  # generators that take long to start
# Number of streams and settings: one number of each stream in turn, 16 of each in turn, one number of every 16th
# stream, and several seeds.
ARRANGEMENTS = ((64, ["battery.order=interleaved"]), (4096, ["battery.order=interleaved"]),
                (4096, ["battery.order=stream", "battery.block=16"]), (65536, ["battery.order=interleaved"]),
                (65536, ["battery.order=stream", "battery.block=16"]), (65536, ["battery.step=16"]),
                (1, ["battery.seeds=1024"]), (16, ["battery.seeds=256"]))
# Generators with few bits of state: 64 interleaved streams of lfsr113 have ranks and complexities of at most 64 * 113,
# and the low bits of the hybrid at most 64 * 90.
FEW_BITS = {"lfsr113", "hybrid_tausworthe"}


class Arrangements(BatteryCase):
    def smallest_p(self, *deck):
        """Returns the smallest two-sided p-value and its test."""
        _, found = self.battery("battery", f"battery.tests={ARRANGED}", "battery.sequence=each", *deck,
                                timeout=1200, code=(0, FAILED))
        p = found["p_value"]
        worst = int(numpy.minimum(p, 1 - p).argmin())
        (self.directory / "out.h5").unlink()
        return 2 * min(p[worst], 1 - p[worst]), found["test"][int(found["test_of_p"][worst])].decode()

    def test_streams_and_seeds_fail_nothing(self):
        for generator in test_digests.startable():
            for streams, settings in ARRANGEMENTS:
                if (streams > 4096 and generator in LARGE) or (streams == 64 and generator in FEW_BITS):
                    continue
                with self.subTest(generator=generator, streams=streams, settings=settings):
                    p, name = self.smallest_p(f"streams.generator={generator}", f"streams.count={streams}", *settings)
                    self.assertGreater(p, SMALLEST_P, name)

    def test_one_stream_fails(self):
        """The tests are strong enough that a single stream of a linear generator fails."""
        for generator in ("dcmt521", "lfsr113", "mt19937"):
            if generator in test_digests.built():
                self.assertLess(self.smallest_p(f"streams.generator={generator}", "streams.count=1")[0], 1e-10)


class LowerHalves(rivulet_cli.Case):
    """Tests the lower 24 of RANMAR's 48 bits, which battery.bits cannot select. The lower half of ranmar48's arithmetic
    sequence is 0, so all lower halves obey x(n) = x(n - 97) - x(n - 33), also as vectors of several streams."""

    PAIRS, SAMPLES = 65536, 32

    def spacings_of(self, generator, streams, shift=0):
        """Returns the number of equal birthday spacings between pairs of halves of the interleaved streams' numbers.
        The expected number is 8."""
        numbers = numpy.frombuffer(rivulet_cli.streamed(
            "fill.type=double", f"streams.generator={generator}", f"streams.count={streams}",
            f"fill.numbers={2 * self.PAIRS * self.SAMPLES}"), dtype="<f8")
        half = (numpy.ldexp(numbers, 48).astype(numpy.uint64) >> numpy.uint64(shift)) & numpy.uint64(0xffffff)
        return sum(equal_spacings(one) for one in half.reshape(self.SAMPLES, self.PAIRS, 2))

    def test_birthday_spacings(self):
        for generator, streams, shift in (("ranmar48x", 2, 0), ("ranmar48x", 16, 0), ("ranmar48x", 64, 0),
                                          ("ranmar48", 16, 24)):
            self.assertLess(self.spacings_of(generator, streams, shift), 24, (generator, streams))  # probability 1e-5
        for streams in (2, 16, 64):
            self.assertGreater(self.spacings_of("ranmar48", streams), 32, streams)


def equal_spacings(pairs):
    """Returns the number of equal spacings of n birthdays, each a pair of 24-bit numbers. The expected number is
    n^3 / (4 * 2^48): 1 / 4 for n = 65536."""
    days = numpy.sort(pairs[:, 0] << numpy.uint64(24) | pairs[:, 1])
    gaps = numpy.sort(numpy.append(numpy.diff(days), days[0] + numpy.uint64(2**48) - days[-1]))
    return int((gaps[1:] == gaps[:-1]).sum())
