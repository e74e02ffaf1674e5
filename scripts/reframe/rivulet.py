# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ReFrame tests of an installed Rivulet: small decks on several numbers of ranks, and the benchmark of
docs/benchmark.md with its rates. The program itself compares the digests. ReFrame's variables set ranks and threads,
for example on two nodes:

    reframe -C SITE.py -c scripts/reframe/rivulet.py -r -S program=/path/to/rivulet -S modules=rivulet
    reframe -C SITE.py -c scripts/reframe/rivulet.py -r -n RivuletBenchmark -S size=M -S num_tasks=4 \\
        -S num_tasks_per_node=2 -S num_cpus_per_task=64 -S references=rates.json --repeat=5 --performance-report

rates.json has a site's figures of merit, with relative tolerances for slower and for faster runs. For example,
{"SYSTEM:PARTITION": {"pi": [5.6e11, -0.1, null]}} makes runs fail below 0.9 * 5.6e11. Without num_tasks and
num_cpus_per_task, a run has one thread.
"""
import json
import pathlib

import reframe as rfm
import reframe.utility.sanity as sn

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIGESTS = json.loads((ROOT / "tests" / "data" / "digests.json").read_text(encoding="utf-8"))
BENCHMARK = ROOT / "inputs" / "benchmark"
PROBLEMS = json.loads((BENCHMARK / "problems.json").read_text(encoding="utf-8"))["problems"]
# Decks whose digests for each generator are known, from tests/cli/test_digests.py.
DECKS = {"pi": ["pi", "pi.points=500009"],
         "fill": ["fill", "fill.numbers=700001", "fill.type=float"],
         "alias": ["alias", "alias.samples=200003", "table.bits=32"]}
GENERATORS = ["dcmt521", "mt19937", "ranmar24", "philox4x32", "hybrid_tausworthe"]
STREAMS = 1300


class RivuletBase(rfm.RunOnlyRegressionTest):
    """Runs `num_tasks` ranks with `num_cpus_per_task` threads per rank, started by the system's launcher."""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    program = variable(str, value="rivulet")

    @run_after("init")
    def set_program(self):
        self.executable = self.program

    @run_before("run")
    def set_threads(self):
        """Sets OpenMP's variables. Skips a test that needs more cores than the local host has."""
        threads = self.num_cpus_per_task or 1
        cores = self.current_partition.processor.num_cores
        if self.current_partition.scheduler.is_local and cores:
            self.skip_if(self.num_tasks * threads > cores, f"{self.num_tasks} x {threads} threads, {cores} cores")
        self.env_vars["OMP_NUM_THREADS"] = str(threads)
        self.env_vars["OMP_PROC_BIND"] = "close"
        self.env_vars["OMP_PLACES"] = "cores"

    @sanity_function
    def digest_is_expected(self):
        return sn.assert_found(r"^Digest: \w+ \(as expected\)$", self.stdout)


@rfm.simple_test
class RivuletDigests(RivuletBase):
    """Checks that results are bitwise the same on any number of ranks and threads and on any backend."""

    descr = "the digest of a small deck"
    deck = parameter(list(DECKS), loggable=True)
    generator = parameter(GENERATORS, loggable=True)
    ranks = parameter([1, 2, 4], loggable=True)

    @run_after("init")
    def set_deck(self):
        self.num_tasks = self.ranks
        self.executable_opts = [*DECKS[self.deck], f"streams.generator={self.generator}",
                                f"streams.count={STREAMS}", "output.file=",
                                f"output.expect={DIGESTS[f'{self.generator}: {self.deck}']}"]


@rfm.simple_test
class RivuletBenchmark(RivuletBase):
    """The problems of docs/benchmark.md; `size` is XS, S, M or L. -S references=FILE compares figures of merit with
    those of the site. FILE lists values with lower and upper relative tolerances in JSON, such as {"SYSTEM:PARTITION":
    {"pi": [5.6e11, -0.1, null]}}."""

    descr = "a problem of docs/benchmark.md"
    exclusive_access = True
    size = variable(str, value="S")
    references = variable(str, value="")
    problem = parameter(list(PROBLEMS), loggable=True)

    @run_after("init")
    def set_deck(self):
        known = PROBLEMS[self.problem]
        one = known["sizes"][self.size]
        self.executable_opts = [str(BENCHMARK / f"{self.problem}.yaml"), known["key"].format(amount=one["amount"]),
                                *one["with"], f"output.expect={one['digest']}"]
        if self.references:
            sites = json.loads(pathlib.Path(self.references).read_text(encoding="utf-8"))
            self.reference = {system: {"rate": (*rates[self.problem], "1/s")} for system, rates in sites.items()
                              if self.problem in rates}

    @performance_function("1/s")
    def rate(self):
        """Returns the figure of merit."""
        return sn.extractsingle(r"^Figure of Merit \(FOM\): (\S+) \S+$", self.stdout, 1, float)

    @performance_function("s")
    def setup_time(self):
        """Returns the seconds that the slowest rank spent in set-up."""
        return sn.extractsingle(r"^setup +\S+ +\S+ +(\S+)$", self.stdout, 1, float)

    @performance_function("s")
    def whole_time(self):
        return sn.extractsingle(r"^total +\S+ +\S+ +(\S+)$", self.stdout, 1, float)
