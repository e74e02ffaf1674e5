# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scripts/bench on programs that answer as benchmarks and runs do."""

import os
import subprocess
import sys

import rivulet_cli

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
SCRIPT = SOURCE / "scripts" / "bench"

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


class BenchCase(rivulet_cli.Case):
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

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
