# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests scripts/batch with each machine file, with jobs that resume from checkpoints, and with an array that is merged.
Also tests its refusals."""

import os
import pathlib
import re
import subprocess
import sys

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "scripts"))

from batching.machine import load  # noqa: E402, found through the path above
from common.failure import ScriptError  # noqa: E402

MACHINES = sorted((ROOT / "inputs" / "machines").glob("*.yaml"))
HEADS = {"slurm": "#SBATCH --nodes=3", "flux": "#flux: --nodes=3", "pbs": "#PBS -l select=3:", "lsf": "#BSUB -nnodes 3"}
SLURM = "scheduler: slurm\ncores: 8\nnuma: 2\ntime: 01:00:00\n"
MESSAGE = r"(?s)^(scripts/batch: )?\S.* \(.+\)\. \S.*[.?]\n?$"

# The stand-in for a launcher skips its own options, and runs one rank.
LAUNCHER = """#!/bin/bash
while [[ $1 != */rivulet ]]; do shift; done
exec "$@"
"""
# The stand-in for the program stops twice with a checkpoint, and succeeds the third time.
RIVULET = """#!/bin/bash
if [[ ${@: -1} == --validate ]]; then exit 0; fi
echo "$*" >> said
for word in "$@"; do
  case $word in checkpoint.file=*) file=${word#*=} ;; *.checkpoint) file=$word ;; *.h5) result=$word ;; esac
done
if [[ $1 == --resume && $(wc -l < "$file") -ge 2 ]]; then touch "$result"; exit 0; fi
echo stopped >> "$file"
exit ${STATUS-75}
"""
# Stand-ins for batch systems: name, the program that requeues a job, its text, and the variables of a job.
REQUEUE = '#!/bin/bash\n[[ "$*" == "requeue 12" ]] && echo SLURM_RESTART_COUNT=1 > queued\n'
QSUB = '#!/bin/bash\n[[ $3 == */job.sh ]] && echo "$2" | tr , "\\n" > queued\n'
FLUX = ('#!/bin/bash\n[[ $1 == job ]] && { echo "${@: -1}"; exit; }\n'
        '[[ "$1 $2" == "--parent batch" ]] || { while [[ $1 != */rivulet ]]; do shift; done; exec "$@"; }\n'
        'for word in "$@"; do [[ $word == --env=* ]] && echo "${word#--env=}"; done > queued\n')
AGAIN = (("slurm", "scontrol", REQUEUE, {"SLURM_JOB_ID": "12"}), ("pbs", "qsub", QSUB, {"PBS_JOBID": "12.host"}),
         ("flux", "flux", FLUX, {"FLUX_ENCLOSING_ID": "12"}))


class Batch(rivulet_cli.Case):
    def setUp(self):
        super().setUp()
        self.write("m.yaml", SLURM)
        (self.directory / "bin").mkdir()
        self.environment = rivulet_cli.environment(PATH=os.pathsep.join(
            [f"{self.directory}/bin", str(pathlib.Path(rivulet_cli.BINARY).resolve().parent), os.environ["PATH"]]))

    def batch(self, *arguments, machine="m.yaml"):
        return subprocess.run([sys.executable, ROOT / "scripts" / "batch", *map(str, arguments), "--machine", machine],
                              cwd=self.directory, text=True, capture_output=True, check=False, env=self.environment)

    def script(self, *arguments, **options):
        done = self.batch(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def add(self, name, text):
        path = self.directory / "bin" / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def bash(self, script="job.sh", **variables):
        return subprocess.run(["bash", f"./{script}"], cwd=self.directory, env={**self.environment, **variables},
                              text=True, capture_output=True, check=False)

    def test_every_machine_file(self):
        """Each script is valid bash, and contains a header line of its batch system."""
        self.assertEqual({path.stem.partition("_")[0] for path in MACHINES}, set(HEADS))
        for path in MACHINES:
            with self.subTest(machine=path.name):
                text = self.script("pi", "streams.parameters=a b; rm *", "--nodes", 3, "--unchecked", machine=path)
                self.assertIn(HEADS[path.stem.partition("_")[0]], text)
                self.assertIn("'streams.parameters=a b; rm *'", text)
                subprocess.run(["bash", "-n"], input=text, text=True, check=True)

    def test_the_script_of_the_documentation(self):
        """The page shows lines of the script in the script's order. The hexadecimal digits after `pi-` may differ."""
        page = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
        command = re.search(r"(?m)^scripts/batch (.*) --machine cluster.yaml(.*) --output nodes.sh$", page)
        (self.directory / "inputs").symlink_to(ROOT / "inputs")
        text = self.script(*command[1].split(), *command[2].split(), "--unchecked", machine=MACHINES[-2])
        shown = re.search(r"```bash\n(#!/bin/bash\n#SBATCH --job-name=pi\n.*?)```", page, re.S)[1].splitlines()
        lines = iter(re.sub("pi-[0-9a-f]{8}", "pi-X", text).splitlines())
        for line in shown:
            self.assertIn(re.sub("pi-[0-9a-f]{8}", "pi-X", line), lines)

    def run_job(self, status="75"):
        """Runs job.sh as the batch system would, again for each requeue. Returns the last status."""
        variables = {"STATUS": status}
        for count in range(4):
            done = self.bash(**variables)
            queue = self.directory / "queued"
            if not queue.exists():
                return done.returncode
            variables.update(line.split("=", 1) for line in queue.read_text().split())
            queue.unlink()
        self.fail(f"ran {count + 1} times")

    def prepare(self, scheduler, name, text, variables):
        """Makes job.sh and the stand-ins that it needs."""
        for launcher in ("srun", "mpiexec", "flux"):
            self.add(launcher, LAUNCHER)
        self.add(name, text)
        self.write("m.yaml", SLURM.replace("slurm", scheduler) + f"program: {self.add('rivulet', RIVULET)}\n")
        self.script("pi", "pi.points=7", "--output", "job.sh")
        self.environment |= {**variables, "PBS_O_WORKDIR": str(self.directory)}

    def remove(self, *patterns):
        for pattern in patterns:
            for path in self.directory.glob(pattern):
                path.unlink()

    def test_jobs_resume(self):
        for scheduler, *stand_ins in AGAIN:
            with self.subTest(scheduler=scheduler):
                self.prepare(scheduler, *stand_ins)
                self.assertEqual(self.run_job(status="1"), 1)
                self.assertFalse(list(self.directory.glob("*.h5")))
                self.remove("said", "*.checkpoint")
                self.assertEqual(self.run_job(), 0)
                first, *others = (self.directory / "said").read_text().splitlines()
                self.assertIn("checkpoint.file=", first)
                self.assertEqual([line.partition(" ")[0] for line in others], ["--resume"] * 2)
                self.remove("*.checkpoint")  # Rivulet removes it at the end
                self.assertIn("nothing is left to do", self.bash().stdout)
                self.remove("job.sh", "said", "*.h5")

    def test_an_array_is_merged(self):
        """The merged digest equals that of a single run."""
        deck = ("pi", "pi.points=1000003", "streams.count=50")
        self.add("srun", LAUNCHER)
        self.write("m.yaml", SLURM + f"program: {pathlib.Path(rivulet_cli.BINARY).resolve()}\n")
        said = self.script(*deck, "--array", 3, "--output", "job.sh")
        self.assertEqual(said, "sbatch --dependency=afterok:$(sbatch --parsable job.sh) job_merge.sh\n")
        self.assertIn("#SBATCH --array=0-2\n", (self.directory / "job.sh").read_text())
        for part in (0, 2, 1):
            done = self.bash(SLURM_ARRAY_JOB_ID="12", SLURM_JOB_ID="14", SLURM_ARRAY_TASK_ID=str(part))
            self.assertEqual(done.returncode, 0, done)
        merged = self.bash("job_merge.sh", SLURM_JOB_ID="15")
        self.assertEqual(merged.returncode, 0, merged)
        self.assertEqual(rivulet_cli.DIGEST_LINE.search(merged.stdout)[1], self.run_ok(*deck, "output.file=").digest)

    def test_bad_machine_files(self):
        """Calls the script's reader directly; starting the script for each case would take longer."""
        for text, phrase in (
                ("coers: 4\n", "Did you mean cores?"), ("scheduler: slrum\n", "Did you mean slurm?"),
                ("cores: 0\n", "is out of range"), ("cores: 1e3\n", "is out of range"),
                ("time: 90\n", "Write HH:MM:SS"), ("ranks: gpu\n", "gpus: 0"), ("ranks: 3\n", "cannot be shared"),
                ("ranks: gpus\n", "Did you mean gpu?"), ("launcher: aprun\n", "is not known"),
                ("modules: openmpi\n", "is not a list"), ("nodes: [1, 2]\n", "is not a single value"),
                ("partition: \"a\\nb\"\n", "line breaks"), ("options: [\"--qos=a\\nrm b\"]\n", "line breaks"),
                ("modules: [\"a\\nb\"]\n", "line breaks"), ("margin: 3600\n", "Change margin"),
                ("launcher: openmpi\nmpi: pmix\n", "works only with srun"), ("nodes: 'x\n", "cannot read")):
            with self.subTest(text=text):
                key = text.partition(":")[0]
                self.refuse_machine("".join(line + "\n" for line in SLURM.splitlines()
                                            if not line.startswith(key + ":")) + text, phrase)
        self.refuse_machine("cores: 4\ntime: 01:00:00\n", "scheduler is missing")
        self.refuse_machine("\n", "is not a machine file")

    def refuse_machine(self, text, phrase):
        self.write("m.yaml", text)
        with self.assertRaises(ScriptError) as caught:
            load(self.directory / "m.yaml", {})
        self.assertIn(phrase, str(caught.exception))
        self.assertRegex(str(caught.exception), MESSAGE)

    def test_refusals(self):
        """Each refusal has status 1 and a message, and leaves no file."""
        broken = str(self.add("broken", "#!/bin/sh\nexit 127\n"))
        self.write("there.sh", "mine")
        self.write("x_merge.sh", "mine")
        array = ("--output", "x.sh", "--array")
        before = self.files()
        for phrase, arguments in (
                ("none.yaml: cannot read the deck (there is no such file)", ["none.yaml"]),
                ("unknown key 'pionts'", ["pi", "pi.pionts=3"]), ("give --checkpoint none", ["fill"]),
                (f"cannot check 'pi' (no {broken} runs here)", ["pi", "--program", broken]),
                ("no none/rivulet runs here", ["pi", "--check-with", "none/rivulet"]),
                ("without the number of streams", ["pi", "--program", broken, *array, 2]),
                ("names the files", ["pi", "output.file=x.h5"]), ("is not section.key=value", ["pi", "fill"]),
                ("cannot name a job", ["pi", "--name", "a b"]), ("cannot write 'there.sh'", ["pi", "--output", "there.sh"]),
                ("of 4096 streams", ["pi", *array, 5000]), ("no other run can share them", ["battery", *array, 2]),
                ("with streams.of or streams.first", ["pi", "streams.of=9000", *array, 2]),
                ("a positive number of parts", ["pi", *array, -1]),
                ("cannot write 'x_merge.sh'", ["pi", *array, 2]),
                ("output.expect=12 with --array 2 (each part has its own digest). Omit it.",
                 ["pi", "output.expect=12", *array, 2]),
                ("nodes: two is out of range", ["pi", "--nodes", "two"]),
                ("a positive number of parts", ["pi", "--array", 2])):
            if not rivulet_cli.is_built(arguments):
                continue
            with self.subTest(phrase=phrase):
                done = self.batch(*arguments)
                self.assertEqual((done.returncode, done.stdout, self.files()), (1, "", before), done)
                self.assertRegex(done.stderr, MESSAGE)
                self.assertTrue(done.stderr.startswith("scripts/batch: "), done.stderr)
                self.assertIn(phrase, done.stderr)
        self.assertIn("cannot read 'none.yaml'", self.batch("pi", machine="none.yaml").stderr)
        self.assertIn("--machine cluster.yaml.", self.run_script("batch", "pi").stderr)
        self.write("deck.yaml", "job: pi\n")
        self.assertIn("this is a deck, not a machine file", self.batch("pi", machine="deck.yaml").stderr)
        self.write("m.yaml", SLURM.replace("slurm", "pbs"))
        self.assertIn("written for Slurm alone", self.batch("pi", *array, 2).stderr)
        self.script("none.yaml", "pi.pionts=3", "--unchecked")
