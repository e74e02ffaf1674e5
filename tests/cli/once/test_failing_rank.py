# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A single rank fails: one of its system calls fails, or it does not see a file that another rank made.
tests/hostile/test_ranks.py makes more calls fail."""

import os
import socket
import subprocess
import tempfile
import time
import unittest

import failing_rank
import rivulet_cli

PI = ["pi", "pi.points=1e6", "streams.count=64"]


@unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
class OneCall(failing_rank.FailingRank):
    def test_fails(self):
        for deck, call, place, rank in failing_rank.FIXED:
            with self.subTest(deck=deck, call=call, place=place, rank=rank):
                self.assertEqual(self.fault(deck, call, place, rank), "")


@unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
class OneFolder(failing_rank.FailingRank):
    """Two ranks start in different folders, as on nodes with local disks."""

    def require_invisible_file(self, first, second, path, seen=None):
        """Starts one rank with each of two commands. Requires a refusal, because the second rank does not see the
        file."""
        command = [rivulet_cli.MPIEXEC, "-n", "1", *first, ":", "-n", "1", *second]
        begun = time.monotonic()
        done = subprocess.run(command, env=rivulet_cli.environment(OMP_NUM_THREADS="1"),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        done = rivulet_cli.Run(done, [str(one) for one in command], time.monotonic() - begun)
        self.require_refusal(done, [f"rank 1 on {socket.gethostname()}: cannot write '{path}' (rank 0 made "
                                    f"'{seen or path}.", "but this rank does not see it", "all ranks share"])
        self.assertEqual(done.code, 1, done)
        self.assertLess(done.seconds, 10, done)

    def refuse_in_separate_folders(self, *arguments, name):
        folders = [self.directory / folder for folder in ("a", "b")]
        for folder in folders:
            folder.mkdir(exist_ok=True)
        self.require_invisible_file(*(["-wdir", folder, rivulet_cli.BINARY, *arguments] for folder in folders), name,
                          f"{folders[1]}/{name}")
        self.assertEqual([*self.directory.glob("*/*")], [])

    def test_of_a_folder_that_each_node_has(self):
        """On rank 1, the name of a folder such as /tmp refers to another folder."""
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this user may not make a mount namespace")
        for words, name in ((["--output", "{}/q.h5"], "q.h5"), (["checkpoint.file={}/q.ckpt"], "q.ckpt")):
            with tempfile.TemporaryDirectory() as folder:
                run = [rivulet_cli.BINARY, *PI, *(word.format(folder) for word in words)]
                elsewhere = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none {folder} && exec "$@"', "sh"]
                self.require_invisible_file(run, [*elsewhere, *run], f"{folder}/{name}")
                self.assertEqual(os.listdir(folder), [])

    def test_of_output(self):
        self.refuse_in_separate_folders(*PI, "--output", "q.h5", name="q.h5")
        self.refuse_in_separate_folders("create", "create.count=2", "--output", "q.h5", name="q.h5")

    def test_of_checkpoints(self):
        self.refuse_in_separate_folders(*PI, "checkpoint.file=q.ckpt", name="q.ckpt")
