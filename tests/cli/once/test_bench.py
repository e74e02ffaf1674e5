# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads what our benchmarks print, a real one with little to do, and makes pages and pictures
of records."""

import json
import platform
import re
import statistics
import subprocess
import sys
import unittest
from unittest import mock

import rivulet_cli
from bench_case import RECORD, SOURCE, BenchCase, needs_benchmark
from benchmarking import machine, profiles
from common.text import rate_text
from plot_case import needs_matplotlib

# The columns of Nsight Compute 2022 to 2025 (`ncu --csv --metrics ...`).
NCU = """==PROF== Connected to process 4242
"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"
"0","void start_streams<float, 3>(int)","(256, 1, 1)","smsp__inst_executed.sum","inst","9,250,000"
"1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed.sum","inst","6,250,000"
"1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed_pipe_alu.sum","inst","3,750,000"
"""


@needs_benchmark
class Benchmarks(BenchCase):
    def setUp(self):
        super().setUp()
        self.add_benchmark("generators")
        self.add_benchmark("two")

    def test_other_parts_of_the_program(self):
        for part, case, ratio in (("loops", "fused_dcmt521", "hand_twister"),
                                  ("memory", "near_lfsr113_float_lane_rows_32", "scalar_double"),
                                  ("one_stream", "pi_lfsr113", "std_mt19937_pi")):
            said, record = self.recorded("--only", part, "--repetitions", "1", "--filter",
                                         f"^({case}|{ratio})/")
            self.assertEqual(set(record["benchmarks"][part]["cases"]), {case, ratio})
            self.assertRegex(said, rf"\n### {part}\n(.*\n)*\| {case} \| \S+ m?s \| \S+ 1/s \| 0 % \| \S+ x {ratio} \|")
        done = subprocess.run([self.directory / "bench" / "bench_two", "--only=three"], text=True,
                              capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "There is no part 'three'. Choose loops, one_stream or memory.\n"))

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
        self.assertIn("### two\n", said)
        self.assertEqual(set(record["benchmarks"]), {"two"})
        self.assertEqual(set(record["benchmarks"]["two"]["cases"]),
                         {"set_up_lfsr113", "set_up_ranmar24"})
        self.refuse("no case matches", "--only", "two", "--repetitions", "1", "--filter", "nothing")


class Tools(unittest.TestCase):
    """What NVIDIA's programs print."""

    def test_instructions_from_the_profiler(self):
        """Of the fused kernel, by threads: 32 a warp; what starts streams may be larger."""
        done = subprocess.CompletedProcess([], 0, stdout=NCU)
        with mock.patch.object(profiles.subprocess, "run", lambda *_, **__: done):
            found = profiles.executed("bench_generators", "pi_lfsr113")
        self.assertEqual(found, {"all": 32 * 6250000, "logic": 32 * 3750000})

    def test_gpus_are_counted_and_their_parts_are_not(self):
        lines = ["GPU 0: NVIDIA H200 (UUID: GPU-0)", "GPU 1: NVIDIA H200 (UUID: GPU-1)",
                 "  MIG 3g.71gb     Device  0: (UUID: MIG-3)"]
        with mock.patch.object(machine, "lines_of", lambda *words: lines if "--list-gpus" in words else
                               ["NVIDIA H200, 580.159.04"] * 2):
            self.assertEqual(machine.gpus(), 2)
            self.assertEqual(machine.described([], "rivulet")["GPUs"], "2 x NVIDIA H200, 580.159.04")


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


@needs_matplotlib
class Pages(BenchCase):
    def test_pages_of_records(self):
        (self.directory / "x9.json").write_text(json.dumps(RECORD), encoding="utf-8")
        done = self.bench("--pages", "pages", "x9.json")
        self.assertEqual(done.returncode, 0, done)
        performance = (self.directory / "pages" / "performance.md").read_text()
        self.assertIn("# Performance\n", performance)
        self.assertIn("## 2 x NVIDIA X9, ", performance)
        self.assertIn("![Rates of every generator](plots/x9.png)", performance)
        self.assertIn("![Rates by the number of streams](plots/x9_streams.png)", performance)
        for name in ("x9.png", "x9_streams.png"):
            picture = (self.directory / "pages" / "plots" / name).read_bytes()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        published = (self.directory / "pages" / "published.md").read_text()
        self.assertIn("|  |  | Tesla C2050 | Core i7-2600 | Rivulet, 2 x NVIDIA X9 |", published)

    def test_our_pages_are_those_of_our_records(self):
        records = sorted((SOURCE / "bench" / "records").glob("*.json"))
        self.assertNotEqual(records, [])
        done = self.bench("--pages", "pages", *records)
        self.assertEqual(done.returncode, 0, done)
        for name in ("performance.md", "published.md"):
            self.assertEqual((self.directory / "pages" / name).read_text(),
                             (SOURCE / "docs" / name).read_text(),
                             "make it again: scripts/bench --pages docs bench/records/*.json")
        for name in re.findall(r"\]\((plots/\S+)\)", (SOURCE / "docs/performance.md").read_text()):
            self.assertTrue((SOURCE / "docs" / name).is_file(), name)

    def test_bad_records(self):
        self.refuse("cannot be read", "--pages", "pages", "none.json")
        for text, phrase in (("text", "cannot be read"), ('{"format": "other"}', "is not a record"),
                             ('{"format": "rivulet benchmarks", "format_version": 99}',
                              "has version 99")):
            (self.directory / "bad.json").write_text(text)
            self.refuse(phrase, "--pages", "pages", "bad.json")
        self.assertFalse((self.directory / "pages").exists())
