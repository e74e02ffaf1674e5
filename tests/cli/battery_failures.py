# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The battery job fails what theory says must fail, in exactly those tests, and nothing else.

A bit of a stream that is linear over GF(2), with a state of k bits, has a linear complexity of at most k where
LinearComp expects half the number of bits; matrices of more than k columns lack full rank. Of S interleaved
streams the complexity is at most S k.
"""

import h5py
import numpy

import rivulet_cli

FAILED = 3
# Ranks of matrices of 60, 300 and 1200 columns, from the first 30 bits of each word and from 10 later ones;
# complexity of the first bit and of the last but two, of 120000 words and of 400020.
RANKS = ["crush.56", "crush.57", "crush.58", "crush.59", "crush.60", "crush.61"]
COMPLEXITY = ["crush.71", "crush.72", "big.80", "big.81"]
# Weights of numbers of middle bits, and of low ones; gaps of low ones.
LOW_BITS = ["big.63", "big.61", "big.64", "big.35"]


class Failures(rivulet_cli.Case):
    def require(self, tests, failing, *deck):
        """Of the tests those must fail, and the others be not even suspicious."""
        done = rivulet_cli.run("battery", f"battery.tests={' '.join(tests)}", *deck, "--output", "out.h5",
                               cwd=self.directory, timeout=1200)
        self.assertEqual(done.code, FAILED if failing else 0, done)
        with h5py.File(self.directory / "out.h5") as file:
            found = file["results/battery"].attrs
            self.assertEqual({name.split()[0] for name in found["failed"].split(", ") if name != "none"},
                             set(failing), done)
            if not failing:
                self.assertEqual(found["suspicious"], "none", done)

    def streams(self, tests, failing, generator, count=1, *more):
        with self.subTest(generator=generator, count=count):
            self.require(tests, failing, f"streams.generator={generator}", f"streams.count={count}", *more)

    def test_linear_generators(self):
        self.streams(RANKS + COMPLEXITY, [], "philox4x32")
        self.streams(RANKS + COMPLEXITY, COMPLEXITY, "mt19937")
        self.streams(RANKS + COMPLEXITY, RANKS[4:] + COMPLEXITY, "dcmt521")
        self.streams(RANKS + COMPLEXITY, RANKS[2:] + COMPLEXITY, "lfsr113")
        # Its congruential part has short periods, and so little complexity, in the low bits of a word alone.
        self.streams(RANKS + COMPLEXITY, [*RANKS[3:], "crush.72", "big.81"], "hybrid_tausworthe")

    def test_linear_generators_interleaved(self):
        self.streams(["big.70", *COMPLEXITY], ["big.70", *COMPLEXITY], "lfsr113", 64)
        self.streams(RANKS + COMPLEXITY, [], "lfsr113", 4096)

    def test_low_bits_of_ranmar(self):
        self.streams(LOW_BITS, [], "philox4x32")
        self.streams(LOW_BITS[:-1], [], "ranmar24")
        self.streams(LOW_BITS, LOW_BITS[1:], "ranmar48")

    def test_a_listing_with_misprints(self):
        """Of a period of some thousand words."""
        small = [f"small.{number}" for number in range(1, 11)]
        self.streams(small, set(small) - {"small.8"}, "hybrid_tausworthe_listing", 1, "streams.seeding=published")

    def test_randu(self):
        """Words 2 x, x = 65539 x' mod 2^31: each fails on its own."""
        words = numpy.ones(2**25, numpy.uint32)
        done = 1
        while done < len(words):
            words[done:2 * done] = words[:done] * numpy.uint32(pow(65539, done, 2**31))
            done *= 2
        (words << 1).astype("<u4").tofile(self.directory / "randu.bin")
        for number in (1, 2, 3, 4, 5, 6, 8, 9, 10):
            with self.subTest(number=number):
                self.require([f"small.{number}"], [f"small.{number}"], "battery.source=randu.bin")
