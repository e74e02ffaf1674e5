# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Some of dieharder's tests over the raw stream: no assessment may be FAILED (p < 1e-6 or
p > 1 - 1e-6, dieharder's own limits). Seeds are fixed, so the outcome is."""

import os
import re
import subprocess
import sys
import unittest

import rivulet_cli

DIEHARDER = sys.argv.pop(1) if len(sys.argv) > 1 else "dieharder"
# Number of a test in dieharder's list, and its arguments: those that take seconds.
TESTS = {
    "birthdays": ["-d", "0"],
    "binary ranks 32x32": ["-d", "2"],
    "count the ones, stream": ["-d", "8"],
    "runs": ["-d", "15"],
    "monobit": ["-d", "100"],
    "serial": ["-d", "102"],
    "bit distribution, 4": ["-d", "200", "-n", "4"],
    "lagged sums, 33": ["-d", "203", "-n", "33"],
    "Kolmogorov-Smirnov": ["-d", "204"],
}
ARRANGEMENTS = {
    "one stream": ["streams.count=1"],
    "4096 interleaved": [],
    "64 in blocks": ["streams.count=64", "fill.order=blocked", "fill.block=64000"],
}


class Dieharder(unittest.TestCase):
    def assessments(self, overrides, test):
        environment = {**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "1"}
        stream = subprocess.Popen(
            [rivulet_cli.BINARY, "stream", "fill", "fill.type=uint32", *overrides],
            stdout=subprocess.PIPE, env=environment)
        done = subprocess.run([DIEHARDER, "-g", "200", *test], stdin=stream.stdout, check=True,
                              capture_output=True, text=True)
        stream.stdout.close()
        self.assertEqual(stream.wait(60), 0)
        found = re.findall(r"\|([0-9.]+)\|\s*(PASSED|WEAK|FAILED)", done.stdout)
        self.assertTrue(found, done.stdout)
        return found

    def check(self, generator):
        for name, arrangement in ARRANGEMENTS.items():
            for test, arguments in TESTS.items():
                with self.subTest(arrangement=name, test=test):
                    found = self.assessments([f"streams.generator={generator}", *arrangement],
                                             arguments)
                    self.assertNotIn("FAILED", [word for _, word in found], found)

    def test_ranmar48x(self):
        self.check("ranmar48x")

    def test_dcmt521(self):
        self.check("dcmt521")


if __name__ == "__main__":
    unittest.main()
