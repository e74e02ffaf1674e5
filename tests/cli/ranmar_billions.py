# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""10^11 numbers of RANMAR drawn by leapfrog equal the numbers drawn one after the other.

For each stream the fill job sums the bits of the numbers, and the bits times their places, modulo 2^64. The digest
covers the sums of all streams; the numbers are not stored. With fill.order=interleaved and the lane mapping, one lane
of a CPU's vectors or one thread of a device draws a stream. The team mapping draws it by leapfrog.
"""

import os

import rivulet_cli

NUMBERS = 10**11
STREAMS = 16384
SECONDS = 3600
THREADS = len(os.sched_getaffinity(0))


class Billions(rivulet_cli.Case):
    def digest(self, mapping, *job):
        return self.run_ok(*job, "streams.generator=ranmar24", f"streams.count={STREAMS}",
                           f"streams.mapping={mapping}", "output.file=", threads=THREADS,
                           timeout=SECONDS).digest

    def test_numbers(self):
        job = ["fill", f"fill.numbers={NUMBERS}", "fill.type=float", "fill.order=interleaved"]
        self.assertEqual(self.digest("team", *job), self.digest("lane", *job))

    def test_points(self):
        """The pi job consumes two numbers per word, and one word per packed point."""
        job = ["pi", f"pi.points={NUMBERS // 2}"]
        digests = {self.digest(mapping, *job, f"pi.kernel={kernel}")
                   for mapping in ("lane", "team") for kernel in ("fused", "stored")}
        self.assertEqual(len(digests), 1)
