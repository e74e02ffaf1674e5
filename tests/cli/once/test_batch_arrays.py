# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/batch --array: parts that go on from checkpoints of their own, and the job that merges their results."""

import re

import rivulet_cli
from batch_case import LAUNCHER, RIVULET, SLURM, BatchCase


class Arrays(BatchCase):
    def test_array(self):
        """Parts that are stopped go on, each from its checkpoint; merged they have the digest of a single run."""
        deck = ("pi", "pi.points=1000003", "streams.count=50")
        said = self.real(*deck, "--array", 3)
        self.assertEqual(said, "sbatch --dependency=afterok:$(sbatch --parsable job.sh) job_merge.sh\n")
        text = (self.directory / "job.sh").read_text()
        self.assertIn("#SBATCH --array=0-2\n", text)
        self.assertIn("#SBATCH --output=pi_%A_%a.log\n", text)
        self.assertIn("#SBATCH --kill-on-invalid-dep=yes\n", (self.directory / "job_merge.sh").read_text())
        settings = {**rivulet_cli.ENVIRONMENT, "SLURM_ARRAY_JOB_ID": "12"}
        for part in (0, 2, 1, 1):  # one is done already
            done = self.bash("job.sh", SLURM_JOB_ID="14", SLURM_ARRAY_TASK_ID=str(part), **settings)
            self.assertEqual(done.returncode, 0, done)
        self.assertIn("nothing is left to do", done.stdout)
        merged = self.bash("job_merge.sh", **settings)
        self.assertEqual(merged.returncode, 0, merged)
        stem = re.search('results="(.*)_[$]part[.]h5"', text)[1]
        self.assertEqual(self.files().count(f"{stem}.h5"), 1)
        digest = rivulet_cli.DIGEST_LINE.search(merged.stdout)[1]
        self.assertEqual(digest, self.run_ok(*deck, "output.file=").digest)

    def test_parts_of_an_array_have_checkpoints_of_their_own(self):
        (self.directory / "bin").mkdir()
        self.add("bin/srun", LAUNCHER)
        self.add("bin/rivulet", RIVULET.replace("exit 0; fi", f"exec {rivulet_cli.BINARY} \"$@\"; fi", 1))
        self.write("m.yaml", SLURM + f"program: {self.directory}/bin/rivulet\n")
        self.script("pi", "--machine", "m.yaml", "--array", 2, "--output", "job.sh")
        for part in "01":
            self.bash("job.sh", SLURM_JOB_ID="14", SLURM_ARRAY_TASK_ID=part)
        said = (self.directory / "said").read_text().splitlines()
        for part, first in enumerate((0, 2048)):
            self.assertRegex(said[part], f"streams.of=4096 streams.first={first} streams.count=2048 "
                             f"checkpoint.file=pi-\\w+_{part}.checkpoint --output pi-\\w+_{part}.h5")

    def test_the_merge_asks_for_little(self):
        """One core, no GPUs nor a whole node, and an hour, or the machine's time if that is less."""
        for time, asked in (("1-00:00:00", "01:00:00"), ("00:30:00", "00:30:00")):
            with self.subTest(time=time):
                self.write("m.yaml", SLURM + "gpus: 4\nranks: gpu\nmemory: 240 GB\n"
                           "options: ['--exclusive', '--exclusive=user', '--qos=low']\n")
                self.script("pi", "--machine", "m.yaml", "--time", time, "--array", 2, "--output", f"{asked[:2]}.sh")
                text = (self.directory / f"{asked[:2]}_merge.sh").read_text()
                self.assertIn(f"#SBATCH --time={asked}\n", text)
                for line in ("#SBATCH --ntasks-per-node=1", "#SBATCH --cpus-per-task=1", "#SBATCH --qos=low",
                             "export OMP_NUM_THREADS=1"):
                    self.assertIn(f"{line}\n", text)
                for word in ("gpu", "--mem", "--exclusive"):
                    self.assertNotIn(word, text)
                self.assertIn("#SBATCH --exclusive\n", (self.directory / f"{asked[:2]}.sh").read_text())

    def test_bad_arrays(self):
        self.write("m.yaml", SLURM)
        rest = ("--machine", "m.yaml", "--output", "x.sh", "--array")
        self.refuse("of 4096 streams", "pi", *rest, 5000)
        self.refuse("none is left to other runs", "battery", *rest, 2)
        self.refuse("has no streams that parts could share", "create", *rest, 2)
        self.refuse("with streams.of or streams.first", "pi", "streams.of=9000", *rest, 2)
        self.refuse("two files of one or more parts", "pi", *rest, -1)
        self.refuse("two files of one or more parts", "pi", "--machine", "m.yaml", "--array", 2)
        self.write("x_merge.sh", "")  # then nothing is written, the first script neither
        self.refuse("cannot write", "pi", *rest, 2)
        said = self.script("pi", "--machine", "m.yaml", "--output", "my parts.sh", "--array", 2)
        self.assertEqual(said, "sbatch --dependency=afterok:$(sbatch --parsable 'my parts.sh') 'my parts_merge.sh'\n")
        self.write("m.yaml", SLURM.replace("slurm", "pbs"))
        self.refuse("written for Slurm alone", "pi", *rest, 2)
