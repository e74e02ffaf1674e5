# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs replace no inputs and nothing of another kind, and are on the disk when they are there."""

import os

import h5py

import rivulet_cli
from output_case import OutputCase
from refusal import QUICK, RANKS

KEEPS = "the output would replace what the run reads"


class Inputs(OutputCase):
    def sets(self, name):
        self.run_ok("create", "create.count=2", "--output", name)
        return name

    def test_parameters(self):
        self.sets("sets.h5")
        before = (self.directory / "sets.h5").read_bytes()
        deck = ["pi", *QUICK, "streams.parameters=sets.h5"]
        self.refuse(deck, "output.file='sets.h5' is streams.parameters", KEEPS, output="sets.h5",
                    ranks=RANKS)
        os.symlink("sets.h5", self.directory / "soft.h5")
        os.link(self.directory / "sets.h5", self.directory / "hard.h5")
        for name in ("soft.h5", "hard.h5", f"../{self.directory.name}/sets.h5"):
            self.refuse([*deck, "--validate"], f"is 'sets.h5', streams.parameters ({KEEPS})",
                        output=name)
        self.assertEqual((self.directory / "sets.h5").read_bytes(), before)

    def test_weights(self):
        with h5py.File(self.directory / "weights.h5", "w") as file:
            file["weights"] = [1.0, 2.0]
            file.attrs["format"] = "rivulet results"  # would be replaced, were it not read
        self.refuse(["alias", "table.weights=file", "table.file=weights.h5"],
                    "output.file='weights.h5' is table.file", KEEPS, output="weights.h5")

    def test_meshes(self):
        self.write("scene.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        for key in ("output.file", "occlusion.picture"):
            self.refuse(["occlusion", "occlusion.scene=file", "occlusion.file=scene.obj",
                         "output.file=", f"{key}=scene.obj"],
                        f"{key}='scene.obj' is occlusion.file", KEEPS, output=None)

    def test_the_deck(self):
        self.write("deck.yaml", "job: pi\n")
        self.refuse(["deck.yaml"], "output.file='./deck.yaml' is 'deck.yaml', the deck", KEEPS,
                    output="./deck.yaml")

    def test_other_kinds(self):
        self.sets("sets.h5")
        self.refuse(["pi", *QUICK], "it exists and is a Rivulet file of parameters, not of results",
                    output="sets.h5")
        self.run_ok("pi", *QUICK, "--output", "pi.h5")
        self.refuse(["create", "create.count=1"],
                    "it exists and is a Rivulet file of results, not of parameters",
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
        os.symlink("x.h5", self.directory / "soft.h5")  # leads nowhere yet
        for output in ("x.h5", "./x.h5", f"../{self.directory.name}/x.h5", "soft.h5"):
            self.refuse_both("x.h5", output, "checkpoint.file and output.file are both 'x.h5' "
                             "(each would replace the other). Give them different names.")
        os.unlink(self.directory / "soft.h5")
        self.refuse([*self.CHECKPOINTED, "checkpoint.file=x.h5", "--validate"], "are both 'x.h5'", output="x.h5")

    def test_in_the_place_of_the_others_lock(self):
        self.refuse_both(".x.h5.rivulet-lock", "x.h5",
                         "checkpoint.file='.x.h5.rivulet-lock' is the lock of output.file",
                         "different names")
        self.refuse_both("x.ckpt", "./.x.ckpt.rivulet-lock",
                         "output.file='./.x.ckpt.rivulet-lock' is the lock of checkpoint.file")

    def test_a_checkpoint_that_cannot_be_written(self):
        """Before the work, which would be lost."""
        self.write("file", "")
        os.mkdir(self.directory / "folder")
        os.symlink("loop", self.directory / "loop")
        for name, why in (("none/x.ckpt", "No such file or directory"), ("file/x.ckpt", "Not a directory"),
                          ("loop", "Too many levels of symbolic links"),
                          ("/proc/x.ckpt", ""), ("/sys/x.ckpt", "")):
            with self.subTest(name):
                self.refuse_both(name, "x.h5", f"cannot write '{name}' ({why}")
        self.refuse_both("folder", "x.h5", "checkpoint 'folder' exists")
        if os.geteuid() != 0:  # who may write anywhere
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
            for end in (".part", ".rivulet-lock"):  # nobody else's file, and no link to one
                first = next(call for call in calls if call.startswith("create ") and end in call)
                self.assertTrue(first.endswith(end + " O_EXCL O_NOFOLLOW"), first)
            (self.directory / "calls").unlink()
            (self.directory / "x.h5").unlink()

    def test_an_output_that_cannot_be_read(self):
        hostile = self.hostile(HOSTILE_UNREADABLE="/x.h5")
        self.run_ok("pi", *QUICK, "--output", "x.h5")
        self.refuse(["pi", *QUICK], "it exists and cannot be read: Permission denied",
                    output=str(self.directory / "x.h5"), variables=hostile)

    def test_files_are_read_where_the_system_has_no_locks(self):
        self.run_ok("create", "create.count=1", "--output", "sets.h5")
        self.run_ok("pi", *QUICK, "streams.parameters=sets.h5", "--output", "x.h5",
                    variables=self.hostile(HOSTILE_NO_LOCKS="1"))


class LongNames(OutputCase):
    def test_are_written_by_all_ranks(self):
        for length in (80, 81, 240, 255):
            name = "n" * (length - 3) + ".h5"
            for ranks in RANKS[:1] + ((2,) if rivulet_cli.MPIEXEC else ()):
                self.run_ok("pi", *QUICK, "--output", name, ranks=ranks)
                self.assertEqual(self.files(), [name])
                (self.directory / name).unlink()

    def test_that_no_file_can_have(self):
        self.refuse(["pi", *QUICK], "File name too long", output="n" * 256, ranks=RANKS)
