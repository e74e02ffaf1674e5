# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench makes tables and records from what benchmarks and runs print."""

import json
import sys
import unittest

from bench_case import GENERATORS, ONE, PROGRAM, BenchCase


class Bench(BenchCase):
    def test_medians_and_ratios(self):
        done = self.measure("--only", "one", "--repetitions", "3", "--record", "r.json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| ours | 2 ms | 7.00e9 1/s | 29 % | 3.5 x peer |", done.stdout)
        self.assertIn("| peer | 2 ms | 2.00e9 1/s | 50 % |  |", done.stdout)
        self.assertIn("| step/521 | 5 us |  | 40 % |  |", done.stdout)
        self.assertIn("- Kokkos: 9.8.7, Serial", done.stdout)
        self.assertNotIn("mean", done.stdout)
        record = json.loads((self.directory / "r.json").read_text())
        self.assertEqual(record["benchmarks"]["one"]["cases"]["ours"]["rates"], [8e9, 6e9, 7e9])
        self.assertEqual(record["benchmarks"]["one"]["ratios"], [["ours", "peer"]])
        self.assertNotIn("secret", json.dumps(record))

    def test_a_part(self):
        self.add("bench/bench_two", PROGRAM.replace("RATES", repr(ONE)))
        done = self.measure("--repetitions", "1", "--only", "two", "--filter", "step")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("### bench_two", done.stdout)
        self.assertNotIn("bench_one", done.stdout)
        self.assertNotIn("| ours", done.stdout)

    def test_generators(self):
        self.add("bench/bench_generators", PROGRAM.replace("RATES", repr(GENERATORS)))
        done = self.measure("--only", "generators", "--repetitions", "3")
        self.assertEqual(done.returncode, 0, done)
        for line in ("| dcmt521 | lane | 4.00e9 points/s | 2.00 x |",
                     "| dcmt521 | team | 1.00e9 points/s | 0.50 x |",
                     "| Philox4x32-10 |  | 2.00e9 points/s | 1.00 x |",
                     "| dcmt521 | float | 6.00e9 B/s | 75 % |  |  |",
                     "Written at most: each 5.00e9 B/s, zeros 8.00e9 B/s.",
                     "| dcmt521 | 3.00e9 samples/s | 6.0 x | 2.00e9 samples/s |",
                     "1.00e8 samples/s, 0.25 x the 8-byte reads",
                     "| dcmt521 | 2000 | 2 ms | 1.00e6 streams/s |"):
            self.assertIn(line, done.stdout)

    def test_instructions_from_the_profiler(self):
        self.add("bench/bench_generators", PROGRAM.replace("RATES", repr(
            {"pi_dcmt521": [4e9] * 3, "issue_all": [2e11] * 3, "issue_logic": [1e11] * 3})))
        # 8e6 points a run (4e9/s for 2 ms); 32 threads a warp.
        self.add("bin/ncu", f"""#!{sys.executable}
print('==PROF== text')
print('"ID","Metric Name","Metric Value"')
for line in ("0,all,1,000", "1,all,6,250,000", "1,alu,3,750,000", "0,alu,9"):
    kernel, name, value = line.split(",", 2)
    name = "smsp__inst_executed" + ("_pipe_alu" if name == "alu" else "") + ".sum"
    print(f'"{{kernel}}","{{name}}","{{value}}"')
""")
        done = self.measure("--only", "generators", "--repetitions", "3")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| dcmt521 | lane | 4.00e9 points/s | 25.0 | 50 % | 60 % |", done.stdout)

    def test_published_tables(self):
        self.add_runs()
        done = self.measure("--only", "published", "--repetitions", "1")
        self.assertEqual(done.returncode, 0, done)
        # The documents' times, then 20 repeats of the generation and of the count.
        self.assertIn("| 512 sets, a thread or lane a twister | generate | 92.1 ms | 57.9 ms | 2 ms |",
                      done.stdout)
        self.assertIn("|  | count | 143 ms | 72 ms | 3 ms |", done.stdout)
        self.assertIn("| unbuffered | kernel | 512 ms |  |  | 500 ms |", done.stdout)
        self.assertIn("| sequential | total |  | 12.8 s | 34.6 s | 8 s |", done.stdout)
        self.assertIn("|  | total | 957 ms | 13.8 s | 280 ms |", done.stdout)
        self.assertIn("| the same, kernel alone | kernel | 53 us | 9.73 s | 600 us |", done.stdout)

    def test_scaling(self):
        self.add_runs()
        done = self.measure("--only", "scaling", "--repetitions", "1", "--record", "r.json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("## 2 x NVIDIA X9, ", done.stdout)
        for way in ("strong", "weak"):
            self.assertIn(f"| pi | {way} | 1 GPU | 1.50e9 points/s | 100 % |", done.stdout)
            self.assertIn(f"| fill | {way} | 2 GPUs | 3.00e9 points/s | 100 % |", done.stdout)

    def test_scaling_must_not_change_results(self):
        self.add_runs('"ab"[ranks - 1]')
        self.refuse("several digests", "--only", "scaling", "--repetitions", "1")

    def test_bad_input(self):
        self.refuse("there is no benchmark 'three'", "--only", "three")
        self.refuse("or no rivulet or mpiexec to run", "--only", "published")
        self.refuse("holds no benchmarks", "--build", str(self.directory / "bench"))
        self.refuse("too few", "--repetitions", "0")
        self.refuse("makes no sense", "--seconds", "-1")
        self.refuse("no case matches", "--only", "one", "--repetitions", "1", "--filter", "nothing")
        self.refuse("there is no folder", "--record", "none/r.json")
        self.refuse("there is no folder", "--pages", "none/pages")
        self.refuse("nowhere to write", "r.json")
        self.add("bench/bench_bad", f"#!{sys.executable}\nraise SystemExit(3)\n")
        self.refuse("bench_bad ended with status 3", "--only", "bad", "--record", "r.json")
        self.add("rivulet", "#!/bin/sh\necho broken >&2\nexit 1\n")
        self.refuse("It said: broken", "--only", "published", "--record", "r.json")
        self.assertFalse((self.directory / "r.json").exists())


if __name__ == "__main__":
    unittest.main()
