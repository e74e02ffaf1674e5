# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench makes tables, records and pages from what benchmarks and runs print."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest

import rivulet_cli

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
SCRIPT = SOURCE / "scripts" / "bench"
HAS_PICTURES = importlib.util.find_spec("matplotlib") is not None

# A program that answers as one of Google Benchmark does: three repetitions of some cases.
PROGRAM = f"""#!{sys.executable}
import json, re, sys
options = dict(one.lstrip("-").split("=", 1) for one in sys.argv[1:])
assert options["benchmark_out_format"] == "json", options
assert options["benchmark_min_time"] == "0.5", options
rates = RATES
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
ONE = {"ours": [8e9, 6e9, 7e9], "peer": [2e9, 2e9, 1e9]}
GENERATORS = {
    "pi_dcmt521": [4e9] * 3, "pi_dcmt521_team": [1e9] * 3, "philox_pi": [2e9] * 3,
    "bulk_dcmt521_float": [6e9] * 3, "write_each": [5e9] * 3, "write_zeros": [8e9] * 3,
    "alias_dcmt521_100": [3e9] * 3, "alias_dcmt521_10x10": [2e9] * 3, "gsl_alias": [5e8] * 3,
    "alias_hybrid_tausworthe_100000000": [1e8] * 3, "random_reads": [4e8] * 3,
    "set_up_dcmt521": [1e6] * 3}

# A program that answers as rivulet does: every job takes a time of its own, halved by two ranks.
RIVULET = f"""#!{sys.executable}
import os, sys
if sys.argv[1] == "--version":
    raise SystemExit(print("rivulet 1.2.3"))
ranks = int(os.environ.get("RANKS", "1"))
assert sys.argv[-1].startswith("output.file="), sys.argv
for name in ("unbuffered", "buffered"):
    print("best " + name + ", profile: 0.5000 s kernel (50 %), 0.2500 s transfer (25 %), 0.2500 s "
          "other (25 %); fetch 10000000, 25 instances, 4 a team")
print("sequential: 8.0 s")
for place, phase in enumerate("setup rng compute reduction transfer io total".split(), 1):
    print(f"{{phase:10}} 0.0 0.0 {{place * 0.02:.6f}}")
print(f"Figure of Merit (FOM): {{ranks * 1.5e9:g}} points/s")
print("Digest: " + DIGEST * 64)
"""
MPIEXEC = """#!/bin/sh
RANKS=$4; export RANKS; shift 4; exec "$@"
"""


class Bench(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        for name in ("bench", "bin"):
            (self.directory / name).mkdir()
        self.add("bench/bench_one", PROGRAM.replace("RATES", repr(ONE)))

    def add(self, name, text):
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def add_runs(self, digest='"a"'):
        self.add("rivulet", RIVULET.replace("DIGEST", digest))
        self.add("bin/mpiexec", MPIEXEC)
        self.add("bin/nvidia-smi", "#!/bin/sh\n"
                 "[ $1 = --list-gpus ] && printf 'one\\ntwo\\n' || echo 'NVIDIA X9, 1.2'\n")

    def bench(self, *arguments):
        environment = dict(os.environ, PATH=f"{self.directory / 'bin'}:{os.environ['PATH']}")
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.directory, text=True,
                              capture_output=True, env=environment)

    def measure(self, *arguments):
        return self.bench("--build", self.directory, *arguments)

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

    @unittest.skipUnless(HAS_PICTURES, "no matplotlib")
    def test_pages_of_records(self):
        self.add_runs()
        self.add("bench/bench_generators", PROGRAM.replace("RATES", repr(GENERATORS)))
        done = self.measure("--only", "generators,published", "--repetitions", "2", "--record",
                            "x9.json")
        self.assertEqual(done.returncode, 0, done)
        done = self.bench("--pages", "pages", "x9.json")
        self.assertEqual(done.returncode, 0, done)
        performance = (self.directory / "pages" / "performance.md").read_text()
        self.assertIn("# Performance\n", performance)
        self.assertIn("## 2 x NVIDIA X9, ", performance)
        self.assertIn("![Rates of every generator](plots/x9.png)", performance)
        picture = (self.directory / "pages" / "plots" / "x9.png").read_bytes()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        published = (self.directory / "pages" / "published.md").read_text()
        self.assertIn("| | | Tesla C2050 | Core i7-2600 | Rivulet, 2 x NVIDIA X9 |", published)

    @unittest.skipUnless(HAS_PICTURES, "no matplotlib")
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

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)

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

    @unittest.skipUnless(HAS_PICTURES, "no matplotlib")
    def test_bad_records(self):
        self.refuse("cannot be read", "--pages", "pages", "none.json")
        for text, phrase in (("text", "cannot be read"), ('{"format": "other"}', "is not a record"),
                             ('{"format": "rivulet benchmarks", "format_version": 99}',
                              "is of version 99")):
            (self.directory / "bad.json").write_text(text)
            self.refuse(phrase, "--pages", "pages", "bad.json")
        self.assertFalse((self.directory / "pages").exists())


if __name__ == "__main__":
    unittest.main()
