# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads what our benchmarks print: a real one, with little to do."""

import platform
import re
import statistics
import sys
import unittest

import rivulet_cli
from bench_case import NCU, BenchCase, needs_benchmark
from benchmarking.text import rate_text


@needs_benchmark
class Benchmarks(BenchCase):
    def setUp(self):
        super().setUp()
        self.add_benchmark("generators")
        self.add_benchmark("two")

    def test_generators(self):
        said, record = self.recorded(
            "--only", "generators", "--repetitions", "3", "--filter",
            "^(pi_lfsr113|bulk_lfsr113_float|alias_lfsr113_100|alias_lfsr113_10x10|set_up_lfsr113)/")
        cases = record["benchmarks"]["generators"]["cases"]
        self.assertEqual(set(cases), {"pi_lfsr113", "bulk_lfsr113_float", "alias_lfsr113_100",
                                      "alias_lfsr113_10x10", "set_up_lfsr113"})
        medians = {}
        for name, values in cases.items():
            self.assertEqual((len(values["rates"]), len(values["seconds"])), (3, 3), name)
            self.assertGreater(min(values["rates"] + values["seconds"]), 0)
            self.assertLess(max(values["seconds"]), 60)
            medians[name] = statistics.median(values["rates"])
        for line in (f"| lfsr113 | lane | {rate_text(medians['pi_lfsr113'], 'points/s')} |",
                     f"| lfsr113 | float | {rate_text(medians['bulk_lfsr113_float'], 'B/s')} |",
                     f"| lfsr113 | {rate_text(medians['alias_lfsr113_100'], 'samples/s')} | "
                     f"{rate_text(medians['alias_lfsr113_10x10'], 'samples/s')} |"):
            self.assertIn(line, said)
        rate = rate_text(medians["set_up_lfsr113"], "streams/s")
        self.assertRegex(said, rf"\| lfsr113 \| \d+ \| \S+ m?s \| {re.escape(rate)} \|")
        self.assertRegex(said, r"\n- compiler: (GCC|Clang) \d+\.\d+")
        self.assertRegex(said, rf"\n- Kokkos: \d+\.\d+\.\d+, {rivulet_cli.backends()[0]}\n")
        self.assertNotIn(platform.node(), (self.directory / "r.json").read_text())

    def test_ratios(self):
        """To the fastest of what is measured in several ways."""
        said, record = self.recorded(
            "--only", "two", "--repetitions", "1", "--filter",
            "^(write_each|write_zeros|bulk_ranmar24_float|set_up_lfsr113)")
        found = record["benchmarks"]["two"]
        fastest = max("write_each", "write_zeros",
                      key=lambda case: found["cases"][case]["rates"][0])
        self.assertEqual(found["ratios"], [["bulk_ranmar24_float", fastest],
                                           ["bulk_ranmar24_float_team", fastest]])
        self.assertRegex(said, r"\n\| bulk_ranmar24_float \| \S+ m?s \| \S+ 1/s \| 0 % \| "
                         rf"\S+ x {fastest} \|\n")
        self.assertRegex(said, r"\n\| set_up_lfsr113 \| \S+ m?s \| \S+ 1/s \| 0 % \|  \|\n")

    def test_a_part(self):
        said, record = self.recorded("--only", "two", "--repetitions", "1", "--filter",
                                     "set_up_(lfsr113|ranmar24)/")
        self.assertIn("### bench_two", said)
        self.assertEqual(set(record["benchmarks"]), {"two"})
        self.assertEqual(set(record["benchmarks"]["two"]["cases"]),
                         {"set_up_lfsr113", "set_up_ranmar24"})
        self.refuse("no case matches", "--only", "two", "--repetitions", "1", "--filter", "nothing")

    def test_instructions_from_the_profiler(self):
        self.add("bin/ncu", NCU)
        _, record = self.recorded("--only", "generators", "--repetitions", "1", "--filter",
                                  "^(pi|set_up)_lfsr113/")
        values = record["benchmarks"]["generators"]["cases"]["pi_lfsr113"]
        points = values["rates"][0] * values["seconds"][0]
        self.assertAlmostEqual(points, round(points), places=3)
        # Of the fused kernel, by threads: 32 a warp.
        found = record["instructions"]
        self.assertEqual(list(found), ["pi_lfsr113"])
        self.assertAlmostEqual(found["pi_lfsr113"]["all"] * points, 32 * 6250000, delta=1)
        self.assertAlmostEqual(found["pi_lfsr113"]["logic"] * points, 32 * 3750000, delta=1)


class BadInput(BenchCase):
    def setUp(self):
        super().setUp()
        self.add("bench/bench_one", "#!/bin/sh\nexit 1\n")

    def test_bad_input(self):
        self.refuse("there is no benchmark 'three'", "--only", "three")
        self.refuse("or no rivulet or mpiexec to run", "--only", "published")
        self.refuse("holds no benchmarks", "--build", str(self.directory / "bench"))
        self.refuse("too few", "--repetitions", "0")
        self.refuse("is out of range", "--seconds", "-1")
        self.refuse("there is no folder", "--record", "none/r.json")
        self.refuse("there is no folder", "--pages", "none/pages")
        self.refuse("nowhere to write", "r.json")

    def test_programs_that_fail(self):
        self.add("bench/bench_bad", f"#!{sys.executable}\nraise SystemExit(3)\n")
        self.refuse("bench_bad ended with status 3", "--only", "bad", "--record", "r.json")
        self.add("rivulet", "#!/bin/sh\necho broken >&2\nexit 1\n")
        self.refuse("It reported: broken", "--only", "published", "--record", "r.json")
        self.assertFalse((self.directory / "r.json").exists())


if __name__ == "__main__":
    unittest.main()
