# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The battery job computes the same counts as TestU01's SmallCrush, and tells bad generators from good ones."""

import hashlib
import json

import numpy

import refusal
import rivulet_cli
from battery_case import CHECKPOINTED, FAILED, GENERATOR, SOME, BatteryCase

SMALL = json.loads((rivulet_cli.DATA_DIR / "battery_small.json").read_text(encoding="utf-8"))


def hash_of(counts):
    """Returns the hash of counts, as in the table of expected results."""
    found = 0
    for count in counts.tolist():
        found = (found * 1000003 + count) % 2**64
    return found


class Battery(BatteryCase):
    def same_groups(self, groups, counts):
        """Compares counts with groups [last class, count]. The last group has all remaining classes."""
        ends = [last + 1 for last, _ in groups[:-1]]
        sums = [int(part.sum()) for part in numpy.split(counts, ends)]
        self.assertEqual(sums, [count for _, count in groups])

    def check(self, expected, found, index):
        """Compares counts and p-values of one test."""
        self.assertEqual(found["test"][index].decode(), expected["test"])
        self.assertEqual(found["words_of_test"][index], expected["words"])
        first = int(found["first_counter"][index])
        following = found["first_counter"][index + 1:]
        counts = found["counters"][first:int(following[0]) - 1 if len(following) else None]
        self.assertEqual(found["counters"][first - 1], expected["words"])
        rows = numpy.flatnonzero(found["test_of_p"] == index)
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
            is_table = result["statistic"] == "AD"  # TestU01 tabulates this distribution
            self.assertAlmostEqual(found["p_value"][row], result["p"],
                                   delta=2e-3 if is_table else 1e-9)
            if not is_table:
                value = result["value"]
                self.assertAlmostEqual(found["statistic"][row], value, delta=1e-9 * abs(value))

    def test_small_is_testu01_s_small_crush(self):
        for sequence in SMALL["sequences"]:
            fails = sum(2 * 15 * min(one["p"], 1 - one["p"]) < 1e-10 for test in sequence["results"]
                        for one in test["results"])
            with self.subTest(generator=sequence["generator"]):
                _, found = self.battery(
                    "battery", "battery.tests=small", f"streams.generator={sequence['generator']}",
                    f"streams.seeding={sequence['seeding']}",
                    f"streams.count={sequence['streams']}", code=FAILED if fails else 0, threads=2)
                for index, expected in enumerate(sequence["results"]):
                    with self.subTest(test=expected["test"]):
                        self.check(expected, found, index)
                failed = found["failed"]
                self.assertEqual(len(failed.split(", ")) if failed != "none" else 0, fails)
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
        first, second = (int(one) - 1 for one in all_tests["first_counter"][1:])
        self.assertEqual(later["counters"].tolist(), counters[first:second].tolist())

    def test_a_checkpoint_after_each_test(self):
        _, whole = self.battery(*SOME)
        (self.directory / "out.h5").unlink()
        self.stop_early(*SOME, *CHECKPOINTED)
        for ranks in (2, 1) if rivulet_cli.MPIEXEC else (1,):
            kept = (self.directory / "run.ckpt").read_bytes()
            _, found = self.battery("--resume", "run.ckpt", ranks=ranks)
            self.assertEqual(found["digest"], whole["digest"])
            (self.directory / "run.ckpt").write_bytes(kept)
            (self.directory / "out.h5").unlink()

    def test_tests_that_begin_at_one_word(self):
        """Each test computes the same counts as when it runs alone."""
        _, found = self.battery(*SOME, "battery.sequence=each")
        self.assertEqual(found["first_word_of_test"].tolist(), [0, 0, 0])
        ends = [*(found["first_counter"][1:] - 1), len(found["counters"])]
        for test, first, end in zip(SOME[1].split("=")[1].split(), found["first_counter"], ends):
            _, alone = self.battery("battery", f"battery.tests={test}", *GENERATOR)
            self.assertEqual(found["counters"][first:end].tolist(), alone["counters"][1:].tolist())

    def test_shared_tests_add_up_chunks(self):
        names = "long.1 long.7 small.8"
        shared = ["battery", f"battery.tests={names}", "battery.sequence=shared", *GENERATOR,
                  "battery.chunk=4000000", "battery.bytes=80000000"]
        _, whole = self.battery(*shared)
        self.assertEqual((whole["chunks"], whole["words"]), (5, 20000000))
        for ranks in (3,) if rivulet_cli.MPIEXEC else ():
            _, found = self.battery(*shared, "battery.memory=300 MiB", ranks=ranks)
            self.assertEqual(found["digest"], whole["digest"])
        (self.directory / "out.h5").unlink()
        self.stop_early(*shared, *CHECKPOINTED)
        _, found = self.battery("--resume", "run.ckpt")
        self.assertEqual(found["digest"], whole["digest"])
        # Words from outside are tested to their end, except for an incomplete last chunk.
        outside = [*shared[:3], "battery.chunk=4000000"]
        _, found = self.piped(20000001, *outside[1:])
        self.assertEqual(found["digest"], whole["digest"])
        self.words(23999999)
        for ranks in rivulet_cli.ONE_AND_TWO:
            _, found = self.battery(*outside, "battery.source=words.bin", ranks=ranks)
            self.assertEqual((found["digest"], found["chunks"]), (whole["digest"], 5))

    def test_a_chunk_longer_than_usual(self):
        _, found = self.battery("battery", "battery.tests=small.8", *GENERATOR,
                                "battery.sequence=shared", f"battery.chunk={2**30 + 1}")
        self.assertEqual((found["chunks"], found["words"]), (1, 2**30 + 1))

    def test_short_sequences_are_not_judged(self):
        deck = ["battery", "battery.sequence=shared", "battery.tests=long.1 small.8", *GENERATOR, "battery.chunk=8192"]
        done, found = self.battery(*deck, "battery.bytes=32768", code=1)
        self.assertEqual((found["not_done"], found["failed"]), ("small.8", "none"))
        self.assertEqual([one.decode() for one in found["test"][found["test_of_p"]]], ["long.1"])
        self.assertIn("warning: not judged because the words ended: small.8 needs 32768 words", done.err)
        for chunks in (4, 40):
            _, found = self.battery(*deck, f"battery.bytes={chunks * 32768}")
            self.assertEqual((found["not_done"], found["failed"], len(found["p_value"])), ("none", "none", 2))

    def test_a_finished_run_that_failed(self):
        deck = ["battery", "battery.tests=small.3 crush.72 small.5", "streams.generator=dcmt521", "streams.count=2"]
        self.stop_early(*deck, *CHECKPOINTED)
        kept = (self.directory / "run.ckpt").read_bytes()
        _, found = self.battery("--resume", "run.ckpt", code=FAILED)
        self.assertNotEqual(found["failed"], "none")
        for ranks in rivulet_cli.ONE_AND_TWO:
            (self.directory / "run.ckpt").write_bytes(kept)
            done = rivulet_cli.run("--resume", "run.ckpt", cwd=self.directory, ranks=ranks)
            self.assertEqual(done.code, FAILED, done)
            self.assertIn("is done", done.err)

    def test_repeats_with_other_seeds(self):
        deck = [*SOME, "battery.tests=small.3 small.8", "streams.seed=7"]
        _, found = self.battery(*deck, "battery.repeat=3")
        self.assertEqual([one.decode() for one in found["test"][:3]],
                         ["small.3 of repeat 0", "small.8 of repeat 0", "small.3 of repeat 1"])
        p = found["p_value"].reshape(3, 2)
        for seed in range(3):
            _, alone = self.battery(*deck, f"streams.seed={7 + seed}")
            self.assertEqual(p[seed].tolist(), alone["p_value"].tolist())
        self.assertEqual([one.decode() for one in found["repeated"]],
                         ["small.3 Gap", "small.8 MatrixRank"])
        self.assertEqual(len(found["p_value_of_repeated"]), 2)
        if rivulet_cli.MPIEXEC:
            _, others = self.battery(*deck, "battery.repeat=3", ranks=2)
            self.assertEqual(others["digest"], found["digest"])

    def test_bad_generators_fail(self):
        listing = ["streams.generator=hybrid_tausworthe_listing", "streams.seeding=published"]
        done, found = self.battery("battery", "battery.tests=small.2", "streams.count=64", *listing,
                                   code=FAILED)
        self.assertEqual(done.result("failed"), "small.2")
        self.assertEqual(found["failed"], "small.2 Collision")
        self.assertRegex(done.out.splitlines()[-1], "^Digest: [0-9a-f]{64}$")


class Refusals(refusal.Refusal):
    def test_bad_decks(self):
        shared = ["battery", "battery.sequence=shared"]
        self.refuse_each((
            (["battery", "battery.tests=big.107"], "no test 'big.107'"),
            (["battery", "battery.block=4096"], "only the blocked and stream orders have blocks"),
            (["battery", "battery.order=blocked"], "battery.block=0 for 4096 streams"),
            (["battery", "battery.order=blocked", "battery.block=4097"], "a multiple of streams.count"),
            (["battery", "battery.order=stream"], "battery.order=stream without battery.block"),
            (["battery", "battery.tests=small", "battery.bytes=1 GiB"], "without battery.sequence=shared"),
            ([*shared, "battery.tests=small"], "battery.sequence=shared with small.6",
             "counts of MaxOft from different chunks cannot be added"),
            ([*shared, "battery.tests=beyond.22", "battery.chunk=1000000"],
             "battery.chunk=1000000 is too short for beyond.22"),
            ([*shared, "battery.tests=long.6", "battery.chunk=4096"], "battery.chunk=4096 is too short for long.6"),
            ([*shared, "battery.tests=beyond.14", "battery.chunk=1048576"],
             "battery.chunk=1048576 is too short for beyond.14 (it needs 75497472 words)"),
            (["battery", "battery.first_word=1e15", "battery.step=16777216", "--validate"],
             "battery.first_word=1000000000000000 and battery.step=16777216"),
            ([*shared, "battery.tests=long.1", "battery.bytes=1 MiB"],
             "battery.bytes=1048576 with chunks of 1073741824 words"),
            ([*shared, "battery.tests=long.1", "battery.repeat=2"], "battery.repeat=2 with battery.sequence=shared"),
            (["battery", "battery.seeds=2", "battery.order=stream", "battery.block=10"],
             "battery.seeds=2 with blocks of streams"),
            (["battery", "streams.of=5000"], "streams.of=5000 with streams 0 to 4095"),
            (["battery", "battery.tests=small", "battery.memory=1 MiB"],
             "battery.memory=1048576 B is too small", "the tests need 80000000 B (small.1 the most)"),
            (["battery", "battery.streams=2"], "battery.streams with battery.source=generator"),
            (["battery", "battery.tests=default.1", "battery.chunk=4095"], "battery.chunk=4095", "at least 4096 words"),
            (["battery", "battery.tests=default.29", "battery.chunk=4096"],
             "battery.tests=default.29 leaves no test", "a short battery.chunk"),
            (["battery", "battery.tests=default.3", "battery.sequence=each", "streams.count=1"],
             "battery.tests=default.3 leaves no test", "with one stream"),
            (["battery", "battery.tests=default.1", "battery.sequence=each", "battery.repeat=513"],
             "battery.repeat=513 with Overlaps", "at most 512 repeats")), ranks=(1,))

    def test_bits_that_are_not_there(self):
        for generator, bits in (("ranmar24", "only the upper 16 bits of its 24-bit numbers"),
                                ("ranmar48", "only the upper 32 bits of its 48-bit numbers")):
            self.refuse(["battery", "battery.bits=low8", f"streams.generator={generator}"],
                        f"battery.bits=low8 with {generator}", bits)
