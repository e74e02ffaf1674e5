# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameter files, checkpoints, and saved sequences in files and in memory, with every byte changed: those
with a seal are refused before HDF5 sees them. Without it (older or foreign files) HDF5 1.10 may crash or
hang: of these, how many do is counted and printed, and only what Rivulet itself checks must hold."""

import os
import pathlib
import subprocess

import hostile
import rivulet_cli

SEAL = 512  # bytes, src/io/results/sealed_file.hpp


class DamagedFiles(hostile.Hostile):
    def changes(self, whole, source):
        """Single bytes, and pieces cut off."""
        at = source.randrange(len(whole))
        if source.random() < 0.1:
            return whole[:at]
        changed = bytearray(whole)
        changed[at] = source.choice([changed[at] ^ (1 << source.randrange(8)), 0, 255])
        return bytes(changed)

    def flip(self, name, whole, reading, refused, says=("is damaged",)):
        """Runs `reading` over files with changes; counts (tried, refused, crashed, hung)."""
        counts = dict(tried=0, refused=0, crashed=0, hung=0)
        for number, source in hostile.rounds():
            changed = self.changes(whole, source)
            if changed == whole:
                continue
            (self.directory / name).write_bytes(changed)
            counts["tried"] += 1
            try:
                done = self.run_here(*reading, timeout=20)
            except subprocess.TimeoutExpired:
                counts["hung"] += 1
                continue
            crashed = done.code < 0 or done.code > 128
            counts["crashed"] += crashed
            counts["refused"] += done.code == 1
            if refused:
                with self.subTest(number=number):
                    self.assertFalse(crashed, done)
                    self.require_refusal(done, says if len(changed) >= SEAL else [])
        print(f"{name}: {counts}")
        return counts

    def test_parameter_files(self):
        self.run_ok("create", "create.count=2", "--output", "sets.h5")
        whole = (self.directory / "sets.h5").read_bytes()
        reading = ["pi", "streams.parameters=sets.h5", "pi.points=100", "streams.count=2", "output.file="]
        counts = self.flip("sets.h5", whole, reading, refused=True)
        self.assertEqual(counts["refused"], counts["tried"])
        self.flip("unsealed.h5", whole[SEAL:],
                  [word.replace("sets.h5", "unsealed.h5") for word in reading], refused=False)

    def test_results_to_merge(self):
        for name, more in (("first.h5", []), ("second.h5", ["streams.first=4"])):
            self.run_ok("pi", "pi.points=1e4", "streams.of=8", "streams.count=4", *more, "--output", name)
        whole = (self.directory / "second.h5").read_bytes()
        reading = ["merge", "first.h5", "second.h5", "--output", "merged.h5"]
        counts = self.flip("second.h5", whole, reading, refused=True, says=())
        self.assertEqual(counts["refused"], counts["tried"])

    def test_existing_outputs(self):
        """One that is damaged is replaced, or refused where its seal is; nothing crashes over it."""
        run = ["pi", "pi.points=1e4", "streams.count=4", "--output", "out.h5"]
        self.run_ok(*run)
        whole = (self.directory / "out.h5").read_bytes()
        counts = self.flip("out.h5", whole, run, refused=False)
        self.assertEqual((counts["crashed"], counts["hung"]), (0, 0))

    def test_checkpoints(self):
        self.run_ok("pi", "pi.points=1e6", "streams.count=8", "output.file=", "checkpoint.file=run.ckpt",
                    "checkpoint.keep=true")
        whole = (self.directory / "run.ckpt").read_bytes()
        counts = self.flip("run.ckpt", whole, ["--resume", "run.ckpt"], refused=True)
        self.assertEqual(counts["refused"], counts["tried"])

    def test_saved_sequences(self):
        restore = self.built("rivulet_hostile_restore")
        environment = {**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "1"}
        subprocess.run([restore, "save", "kept.h5"], cwd=self.directory, env=environment, check=True)
        whole = (self.directory / "kept.h5").read_bytes()
        folder = pathlib.Path(self.directory)
        for name, original in (("sealed", whole), ("unsealed", whole[SEAL:])):
            counts = dict(tried=0, refused=0, crashed=0, hung=0)
            names = []
            for number, source in hostile.rounds():
                changed = self.changes(original, source)
                names.append(f"{name}{number}.h5")
                (folder / names[-1]).write_bytes(changed if changed != original else b"x")
                if len(names) == 50:  # names that a process gets at a time
                    self.restore_all(restore, names, counts, environment)
                    names.clear()
            print(f"saved sequences, {name}: {counts}")
            if name == "sealed":
                self.assertEqual(counts["refused"], counts["tried"])

    def test_states_in_memory(self):
        states = self.built("rivulet_hostile_states")
        environment = {**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "1"}
        done = subprocess.run([states, str(hostile.SECONDS), str(hostile.SEED)], env=environment, text=True,
                              capture_output=True, timeout=hostile.SECONDS + 60, check=False)
        print(f"saved states in memory: {done.stdout.strip()}")
        self.assertEqual(done.returncode, 0, done.stderr)

    def restore_all(self, restore, names, counts, environment):
        left = list(names)
        while left:
            try:
                done = subprocess.run([restore, *left], cwd=self.directory, env=environment, text=True,
                                      capture_output=True, timeout=60, check=False)
                said, code = done.stdout.splitlines(), done.returncode
            except subprocess.TimeoutExpired as hung:
                said, code = (hung.stdout or b"").decode().splitlines(), None
            counts["tried"] += len(said)
            counts["refused"] += sum(not line.endswith(" RIVULET_OK") for line in said)
            left = left[len(said):]
            if not left:
                break
            counts["tried"] += 1
            counts["hung" if code is None else "crashed"] += 1
            left = left[1:]
        for name in names:
            (self.directory / name).unlink()
