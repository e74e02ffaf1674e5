# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads what our benchmarks print, a real one with little to do, and writes medians."""

import csv
import os
import pathlib
import platform
import re
import sys
import unittest

import rivulet_cli
from bench_case import BenchCase

BENCHMARK = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build"), "bench", "bench_generators").resolve()
# Writes what Google Benchmark would, of three repetitions of two cases and of one without a rate.
STAND_IN = f"""#!{sys.executable}
import json, sys
runs = [dict(name=f"{{name}}/real_time", run_type="iteration", time_unit="ms", real_time=2 * i, items_per_second=i * rate)
        for name, rate in (("ours", 8e9), ("peer", 2e9)) for i in (3, 1, 2)]
runs += [dict(name="step/521", run_type="iteration", time_unit="us", real_time=5)]
out = [word.partition("=")[2] for word in sys.argv if word.startswith("--benchmark_out=")][0]
json.dump(dict(context=dict(compiler="GCC 99", kokkos="9.8.7, Cuda"), benchmarks=runs), open(out, "w"))
print("ours / peer: 4.000 (medians 16.000 and 4.000 G/s)")
"""


class Bench(BenchCase):
    @unittest.skipUnless(BENCHMARK.is_file(), "built without Google Benchmark")
    @unittest.skipUnless("philox4x32" in rivulet_cli.generators(), "built without philox4x32")
    def test_a_real_program(self):
        (self.directory / "bench" / "bench_generators").symlink_to(BENCHMARK)
        cases = ["alias_philox4x32_100", "bulk_philox4x32_float", "pi_philox4x32", "set_up_philox4x32"]
        done = self.measure("--only", "generators", "--repetitions", "2", "--seconds", "0.001", "--filter",
                            f"^({'|'.join(cases)})/", "--record", "r.csv")
        self.assertEqual((done.returncode, done.stderr.count("Traceback")), (0, 0), done)
        for case in cases:
            self.assertRegex(done.stdout, rf"(?m)^\| {case} \| \S+ [mu]?s \| \S+ 1/s \| \d+ % \| .*\|$")
        self.assertRegex(done.stdout, r"\n- compiler: (GCC|Clang) \d+\.\d+")
        self.assertRegex(done.stdout, rf"\n- Kokkos: \d+\.\d+\.\d+, {rivulet_cli.backends()[0]}\n")
        record = (self.directory / "r.csv").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"(?m)^generators,(\w+),", record), cases)
        self.assertNotIn(platform.node(), record)

    def test_medians(self):
        self.add("bench/bench_one", STAND_IN)
        done = self.measure("--record", "r.csv")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| ours | 4 ms | 1.60e10 1/s | 100 % | 4 x peer |\n", done.stdout)
        self.assertIn("| step/521 | 5 us |  | 0 % |  |\n", done.stdout)
        head, _, rows = (self.directory / "r.csv").read_text(encoding="utf-8").partition("\npart,")
        for line in ("# compiler: GCC 99", "# Kokkos: 9.8.7, Cuda", "# command: scripts/bench --build"):
            self.assertIn(f"\n{line}", head)
        self.assertEqual(list(csv.reader(rows.splitlines()[1:])),
                         [["one", "ours", "1.6e+10", "8e+09", "2.4e+10", "3", "1/s"],
                          ["one", "peer", "4e+09", "2e+09", "6e+09", "3", "1/s"],
                          ["one", "step/521", "5e-06", "5e-06", "5e-06", "1", "s"]])

    def test_tables_of_programs(self):
        """They are printed as they are; a GPU's turns are longer."""
        self.add("bench/bench_one", STAND_IN)
        self.add("bench/library_distributions", "#!/bin/sh\necho \"| draws | $1 | $OMP_NUM_THREADS |\"\n")
        self.assertIn("\n| draws | 40 | 1 |\n", self.measure("--only", "distributions", "--repetitions", "2").stdout)
        self.add("bench/library_distributions_gpu", "#!/bin/sh\necho \"| draws | $1 |\"\n")
        self.assertIn("\n| draws | 2 |\n", self.measure("--only", "distributions", "--repetitions", "2").stdout)

    def test_refusals(self):
        self.refuse("holds no benchmarks")
        self.add("bench/bench_bad", "#!/bin/sh\nexit 3\n")
        self.refuse("bench_bad ended with status 3", "--record", "r.csv")
        self.assertFalse((self.directory / "r.csv").exists())
        self.add("bench/bench_bad", STAND_IN.replace("benchmarks=runs", "benchmarks=[]"))
        self.refuse("no case matches --filter=nothing", "--filter", "nothing")
        self.refuse("there is no benchmark 'three'", "--only", "three")
        self.refuse("too few", "--repetitions", "0")
        self.refuse("is out of range", "--seconds", "-1")
        self.refuse("there is no folder", "--record", "none/r.csv")

    def test_options_that_went(self):
        for words, instead in ((["--benchmark", "S"], "Run scripts/benchmark SIZE."),
                               (["--against=one.json", "two.json"], "Compare the medians"),
                               (["--disclose", "price=1"], "Write such lines below"),
                               (["--pages", "docs"], "Give --record FILE.csv"), (["--check"], "Run the commands")):
            name = words[0].partition("=")[0]
            self.refuse(f"scripts/bench: {name} is no longer an option. {instead}", *words)
