# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that scripts/bench makes of a record: numbers and where they stand."""

import copy
import os
import subprocess
import unittest

import rivulet_cli
from bench_case import BENCHMARK, RECORD, case, needs_benchmark
from benchmarking import pages, scaling
from benchmarking.records import Record
from benchmarking.text import rate_text


def page(data):
    return "\n".join(pages.performance_of(Record("x9", data), None))


class Tables(unittest.TestCase):
    def test_medians_and_ratios(self):
        said = page(RECORD)
        self.assertIn("### bench_one", said)
        self.assertIn("| ours | 2 ms | 7.00e9 1/s | 29 % | 3.5 x peer |", said)
        self.assertIn("| peer | 2 ms | 2.00e9 1/s | 50 % |  |", said)
        self.assertIn("| step/521 | 5 us |  | 40 % |  |", said)
        self.assertIn("- Kokkos: 9.8.7, Cuda", said)

    def test_generators(self):
        said = page(RECORD)
        for line in ("| dcmt521 | lane | 4.00e9 points/s | 2.00 x | 25.0 | 50 % | 60 % |",
                     "| dcmt521 | team | 1.00e9 points/s | 0.50 x |  |  |  |",
                     "| Philox4x32-10 |  | 2.00e9 points/s | 1.00 x |  |  |  |",
                     "Highest measured issue rate: 2.00e11 instructions/s, of logic 1.00e11 instructions/s",
                     "| mt19937 | team | 3.00e9 points/s | 1.50 x |  |  |  |",
                     "| mt19937 | block | 5.00e9 points/s | 2.50 x |  |  |  |",
                     "| dcmt521 | float | 6.00e9 B/s | 75 % |  |  |",
                     "| mt19937 | uint32 |  |  | 4.00e9 B/s | 50 % |",
                     "Highest measured write bandwidth: each 5.00e9 B/s, zeros 8.00e9 B/s.",
                     "| dcmt521 | 3.00e9 samples/s | 6.0 x | 2.00e9 samples/s |",
                     "1.00e8 samples/s, 0.25 x the 8-byte reads",
                     "| dcmt521 | 2000 | 2 ms | 1.00e6 streams/s |",
                     "| mt19937 | 4096 | 2 ms | 2.05e6 streams/s |"):
            self.assertIn(line, said)
        without = copy.deepcopy(RECORD)
        del without["instructions"]
        self.assertIn("| dcmt521 | lane | 4.00e9 points/s | 2.00 x |\n", page(without))

    def test_generators_are_those_of_the_record_in_its_order(self):
        """That of the ratios, which is the list's; then what has no ratio."""
        other = copy.deepcopy(RECORD)
        of_generators = other["benchmarks"]["generators"]
        of_generators["cases"].update({"pi_new_one": case(7e9),
                                       "bulk_new_one_uint32_block": case(1e9)})
        of_generators["ratios"] = [["pi_new_one", "philox_pi"],
                                   ["bulk_new_one_uint32_block", "write_each"],
                                   ["pi_mt19937_block", "philox_pi"]]
        self.assertEqual(pages.names_of(Record("x9", other))[:3],
                         ["new_one", "mt19937", "dcmt521"])
        said = page(other)
        self.assertIn("| generator | numbers | lane | write | team | write | block | write |", said)
        self.assertIn("| new_one | uint32 |  |  |  |  | 1.00e9 B/s | 12 % |", said)
        self.assertLess(said.index("| new_one | lane |"), said.index("| mt19937 | team |"))
        self.assertLess(said.index("| mt19937 | team |"), said.index("| dcmt521 | lane |"))

    def test_scaling(self):
        said = page(RECORD)
        self.assertIn("## 2 x NVIDIA X9, ", said)
        for way in ("strong", "weak"):
            self.assertIn(f"| pi | {way} | 1 GPU | 1.50e9 points/s | 100 % |", said)
            self.assertIn(f"| fill | {way} | 2 GPUs | 2.00e9 points/s | 200 % |", said)

    def test_scaling_must_not_change_results(self):
        rows = copy.deepcopy(RECORD["scaling"])
        scaling.require_same(rows)
        rows[3]["digests"] = ["b" * 64]  # more work has another digest
        self.assertEqual((rows[3]["work"], rows[3]["way"]), ("pi", "weak"))
        scaling.require_same(rows)
        rows[5]["digests"] = ["b" * 64]
        self.assertEqual((rows[5]["work"], rows[5]["way"]), ("fill", "strong"))
        with self.assertRaisesRegex(SystemExit, "job fill gave several digests"):
            scaling.require_same(rows)

    @needs_benchmark
    def test_every_case_of_the_generators_is_shown(self):
        """The benchmark's names, as it lists them, beside those that the tables look for."""
        done = subprocess.run([BENCHMARK, "--benchmark_list_tests=true"], check=True, text=True,
                              capture_output=True, env={**os.environ, **rivulet_cli.ENVIRONMENT})
        names = [line.removesuffix("/real_time") for line in done.stdout.splitlines()]
        self.assertIn("pi_dcmt521", names)
        rates = {name: (100 + place) * 1e7 for place, name in enumerate(names)}
        every = copy.deepcopy(RECORD)
        every["benchmarks"] = {"generators": {
            "ratios": [], "cases": {name: case(rate) for name, rate in rates.items()}}}
        said = page(every)
        for name, rate in rates.items():
            if name != "gsl_alias":  # ratios to it are
                with self.subTest(case=name):
                    self.assertIn(rate_text(rate, ""), said)


if __name__ == "__main__":
    unittest.main()
