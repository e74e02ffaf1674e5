# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scripts/bench --only sweep` measures the cases that its filter names, and scripts/plot draws its table."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import unittest

import rivulet_cli
from plot_case import needs_matplotlib

SCRIPTS = rivulet_cli.SOURCE_DIR.resolve() / "scripts"
BUILD = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build")).resolve()


@unittest.skipUnless((BUILD / "bench" / "bench_sequence").is_file(), "built without Google Benchmark")
@unittest.skipUnless("ranmar48" in rivulet_cli.generators(), "built without ranmar48")
class Sweep(rivulet_cli.Case):
    def script(self, name, *arguments):
        return subprocess.run([sys.executable, SCRIPTS / name, *arguments], cwd=self.directory, text=True,
                              capture_output=True, check=False)

    def sweep(self, pattern, *arguments, build=BUILD):
        return self.script("bench", "--build", build, "--only", "sweep", "--filter", pattern, "--repetitions", "2",
                           "--seconds", "0.001", *arguments)

    @needs_matplotlib
    def test_a_small_grid(self):
        done = self.sweep("fetch:100000/instances:(1|5)/")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"^8 cases; the fastest is \S+ times as fast as the sequential generator\.\n"
                         r"The table is sweep\.json\. Draw it: scripts/plot sweep\.json\n$")
        table = json.loads((self.directory / "sweep.json").read_text(encoding="utf-8"))
        names = ("fetch", "instances", "per_team", "buffered")
        self.assertEqual({tuple(row[name] for name in names) for row in table["rows"]},
                         set(itertools.product((100000,), (1, 5), (1, 4), (0, 1))))
        self.assertEqual(len(table["rows"]), 8)
        for row in table["rows"]:
            self.assertLess(0, row["kernel"])
            self.assertLess(row["kernel"] + row["transfer"], 1.2 * row["seconds"])
        self.assertGreater(table["sequential_seconds"], 0)
        drawn = self.script("plot", "sweep.json")
        self.assertEqual((drawn.stdout, drawn.stderr), ("sweep_1_per_team.png\nsweep_4_per_team.png\n", ""))
        self.assertEqual(self.files(), ["sweep.json", "sweep_1_per_team.png", "sweep_4_per_team.png"])

    def test_what_is_refused(self):
        self.assertIn("no case matches --filter=nothing", self.sweep("nothing").stderr)
        self.assertIn("has no bench_sequence. Build it: cmake --build", self.sweep(".", build=self.directory).stderr)
        self.assertIn("Name it .json", self.sweep(".", "--record", "sweep.csv").stderr)
