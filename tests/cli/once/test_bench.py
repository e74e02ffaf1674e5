# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bench reads the output of stand-ins and of real benchmarks, and writes medians. scripts/benchmark runs the
problems of docs/benchmark.md, and compares their digests. scripts/battery runs batteries."""

import csv
import itertools
import json
import os
import pathlib
import platform
import re
import shlex
import sys
import unittest

import rivulet_cli
from plot_case import needs_matplotlib

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
BUILD = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build")).resolve()
DECKS = SOURCE / "inputs" / "benchmark"
PROBLEMS = json.loads((DECKS / "problems.json").read_text(encoding="utf-8"))["problems"]
SIZES = ["XS", "S", "M", "L"]
# A stand-in that writes Google Benchmark's record of three repetitions: two cases with a rate, and one without.
BENCHMARK = f"""#!{sys.executable}
import json, sys
runs = [dict(name=f"{{name}}/real_time", run_type="iteration", time_unit="ms", real_time=2 * i, items_per_second=i * rate)
        for name, rate in (("ours", 8e9), ("peer", 2e9)) for i in (3, 1, 2)]
runs += [dict(name="step/521", run_type="iteration", time_unit="us", real_time=5)]
out = [word.partition("=")[2] for word in sys.argv if word.startswith("--benchmark_out=")][0]
json.dump(dict(context=dict(compiler="GCC 99", kokkos="9.8.7, Cuda"), benchmarks=runs), open(out, "w"))
print("ours / peer: 4.000 (medians 16.000 and 4.000 G/s)")
"""
# A stand-in for the program: its figures of merit are 1, 2, ..., and only the problem WRONG has a wrong digest.
PROGRAM = """#!/bin/sh
echo run >> runs
for word; do case $word in output.expect=*) digest=${word#*=} ;; esac; done
say=" (as expected)" status=0
case $1 in */$WRONG.yaml) digest=%064d say=" (NOT as expected)" status=4 ;; esac
cat <<END
Kokkos::OpenMP::initialize WARNING: OMP_PROC_BIND environment variable not set
Rivulet 0.1.0, Kokkos 3.4.1 OpenMP, 1 rank x 1 thread
PHASES
Figure of Merit (FOM): $(wc -l < runs) points/s
Digest: $digest$say
END
exit $status
""" % 0
PHASES = "\n".join(f"{name} 1 1 2" for name in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"))


class BenchCase(rivulet_cli.Case):
    """A test with a build folder of stand-ins."""

    name = "bench"  # of the script

    def setUp(self):
        super().setUp()
        (self.directory / "bench").mkdir()

    def add(self, name, text):
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def measure(self, *arguments):
        return self.run_script(self.name, "--build", self.directory, *arguments)

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)


class Bench(BenchCase):
    @unittest.skipUnless((BUILD / "bench" / "bench_generators").is_file(), "built without Google Benchmark")
    @unittest.skipUnless("philox4x32" in rivulet_cli.generators(), "built without philox4x32")
    def test_a_real_program(self):
        (self.directory / "bench" / "bench_generators").symlink_to(BUILD / "bench" / "bench_generators")
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
        self.add("bench/bench_one", BENCHMARK)
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
        """Tables are printed unchanged. The GPU program gets fewer turns, because its turns are longer."""
        self.add("bench/bench_one", BENCHMARK)
        self.add("bench/library_distributions", "#!/bin/sh\necho \"| draws | $1 | $OMP_NUM_THREADS |\"\n")
        self.assertIn("\n| draws | 40 | 1 |\n", self.measure("--only", "distributions", "--repetitions", "2").stdout)
        self.add("bench/library_distributions_gpu", "#!/bin/sh\necho \"| draws | $1 |\"\n")
        self.assertIn("\n| draws | 2 |\n", self.measure("--only", "distributions", "--repetitions", "2").stdout)

    def test_refusals(self):
        self.refuse("holds no benchmarks")
        self.add("bench/bench_bad", "#!/bin/sh\nexit 3\n")
        self.refuse("bench_bad ended with status 3", "--record", "r.csv")
        self.assertFalse((self.directory / "r.csv").exists())
        self.add("bench/bench_bad", BENCHMARK.replace("benchmarks=runs", "benchmarks=[]"))
        self.refuse("no case matches --filter=nothing", "--filter", "nothing")
        self.refuse("there is no benchmark 'three'", "--only", "three")
        done = self.run_script("bench", "--only", "three")  # before it builds
        self.assertIn("there is no benchmark 'three' in bench (it has generators, ", done.stderr)
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


@unittest.skipUnless((BUILD / "bench" / "bench_sequence").is_file(), "built without Google Benchmark")
@unittest.skipUnless("ranmar48" in rivulet_cli.generators(), "built without ranmar48")
class Sweep(rivulet_cli.Case):
    def sweep(self, pattern, *arguments, build=BUILD):
        return self.run_script("bench", "--build", build, "--only", "sweep", "--filter", pattern, "--repetitions", "2",
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
        drawn = self.run_script("plot", "sweep.json")
        self.assertEqual((drawn.stdout, drawn.stderr), ("sweep_1_per_team.png\nsweep_4_per_team.png\n", ""))
        self.assertEqual(self.files(), ["sweep.json", "sweep_1_per_team.png", "sweep_4_per_team.png"])

    def test_what_is_refused(self):
        self.assertIn("no case matches --filter=nothing", self.sweep("nothing").stderr)
        self.assertIn("has no bench_sequence (it was not built). Run `cmake --build",
                      self.sweep(".", build=self.directory).stderr)
        self.assertIn("does not end in .json", self.sweep(".", "--record", "sweep.csv").stderr)


def problems_here():
    """Returns the problems whose generators the build has."""
    known = rivulet_cli.generators()
    return [name for name in PROBLEMS
            if re.search(r"generator: (\w+)", (DECKS / f"{name}.yaml").read_text(encoding="utf-8"))[1] in known]


class Benchmark(BenchCase):
    name = "benchmark"

    def stand_in(self, wrong="none", **more):
        text = PROGRAM.replace("PHASES", PHASES).replace("$WRONG", wrong)
        for old, new in more.items():
            text = text.replace(old, new)
        self.add("rivulet", text)

    def test_all_problems(self):
        """Each problem has the expected digest, also on two ranks."""
        launch = ("--launch", f"{rivulet_cli.MPIEXEC} -n 2") if rivulet_cli.MPIEXEC else ()
        folder = pathlib.Path(rivulet_cli.BINARY).resolve().parent
        names = problems_here()
        done = self.run_script("benchmark", "XS", "--build", folder, "--only", ",".join(names), "--repetitions", "2",
                               *launch)
        self.assertEqual(done.returncode, 0, done)
        rates = r" \S+ \S+/s \|" * 3
        for name in names:
            self.assertRegex(done.stdout, rf"(?m)^\| {name} \|{rates} \S+ m?s \| as expected \|$")
        for what in ("date", "host", "processor", "clocks", "compiler", "flags", "build type", "program"):
            self.assertRegex(done.stdout, rf"(?m)^\| {what} \| \S")
        self.assertIn("2 ranks" if launch else "1 rank", done.stdout)

    def test_figures_are_medians(self):
        self.stand_in()
        self.add("CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\nRIVULET_ARCH:STRING=znver4\n"
                 "CMAKE_CXX_FLAGS_RELEASE:STRING=-O3\nCMAKE_CXX_COMPILER:FILEPATH=/nowhere/c++\n"
                 "RIVULET_COMPILER:INTERNAL=GNU 12.2.0\n")
        done = self.measure("S", "--only", "pi", "--repetitions", "3", "--with", "pi:pi.batches=2")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("| pi | 2.00e0 points/s | 1.00e0 points/s | 3.00e0 points/s | 2 s | as expected |\n", done.stdout)
        for line in ("compiler | GNU 12.2.0", "flags | -O3 -march=znver4", "build type | Release",
                     "program | Rivulet 0.1.0, Kokkos 3.4.1 OpenMP, 1 rank x 1 thread"):
            self.assertIn(f"| {line} |\n", done.stdout)
        digest = PROBLEMS["pi"]["sizes"]["S"]["digest"]
        self.assertIn("\n    rivulet inputs/benchmark/pi.yaml pi.points=10000000000 streams.count=4096 "
                      f"output.expect={digest} pi.batches=2\n", done.stdout)

    def test_wrong_digest(self):
        """The row names the wrong digest, the other problems run, and the status is 4."""
        self.stand_in(wrong="fill")
        done = self.measure("XS", "--repetitions", "1")
        self.assertEqual(done.returncode, 4, done)
        said = dict(re.findall(r"(?m)^\| (\w+) \|.* s \| (.*) \|$", done.stdout))
        self.assertEqual(said, {**dict.fromkeys(PROBLEMS, "as expected"), "fill": f"WRONG: {'0' * 64}"})

    def test_a_program_that_does_not_compare(self):
        self.stand_in(**{" (as expected)": ""})
        self.assertEqual(self.measure("XS", "--only", "pi", "--repetitions", "1").returncode, 4)

    def test_a_job_that_is_cut_off(self):
        """The rows measured so far are printed."""
        self.stand_in(**{"echo run": "case $1 in */fill.yaml) echo broken >&2; exit 9 ;; esac\necho run"})
        done = self.measure("XS", "--repetitions", "1")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("| as expected |\n", done.stdout)
        self.assertIn("` failed: broken", done.stderr)

    def test_decks(self):
        """The decks have size S, the other sizes are valid, and each size has a digest. A deck expects S's digest."""
        for name in problems_here():
            problem, path = PROBLEMS[name], DECKS / f"{name}.yaml"
            self.assertEqual(list(problem["sizes"]), SIZES)
            alone = self.run_ok(path, "--validate").out
            for size, one in problem["sizes"].items():
                self.assertRegex(one["digest"], "^[0-9a-f]{64}$")
                words = [problem["key"].format(amount=one["amount"]), *one["with"], f"output.expect={one['digest']}"]
                self.assertEqual(self.run_ok(path, *words, "--validate").out == alone, size == "S")

    def test_refusals(self):
        self.refuse("there is no benchmark of size 'full:2'", "full:2")
        self.refuse("there is no program rivulet", "XS")
        self.refuse("there is no problem 'sweep'", "XS", "--only", "sweep")
        self.refuse("is too few", "XS", "--repetitions", "0")
        for pair in ("pi:streams.seed=1", "fill.memory=1GiB", "alias:pi.batches="):
            self.refuse(f"--with {pair} is not one of the changes", "XS", "--with", pair)
        self.refuse("Check --launch and --build.", "XS", "--launch", "/nowhere/mpiexec", "--build",
                    pathlib.Path(rivulet_cli.BINARY).resolve().parent)


@unittest.skipUnless(rivulet_cli.has_battery(), "it takes RIVULET_BATTERY=ON")
class Battery(rivulet_cli.Case):
    """scripts/battery prints a row for each generator, number of streams, order and choice of bits."""

    def script(self, *arguments):
        binary = os.path.abspath(rivulet_cli.BINARY)
        return self.run_script("battery", "--binary", binary, *arguments, "--generators", "philox4x32")

    def test_rows(self):
        """A row's command reproduces the row's digest."""
        done = self.script("battery.first_word=1e6", "--tests", "small.8", "--streams", "1", "64", "--record",
                           "record.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads((self.directory / "record.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(len(rows), 2 * 4)  # two choices of bits; one order for one stream, three orders for 64
        self.assertEqual(len(done.stdout.splitlines()), 2 + len(rows))
        self.assertEqual([row["failed"] for row in rows], [[]] * 8)
        row = next(row for row in rows if row["order"] == "blocked" and row["bits"] == "reversed")
        self.assertIn("battery.first_word=1e6", row["command"])
        again = rivulet_cli.run(*shlex.split(row["command"])[1:], cwd=self.directory)
        self.assertEqual(again.digest, row["digest"])
        done = self.script("battery.first_word=1e6", f"output.expect={row['digest']}", "--tests", "small.8", "--streams",
                           "64", "--orders", "blocked", "--bits", "reversed", "--record", "record.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        again, = json.loads((self.directory / "record.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(again["digest"], row["digest"])

    def test_refusals(self):
        done = self.script("--tests", "small.11", "--streams", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("scripts/battery: `rivulet battery battery.tests=small.11", done.stderr)
        self.assertIn("no test 'small.11'", done.stderr)
