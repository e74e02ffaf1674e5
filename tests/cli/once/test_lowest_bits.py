# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/ranmar.md says of RANMAR's lowest bits, of the numbers that the program makes."""

import math
import unittest

import numpy

import ranmar
import rivulet_cli

NUMBERS = 20000


def linear_complexity(bits):
    """(that of the whole sequence, times that it jumped on the way): Berlekamp and Massey."""
    connection, last, complexity, since, jumps, seen = 1, 1, 0, 1, 0, 0
    for i, bit in enumerate(bits):
        seen = seen << 1 | int(bit)  # bit j is number i - j
        if not (connection & seen).bit_count() & 1:
            since += 1
            continue
        before = connection
        connection ^= last << since
        if 2 * complexity <= i:
            complexity, last, since, jumps = i + 1 - complexity, before, 1, jumps + 1
        else:
            since += 1
    return complexity, jumps


class LowestBits(unittest.TestCase):
    def raw(self, generator, bits):
        """Numbers of one stream as whole numbers of `bits` bits, all of which a double holds."""
        data = rivulet_cli.streamed(f"streams.generator={generator}", "streams.count=1",
                                    "streams.seeding=published", "--count", NUMBERS)
        numbers = numpy.frombuffer(data, "<f8") * 2.0 ** bits
        self.assertEqual(len(numbers), NUMBERS)
        self.assertTrue((numbers == numpy.floor(numbers)).all())
        return numbers.astype("<u8")

    def test_linear_complexity(self):
        # Of independent bits: half their number, in jumps of 4 numbers each on average (Rueppel).
        usual, deviation = NUMBERS / 4, math.sqrt(NUMBERS / 8)
        for generator, (bits, *_) in ranmar.VARIANTS.items():
            raw = self.raw(generator, bits)
            for place in range(bits):
                complexity, jumps = linear_complexity(raw >> numpy.uint64(place) & numpy.uint64(1))
                with self.subTest(generator=generator, bit=place):
                    if generator == "ranmar48" and place < 2:
                        self.assertEqual(complexity, (97, 4850)[place])
                    elif place == 0:
                        self.assertTrue(500 < jumps < 640, jumps)
                    else:
                        self.assertLess(abs(jumps - usual), 5 * deviation)
                        self.assertLess(abs(complexity - NUMBERS / 2), 20)
