# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The battery job counts what TestU01's SmallCrush counts, and tells bad generators from good ones."""

import hashlib
import json
import unittest

import h5py
import numpy

import refusal
import rivulet_cli

SMALL = json.loads((rivulet_cli.DATA_DIR / "battery_small.json").read_text(encoding="utf-8"))
FAILED = 3
# Two tests whose words depend on the numbers, and one after them.
SOME = ["battery", "battery.tests=small.3 small.8 small.5", "streams.generator=lfsr113",
        "streams.count=60"]


def hash_of(counts):
    """As in the table."""
    found = 0
    for count in counts.tolist():
        found = (found * 1000003 + count) % 2**64
    return found


class Battery(rivulet_cli.Case):
    def battery(self, *arguments, code=0, **options):
        """The run, and the results' group as a dictionary."""
        done = rivulet_cli.run(*arguments, "--output", "out.h5", cwd=self.directory, **options)
        self.assertEqual(done.code, code, done)
        with h5py.File(self.directory / "out.h5") as file:
            group = file["results/battery"]
            found = {name: one[()] for name, one in group.items()} | dict(group.attrs)
            found["digest"] = file.attrs["digest"]
        return done, found

    def same_groups(self, groups, counts):
        """[last class, count] each; the last has all classes behind it."""
        ends = [last + 1 for last, _ in groups[:-1]]
        sums = [int(part.sum()) for part in numpy.split(counts, ends)]
        self.assertEqual(sums, [count for _, count in groups])

    def check(self, expected, found, place):
        """One test's counts and p-values."""
        self.assertEqual(found["test"][place].decode(), expected["test"])
        self.assertEqual(found["words_of_test"][place], expected["words"])
        first = int(found["first_counter"][place])
        rest = found["first_counter"][place + 1:]
        counts = found["counters"][first:int(rest[0]) - 1 if len(rest) else None]
        self.assertEqual(found["counters"][first - 1], expected["words"])
        rows = numpy.flatnonzero(found["test_of_p"] == place)
        results = expected["results"]
        self.assertEqual(len(rows), len(results))
        for row, part, result in zip(rows, numpy.split(counts, len(results)) if
                                     "groups" in results[0] else [counts] * len(results), results):
            self.assertEqual(found["statistic_name"][row].decode(), result["statistic"])
            if "groups" in result:
                self.same_groups(result["groups"], part)
            if "hash" in result:
                self.assertEqual(hash_of(part), result["hash"])
            if "counts" in result:
                self.assertEqual(part.tolist(), result["counts"])
            is_table = result["statistic"] == "AD"  # TestU01's law is a table
            self.assertAlmostEqual(found["p_value"][row], result["p"],
                                   delta=2e-3 if is_table else 1e-9)
            if not is_table:
                value = result["value"]
                self.assertAlmostEqual(found["statistic"][row], value, delta=1e-9 * abs(value))

    def test_small_is_testu01_s_small_crush(self):
        for sequence in SMALL["sequences"]:
            fails = any(2 * 15 * min(one["p"], 1 - one["p"]) < 1e-10 for test in sequence["results"]
                        for one in test["results"])
            with self.subTest(generator=sequence["generator"]):
                done, found = self.battery(
                    "battery", f"streams.generator={sequence['generator']}",
                    f"streams.seeding={sequence['seeding']}",
                    f"streams.count={sequence['streams']}", code=FAILED if fails else 0, threads=2)
                for place, expected in enumerate(sequence["results"]):
                    with self.subTest(test=expected["test"]):
                        self.check(expected, found, place)
                self.assertEqual(done.result("failed") != "none", fails)
                digest = hashlib.sha256(found["counters"].astype("<u8").tobytes()).hexdigest()
                self.assertEqual(found["digest"], digest)

    def test_layouts_change_nothing(self):
        _, alone = self.battery(*SOME)
        layouts = [{"threads": 3}, {"arguments": ["battery.memory=2 MiB"]},
                   {"arguments": ["streams.segments=3"]}]
        if rivulet_cli.MPIEXEC:
            layouts += [{"ranks": 2}, {"ranks": 4}]
        for layout in layouts:
            with self.subTest(**layout):
                arguments = layout.pop("arguments", [])
                _, found = self.battery(*SOME, *arguments, **layout)
                for name, values in alone.items():
                    numpy.testing.assert_array_equal(found[name], values, name)

    def test_a_sequence_can_begin_later(self):
        _, all_tests = self.battery(*SOME)
        begin = int(all_tests["first_word_of_test"][1])
        _, later = self.battery(*SOME, "battery.tests=small.8", f"battery.first_word={begin}")
        counters = all_tests["counters"]
        first, behind = (int(one) - 1 for one in all_tests["first_counter"][1:])
        self.assertEqual(later["counters"].tolist(), counters[first:behind].tolist())

    def test_a_checkpoint_after_each_test(self):
        _, whole = self.battery(*SOME)
        (self.directory / "out.h5").unlink()
        left = rivulet_cli.run(*SOME, "checkpoint.file=run.ckpt", "--output", "out.h5",
                               "--time-limit", "0.1 s", cwd=self.directory)
        self.assertEqual(left.code, 75, left)
        for ranks in (2, 1) if rivulet_cli.MPIEXEC else (1,):
            kept = (self.directory / "run.ckpt").read_bytes()
            _, found = self.battery("--resume", "run.ckpt", ranks=ranks)
            self.assertEqual(found["digest"], whole["digest"])
            (self.directory / "run.ckpt").write_bytes(kept)
            (self.directory / "out.h5").unlink()

    def test_bad_generators_fail(self):
        listing = ["streams.generator=hybrid_tausworthe_listing", "streams.seeding=published"]
        done, found = self.battery("battery", "battery.tests=small.2", "streams.count=64", *listing,
                                   code=FAILED)
        self.assertEqual(done.result("failed"), "small.2")
        self.assertEqual(found["failed"], "small.2 Collision")
        self.assertRegex(done.out.splitlines()[-1], "^Digest: [0-9a-f]{64}$")


class Refusals(refusal.Refusal):
    def test_bad_decks(self):
        self.refuse(["battery", "battery.tests=big.107"], "no test 'big.107'")
        self.refuse(["battery", "battery.tests=gap"], "no test 'gap'", "such as small.3")
        self.refuse(["battery", "battery.tests="], "battery.tests is empty")
        self.refuse(["battery", "battery.tests=small.2 small"], "small.2 twice")
        self.refuse(["battery", "battery.block=4096"], "only the blocked order has blocks")
        self.refuse(["battery", "battery.order=blocked"], "battery.block=0 for 4096 streams")
        self.refuse(["battery", "battery.order=blocked", "battery.block=4097"],
                    "a multiple of streams.count")
        self.refuse(["battery", "streams.of=5000"], "streams.of=5000 with streams 0 to 4095")
        self.refuse(["battery", "battery.memory=1 MiB"], "battery.memory=1048576 B is too small",
                    "small.1 needs 80000000 B")


if __name__ == "__main__":
    unittest.main()
