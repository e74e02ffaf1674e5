# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that scripts/bench makes of a record: numbers and where they stand."""

import copy
import math
import os
import subprocess
import unittest
from unittest import mock

import rivulet_cli
from bench_case import BENCHMARK, RECORD, case, command, needs_benchmark
from benchmarking import commands, how_fast, pages, profiles, programs, streams
from benchmarking.records import Record
from common.text import rate_text


def page(data):
    return "\n".join(pages.performance_of(Record("x9", data)))


class Tables(unittest.TestCase):
    def test_medians_and_ratios(self):
        said = page(RECORD)
        self.assertIn("### one", said)
        self.assertIn("| ours | 2 ms | 7.00e9 1/s | 29 % | 3.5 x peer |", said)
        self.assertIn("| peer | 2 ms | 2.00e9 1/s | 50 % |  |", said)
        self.assertIn("| step/521 | 5 us |  | 40 % |  |", said)
        self.assertIn("- Kokkos: 9.8.7, Cuda", said)

    def test_generators(self):
        said = page(RECORD)
        for line in ("| dcmt521 | 4.00e9; 1.00e9 | 2.00; 0.50 | 25.0 | 50 | 60 |",
                     "| Philox4x32-10 | 2.00e9 | 1.00 |  |  |  |",
                     "Highest measured issue rate: 2.00e11 instructions/s, of logic 1.00e11 instructions/s",
                     "| mt19937, team | 3.00e9 | 1.50 |  |  |  |",
                     "| dcmt521 |  | 6.00e9 |  | 75 |",
                     "| mt19937, team |  |  | 4.00e9 | 50 |",
                     "Highest measured write bandwidth: each 5.00e9 B/s, zeros 8.00e9 B/s.",
                     "| dcmt521 | 3.00e9 | 2.00e9 |", "gsl_ran_discrete, flat: 5.00e8 samples/s.",
                     "1.00e8 samples/s, 0.25 x the 8-byte reads",
                     "| generator | streams | ms |", "| dcmt521 | 2000 | 2 |",
                     "| mt19937 | 4096 | 2 |"):
            self.assertIn(line, said)
        without = copy.deepcopy(RECORD)
        del without["instructions"]
        self.assertIn("| dcmt521 | 4.00e9; 1.00e9 | 2.00; 0.50 |\n", page(without))

    def test_peers_at_their_best(self):
        """Ratios are to the fastest form of each peer; the other forms are shown too."""
        other = copy.deepcopy(RECORD)
        cases = other["benchmarks"]["generators"]["cases"]
        del cases["philox_pi"]
        cases.update({"philox_pi_128x1": case(2e9), "philox_pi_256x2": case(5e9),
                      "curand_xorwow_default_float": case(2e9),
                      "curand_xorwow_dynamic_float": case(4e9), "curand_philox_uint32": case(1e9),
                      "bulk_dcmt521_float_team": case(7e9)})
        other["instructions"]["philox_pi_256x2"] = {"all": 20.0, "logic": 10.0}
        said = page(other)
        for line in ("| generator | points/s | of cuRAND's Philox | instructions",
                     "| dcmt521 | 4.00e9; 1.00e9 | 0.80; 0.20 | 25.0 | 50 | 60 |",
                     "| Philox4x32-10, blocks of 256, 2 sequences per thread | 5.00e9 | 1.00 | 20.0 | 50 | 50 |",
                     "Slower forms of Philox4x32-10 (threads a block x sequences a thread), points/s: 128x1 2.00e9.",
                     "| generator | double | float | uint32 | write, % |",
                     "| dcmt521 |  | 6.00e9; 7.00e9 |  | 75; 88 |",
                     "| mt19937, team |  |  | 4.00e9 | 50 |",
                     "| cuRAND xorwow, default |  | 2.00e9 |  | 25 |",
                     "| cuRAND xorwow, dynamic |  | 4.00e9 |  | 50 |",
                     "| cuRAND philox |  |  | 1.00e9 | 12 |"):
            self.assertIn(line, said)
        self.assertNotIn("Slower forms", pages.performance([Record("x9", other)]))
        said = how_fast.page([Record("x9", other)], {})
        for line in ("| cuRAND's Philox4x32-10 | 5.00e9 |  |  |  |  |", "| cuRAND xorwow |  |  | 4.00e9 |  |  |",
                     "| cuRAND philox |  | 1.00e9 |  |  |  |", "| writing alone |  | 8.00e9 | 8.00e9 |  |  |"):
            self.assertIn(line + "\n", said)

    def test_instructions_are_those_of_our_kernels_and_the_fastest_peer(self):
        cases = {"pi_dcmt521": case(4e9), "philox_pi_128x1": case(2e9), "philox_pi_256x2": case(5e9),
                 "issue_all": case(1e9), "step": {"seconds": [1e-6], "rates": []}}
        with (mock.patch.object(profiles.shutil, "which", lambda _: "/ncu"),
              mock.patch.object(profiles, "executed", lambda _, name: {"all": 4e8, "logic": 8e6})):
            found = profiles.instructions_of("bench_generators", cases)
        self.assertEqual({name: values["all"] for name, values in found.items()},
                         {"pi_dcmt521": 50, "philox_pi_256x2": 40})

    def test_what_a_peer_cannot_do_is_no_case(self):
        one = {"run_type": "iteration", "real_time": 2.0, "time_unit": "ms"}
        found = programs.cases_of({"benchmarks": [
            {**one, "name": "curand_a/real_time", "items_per_second": 4e9},
            {**one, "name": "curand_b/real_time", "error_occurred": True, "real_time": 0.0}]})
        self.assertEqual(found, {"curand_a": case(4e9)})

    def test_peers_of_a_processor(self):
        other = copy.deepcopy(RECORD)
        del other["machine"]["GPUs"]
        cases = other["benchmarks"]["generators"]["cases"]
        cases.update({"philox_pi_256": case(4e9), "ars_pi": case(8e9), "dsfmt_pi": case(1e9),
                      "std_mt19937_pi": case(5e8), "std_mt19937_uint32": case(1e9),
                      "random123_ars_uint32": case(2e9), "random123_philox_uint32": case(3e9),
                      "dsfmt_double": case(4e9), "bulk_dcmt521_double": case(3e9)})
        said = page(other)
        for line in ("| of std::mt19937 | of Random123's Philox | of Random123's ARS | of dSFMT |",
                     "| dcmt521 | 4.00e9; 1.00e9 | 8.00; 2.00 | 1.00; 0.25 | 0.50; 0.12 | 4.00; 1.00 |",
                     "| Philox4x32-10, 256 counters at once | 4.00e9 | 8.00 | 1.00 ",
                     "| ARS | 8.00e9 |", "| dSFMT | 1.00e9 |",
                     "| Random123 ARS |  |  | 2.00e9 | 25 |",
                     "| Random123 philox |  |  | 3.00e9 | 38 |",
                     "| std::mt19937 |  |  | 1.00e9 | 12 |",
                     "| dSFMT | 4.00e9 |  |  | 50 |",
                     "| dcmt521 | 3.00e9 | 6.00e9 |  | 75 |"):
            self.assertIn(line, said)

    def test_generators_are_those_of_the_record_in_its_order(self):
        """That of the ratios, which is the list's; then what has no ratio."""
        other = copy.deepcopy(RECORD)
        of_generators = other["benchmarks"]["generators"]
        of_generators["cases"].update({"pi_new_one": case(7e9),
                                       "bulk_new_one_uint32_team": case(1e9)})
        of_generators["ratios"] = [["pi_new_one", "philox_pi"],
                                   ["bulk_new_one_uint32_team", "write_each"],
                                   ["pi_mt19937_team", "philox_pi"]]
        self.assertEqual(pages.names_of(Record("x9", other))[:3],
                         ["new_one", "mt19937", "dcmt521"])
        said = page(other)
        self.assertIn("| generator | double | float | uint32 | write, % |", said)
        self.assertIn("| new_one, team |  |  | 1.00e9 | 12 |", said)
        self.assertLess(said.index("| new_one | 7.00e9 |"), said.index("| mt19937, team |"))
        self.assertLess(said.index("| mt19937, team |"), said.index("| dcmt521 | 4.00e9;"))

    def test_streams(self):
        said = page(RECORD)
        for line in ("| streams | 1 | 4 |",
                     "| dcmt521 | 2.00e9; 2 | 8.00e9; 4 |",
                     "| hybrid Tausworthe | 2.00e9; 2 |  |",
                     "Each run had 1e11 points, but fewer where that takes too long: dcmt521 with 1 (1e9)."):
            self.assertIn(line, said)
        same = copy.deepcopy(RECORD)
        same["streams"] = same["streams"][1:]
        self.assertIn("Each run had 1e11 points.\n", page(same))
        del same["streams"]
        self.assertNotIn("### Streams", page(same))

    def test_streams_take_no_longer_than_they_should(self):
        """Fewer points of slow streams, and none whose set-up takes minutes."""
        asked = []

        def run(_, generator, count, points, __):
            asked.append((generator, count, points))
            slow = generator == "mt19937"
            return mock.Mock(merit=1e6 if slow and count == 1 else 1e9,
                             seconds={"setup": count * (1e-3 if slow else 1e-6)})

        with (mock.patch.object(streams, "run", run),
              mock.patch.object(streams.machine, "gpus", lambda: 0)):
            rows = streams.measure("rivulet", 3)
        points = {(row["generator"], row["streams"]): row["points"] for row in rows}
        self.assertEqual(points["dcmt521", 540672], streams.ON_CORE)
        self.assertEqual(points["mt19937", 1], streams.ON_CORE // 100)
        self.assertEqual(points["mt19937", 4096], streams.ON_CORE)
        self.assertNotIn(("mt19937", 65536), points)
        self.assertEqual(len(asked), 4 * len(rows))
        self.assertEqual({len(row["rates"]) for row in rows}, {3})

    def test_commands(self):
        """Beside the rows; a ratio is the median of pairs, and a median of rates may be another."""
        said = page(RECORD)
        for line in ("| pi_dcmt521 | `rivulet pi_dcmt521` | 2.00e9 points/s | 0.80 x |",
                     "| pi_dcmt521_team | `rivulet pi_dcmt521_team` | 9.50e8 points/s | 0.95 x |",
                     "| bulk_dcmt521_float | `rivulet bulk_dcmt521_float` | 5.00e9 B/s | 0.93 x |",
                     "More than 10 % apart: 1 of 3."):
            self.assertIn(line, said)

    def test_commands_too_slow_and_too_fast_are_named(self):
        rows = [command(f"pi_{ratio}", ratio, 1.0) for ratio in (0.8, 0.89, 0.91, 1.0, 1.09, 1.11, math.nan)]
        self.assertEqual(commands.apart(rows), ["pi_0.8: 0.80 x the row by rivulet pi_0.8",
                                                "pi_0.89: 0.89 x the row by rivulet pi_0.89",
                                                "pi_1.11: 1.11 x the row by rivulet pi_1.11",
                                                "pi_nan: nan x the row by rivulet pi_nan"])

    def test_commands_do_what_their_rows_do(self):
        for case_name, on_gpu, words in (
                ("pi_dcmt521", True, "pi streams.generator=dcmt521 pi.points=2e9"),
                ("pi_philox4x32_7", True, "pi streams.generator=philox4x32_7 pi.points=2e9"),
                ("pi_dcmt521_team", False, "pi streams.generator=dcmt521 streams.mapping=team pi.points=2e9"),
                ("bulk_ranmar48x_double", True, "fill streams.generator=ranmar48x fill.type=double fill.numbers=2e8"),
                ("bulk_mt19937_uint32_team", False,
                 "fill streams.generator=mt19937 streams.mapping=team fill.type=uint32 fill.numbers=5e8 "
                 "fill.order=blocked streams.count=32 fill.memory=256MiB")):
            self.assertEqual(" ".join(commands.arguments_of(case_name, 1e9, on_gpu)), words)

    def test_how_fast(self):
        """By machine, generator and use; commands before rows of benchmarks; generators that are the fastest in
        all runs are bold: a run of the command of pi was faster than mt19937's."""
        said = how_fast.page([Record("x9", RECORD)], {})
        for line in ("## 2 x NVIDIA X9, 2026-11-20",
                     "| generator | fused kernel, points/s | `uint32` into memory, B/s | `float`, B/s | "
                     "alias, flat, samples/s | alias, by rows |",
                     "| dcmt521 | 2.00e9 |  | **5.00e9** | **3.00e9** | **2.00e9** |",
                     "| mt19937 | 3.00e9 (team) | **4.00e9** (team) |  |  |  |",
                     "| cuRAND's Philox4x32-10 | 2.00e9 |  |  |  |  |",
                     "| gsl_ran_discrete |  |  |  | 5.00e8 |  |",
                     "Scatter, (greatest - least) / median: 1 % or less in half of the cells, 490 % at most."):
            self.assertIn(line + "\n", said)
        alone = copy.deepcopy(RECORD)
        del alone["commands"]
        said = how_fast.page([Record("x9", alone)], {})
        self.assertIn("| dcmt521 | **4.00e9** |  | **6.00e9** | **3.00e9** | **2.00e9** |\n", said)
        alone["benchmarks"] = {}
        alone["streams"] = [{**alone["streams"][0], "streams": 4096}]
        said = how_fast.page([Record("x9", alone)], {"x9": {"streams": "plots/x9_streams.png"}})
        self.assertIn("| generator | fused kernel, points/s | set-up, ms |\n", said)
        self.assertIn("| dcmt521 | **2.00e9** | 2 |\n", said)
        self.assertIn("![Few streams and many](plots/x9_streams.png)\n", said)

    def test_columns_compare_the_same_thing(self):
        """One type of number a column; set-up as users see it, with the default number of streams, and no other."""
        other = copy.deepcopy(RECORD)
        other["benchmarks"]["generators"]["cases"].update({
            "bulk_dcmt521_double": case(7e9), "bulk_dcmt521_double_team": case(9e9),
            "set_up_dcmt521_4096": case(1e6, seconds=5e-3)})
        other["streams"].append({**other["streams"][0], "streams": 4096, "set_up": [7e-3]})
        said = how_fast.page([Record("x9", other)], {})
        self.assertIn("| dcmt521 | 2.00e9 |  | **5.00e9** | **9.00e9** (team) | **3.00e9** | **2.00e9** | 7 |\n", said)
        self.assertIn("| mt19937 | 3.00e9 (team) | **4.00e9** (team) |  |  |  |  |  |\n", said)

    def test_scaling(self):
        said = page(RECORD)
        self.assertIn("## 2 x NVIDIA X9, ", said)
        for line in ("| strong; weak | 1 GPU | 2 GPUs |",
                     "| pi, points/s | 1.50e9; 1.50e9 | 3.00e9 (100 %); 3.00e9 (100 %) |",
                     "| fill, points/s | 5.00e8; 5.00e8 | 2.00e9 (200 %); 2.00e9 (200 %) |"):
            self.assertIn(line, said)

    def test_the_page_leaves_out_what_how_fast_has(self):
        said = pages.performance([Record("x9", RECORD)])
        self.assertNotIn("### Streams", said)
        self.assertNotIn("### Set-up", said)
        for line in ("gsl_ran_discrete, flat", "| dcmt521 | 3.00e9 | 2.00e9 |", "### Bulk", "| dcmt521 |  | 6.00e9 |"):
            self.assertNotIn(line, said)
        self.assertIn("8.00e9 B/s.\n\nAlias sampling from a table of 10^8", said)
        self.assertIn("\n\nCPU (family 1, model 2); 2 cores; 2 x NVIDIA X9, 1.2; GCC 99; Kokkos 9.8.7, Cuda; "
                      "Rivulet 1.2.3.\n\n### Fused pi\n", said)
        uncounted = copy.deepcopy(RECORD)
        del uncounted["instructions"]
        self.assertNotIn("### Fused pi", pages.performance([Record("x9", uncounted)]))

    @needs_benchmark
    def test_every_case_of_the_generators_is_shown(self):
        """The benchmark's names, as it lists them, beside those that the tables look for."""
        done = subprocess.run([BENCHMARK, "--benchmark_list_tests=true"], check=True, text=True,
                              capture_output=True, env={**os.environ, **rivulet_cli.ENVIRONMENT})
        names = [line.removesuffix("/real_time") for line in done.stdout.splitlines()]
        self.assertIn("pi_dcmt521", names)
        rates = {name: (100 + place) * 1e7 for place, name in enumerate(names)}
        every = copy.deepcopy(RECORD)
        every["benchmarks"] = {"generators": {
            "ratios": [], "cases": {name: case(rate) for name, rate in rates.items()}}}
        said = page(every)
        for name, rate in rates.items():
            if name != "gsl_alias":  # ratios to it are
                with self.subTest(case=name):
                    streams = f"| {rate * 2e-3:.0f} | 2 |"  # in the record's seconds
                    self.assertIn(streams if name.startswith("set_up") else rate_text(rate, ""), said)
