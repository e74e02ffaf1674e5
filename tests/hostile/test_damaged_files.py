# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests parameter files, results, checkpoints, and saved sequences in memory, with random changes. A changed input with
a seal is refused before HDF5 opens it. Files without a seal (older or foreign ones) may crash or hang HDF5 1.10, so the
tests only print how many of them do."""

import subprocess

import hostile
import rivulet_cli

SEAL = 512  # bytes, src/io/files/sealed_file.hpp
USER_BLOCK = 4096  # bytes, src/io/results/hdf5_writer.cpp


class DamagedFiles(hostile.Hostile):
    def changes(self, whole, source):
        """Returns the bytes with one random byte changed, or truncated at a random place."""
        at = source.randrange(len(whole))
        if source.random() < 0.1:
            return whole[:at]
        changed = bytearray(whole)
        changed[at] = source.choice([changed[at] ^ (1 << source.randrange(8)), 0, 255])
        return bytes(changed)

    def run_on_changed_files(self, name, whole, command, must_refuse, says=("is damaged",)):
        """Runs the command on changed files. Returns the counts of tried, refused, crashed and hung runs."""
        counts = dict(tried=0, refused=0, crashed=0, hung=0)
        for number, source in hostile.rounds():
            changed = self.changes(whole, source)
            if changed == whole:
                continue
            (self.directory / name).write_bytes(changed)
            counts["tried"] += 1
            try:
                done = self.run_here(*command, timeout=20)
            except subprocess.TimeoutExpired:
                counts["hung"] += 1
                continue
            crashed = done.code < 0 or done.code > 128
            counts["crashed"] += crashed
            counts["refused"] += done.code == 1
            if must_refuse:
                with self.subTest(number=number):
                    self.assertFalse(crashed, done)
                    self.require_refusal(done, says if len(changed) >= SEAL else [])
        print(f"{name}: {counts}")
        return counts

    def test_parameter_files(self):
        self.run_ok("create", "create.count=2", "--output", "sets.h5")
        whole = (self.directory / "sets.h5").read_bytes()
        command = ["pi", "streams.parameters=sets.h5", "pi.points=100", "streams.count=2", "output.file="]
        counts = self.run_on_changed_files("sets.h5", whole, command, must_refuse=True)
        self.assertEqual(counts["refused"], counts["tried"])
        self.run_on_changed_files("unsealed.h5", whole[USER_BLOCK:],
                                  [word.replace("sets.h5", "unsealed.h5") for word in command], must_refuse=False)

    def test_results_to_merge(self):
        for name, more in (("first.h5", []), ("second.h5", ["streams.first=4"])):
            self.run_ok("pi", "pi.points=1e4", "streams.of=8", "streams.count=4", *more, "--output", name)
        whole = (self.directory / "second.h5").read_bytes()
        command = ["merge", "first.h5", "second.h5", "--output", "merged.h5"]
        counts = self.run_on_changed_files("second.h5", whole, command, must_refuse=True, says=())
        self.assertEqual(counts["refused"], counts["tried"])

    def test_existing_outputs(self):
        """A damaged output is replaced, or refused if its seal is damaged. No run crashes."""
        run = ["pi", "pi.points=1e4", "streams.count=4", "--output", "out.h5"]
        self.run_ok(*run)
        whole = (self.directory / "out.h5").read_bytes()
        counts = self.run_on_changed_files("out.h5", whole, run, must_refuse=False)
        self.assertEqual((counts["crashed"], counts["hung"]), (0, 0))

    def test_checkpoints(self):
        self.run_ok("pi", "pi.points=1e6", "streams.count=8", "output.file=", "checkpoint.file=run.ckpt",
                    "checkpoint.keep=true")
        whole = (self.directory / "run.ckpt").read_bytes()
        counts = self.run_on_changed_files("run.ckpt", whole, ["--resume", "run.ckpt"], must_refuse=True)
        self.assertEqual(counts["refused"], counts["tried"])

    def test_states_in_memory(self):
        states = self.built("rivulet_hostile_states")
        environment = rivulet_cli.environment(OMP_NUM_THREADS="1")
        done = subprocess.run([states, str(hostile.SECONDS), str(hostile.SEED)], env=environment, text=True,
                              capture_output=True, timeout=hostile.SECONDS + 60, check=False)
        print(f"saved states in memory: {done.stdout.strip()}")
        self.assertEqual(done.returncode, 0, done.stderr)
