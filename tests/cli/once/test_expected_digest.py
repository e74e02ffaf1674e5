# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""output.expect is the expected digest of a run. If the digest differs, the run ends with status 4."""

import shutil
import unittest

import h5py

import rivulet_cli
from interrupted import CHECKPOINT, OUTPUT
from refusal import Refusal
from test_checkpoint_outputs import QUICKLY, Unfinished

UNEXPECTED = 4
OTHER = "0" * 64
SMALL = {
    "pi": "pi pi.points=100003 streams.count=61",
    "fill": "fill fill.numbers=20011 streams.count=61",
    "alias": "alias alias.samples=20011 streams.count=61",
    "correlate": "correlate correlate.numbers=20011 correlate.lags=10 streams.count=10",
    "occlusion": "occlusion occlusion.width=61 occlusion.height=3 occlusion.passes=[2]",
    "battery": "battery battery.tests=small.8 streams.count=10",
    "create": "create create.count=1",
}


def last_line(done):
    return done.out.splitlines()[-1]


def deck_in(path):
    with h5py.File(path) as file:
        return file["config/deck"][()].decode()


class Expected(Refusal):
    def setUp(self):
        super().setUp()
        self.pi = self.run_ok(*SMALL["pi"].split(), "output.file=").digest
        self.write("pi.yaml", "job: pi\nstreams:\n  count: 61\npi:\n  points: 100003\n"
                              f"output:\n  file: {OUTPUT}\n  expect: {self.pi}\n")

    def unexpected(self, *arguments, digest, expected, code=UNEXPECTED, ranks=1):
        done = rivulet_cli.run(*arguments, cwd=self.directory, ranks=ranks)
        self.assertEqual(done.code, code, done)
        self.assertEqual(last_line(done), f"Digest: {digest} (NOT as expected)")
        self.assertEqual(done.messages, [
            f"rivulet: the digest is {digest}, not {expected} as output.expect says (the deck was changed, or this "
            "machine or build gives wrong results). Remove output.expect if you changed the deck; otherwise do not "
            "trust this run."])
        return done

    def test_every_job_on_all_ranks(self):
        for job, deck in SMALL.items():
            if not rivulet_cli.is_built(deck):
                continue
            with self.subTest(job=job):
                output = f"{job}.h5"
                words = [*deck.split(), "--output", output]
                digest = self.run_ok(*words).digest
                for ranks in rivulet_cli.ONE_AND_TWO:
                    done = self.run_ok(*words, f"output.expect={digest.upper()}", "--quiet", ranks=ranks)
                    self.assertEqual(last_line(done), f"Digest: {digest} (as expected)")
                    (self.directory / output).unlink()
                    self.unexpected(*words, f"output.expect={OTHER}", digest=digest, expected=OTHER, ranks=ranks)
                    self.assertIn(output, self.files())

    def test_what_the_command_line_changes(self):
        for words in (["streams.mapping=team"], ["streams.segments=3", "pi.kernel=stored", "pi.memory=1 MiB"],
                      ["pi.iterations=2", "output.chunk=64 KiB"], ["--output", "other.h5"],
                      ["checkpoint.file=a.ckpt", "checkpoint.every=1 h"]):
            self.assertEqual(last_line(self.run_ok("pi.yaml", *words)), f"Digest: {self.pi} (as expected)")
        for words, key in ((["pi.points=5000", "streams.seed=2"], "pi.points"),
                           (["streams.segments=2", "streams.of=100"], "streams.of"),
                           (["pi.batches=3"], "pi.batches"), (["job=pi"], "job")):
            for ranks in rivulet_cli.ONE_AND_TWO:
                done = self.run_ok("pi.yaml", *words, ranks=ranks)
                self.assertEqual(last_line(done), f"Digest: {done.digest} (not compared: {key} was given)")
            self.assertIn('expect: ""\n', deck_in(self.directory / OUTPUT))
            self.require_repeated(done, OUTPUT)
            self.assertIn('expect: ""\n', self.run_ok("pi.yaml", *words, "--validate").out)
        self.unexpected("pi.yaml", "pi.points=100004", f"output.expect={self.pi}", expected=self.pi,
                        digest=self.run_ok("pi.yaml", "pi.points=100004").digest)
        self.assertEqual(last_line(self.run_ok("pi.yaml", "output.expect=")), f"Digest: {self.pi}")
        self.assertIn(f"expect: {self.pi}\n", self.run_ok("pi.yaml", "--validate").out)

    def test_a_deck_that_was_changed(self):
        text = (self.directory / "pi.yaml").read_text(encoding="utf-8").replace("100003", "100004")
        digest = self.run_ok("pi.yaml", "pi.points=100004").digest
        self.unexpected(self.write("changed.yaml", text), digest=digest, expected=self.pi)
        self.write("again.yaml", deck_in(self.directory / OUTPUT))  # the stored deck still expects self.pi
        self.unexpected("again.yaml", digest=digest, expected=self.pi)

    @unittest.skipUnless(rivulet_cli.has_battery(), "it takes RIVULET_BATTERY=ON")
    def test_a_failed_battery_with_another_digest(self):
        deck = "battery battery.tests=beyond.49 streams.generator=dcmt521 streams.count=1 output.file=".split()
        failed = rivulet_cli.run(*deck, cwd=self.directory)
        self.assertEqual(failed.code, 3, failed)
        self.unexpected(*deck, f"output.expect={OTHER}", digest=failed.digest, expected=OTHER)

    def test_no_digest(self):
        for bad in (self.pi[1:], self.pi + "0", "g" * 64, "12"):
            self.write("bad.yaml", f"job: pi\noutput:\n  expect: {bad}\n")
            says = (f"wrong value for 'expect' in section 'output' ('{bad}' is not 64 hexadecimal digits). "
                    "Copy the digest from a run's last line, or set \"\" to compare nothing.")
            self.refuse(["bad.yaml"], f"bad.yaml:3: {says}", ranks=(1,))
            self.refuse(["pi", f"output.expect={bad}"], f"command line: output.expect={bad}: {says}", ranks=(1,))
        self.refuse(["bad.yaml", "pi.points=1e9"], f"bad.yaml:3: {says}")
        self.refuse(["bad.yaml", "--validate"], f"bad.yaml:3: {says}", ranks=(1,))
        self.write("bad.yaml", f"job: pi\noutput:\n  expect: [{self.pi}]\n")
        self.refuse(["bad.yaml"], "bad.yaml:3: wrong value for 'expect' in section 'output' (it is a list)")

    def test_numbers_on_demand_have_another_each_time(self):
        says = ("output.expect with occlusion.numbers=on_demand (its picture differs from run to run). "
                "Omit output.expect.")
        words = [*SMALL["occlusion"].split(), "occlusion.numbers=on_demand"]
        self.refuse([*words, f"output.expect={OTHER}"], says)
        self.refuse([*words, f"output.expect={OTHER}", "--validate"], says)
        self.write("room.yaml", f"job: occlusion\nocclusion: {{width: 61, height: 3, passes: [2]}}\n"
                                f"output: {{file: {OUTPUT}, expect: {OTHER}}}\n")
        done = self.run_ok("room.yaml", "occlusion.numbers=on_demand")
        self.assertEqual(last_line(done), f"Digest: {done.digest} (not compared: occlusion.numbers was given)")
        self.write("room.yaml", f"job: occlusion\nocclusion: {{numbers: on_demand}}\noutput: {{expect: {OTHER}}}\n")
        self.refuse(["room.yaml"], says)

    def test_a_stream_and_a_merge_have_none(self):
        self.refuse(["merge", "a.h5", "b.h5", f"output.expect={OTHER}"], "output.expect does not apply here")
        self.refuse(["stream", "fill", f"output.expect={OTHER}"], "output.expect does not apply here", output=None)
        self.write("fill.yaml", f"job: fill\noutput:\n  expect: {OTHER}\n")
        self.run_ok("stream", "fill.yaml", "--count", 10)

    def test_parts_and_their_merge(self):
        parts = []
        for first, count in ((0, 20), (20, 41)):
            words = (f"streams.first={first}", f"streams.count={count}", "streams.of=61", "--output", f"{first}.h5")
            done = self.run_ok("pi.yaml", *words)
            self.assertTrue(last_line(done).endswith(" (not compared: streams.first was given)"), done)
            done = self.run_ok("pi.yaml", *words, f"output.expect={done.digest}")
            self.assertTrue(last_line(done).endswith(" (as expected)"), done)
            parts.append(f"{first}.h5")
        done = self.run_ok("merge", *parts, "--output", "all.h5")
        self.assertEqual(last_line(done), f"Digest: {self.pi}")
        self.assertIn('expect: ""\n', deck_in(self.directory / "all.h5"))
        self.require_repeated(done, "all.h5")


class Resumed(Unfinished):
    DECK = "pi pi.points=2e8 streams.count=64".split()

    def test_a_resumed_run_compares(self):
        digest = self.run_ok(*self.DECK, "output.file=").digest
        for expected, code, line in ((digest, 0, f"Digest: {digest} (as expected)"),
                                     (OTHER, 4, f"Digest: {digest} (NOT as expected)")):
            self.leave([*self.DECK, f"output.expect={expected}"])
            shutil.copy(self.directory / CHECKPOINT, self.directory / "copy")
            done = rivulet_cli.run("--resume", CHECKPOINT, QUICKLY, cwd=self.directory)
            self.assertEqual((done.code, last_line(done)), (code, line), done)
            self.assertEqual(self.files(), ["copy", OUTPUT])
            # A kill may leave both the results and the checkpoint. A resume then returns the status of the results.
            shutil.copy(self.directory / "copy", self.directory / CHECKPOINT)
            done = rivulet_cli.run("--resume", CHECKPOINT, cwd=self.directory)
            self.assertEqual((done.code, self.files()), (code, ["copy", OUTPUT]), done)
            self.assertIn("is done: its results are in", done.messages[-1])
            (self.directory / OUTPUT).unlink()

    def test_what_a_resumed_run_may_change(self):
        digest = self.run_ok(*self.DECK, "output.file=").digest
        self.leave([*self.DECK, "checkpoint.keep=true", f"output.expect={OTHER}"])
        done = self.run_ok("--resume", CHECKPOINT, QUICKLY, f"output.expect={digest}")
        self.assertEqual(last_line(done), f"Digest: {digest} (as expected)")
        done = self.run_ok("--resume", CHECKPOINT, QUICKLY, "pi.points=2.1e8", "--output", "more.h5")
        self.assertEqual(last_line(done), f"Digest: {done.digest} (not compared: pi.points was given)")
