# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench makes tables of medians and ratios from what benchmarks print and record."""

import json
import subprocess
import sys
import unittest

import rivulet_cli

SCRIPT = rivulet_cli.SOURCE_DIR.resolve() / "scripts" / "bench"

# A program that answers as one of Google Benchmark does: three repetitions of three cases.
PROGRAM = f"""#!{sys.executable}
import json, re, sys
options = dict(one.lstrip("-").split("=", 1) for one in sys.argv[1:])
assert options["benchmark_out_format"] == "json", options
rates = {{"ours": [8e9, 6e9, 7e9], "peer": [2e9, 2e9, 1e9]}}
rows = []
for repetition in range(int(options["benchmark_repetitions"])):
    for name, values in rates.items():
        if re.search(options["benchmark_filter"], name):
            rows.append({{"name": name + "/real_time", "run_type": "iteration", "real_time": 2.0,
                         "time_unit": "ms", "items_per_second": values[repetition]}})
    if re.search(options["benchmark_filter"], "step"):
        rows.append({{"name": "step/521", "run_type": "iteration", "real_time": 4.0 + repetition,
                     "time_unit": "us"}})
rows.append({{"name": "ours_mean", "run_type": "aggregate", "real_time": 1, "time_unit": "s"}})
print("ours / peer: 3.500 (medians 7.000 and 2.000 G/s)")
context = {{"host_name": "secret", "compiler": "gcc 99", "kokkos": "9.8.7, Serial"}}
open(options["benchmark_out"], "w").write(json.dumps({{"context": context, "benchmarks": rows}}))
"""


class Bench(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        (self.directory / "bench").mkdir()
        self.add("bench_one", PROGRAM)

    def add(self, name, text):
        path = self.directory / "bench" / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def bench(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, "--build", self.directory, *arguments],
                              cwd=self.directory, text=True, capture_output=True)

    def test_medians_and_ratios(self):
        done = self.bench("--repetitions", "3", "--tables", "t.md", "--record", "r.json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| ours | 0.002 s | 7e+09/s | 29 % | 3.5 x peer |", done.stdout)
        self.assertIn("| peer | 0.002 s | 2e+09/s | 50 % |  |", done.stdout)
        self.assertIn("| step/521 | 5e-06 s |  | 40 % |  |", done.stdout)
        self.assertIn("- kokkos: 9.8.7, Serial", done.stdout)
        self.assertNotIn("mean", done.stdout.replace("medians", ""))
        self.assertEqual((self.directory / "t.md").read_text() + "\n", done.stdout)
        record = json.loads((self.directory / "r.json").read_text())
        self.assertEqual(record["benchmarks"]["one"]["cases"]["ours"]["rates"], [8e9, 6e9, 7e9])
        self.assertEqual(record["benchmarks"]["one"]["ratios"], [["ours", "peer"]])
        self.assertNotIn("secret", json.dumps(record))

    def test_a_part(self):
        self.add("bench_two", PROGRAM)
        done = self.bench("--repetitions", "1", "--only", "two", "--filter", "step")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("## bench_two", done.stdout)
        self.assertNotIn("bench_one", done.stdout)
        self.assertNotIn("| ours", done.stdout)

    def refuse(self, phrase, *arguments):
        done = self.bench(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_bad_input(self):
        self.refuse("there is no benchmark 'three'", "--only", "three")
        self.refuse("holds no benchmarks", "--build", str(self.directory / "bench"))
        self.refuse("too few", "--repetitions", "0")
        self.refuse("no case matches", "--repetitions", "1", "--filter", "nothing")
        self.refuse("there is no folder", "--tables", "none/t.md")
        self.add("bench_bad", f"#!{sys.executable}\nraise SystemExit(3)\n")
        self.refuse("bench_bad ended with status 3", "--only", "bad", "--record", "r.json")
        self.assertFalse((self.directory / "r.json").exists())


if __name__ == "__main__":
    unittest.main()
