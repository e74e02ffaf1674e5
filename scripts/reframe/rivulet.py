# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ReFrame tests of an installed Rivulet: digests of small decks on several layouts, and rates of pi.

    reframe -C SITE.py -c scripts/reframe/rivulet.py -r -S program=/path/to/rivulet -S modules=rivulet
"""
import json
import pathlib

import reframe as rfm
import reframe.utility.sanity as sn

DIGESTS = json.loads((pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" /
                      "digests.json").read_text(encoding="utf-8"))
# What tests/cli/test_digests.py runs with each generator.
DECKS = {"pi": ["pi", "pi.points=500009"],
         "fill": ["fill", "fill.numbers=700001", "fill.type=float"],
         "alias": ["alias", "alias.samples=200003", "table.bits=32"]}
GENERATORS = ["dcmt521", "mt19937", "ranmar", "philox4x32", "hybrid_tausworthe"]
STREAMS = 1300


class RivuletBase(rfm.RunOnlyRegressionTest):
    """A rank of `threads` threads each; the system's launcher starts them."""

    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    program = variable(str, value="rivulet")
    threads = variable(int, value=1)

    @run_after("init")
    def set_program(self):
        self.executable = self.program

    @run_before("run")
    def set_threads(self):
        self.num_cpus_per_task = self.threads
        self.env_vars["OMP_NUM_THREADS"] = str(self.threads)
        self.env_vars["OMP_PROC_BIND"] = "close"
        self.env_vars["OMP_PLACES"] = "cores"

    @sn.deferrable
    def digest(self):
        return sn.extractsingle(r"^Digest: ([0-9a-f]{64})$", self.stdout, 1)


@rfm.simple_test
class RivuletDigests(RivuletBase):
    """Results are bitwise the same on any number of ranks, threads, backends."""

    deck = parameter(list(DECKS), loggable=True)
    generator = parameter(GENERATORS, loggable=True)
    ranks = parameter([1, 2, 4], loggable=True)

    @run_after("init")
    def set_deck(self):
        self.num_tasks = self.ranks
        self.executable_opts = [*DECKS[self.deck], f"streams.generator={self.generator}",
                                f"streams.count={STREAMS}", "output.file="]

    @sanity_function
    def same_digest(self):
        return sn.assert_eq(self.digest(), DIGESTS[f"{self.generator}: {self.deck}"])


@rfm.simple_test
class RivuletRate(RivuletBase):
    """Points of pi a second, without set-up; each site has its own references."""

    ranks = variable(int, value=1)
    points = variable(int, value=10**10)
    generator = parameter(["dcmt521", "philox4x32"], loggable=True)

    @run_after("init")
    def set_deck(self):
        self.num_tasks = self.ranks
        self.executable_opts = ["pi", f"pi.points={self.points}", f"streams.generator={self.generator}",
                                "--output", "pi.h5"]
        self.keep_files = ["pi.h5"]

    @sanity_function
    def ended_well(self):
        return sn.assert_found(r"^Digest: [0-9a-f]{64}$", self.stdout)

    @performance_function("points/s")
    def rate(self):
        return sn.extractsingle(r"^Figure of Merit \(FOM\): (\S+) points/s$", self.stdout, 1, float)

    @performance_function("s")
    def setup_time(self):
        """Of the slowest rank."""
        return sn.extractsingle(r"^setup +\S+ +\S+ +(\S+)$", self.stdout, 1, float)

    @performance_function("s")
    def output_time(self):
        return sn.extractsingle(r"^io +\S+ +\S+ +(\S+)$", self.stdout, 1, float)
