# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/benchmark: the problems of docs/benchmark.md, and their digests."""

import json
import pathlib
import re

import rivulet_cli
from bench_case import SOURCE, BenchCase

PROBLEMS = json.loads((SOURCE / "inputs/benchmark/problems.json").read_text(encoding="utf-8"))["problems"]
SIZES = ["XS", "S", "M", "L"]
# A program whose figures of merit are 1, 2, ..., and whose digests are right but for the problem WRONG.
STAND_IN = """#!/bin/sh
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
DECKS = SOURCE / "inputs" / "benchmark"
PHASES = "\n".join(f"{name} 1 1 2" for name in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"))


def problems_here():
    """Those whose generators the build has."""
    known = rivulet_cli.generators()
    return [name for name in PROBLEMS
            if re.search(r"generator: (\w+)", (DECKS / f"{name}.yaml").read_text(encoding="utf-8"))[1] in known]


class Benchmark(BenchCase):
    script = "benchmark"

    def stand_in(self, wrong="none", **more):
        text = STAND_IN.replace("PHASES", PHASES).replace("$WRONG", wrong)
        for old, new in more.items():
            text = text.replace(old, new)
        self.add("rivulet", text)

    def test_all_problems(self):
        """The program finds each digest as expected, also on two ranks."""
        launch = ("--launch", f"{rivulet_cli.MPIEXEC} -n 2") if rivulet_cli.MPIEXEC else ()
        folder = pathlib.Path(rivulet_cli.BINARY).resolve().parent
        names = problems_here()
        done = self.run_script("XS", "--build", folder, "--only", ",".join(names), "--repetitions", "2", *launch)
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
        """Status 4 at the end, and a row that says so; the other problems run."""
        self.stand_in(wrong="fill")
        done = self.measure("XS", "--repetitions", "1")
        self.assertEqual(done.returncode, 4, done)
        said = dict(re.findall(r"(?m)^\| (\w+) \|.* s \| (.*) \|$", done.stdout))
        self.assertEqual(said, {**dict.fromkeys(PROBLEMS, "as expected"), "fill": f"WRONG: {'0' * 64}"})

    def test_a_program_that_does_not_compare(self):
        self.stand_in(**{" (as expected)": ""})
        self.assertEqual(self.measure("XS", "--only", "pi", "--repetitions", "1").returncode, 4)

    def test_a_job_that_is_cut_off(self):
        """What was measured until then is there."""
        self.stand_in(**{"echo run": "case $1 in */fill.yaml) echo broken >&2; exit 9 ;; esac\necho run"})
        done = self.measure("XS", "--repetitions", "1")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("| as expected |\n", done.stdout)
        self.assertIn("It reported: broken", done.stderr)

    def test_decks(self):
        """They are of size S, and other sizes are valid; each has a digest, which the deck of size S knows."""
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
        self.refuse("The system says: ", "XS", "--launch", "/nowhere/mpiexec", "--build",
                    pathlib.Path(rivulet_cli.BINARY).resolve().parent)
