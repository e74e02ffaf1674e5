# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scripts/bench on the build's own programs with little to do."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import rivulet_cli

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
SCRIPT = SOURCE / "scripts" / "bench"
sys.path.insert(0, str(SOURCE / "scripts"))

BENCHMARK = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build"),
                         "bench", "bench_generators").resolve()
needs_benchmark = unittest.skipUnless(BENCHMARK.is_file(), "built without Google Benchmark")
needs_mpi = unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")


def case(*rates, seconds=2e-3):
    return {"seconds": [seconds] * max(len(rates), 1), "rates": list(rates)}


def command(name, rate, row):
    """Median ratio rate / row, which is not that of the medians; median rate."""
    return {"case": name, "command": f"rivulet {name}", "rates": [rate * 1e9, rate * 5e9, rate * 1e8],
            "row_rates": [row * 1e9, row * 5e9, row * 3e9]}


# What a record holds, as scripts/bench writes it; its numbers are easy to count with.
RECORD = {
    "format": "rivulet benchmarks", "format_version": 1,
    "machine": {"date": "2026-11-20", "processor": "CPU (family 1, model 2)", "cores": 2,
                "GPUs": "2 x NVIDIA X9, 1.2", "compiler": "GCC 99", "Kokkos": "9.8.7, Cuda",
                "Rivulet": "1.2.3"},
    "benchmarks": {
        "generators": {"ratios": [], "cases": {
            "pi_dcmt521": case(4e9), "pi_dcmt521_team": case(1e9), "philox_pi": case(2e9),
            "issue_all": case(2e11), "issue_logic": case(1e11),
            "bulk_dcmt521_float": case(6e9), "write_each": case(5e9), "write_zeros": case(8e9),
            "alias_dcmt521_100": case(3e9), "alias_dcmt521_10x10": case(2e9),
            "gsl_alias": case(5e8), "alias_hybrid_tausworthe_100000000": case(1e8),
            "random_reads": case(4e8), "set_up_dcmt521": case(1e6),
            # As on a GPU, where this one has no lanes.
            "pi_mt19937_team": case(3e9),
            "bulk_mt19937_uint32_team": case(4e9), "set_up_mt19937_4096": case(2048e3)}},
        "one": {"ratios": [["ours", "peer"], ["ours", "another"]], "cases": {
            "ours": case(8e9, 6e9, 7e9), "peer": case(2e9, 2e9, 1e9),
            "step/521": {"seconds": [4e-6, 5e-6, 6e-6], "rates": []}}}},
    "instructions": {"pi_dcmt521": {"all": 25.0, "logic": 15.0}},
    "published": {"opencl_lane_512: 512 sets, a thread or lane a twister":
                  {"generate": 2e-3, "count": 3e-3}},
    "streams": [{"generator": generator, "streams": streams, "points": points, "on": "GPU",
                 "set_up": [1e-3 * streams, 3e-3, 2e-3 * streams], "rates": [1e9, streams * 2e9, 9e9]}
                for generator, streams, points in (("dcmt521", 1, 10**9), ("dcmt521", 4, 10**11),
                                                   ("hybrid_tausworthe", 1, 10**11))],
    "scaling": [{"work": work, "way": way, "ranks": ranks, "on": "GPU", "unit": "points/s",
                 "rates": [ranks * 1.5e9 - (work == "fill") * 1e9], "digests": ["a" * 64]}
                for work in ("pi", "fill") for way in ("strong", "weak") for ranks in (1, 2)],
    "commands": [command("pi_dcmt521", 2.0, 2.5), command("pi_dcmt521_team", 0.95, 1.0),
                 command("bulk_dcmt521_float", 5.0, 5.4)],
}


class BenchCase(rivulet_cli.Case):
    """A build in the directory: the program and, where they are added, benchmarks."""

    def setUp(self):
        super().setUp()
        (self.directory / "bench").mkdir()

    def add(self, name, text):
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def add_benchmark(self, name):
        (self.directory / "bench" / f"bench_{name}").symlink_to(BENCHMARK)

    def bench(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.directory, text=True,
                              capture_output=True, check=False,
                              env={**os.environ, **rivulet_cli.ENVIRONMENT})

    def measure(self, *arguments):
        return self.bench("--build", self.directory, *arguments)

    def recorded(self, *arguments):
        """Measures; what was printed, and the record."""
        done = self.measure(*arguments, "--seconds", "0.001", "--record", "r.json")
        self.assertEqual((done.returncode, done.stderr.count("Traceback")), (0, 0), done)
        return done.stdout, json.loads((self.directory / "r.json").read_text(encoding="utf-8"))

    def recorded_here(self, *arguments):
        """The same in this process, where amounts of work can be made small."""
        loader = importlib.machinery.SourceFileLoader("rivulet_bench", str(SCRIPT))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(module)
        record = self.directory / "r.json"
        words = [str(SCRIPT), "--build", str(self.directory), *arguments, "--record", str(record)]
        said = io.StringIO()
        with (mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(said),
              contextlib.redirect_stderr(io.StringIO()),
              mock.patch.dict(os.environ, rivulet_cli.ENVIRONMENT)):
            module.main()
        return said.getvalue(), json.loads(record.read_text(encoding="utf-8"))

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
