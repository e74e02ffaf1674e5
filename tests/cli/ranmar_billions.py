# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""10^11 numbers of RANMAR by leapfrog are those drawn one after the other.

The fill job sums the bits of every stream's numbers, and each times its place, modulo 2^64; its
digest is over all streams' sums. No file holds the numbers. With fill.order=interleaved a stream is
drawn by one lane of a CPU's vectors, or one thread of a device, in the lane mapping, and by
leapfrog in the team mapping.
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
        """A word is of two numbers, and a packed point of one word."""
        job = ["pi", f"pi.points={NUMBERS // 2}"]
        digests = {self.digest(mapping, *job, f"pi.kernel={kernel}")
                   for mapping in ("lane", "team") for kernel in ("fused", "stored")}
        self.assertEqual(len(digests), 1)
