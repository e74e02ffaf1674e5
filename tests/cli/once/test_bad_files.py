# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program refuses bad input files: each kind of file that a run may read, with each kind of damage."""

import os
import shutil
import socket

import h5py

import rivulet_cli
from output_case import OutputCase
from refusal import QUICK

MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
SCENE = ["occlusion", "occlusion.width=16", "occlusion.height=8", "occlusion.passes=1", "streams.count=16",
         "occlusion.scene=file"]
TABLE = ["alias", "streams.generator=hybrid_tausworthe", "streams.count=16", "alias.samples=1000",
         "table.weights=file"]
# Arguments of a run that reads the file {}.
READERS = {
    "deck.yaml": ["{}"],
    "table.h5": [*TABLE, "table.file={}"],
    "scene.obj": [*SCENE, "occlusion.file={}"],
    "sets.h5": ["pi", *QUICK, "streams.parameters={}"],
    "run.ckpt": ["--resume", "{}"],
    "part.h5": ["merge", "{}", "{}"],
}
TEXTS = [name for name in READERS if not name.endswith((".h5", ".ckpt"))]
# Comment lines, which the readers of text files skip. One read() does not return all of them.
PADDING = ("#" * 99 + "\n") * 1000


def reading(name, path=None):
    return [word.format(path or name) for word in READERS[name]]


class Files(OutputCase):
    def make(self, name, padding=""):
        """Makes a valid file, with the padding if its format has comments."""
        path = self.directory / name
        if name == "deck.yaml":
            path.write_text(f"job: pi\npi: {{points: 5000}}\nstreams: {{count: 16}}\n{padding}", encoding="utf-8")
        elif name == "table.h5":
            with h5py.File(path, "w") as file:
                file["weights"] = [1.0] * (9000 if padding else 2)
        elif name == "scene.obj":
            # A file that is cut in the padding would be a valid, different scene.
            path.write_text(f"{TRIANGLE}{padding}v 1 1 9\nf 2 3 4\n", encoding="utf-8")
        elif name == "sets.h5":
            self.run_ok("create", "create.count=2", "--output", name)
        elif name == "run.ckpt":
            self.run_ok("pi", "pi.points=1e6", "streams.count=64", "checkpoint.file=run.ckpt",
                        "checkpoint.keep=true", "output.file=")
        else:
            self.run_ok("pi", *QUICK, "--output", name)
        return path

    def refuse_reading(self, name, *phrases, path=None, **options):
        with self.subTest(name):
            self.refuse(reading(name, path), "cannot read", *phrases, **options)


class Kinds(Files):
    def test_folders_and_what_is_not_there(self):
        for name in READERS:
            (self.directory / f"loop.{name}").symlink_to(f"loop.{name}")
            self.refuse_reading(name, "Too many levels of symbolic links", path=f"loop.{name}", ranks=(1,))
            self.refuse_reading(name, "File name too long", path="x" * 300 + name, ranks=(1,))
            self.refuse_reading(name, name, "there is no such file")
            (self.directory / name).mkdir()
            self.refuse_reading(name, "(it is a directory). Name a file.")

    def test_pipes_sockets_and_devices(self):
        for name in READERS:
            path = self.directory / name
            os.symlink("/dev/zero", path)
            self.refuse_reading(name, "(it is a device). Name a regular file.")
            path.unlink()
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(str(path))
            self.refuse_reading(name, "(it is a socket). Name a regular file.", ranks=(1,))
            path.unlink()
            if name != "deck.yaml":  # a deck may come through a pipe
                os.mkfifo(path)
                self.refuse_reading(name, "(it is a pipe). Name a regular file.", ranks=(1,))

    def test_pipes_that_come_between_a_look_and_the_opening(self):
        for name in READERS:
            if name != "deck.yaml":
                self.make(name)
                self.refuse_reading(name, "(it is a pipe). Name a regular file.",
                                    variables=self.hostile(HOSTILE_PIPE=f"/{name}"), path=self.directory / name)
                (self.directory / name).unlink()

    def test_pipes_that_come_before_hdf5_opens_a_file(self):
        """A pipe that replaces the file does not block the run, because HDF5 reads the file that was checked."""
        for name in ("table.h5", "sets.h5", "run.ckpt", "part.h5"):
            for place in ("2", "3"):
                path = self.make(name)
                with self.subTest(name, place=place):
                    hostile = self.hostile(HOSTILE_PIPE=f"/{name}", HOSTILE_PIPE_AT=place)
                    done = rivulet_cli.run(*reading(name, path), "--output", "out.h5", cwd=self.directory,
                                           variables=hostile, timeout=30)
                    self.assertIn(done.code, (0, 1), done)
                for left in self.files():
                    (self.directory / left).unlink()


class Reading(Files):
    def test_that_fails_half_way(self):
        for name in READERS:
            self.make(name, PADDING)
            hostile = self.hostile(HOSTILE_BREAKS=f"/{name}")
            reason = "Input/output error"
            with self.subTest(name):
                done = rivulet_cli.run(*reading(name), *(["--output", "out.h5"] if name != "run.ckpt" else []),
                                       cwd=self.directory, variables=hostile)
                self.require_refusal(done, [reason] if name in TEXTS else [])
                self.assertNotIn("out.h5", self.files())


class Marks(Files):
    def test_are_passed_over(self):
        for name in TEXTS:
            path = self.make(name)
            shutil.copy(path, self.directory / f"marked.{name}")
            marked = self.directory / f"marked.{name}"
            marked.write_bytes(MARK + path.read_bytes())
            with self.subTest(name):
                with_it = self.run_ok(*reading(name, marked.name), "output.file=")
                self.assertEqual(with_it.digest, self.run_ok(*reading(name), "output.file=").digest)

    def test_of_other_encodings_are_refused(self):
        for name in TEXTS:
            path = self.make(name)
            path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))
            self.refuse(reading(name), name)
