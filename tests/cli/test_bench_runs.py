# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads the program's report: of real runs, with little to do."""

import re
import unittest
from unittest import mock

from bench_case import NVIDIA_SMI, BenchCase, needs_mpi
from benchmarking import streams
from benchmarking.runs import Report
from benchmarking.text import rate_text, seconds_text


class Runs(BenchCase):
    def setUp(self):
        super().setUp()
        self.add("bench/bench_none", "#!/bin/sh\nexit 1\n")
        self.add_runs()

    def phases(self, text):
        """Rows of a report's table of phases: name, and seconds of the fastest rank, the average and
        the slowest."""
        rows = [line.split() for line in text.splitlines()]
        start = next(i for i, row in enumerate(rows) if row[:1] == ["phase"])
        self.assertEqual(rows[start], ["phase", "min", "avg", "max"])
        return [row for row in rows[start + 1:] if len(row) == 4]

    def seconds(self, *words, without=""):
        """Seconds of the slowest rank by phase, of the one run with those arguments."""
        (_, text), = self.runs(*words, without=without)
        return {row[0]: float(row[3]) for row in self.phases(text)}

    def test_published_tables(self):
        said, record = self.recorded("--only", "published", "--repetitions", "1")
        self.assertRegex(record["machine"]["Rivulet"], r"^\d+\.\d+\.\d+")
        # The documents' times, then 20 repeats of the generation and of the count.
        one = self.seconds("opencl_mt.yaml", "streams.count=512", without="mapping=team")
        self.assertIn("| 512 sets, a thread or lane a twister | generate | 92.1 ms | 57.9 ms | "
                      f"{seconds_text(one['rng'] / 20)} |", said)
        self.assertIn(f"|  | count | 143 ms | 72 ms | {seconds_text(one['compute'] / 20)} |", said)

        (_, sweep), = self.runs("sweep.instances=[1, 25]")
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
        with (mock.patch.object(streams, "COUNTS", counts),
              mock.patch.object(streams, "GENERATORS", names)):
            rows = streams.measure(self.directory / "rivulet", 1)
        said = "\n".join(streams.table(rows, str))
        self.assertEqual([(row["generator"], row["streams"]) for row in rows],
                         [(name, count) for name in names for count in counts])
        for row in rows:
            runs = list(self.runs(f"streams.generator={row['generator']}", "pi.batches=1",
                                  f"streams.count={row['streams']} "))
            self.assertEqual(len(runs), 2)  # the first tells how many points are not too many
            (text,) = [text for _, text in runs if Report(text).merit == row["rates"][0]]
            set_up = next(line for line in self.phases(text) if line[0] == "setup")
            self.assertEqual(row["set_up"], [float(set_up[3])])
            self.assertTrue(any(f"pi.points={row['points']} " in words for words, _ in runs))
            self.assertIn(rate_text(row["rates"][0], "points/s"), said)

    @needs_mpi
    def test_scaling(self):
        self.add("bin/nvidia-smi", NVIDIA_SMI)
        said, record = self.recorded("--only", "scaling", "--repetitions", "1")
        self.assertIn("## 2 x NVIDIA H200, ", said)
        rows = record["scaling"]
        self.assertEqual([(row["work"], row["way"], row["ranks"]) for row in rows],
                         [(work, way, ranks) for work in ("pi", "fill", "alias")
                          for way in ("strong", "weak") for ranks in (1, 2)])
        for row in rows:
            rate = rate_text(row["rates"][0], row["unit"])
            self.assertIn(f"| {row['work']} | {row['way']} | {row['ranks']} GPU", said)
            self.assertIn(f" | {rate} | ", said)
        self.assertEqual([rows[i]["unit"] for i in (0, 4, 8)],
                         ["points/s", "numbers/s", "samples/s"])
        spread = 0
        for _, text in self.runs():
            table = self.phases(text)
            self.assertEqual(Report(text).seconds, {row[0]: float(row[3]) for row in table})
            spread += any(row[1] != row[3] for row in table)
        self.assertGreater(spread, 0)  # some ranks were slower
        merits = [re.search(r"\nFigure of Merit \(FOM\): (\S+)", text).group(1)
                  for _, text in self.runs()]
        # A rank alone has the same to do both ways, and does it once.
        self.assertEqual([rows[i]["rates"] for i in (0, 4, 8)],
                         [rows[i + 2]["rates"] for i in (0, 4, 8)])
        self.assertCountEqual([rows[i]["rates"][0] for i in range(12) if i % 4 != 2],
                              map(float, merits))
        # The same work on one rank and two: one digest; twice as much: another.
        digests = [row["digests"] for row in rows]
        for i in (0, 4, 8):
            self.assertEqual(digests[i], digests[i + 1])
            self.assertEqual(digests[i], digests[i + 2])
            self.assertNotEqual(digests[i], digests[i + 3])


if __name__ == "__main__":
    unittest.main()
