# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scripts/bench: on the build's own programs with little to do, and on a machine whose tools
answer as NVIDIA's do."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import rivulet_cli

SOURCE = rivulet_cli.SOURCE_DIR.resolve()
SCRIPT = SOURCE / "scripts" / "bench"
sys.path.insert(0, str(SOURCE / "scripts"))

BENCHMARK = pathlib.Path(os.environ.get("RIVULET_BUILD_DIR", "build"),
                         "bench", "bench_generators").resolve()
needs_benchmark = unittest.skipUnless(BENCHMARK.is_file(), "built without Google Benchmark")
needs_mpi = unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")

# The program, a millionth of the work where that is a round number. Its arguments and all that it
# prints are kept in said/.
RIVULET = f"""#!/bin/sh
[ "$1" = --version ] && exec {pathlib.Path(rivulet_cli.BINARY).resolve()} --version
said={{directory}}/said/$$
echo "$*" > $said
streams=1000
case $* in *pi.batches=1*) streams=${{{{4#*=}}}} ;; esac
[ $streams -gt 1000 ] && streams=1000
case $1 in
  *opencl*.yaml | *pgi*.yaml) set -- "$@" pi.points=65536 ;;
  *ranmar*.yaml) set -- "$@" sweep.numbers=1e5 "sweep.fetch=[1e4]" ;;
  *gaussian*.yaml) set -- "$@" alias.samples=10000 streams.count=1000 ;;
  *) job=$1; amount=${{{{2%000000}}}}; shift 2; set -- $job $amount "$@" streams.count=$streams ;;
esac
{pathlib.Path(rivulet_cli.BINARY).resolve()} "$@" >> $said
status=$?
sed 1d $said
exit $status
"""
# scripts/bench finds mpiexec as a user's shell does.
MPIEXEC = f"""#!/bin/sh
exec {rivulet_cli.MPIEXEC} "$@"
"""
# As driver 580 answers, for `--list-gpus` and `--query-gpu=name,driver_version`; the second GPU
# is in two parts. Identifiers are made up.
NVIDIA_SMI = """#!/bin/sh
if [ "$1" = --list-gpus ]; then
  echo 'GPU 0: NVIDIA H200 (UUID: GPU-00000000-0000-0000-0000-000000000001)'
  echo 'GPU 1: NVIDIA H200 (UUID: GPU-00000000-0000-0000-0000-000000000002)'
  echo '  MIG 3g.71gb     Device  0: (UUID: MIG-00000000-0000-0000-0000-000000000003)'
  echo '  MIG 3g.71gb     Device  1: (UUID: MIG-00000000-0000-0000-0000-000000000004)'
else
  echo 'NVIDIA H200, 580.159.04'
  echo 'NVIDIA H200, 580.159.04'
fi
"""
# The columns of Nsight Compute 2022 to 2025 (`ncu --csv --metrics ...`); kernels and counts are
# made up, of a start of streams, the larger, and of 8 million points.
NCU = """#!/bin/sh
cat <<'END'
==PROF== Connected to process 4242 (/build/bench/bench_generators)
==PROF== Profiling "start_streams" - 0: 0%....50%....100% - 1 pass
==PROF== Profiling "count_points" - 1: 0%....50%....100% - 1 pass
==PROF== Disconnected from process 4242
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",\
"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4242","bench_generators","127.0.0.1","void start_streams<float, 3>(int)","1","7","(256, 1, 1)",\
"(64, 1, 1)","0","9.0","Command line profiler metrics","smsp__inst_executed.sum","inst","9,250,000"
"0","4242","bench_generators","127.0.0.1","void start_streams<float, 3>(int)","1","7","(256, 1, 1)",\
"(64, 1, 1)","0","9.0","Command line profiler metrics","smsp__inst_executed_pipe_alu.sum","inst","9"
"1","4242","bench_generators","127.0.0.1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","1","7","(256, 1, 1)",\
"(64, 1, 1)","0","9.0","Command line profiler metrics","smsp__inst_executed.sum","inst","6,250,000"
"1","4242","bench_generators","127.0.0.1","void Kokkos::cuda_parallel_launch<FusedLanes<3>>(T1)","1","7","(256, 1, 1)",\
"(64, 1, 1)","0","9.0","Command line profiler metrics","smsp__inst_executed_pipe_alu.sum","inst","3,750,000"
END
"""


def case(*rates, seconds=2e-3):
    return {"seconds": [seconds] * max(len(rates), 1), "rates": list(rates)}


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
            "pi_mt19937_team": case(3e9), "pi_mt19937_block": case(5e9),
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
}


class BenchCase(rivulet_cli.Case):
    """A build in the directory, with benchmarks that are one program, or none that run."""

    def setUp(self):
        super().setUp()
        for name in ("bench", "bin", "said"):
            (self.directory / name).mkdir()

    def add(self, name, text):
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def add_benchmark(self, name):
        (self.directory / "bench" / f"bench_{name}").symlink_to(BENCHMARK)

    def add_runs(self):
        self.add("rivulet", RIVULET.format(directory=self.directory))
        self.add("bin/mpiexec", MPIEXEC)

    def runs(self, *words, without=""):
        """Arguments that had all of the words and not the other, and what the program printed."""
        for path in sorted((self.directory / "said").iterdir()):
            arguments, _, text = path.read_text(encoding="utf-8").partition("\n")
            has = [word in arguments for word in words]
            if text and all(has) and not (without and without in arguments):
                yield arguments, text

    def bench(self, *arguments):
        environment = {**os.environ, **rivulet_cli.ENVIRONMENT,
                       "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}"}
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.directory, text=True,
                              capture_output=True, env=environment, check=False)

    def measure(self, *arguments):
        return self.bench("--build", self.directory, *arguments)

    def recorded(self, *arguments):
        """Measures; what was printed, and the record."""
        done = self.measure(*arguments, "--seconds", "0.001", "--record", "r.json")
        self.assertEqual((done.returncode, done.stderr.count("Traceback")), (0, 0), done)
        return done.stdout, json.loads((self.directory / "r.json").read_text(encoding="utf-8"))

    def refuse(self, phrase, *arguments):
        done = self.measure(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn(phrase, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
