# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nightly: the battery's default set fails words with known faults, and passes good words of other programs."""

import os
import shutil
import subprocess
import sys

import rivulet_cli
from battery_case import FAILED, BatteryCase

PROGRAM = os.environ["RIVULET_BAD_WORDS"]

# For each fault: log2 of the number of words, and a test that fails. For most faults PractRand 0.95 needs at least as
# many words (docs/battery_results.md).
BAD = {
    "hashed_seeds_16": (20, "BirthdaySpacings"),
    "equal_children": (20, "ValueGaps"),
    "lcg64_upper": (20, "Relations"),
    "minstd": (20, "Relations"),
    "mwc_pair": (24, "ValueGaps"),
    "additive_55": (22, "BirthdaySpacings"),
    "additive_607": (24, "Complexities"),
    "additive_1279": (24, "Complexities"),
    "r250": (22, "MatrixRank"),
    "r1279": (24, "Complexities"),
    "xorshift128": (22, "MatrixRank"),
    "xoroshiro128p_lower": (24, "Complexities"),
    "period_2_24": (25, "Overlaps"),
    "copied_bit_1000": (24, "Lags"),
    "copied_bit_4096": (24, "Lags"),
    "weak_weights": (22, "HammingProducts"),
    "rc4_of_16": (24, "WordParts"),
}
# Number of streams, log2 of the words per stream, and the delay, in words, between two equal streams.
OVERLAPS = ((16, 20, 0), (512, 16, 1), (4096, 14, 1000), (65536, 12, 0), (1024, 21, 1000000))

NUMPY = """
import sys, numpy
stream = numpy.random.PCG64(1)
while True:
    sys.stdout.buffer.write(stream.random_raw(1 << 16).tobytes())
"""
GOOD = {
    "OpenSSL's AES-128 in counter mode": "openssl enc -aes-128-ctr -pass pass:1 -pbkdf2 -in /dev/zero".split(),
    "NumPy's PCG64": [sys.executable, "-c", NUMPY],
    "the system's": ["cat", "/dev/urandom"],
    "philox4x32": [rivulet_cli.BINARY, "stream", "fill", "streams.generator=philox4x32", "fill.type=uint32",
                   "fill.numbers=1e12"],
}


class Words(BatteryCase):
    def run_battery_on(self, command, log2_words, *settings, chunk=None):
        """Tests the words that a command writes. Returns status and results."""
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as words:
            done, found = self.battery("battery", "battery.source=stdin", f"battery.chunk={chunk or 2**log2_words}",
                                       f"battery.bytes={4 * 2**log2_words}", *settings, code=(0, FAILED),
                                       stdin=words.stdout, timeout=3600)
            words.kill()
        return done.code, found

    def test_bad_ones_fail(self):
        for name, (log2_words, test) in BAD.items():
            with self.subTest(name=name):
                code, found = self.run_battery_on([PROGRAM, name, str(2**log2_words)], log2_words)
                self.assertEqual(code, FAILED, found)
                self.assertIn(test, found["failed"])

    def test_overlaps_are_named(self):
        for streams, log2_each, delay in OVERLAPS:
            with self.subTest(streams=streams, log2_each=log2_each, delay=delay):
                words = streams * 2**log2_each
                code, found = self.run_battery_on(
                    [PROGRAM, str(streams), str(delay), str(words)], words.bit_length() - 1,
                    "battery.tests=default.1", f"battery.streams={streams}", chunk=min(words, 2**28))
                self.assertEqual(code, FAILED, found)
                self.assertRegex(found["found"], f"^streams {streams // 4} and {3 * streams // 4} are the same from "
                                                 r"words \d+ and \d+ on$")
                here, there = (int(one) for one in found["found"].split()[-4:-1:2])
                self.assertEqual(here - there, delay)

    def test_good_ones_pass(self):
        for name, command in GOOD.items():
            if shutil.which(command[0]) is None:
                continue
            with self.subTest(name=name):
                code, found = self.run_battery_on(command, 28, chunk="auto")  # the default of battery.chunk
                self.assertEqual((code, found["failed"]), (0, "none"))
