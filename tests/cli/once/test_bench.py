# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads what our benchmarks print, a real one with little to do, and what runs report, and makes
pages and pictures of records."""

import dataclasses
import itertools
import json
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import unittest
from unittest import mock

import rivulet_cli
from bench_case import RECORD, SOURCE, BenchCase, needs_benchmark, needs_mpi
from benchmarking import commands, machine, pictures, profiles, published, runs, scaling, streams
from common.text import milliseconds_text, rate_text, seconds_text
from plot_case import needs_matplotlib
from plotting import style
from studying import planned

# The columns of Nsight Compute 2022 to 2025 (`ncu --csv --metrics ...`).
NCU = """==PROF== Connected to process 4242
"ID","Kernel Name","Block Size","Metric Name","Metric Unit","Metric Value"
"0","void start_streams<float, 3>(int)","(256, 1, 1)","smsp__inst_executed.sum","inst","9,250,000"
"1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed.sum","inst","6,250,000"
"1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed_pipe_alu.sum","inst","3,750,000"
"2","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed.sum","inst","12,500,000"
"2","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","(256, 1, 1)","smsp__inst_executed_pipe_alu.sum","inst","7,500,000"
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
        for line in (f"| lfsr113 | {rate_text(medians['pi_lfsr113'])} |",
                     f"| lfsr113 |  | {rate_text(medians['bulk_lfsr113_float'])} |",
                     f"| lfsr113 | {rate_text(medians['alias_lfsr113_100'])} | "
                     f"{rate_text(medians['alias_lfsr113_10x10'])} |"):
            self.assertIn(line, said)
        seconds = statistics.median(cases["set_up_lfsr113"]["seconds"])
        self.assertRegex(said, rf"\| lfsr113 \| \d+ \| {re.escape(milliseconds_text(seconds))} \|")
        self.assertRegex(said, r"\n- compiler: (GCC|Clang) \d+\.\d+")
        self.assertRegex(said, rf"\n- Kokkos: \d+\.\d+\.\d+, {rivulet_cli.backends()[0]}\n")
        self.assertNotIn(platform.node(), (self.directory / "r.json").read_text())

    def test_distributions(self):
        """The table of library_distributions as it is."""
        (self.directory / "rivulet").symlink_to(pathlib.Path(rivulet_cli.BINARY).resolve())
        program = self.directory / "bench" / "library_distributions"
        program.write_text("#!/bin/sh\necho \"| draws | $1 |\"\necho \"| threads | $OMP_NUM_THREADS |\"\n")
        program.chmod(0o755)
        said, record = self.recorded("--only", "distributions", "--repetitions", "2")
        self.assertEqual(record["distributions"], ["| draws | 40 |", "| threads | 1 |"])
        self.assertIn("\n| draws | 40 |\n", said)
        shutil.copy(program, program.with_name("library_distributions_gpu"))  # whose turns are longer
        _, record = self.recorded("--only", "distributions", "--repetitions", "2")
        self.assertEqual(record["distributions"][0], "| draws | 2 |")

    def test_commands(self):
        """The program's own figure of merit, in turn with the row."""
        (self.directory / "rivulet").symlink_to(pathlib.Path(rivulet_cli.BINARY).resolve())
        with mock.patch.object(commands, "SECONDS", 1e-3):
            said, record = self.recorded_here("--only", "commands", "--repetitions", "2", "--seconds", "0.001",
                                              "--filter", "^(pi|bulk)_lfsr113_?(uint32)?/")
        rows = record["commands"]
        self.assertEqual([row["case"] for row in rows], ["pi_lfsr113", "bulk_lfsr113_uint32"])
        for row, job in zip(rows, ("pi", "fill"), strict=True):
            self.assertEqual((len(row["rates"]), len(row["row_rates"])), (2, 2))
            self.assertGreater(min(row["rates"] + row["row_rates"]), 0)
            self.assertIn(f"rivulet {job} streams.generator=lfsr113 ", row["command"])
            self.assertIn(f"| `{row['command']}` |", said)
        self.refuse("no case matches", "--only", "commands", "--filter", "nothing")

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
        """Of the fused kernel's launches, by threads: 32 a warp; what starts streams may be larger."""
        done = subprocess.CompletedProcess([], 0, stdout=NCU)
        with mock.patch.object(profiles.subprocess, "run", lambda *_, **__: done):
            found = profiles.executed("bench_generators", "pi_lfsr113")
        self.assertEqual(found, {"all": 32 * 18750000, "logic": 32 * 11250000})

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
        how_fast = (self.directory / "pages" / "how_fast.md").read_text()
        self.assertIn("![Rates of every generator](plots/x9.png)", how_fast)
        self.assertIn("![Few streams and many](plots/x9_streams.png)", how_fast)
        for name in ("x9.png", "x9_streams.png"):
            picture = (self.directory / "pages" / "plots" / name).read_bytes()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        published = (self.directory / "pages" / "published.md").read_text()
        self.assertIn("|  |  | Tesla C2050 | Core i7-2600 | Rivulet, 2 x NVIDIA X9 |", published)

    def test_pictures_say_their_numbers(self):
        """Powers of ten stand with the unit, and rates of peers in the legend."""
        figure, axes = style.pyplot().subplots()
        self.addCleanup(style.pyplot().close, figure)
        pictures.bars(axes, "Fused pi", "in registers", "points/s", ["lfsr113"],
                      {"lane": {"lfsr113": 1.2e12}}, {"cuRAND's Philox": 1.1e12})
        figure.draw_without_rendering()
        self.assertEqual(axes.get_xlabel(), r"points/s ($\times 10^{12}$)")
        self.assertEqual(axes.xaxis.get_offset_text().get_text(), "")
        self.assertEqual([one.get_text() for one in axes.get_legend().get_texts()],
                         ["cuRAND's Philox, 1.10e12", "lane"])

    def test_our_pages_are_those_of_our_records(self):
        records = sorted((SOURCE / "bench" / "records").glob("*.json"))
        self.assertNotEqual(records, [])
        done = self.bench("--pages", "pages", *records)
        self.assertEqual(done.returncode, 0, done)
        for name in ("how_fast.md", "performance.md", "published.md"):
            self.assertEqual((self.directory / "pages" / name).read_text(),
                             (SOURCE / "docs" / name).read_text(),
                             "make it again: scripts/bench --pages docs bench/records/*.json")
        for name in re.findall(r"\]\((plots/\S+)\)", (SOURCE / "docs/how_fast.md").read_text()):
            self.assertTrue((SOURCE / "docs" / name).is_file(), name)

    def test_check_of_records(self):
        """Status 3 and the rows that are more than 10 % from their commands."""
        for rows, status, said in ((RECORD["commands"], 3, "pi_dcmt521: 0.80 x the row by rivulet pi_dcmt521\n"),
                                   (RECORD["commands"][1:], 0, "")):
            (self.directory / "r.json").write_text(json.dumps({**RECORD, "commands": rows}), encoding="utf-8")
            done = self.bench("--check", "r.json")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (status, said, ""))
        (self.directory / "r.json").write_text(json.dumps({**RECORD, "commands": []}), encoding="utf-8")
        self.refuse("no record has commands", "--check", "r.json")
        self.refuse("--check measures no loops", "--check", "--only", "loops")

    def test_bad_records(self):
        self.refuse("cannot be read", "--pages", "pages", "none.json")
        for text, phrase in (("text", "cannot be read"), ('{"format": "other"}', "is not a record"),
                             ('{"format": "rivulet benchmarks", "format_version": 99}',
                              "has version 99")):
            (self.directory / "bad.json").write_text(text)
            self.refuse(phrase, "--pages", "pages", "bad.json")
        self.assertFalse((self.directory / "pages").exists())


LITTLE = {"opencl_mt.yaml": ("pi.points=65536",), "pgi_monte_carlo.yaml": ("pi.points=65536",),
          "alias_gaussian.yaml": ("alias.samples=10000", "streams.count=1000")}


class Runs(BenchCase):
    def setUp(self):
        super().setUp()
        self.add("bench/bench_none", "#!/bin/sh\nexit 1\n")
        (self.directory / "rivulet").symlink_to(pathlib.Path(rivulet_cli.BINARY).resolve())
        self.known = []  # arguments that runs were asked for, and their reports

    def run_little(self, binary, *arguments, **options):
        """A run with less to do, where a deck of a document is run."""
        words = list(map(str, arguments))
        report = runs.rivulet(binary, *words, *LITTLE.get(words[0].rpartition("/")[2], ()), **options)
        self.known.append((" ".join(words) + " ", report))
        return report

    def reports(self, *words, without=None):
        """Of runs whose arguments had all of the words and not the other."""
        return [report for arguments, report in self.known
                if all(word in arguments for word in words) and (without or "\n") not in arguments]

    def phases(self, report):
        """Rows of a report's table of phases: name, and seconds of the fastest rank, the average and
        the slowest."""
        rows = [line.split() for line in report.text.splitlines()]
        start = next(i for i, row in enumerate(rows) if row[:1] == ["phase"])
        self.assertEqual(rows[start], ["phase", "min", "avg", "max"])
        return list(itertools.takewhile(lambda row: len(row) == 4, rows[start + 1:]))

    def seconds(self, *words, without=None):
        """Seconds of the slowest rank by phase, of the one run with those arguments."""
        report, = self.reports(*words, without=without)
        return {row[0]: float(row[3]) for row in self.phases(report)}

    def test_reports_of_several_ranks(self):
        """Seconds are those of the slowest."""
        ranks = rivulet_cli.ranks_up_to(2)
        report = runs.Report(self.run_ok("pi", "pi.points=1e6", "output.file=", ranks=ranks[-1]).out)
        table = self.phases(report)
        self.assertEqual(report.seconds, {row[0]: float(row[3]) for row in table})
        if len(ranks) > 1:
            self.assertTrue(any(row[1] != row[3] for row in table))
        merit, unit = re.search(r"\nFigure of Merit \(FOM\): (\S+) (\S+)", report.text).groups()
        self.assertEqual((report.merit, report.unit), (float(merit), unit))

    def test_published_tables(self):
        with mock.patch.object(published, "rivulet", self.run_little):
            said, record = self.recorded_here("--only", "published", "--repetitions", "1")
        self.assertRegex(record["machine"]["Rivulet"], r"^\d+\.\d+\.\d+")
        # The documents' times, then 20 repeats of the generation and of the count.
        one = self.seconds("opencl_mt.yaml", "streams.count=512 ", without="mapping=team")
        self.assertIn("| 512 sets, a thread or lane a twister | generate | 92.1 ms | 57.9 ms | "
                      f"{seconds_text(one['rng'] / 20)} |", said)
        self.assertIn(f"|  | count | 143 ms | 72 ms | {seconds_text(one['compute'] / 20)} |", said)

        one = self.seconds("pgi_monte_carlo.yaml", without="fused")
        total = sum(one[phase] for phase in ("rng", "compute", "transfer", "reduction"))
        self.assertIn(f"|  | total | 957 ms | 13.8 s | {seconds_text(total)} |", said)
        one = self.seconds("alias.iterations=100", without="alias.keep=none")
        self.assertIn("| the same, kernel alone | kernel | 53 us | 9.73 s | "
                      f"{seconds_text(one['compute'] / 100)} |", said)

    def test_streams(self):
        self.refuse(", streams.", "--only", "three")  # it is offered
        counts, names = (1, 512), ("lfsr113", "mt19937")
        with (mock.patch.object(streams, "COUNTS", counts), mock.patch.object(streams, "GENERATORS", names),
              mock.patch.object(streams, "ON_CORE", 10**6), mock.patch.object(streams, "ON_GPU", 10**6),
              mock.patch.object(streams, "rivulet", self.run_little)):
            said, record = self.recorded_here("--only", "streams", "--repetitions", "1")
        rows = record["streams"]
        self.assertEqual([(row["generator"], row["streams"]) for row in rows],
                         [(name, count) for name in names for count in counts])
        for row in rows:
            first, last = self.reports(f"streams.generator={row['generator']} ", "pi.batches=1 ",
                                       f"streams.count={row['streams']} ")  # the first is the probe
            self.assertEqual(row["rates"], [last.merit])
            self.assertEqual(row["set_up"], [self.seconds(f"pi.points={row['points']} ",
                                                          f"streams.generator={row['generator']} ",
                                                          f"streams.count={row['streams']} ")["setup"]])
            self.assertIsNot(first, last)
            self.assertIn(f"{rate_text(row['rates'][0])}; {milliseconds_text(row['set_up'][0])} |", said)

    @needs_mpi
    def test_scaling(self):
        little = [dataclasses.replace(work, on_core=10**6, on_gpu=10**6) for work in planned.WORKS]
        started = []
        submit = scaling.submitted.submit

        def listed(here, plan, say):
            started.extend(run["name"] for run in plan["runs"] if not (here / run["results"]).exists())
            submit(here, plan, say=say)

        with (mock.patch.object(planned, "WORKS", little), mock.patch.object(scaling.submitted, "submit", listed),
              mock.patch.object(scaling.os, "sched_getaffinity", lambda _: {0, 1}),
              mock.patch.object(scaling.machine, "gpus", lambda: 0)):
            said, record = self.recorded_here("--only", "scaling", "--repetitions", "1")
        rows = record["scaling"]
        self.assertEqual([(row["work"], row["way"], row["ranks"]) for row in rows],
                         [(work, way, ranks) for work in ("pi", "fill", "alias")
                          for way in ("strong", "weak") for ranks in (1, 2)])
        for row in rows:
            self.assertRegex(said, rf"\n\| {row['work']}, {row['unit']} \| .*"
                             rf"{re.escape(rate_text(row['rates'][0]))}")
        self.assertEqual([rows[i]["unit"] for i in (0, 4, 8)],
                         ["points/s", "numbers/s", "samples/s"])
        # A rank alone has the same to do both ways, and does it once.
        self.assertEqual([rows[i]["rates"] for i in (0, 4, 8)],
                         [rows[i + 2]["rates"] for i in (0, 4, 8)])
        self.assertEqual(started, ["strong_00001_0", "strong_00002_0", "weak_00002_0"] * 3)
        # The same work on one rank and two: one digest; twice as much: another.
        digests = [row["digests"] for row in rows]
        for i in (0, 4, 8):
            self.assertEqual(digests[i], digests[i + 1])
            self.assertEqual(digests[i], digests[i + 2])
            self.assertNotEqual(digests[i], digests[i + 3])

    def test_gpus_are_studied_where_there_are_any(self):
        asked = []
        with (mock.patch.object(scaling.machine, "gpus", lambda: 3),
              mock.patch.object(scaling.planned, "plan", lambda chosen: asked.append(chosen) or self.fail())):
            with self.assertRaises(AssertionError):
                scaling.measure("rivulet", 1)
        chosen, = asked
        self.assertEqual((chosen.gpus, chosen.most), (True, 2))  # 1, 2, 4, ... of three
        self.assertIn("pi.points=2000000000000", chosen.overrides)
        self.assertIn("streams.count=1048576", chosen.overrides)
