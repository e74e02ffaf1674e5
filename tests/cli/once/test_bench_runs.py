# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads the program's reports: of real runs, with little to do."""

import dataclasses
import pathlib
import re
from unittest import mock

import rivulet_cli
from bench_case import BenchCase, needs_mpi
from benchmarking import published, runs, scaling, streams
from common.text import rate_text, seconds_text
from studying import planned

LITTLE = {"opencl_mt.yaml": ("pi.points=65536",), "pgi_monte_carlo.yaml": ("pi.points=65536",),
          "ranmar_sweep.yaml": ("sweep.numbers=1e5", "sweep.fetch=[1e4]"),
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
        return [row for row in rows[start + 1:] if len(row) == 4]

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

        sweep = self.reports("sweep.instances=[1, 25]")[0].text
        parts = re.search(r"\nbest unbuffered, profile: (.*) s kernel .*, (.*) s transfer .*, "
                          r"(.*) s other .* instances", sweep).groups()
        self.assertIn(f"| unbuffered | kernel | 512 ms |  |  | {seconds_text(float(parts[0]))} |", said)
        self.assertIn(f"|  | total | 2.93 s |  |  | {seconds_text(sum(map(float, parts)))} |", said)
        alone = float(re.search(r"\nsequential: (.*) s\n", sweep).group(1))
        self.assertIn(f"| sequential | total |  | 12.8 s | 34.6 s | {seconds_text(alone)} |", said)

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
            self.assertIn(rate_text(row["rates"][0], "points/s"), said)

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
            rate = rate_text(row["rates"][0], row["unit"])
            self.assertIn(f"| {row['work']} | {row['way']} | {row['ranks']} core", said)
            self.assertIn(f" | {rate} | ", said)
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
