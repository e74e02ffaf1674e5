# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests two runs that write the same file, and the remains of killed runs. Outputs never replace inputs or files of
another kind, and are flushed to the disk before they get their final names."""

import os
import shutil
import signal
import socket
import subprocess

import h5py

import rivulet_cli
from output_case import LONG, SECONDS, OutputCase
from refusal import QUICK, RANKS

# The errors of systems without locks: ENOLCK, ENOSYS, EINVAL, EOPNOTSUPP, EPERM, and the error of Cray's DVS.
NO_LOCKS = (37, 38, 22, 95, 1, 524)
SEVERAL = 2 if rivulet_cli.MPIEXEC else 1
FILL = ["fill", "fill.numbers=5e6", "fill.to=file", "streams.count=64"]


class TwoRuns(OutputCase):
    def numbers(self, name):
        with h5py.File(self.directory / name) as file:
            return file.attrs["digest"], file["results/fill/numbers"][:].tobytes()

    def test_the_second_is_told_of_the_first(self):
        """The first run is stopped until the second has ended."""
        self.run_ok(*FILL, "streams.seed=1", "--output", "alone.h5", ranks=SEVERAL)
        first = self.start(*FILL, "streams.seed=1", "--output", "x.h5", ranks=SEVERAL)
        number = self.writer("x.h5")
        os.kill(number, signal.SIGSTOP)
        done = rivulet_cli.run(*FILL, "streams.seed=2", "--output", "x.h5", ranks=SEVERAL,
                               cwd=self.directory)
        self.require_refusal(done, ["cannot write 'x.h5'", "another run is writing it: process "
                                    f"{number} on {socket.gethostname()}, since 2",
                                    "Wait for it to end, or choose another path."])
        os.kill(number, signal.SIGCONT)
        out, err = first.communicate(timeout=SECONDS)
        self.assertEqual(first.returncode, 0, err)
        self.assertEqual(self.files(), ["alone.h5", "x.h5"])
        self.assertTrue(self.numbers("x.h5") == self.numbers("alone.h5"))
        self.assertIn(f"Digest: {self.numbers('x.h5')[0]}", out)

    def test_both_at_once(self):
        runs = [self.start(*FILL, f"streams.seed={seed}", "--output", "x.h5", ranks=SEVERAL)
                for seed in (1, 2)]
        ended = [(*run.communicate(timeout=SECONDS), run.returncode) for run in runs]
        written = [out for out, _, code in ended if code == 0]
        self.assertTrue(written, ended)
        self.assertTrue(any(f"Digest: {self.numbers('x.h5')[0]}" in out for out in written))
        for _, err, code in ended:
            self.assertTrue(code == 0 or "another run is writing it" in err, err)
        self.assertEqual(self.files(), ["x.h5"])

    def test_before_the_work_of_every_job(self):
        self.start("create", "create.count=50000", "create.exponent=2203", "--output", "sets.h5")
        self.writer("sets.h5")
        self.refuse(["create", "create.count=1"], "another run is writing it", output="sets.h5",
                    ranks=[SEVERAL])

    def test_a_file_that_is_not_there_yet(self):
        self.start("create", "create.count=50000", "create.exponent=2203", "--output", "sets.h5")
        self.writer("sets.h5")
        self.refuse(["pi", "streams.parameters=sets.h5"],
                    "cannot read 'sets.h5' (it is still being written: process")

    def test_where_the_system_has_no_locks(self):
        """Without locks runs continue, and do not replace a file that another run has written in the meantime."""
        for code in NO_LOCKS:
            with self.subTest(code=code):
                hostile = self.hostile(HOSTILE_NO_LOCKS=str(code))
                for ranks in sorted({1, SEVERAL}):
                    self.run_ok("pi", *QUICK, "--output", "x.h5", ranks=ranks, variables=hostile)
                    self.assertEqual(self.files(), ["x.h5"])
                (self.directory / "x.h5").unlink()
        first = self.start("pi", *QUICK, "--output", "x.h5", **hostile, HOSTILE_STOPS=".part")
        self.wait_for(first.pid, "T")
        second = self.run_ok("pi", *QUICK, "--output", "x.h5", variables=hostile)
        first.send_signal(signal.SIGCONT)
        _, err = first.communicate(timeout=SECONDS)
        self.assertEqual(first.returncode, 1)
        self.assertIn("cannot write 'x.h5' (another program made this file during the run)", err)
        with h5py.File(self.directory / "x.h5") as file:
            self.assertEqual(file.attrs["digest"], second.digest)
        self.assertEqual(len(self.files()), 2, "the first's complete file has its temporary name")

    def test_another_changes_the_temporary_file(self):
        """While the run flushes its temporary file, another process replaces the file or writes to it."""
        for is_replaced, why in ((True, "its temporary file, '{}', was replaced by another file"),
                                 (False, "another program changed '{}'")):
            run = self.start("pi", *QUICK, "--output", "x.h5", **self.hostile(HOSTILE_STOPS=".part"))
            self.wait_for(run.pid, "T")
            (name,) = [one for one in self.files() if one.endswith(".part")]
            if is_replaced:
                (self.directory / name).unlink()
            self.write(name, "another's")
            run.send_signal(signal.SIGCONT)
            _, err = run.communicate(timeout=SECONDS)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"cannot write 'x.h5' ({why.format(name)})", err)
            self.assertEqual(self.files(), [name])
            self.assertEqual((self.directory / name).read_text(), "another's")
            (self.directory / name).unlink()


class Left(OutputCase):
    """The remains of killed runs are replaced; similar files of a user stay."""

    def test_by_a_run_that_was_killed(self):
        for ranks in sorted({1, SEVERAL}):
            run = self.start(*LONG, "--output", "x.h5", ranks=ranks)
            self.kill(self.writer("x.h5"))
            run.communicate(timeout=SECONDS)
            self.assertEqual(len(self.files()), 2, "a lock and what it had written")
            done = self.run_ok("pi", *QUICK, "--output", "x.h5", ranks=3 - ranks)
            self.assertEqual(self.files(), ["x.h5"])
            with h5py.File(self.directory / "x.h5") as file:
                self.assertEqual(file.attrs["digest"], done.digest)
            (self.directory / "x.h5").unlink()

    def test_a_user_s_own(self):
        self.write("x.h5.part", "a user's")
        self.write("elsewhere", "another's")
        (self.directory / "y.h5.part").symlink_to("elsewhere")
        os.mkfifo(self.directory / "z.h5.part")
        before = self.files()
        for name in ("x.h5", "y.h5", "z.h5"):
            self.run_ok("pi", *QUICK, "--output", name, ranks=SEVERAL)
        self.assertEqual(self.files(), sorted([*before, "x.h5", "y.h5", "z.h5"]))
        self.assertEqual((self.directory / "x.h5.part").read_text(), "a user's")
        self.assertEqual((self.directory / "elsewhere").read_text(), "another's")
        self.assertTrue((self.directory / "z.h5.part").is_fifo())


KEEPS = "the output would replace an input of the run"


class Inputs(OutputCase):
    def sets(self, name):
        self.run_ok("create", "create.count=2", "--output", name)
        return name

    def test_parameters(self):
        self.sets("sets.h5")
        before = (self.directory / "sets.h5").read_bytes()
        deck = ["pi", *QUICK, "streams.parameters=sets.h5"]
        self.refuse(deck, "output.file='sets.h5' is the same file as streams.parameters", KEEPS, output="sets.h5",
                    ranks=RANKS)
        os.symlink("sets.h5", self.directory / "soft.h5")
        os.link(self.directory / "sets.h5", self.directory / "hard.h5")
        for name in ("soft.h5", "hard.h5", f"../{self.directory.name}/sets.h5"):
            self.refuse([*deck, "--validate"], f"is the same file as streams.parameters, 'sets.h5' ({KEEPS})",
                        output=name)
        self.assertEqual((self.directory / "sets.h5").read_bytes(), before)

    def test_weights(self):
        with h5py.File(self.directory / "weights.h5", "w") as file:
            file["weights"] = [1.0, 2.0]
            file.attrs["format"] = "rivulet results"  # such a file may be replaced, unless the run reads it
        self.refuse(["alias", "table.weights=file", "table.file=weights.h5"],
                    "output.file='weights.h5' is the same file as table.file", KEEPS, output="weights.h5")

    def test_meshes(self):
        self.write("scene.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse(["occlusion", "occlusion.scene=file", "occlusion.file=scene.obj"],
                    "output.file='scene.obj' is the same file as occlusion.file", KEEPS, output="scene.obj")

    def test_the_deck(self):
        self.write("deck.yaml", "job: pi\n")
        self.refuse(["deck.yaml"], "output.file='./deck.yaml' is the same file as the deck, 'deck.yaml'", KEEPS,
                    output="./deck.yaml")

    def test_other_kinds(self):
        self.sets("sets.h5")
        self.refuse(["pi", *QUICK], "it exists and is a Rivulet file of kind 'parameters', not 'results'",
                    output="sets.h5")
        self.run_ok("pi", *QUICK, "--output", "pi.h5")
        self.refuse(["create", "create.count=1"],
                    "it exists and is a Rivulet file of kind 'results', not 'parameters'",
                    output="pi.h5")

    def test_missing_inputs_when_a_deck_is_checked(self):
        for words in (["pi", "streams.parameters=nope.h5"],
                      ["alias", "table.weights=file", "table.file=nope.h5"],
                      ["occlusion", "occlusion.scene=file", "occlusion.file=nope.h5"]):
            self.refuse([*words, "--validate"], "cannot read 'nope.h5' (there is no such file)",
                        output=None)
        self.run_ok("pi", *QUICK, "--output", "pi.h5")
        self.refuse(["pi", "streams.parameters=pi.h5", "--validate"], "is of the wrong kind",
                    output=None)


class TwoOutputs(OutputCase):
    CHECKPOINTED = ["pi", *QUICK]

    def refuse_both(self, checkpoint, output, *phrases):
        self.refuse([*self.CHECKPOINTED, f"checkpoint.file={checkpoint}"], *phrases, output=output)

    def test_in_one_place(self):
        os.symlink("x.h5", self.directory / "soft.h5")  # a dangling link
        for output in ("x.h5", "./x.h5", f"../{self.directory.name}/x.h5", "soft.h5"):
            self.refuse_both("x.h5", output, "checkpoint.file and output.file are both 'x.h5' "
                             "(each would replace the other). Give them different names.")
        os.unlink(self.directory / "soft.h5")
        self.refuse([*self.CHECKPOINTED, "checkpoint.file=x.h5", "--validate"], "are both 'x.h5'", output="x.h5")

    def test_in_the_place_of_the_others_lock(self):
        self.refuse_both(".x.h5.lock", "x.h5",
                         "checkpoint.file='.x.h5.lock' is the lock of output.file",
                         "different names")
        self.refuse_both("x.ckpt", "./.x.ckpt.lock",
                         "output.file='./.x.ckpt.lock' is the lock of checkpoint.file")

    def test_a_checkpoint_that_cannot_be_written(self):
        """The refusal comes before the work, which would be lost."""
        self.write("file", "")
        os.mkdir(self.directory / "folder")
        os.symlink("loop", self.directory / "loop")
        for name, why in (("none/x.ckpt", "No such file or directory"), ("file/x.ckpt", "Not a directory"),
                          ("loop", "Too many levels of symbolic links"),
                          ("/proc/x.ckpt", ""), ("/sys/x.ckpt", "")):
            with self.subTest(name):
                self.refuse_both(name, "x.h5", f"cannot write '{name}' ({why}")
        self.refuse_both("folder", "x.h5", "checkpoint 'folder' exists")
        if os.geteuid() != 0:  # root may write anywhere
            (self.directory / "folder").chmod(0o500)
            self.refuse_both("folder/x.ckpt", "x.h5", "cannot write 'folder/x.ckpt' (Permission denied)")


class Disk(OutputCase):
    def test_the_folder_is_flushed_after_the_renaming(self):
        hostile = self.hostile(HOSTILE_LOG=str(self.directory / "calls"))
        for words in (["pi", *QUICK], ["create", "create.count=1"]):
            self.run_ok(*words, "--output", "x.h5", variables=hostile)
            calls = (self.directory / "calls").read_text().splitlines()
            at = next(i for i, call in enumerate(calls) if call.endswith("x.h5")
                      and call.startswith("rename"))
            self.assertRegex(calls[at - 1], r"^fsync .*/x\.h5\.[0-9a-f]{16}\.part$")
            self.assertEqual(calls[at + 1], f"fsync {self.directory.resolve()}")
            for end in (".part O_EXCL O_NOFOLLOW", ".lock O_NOFOLLOW"):  # open() refuses an old .part, and links
                first = next(call for call in calls if call.startswith("create ") and end.split()[0] in call)
                self.assertTrue(first.endswith(end), first)
            (self.directory / "calls").unlink()
            (self.directory / "x.h5").unlink()

    def test_an_output_that_cannot_be_read(self):
        hostile = self.hostile(HOSTILE_UNREADABLE="/x.h5")
        self.run_ok("pi", *QUICK, "--output", "x.h5")
        self.refuse(["pi", *QUICK], "it exists and cannot be read: Permission denied",
                    output=str(self.directory / "x.h5"), variables=hostile)

    def test_files_are_read_where_the_system_has_no_locks(self):
        """The value of HDF5_USE_FILE_LOCKING does not matter."""
        self.run_ok("create", "create.count=1", "--output", "sets.h5")
        for asked in ("TRUE", "FALSE"):
            hostile = self.hostile(HOSTILE_NO_LOCKS="1", HDF5_USE_FILE_LOCKING=asked)
            for first in (0, 32):
                self.run_ok("pi", *QUICK, "streams.of=64", f"streams.first={first}", "streams.count=32",
                            "streams.parameters=sets.h5", "--output", f"{first}.h5", variables=hostile)
            self.run_ok("merge", "0.h5", "32.h5", "--output", "x.h5", variables=hostile)


class Calls(OutputCase):
    def test_are_few_for_a_small_file(self):
        strace = ["strace", "-f", "-y", "-o", "calls", "-e", "trace=file,desc"]
        if not shutil.which("strace") or subprocess.run([*strace, "true"], cwd=self.directory, capture_output=True,
                                                        check=False).returncode:
            self.skipTest("strace is missing or may not trace")
        subprocess.run([*strace, rivulet_cli.BINARY, "pi", *QUICK, "--output", "x.h5"], cwd=self.directory, check=True,
                       env=rivulet_cli.environment(), stdout=subprocess.DEVNULL)
        lines = (self.directory / "calls").read_text().splitlines()
        named = [line for line in lines if "x.h5" in line and " execve(" not in line]
        self.assertLessEqual(len(named), 60, "\n".join(named))


class LongNames(OutputCase):
    def test_are_written_by_all_ranks(self):
        for length in (80, 81, 240, 255):
            name = "n" * (length - 3) + ".h5"
            for ranks in RANKS[:1] + ((2,) if rivulet_cli.MPIEXEC else ()):
                self.run_ok("pi", *QUICK, "--output", name, ranks=ranks)
                self.assertEqual(self.files(), [name])
                (self.directory / name).unlink()

    def test_that_are_no_utf8(self):
        """Results are UTF-8, so they escape bytes of names that are not UTF-8, as messages do."""
        self.run_ok("pi", *QUICK, "--output", "m\udce9.h5")
        with h5py.File(os.fsencode(self.directory / "m\udce9.h5")) as file:
            self.assertIn("m\\xe9.h5", file["config/deck"][()].decode())

    def test_that_no_file_can_have(self):
        self.refuse(["pi", *QUICK], "File name too long", output="n" * 256, ranks=RANKS)
