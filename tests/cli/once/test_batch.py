# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/batch: what it writes for each batch system, that its loop goes on from checkpoints, and what
bad machine files get."""

import os
import re
import subprocess
import sys

import rivulet_cli

ROOT = rivulet_cli.SOURCE_DIR.resolve()
sys.path.insert(0, str(ROOT / "scripts"))
from batching.machine import load  # noqa: E402
from common.failure import ScriptError  # noqa: E402

SCRIPT = ROOT / "scripts" / "batch"
MACHINES = sorted((ROOT / "inputs" / "machines").glob("*.yaml"))
MESSAGE = re.compile(r"scripts/batch: .+ \(.+\)\. \S.*[.?]\n", re.DOTALL)
SLURM = "scheduler: slurm\ncores: 8\nnuma: 2\ntime: 01:00:00\n"

# Runs its arguments after launchers' options: a rank is enough.
LAUNCHER = """#!/bin/bash
echo "$0 $*" >> launched
while [[ $1 != */rivulet ]]; do shift; done
exec "$@"
"""
# Stops twice with a checkpoint, whose lines say how often, and ends well the third time.
RIVULET = """#!/bin/bash
echo "$*" >> said
for word in "$@"; do
  case $word in checkpoint.file=*) file=${word#*=} ;; *.checkpoint) file=$word ;; *.h5) result=$word ;; esac
done
if [[ $1 == --resume && $(wc -l < "$file") -ge 2 ]]; then touch "$result"; exit 0; fi
echo stopped >> "$file"
exit ${STATUS-75}
"""


class Batch(rivulet_cli.Case):
    def batch(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], cwd=self.directory, text=True,
                              capture_output=True, check=False)

    def script(self, *arguments):
        done = self.batch(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def add(self, name, text):
        path = self.directory / self.write(name, text)
        path.chmod(0o755)
        return path

    def test_every_machine_file(self):
        """Scripts that bash can read, with the heads of their batch systems."""
        heads = {"slurm": "#SBATCH --nodes=3", "flux": "#flux: --nodes=3", "pbs": "#PBS -l select=3:",
                 "lsf": "#BSUB -nnodes 3"}
        self.assertEqual({path.stem.partition("_")[0] for path in MACHINES}, set(heads))
        for path in MACHINES:
            with self.subTest(machine=path.name):
                text = self.script("pi", "pi.points=1e14", "--machine", path, "--nodes", 3)
                self.assertIn(heads[path.stem.partition("_")[0]], text)
                self.assertIn("export OMP_PLACES=cores", text)
                subprocess.run(["bash", "-n"], input=text, text=True, check=True)

    def test_shares_of_a_node(self):
        self.write("m.yaml", SLURM + "gpus: 4\nranks: gpu\nmemory: 240 GB\nmpi: pmix\n")
        text = self.script("pi", "--machine", "m.yaml", "--nodes", 2, "--account", "x")
        for line in ("#SBATCH --ntasks-per-node=4", "#SBATCH --cpus-per-task=2", "#SBATCH --gpus-per-node=4",
                     "#SBATCH --mem=240G", "#SBATCH --signal=USR1@120", "#SBATCH --requeue",
                     "#SBATCH --account=x", "export OMP_NUM_THREADS=2"):
            self.assertIn(line + "\n", text)
        self.assertIn("srun --mpi=pmix --ntasks=8 --ntasks-per-node=4 --cpus-per-task=2 --cpu-bind=cores "
                      "--gpu-bind=none rivulet", text)

    def test_one_rank_a_numa_domain(self):
        self.write("m.yaml", SLURM.replace("slurm", "pbs"))
        self.assertIn("mpiexec -n 6 --map-by ppr:2:node:pe=4 --bind-to core",
                      self.script("pi", "--machine", "m.yaml", "--nodes", 3))

    def test_hours_as_each_batch_system_writes_them(self):
        for scheduler, line in (("slurm", "#SBATCH --time=1-02:03:04"), ("pbs", "#PBS -l walltime=26:03:04"),
                                ("lsf", "#BSUB -W 26:04"), ("flux", "#flux: --time-limit=93784s")):
            with self.subTest(scheduler=scheduler):
                self.write("m.yaml", f"scheduler: {scheduler}\ncores: 8\ntime: 1-02:03:04\n")
                self.assertIn(line + "\n", self.script("pi", "--machine", "m.yaml"))

    def test_ranks_of_all_nodes(self):
        for scheduler, launcher, words in (
                ("slurm", "openmpi", "mpiexec -n 6 "), ("slurm", "hydra", "mpiexec -n 6 -ppn 2 -bind-to core:4 "),
                ("flux", "flux", "flux run --nodes=3 --ntasks=6 --cores-per-task=4 "),
                ("pbs", "pals", "mpiexec -n 6 --ppn 2 --depth 4 "),
                ("lsf", "jsrun", "jsrun --nrs=6 --rs_per_host=2 --tasks_per_rs=1 --cpu_per_rs=4 ")):
            with self.subTest(launcher=launcher):
                self.write("m.yaml", SLURM.replace("slurm", scheduler) + f"launcher: {launcher}\n")
                self.assertIn(words, self.script("pi", "--machine", "m.yaml", "--nodes", 3))

    def test_without_checkpoints(self):
        self.write("m.yaml", SLURM + "checkpoint: none\n")
        text = self.script("pi", "--machine", "m.yaml")
        for word in ("checkpoint", "--signal", "requeue"):
            self.assertNotIn(word, text)

    def test_a_script_that_cannot_be_written(self):
        self.write("m.yaml", SLURM)
        for redirected, why in ((">/dev/full", "No space left on device"), (">&-", "it is closed")):
            done = subprocess.run(["/bin/sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, SCRIPT, "pi",
                                   "--machine", "m.yaml"], cwd=self.directory, stderr=subprocess.PIPE, text=True,
                                  check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"scripts/batch: cannot write to standard output ({why}). Check where it is "
                                 "redirected.\n"))

    def test_values_stay_one_word(self):
        self.write("m.yaml", SLURM)
        text = self.script("pi", "streams.parameters=a b; rm *", "--machine", "m.yaml")
        self.assertIn("'streams.parameters=a b; rm *'", text)

    def run_job(self, machine, again, variables, status="75"):
        """Runs a job's script as the batch system would, and as `again` has it run again; the last status."""
        path = self.directory / "bin"
        path.mkdir(exist_ok=True)
        for name in ("srun", "mpiexec", "flux", "jsrun"):
            self.add(f"bin/{name}", LAUNCHER)
        self.add("bin/rivulet", RIVULET)
        for name, text in again.items():
            self.add(f"bin/{name}", text)
        self.write("m.yaml", machine + f"program: {path}/rivulet\n")
        self.script("pi", "pi.points=7", "--machine", "m.yaml", "--output", "job.sh")
        environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "STATUS": status, **variables}
        for count in range(4):
            done = subprocess.run(["bash", "./job.sh"], cwd=self.directory, env=environment, text=True,
                                  capture_output=True, check=False)
            queue = self.directory / "queued"
            if not queue.exists():
                return done.returncode
            environment.update(line.split("=", 1) for line in queue.read_text().split())
            queue.unlink()
        self.fail(f"ran {count + 1} times")

    def require_resumed(self, job):
        said = (self.directory / "said").read_text().splitlines()
        self.assertEqual(len(said), 3, said)
        self.assertIn(f"checkpoint.file=pi_{job}.checkpoint", said[0])
        for line in said[1:]:
            self.assertTrue(line.startswith(f"--resume pi_{job}.checkpoint"), line)
        self.assertTrue((self.directory / f"pi_{job}.h5").exists())

    def test_slurm_goes_on(self):
        requeue = '#!/bin/bash\n[[ "$*" == "requeue 12" ]] && echo SLURM_RESTART_COUNT=1 > queued\n'
        self.assertEqual(self.run_job(SLURM, {"scontrol": requeue}, {"SLURM_JOB_ID": "12"}), 0)
        self.require_resumed("12")

    def test_pbs_goes_on(self):
        """The job that goes on has another number, but the files of the first."""
        qsub = '#!/bin/bash\n[[ $3 == */job.sh ]] && echo "$2" | tr , "\\n" > queued\n'
        variables = {"PBS_JOBID": "12.host", "PBS_O_WORKDIR": str(self.directory)}
        self.assertEqual(self.run_job(SLURM.replace("slurm", "pbs"), {"qsub": qsub}, variables), 0)
        self.require_resumed("12")
        self.assertIn("--time-limit 3480 s", (self.directory / "said").read_text())

    def test_flux_goes_on(self):
        """The job that goes on has another number, but the files of the first, and knows how often."""
        flux = ('#!/bin/bash\n[[ $1 == job ]] && { echo "${@: -1}"; exit; }\n'
                '[[ "$1 $2" == "--parent batch" ]] || { while [[ $1 != */rivulet ]]; do shift; done; exec "$@"; }\n'
                'for word in "$@"; do [[ $word == --env=* ]] && echo "${word#--env=}"; done > queued\n'
                '[[ ${@: -1} == */job.sh ]]\n')
        machine = SLURM.replace("slurm", "flux") + "restarts: 2\n"
        self.assertEqual(self.run_job(machine, {"flux": flux}, {"FLUX_ENCLOSING_ID": "12"}), 0)
        self.require_resumed("12")
        os.remove(self.directory / "job.sh")
        (self.directory / "pi_12.h5").unlink()
        (self.directory / "pi_12.checkpoint").unlink()
        self.assertEqual(self.run_job(machine.replace("2\n", "1\n"), {"flux": flux},
                                      {"FLUX_ENCLOSING_ID": "12"}), 75)

    def test_tasks_of_an_array_have_files_of_their_own(self):
        self.run_job(SLURM, {"scontrol": "#!/bin/bash\nfalse\n"},
                     {"SLURM_JOB_ID": "14", "SLURM_ARRAY_JOB_ID": "12", "SLURM_ARRAY_TASK_ID": "3"})
        self.assertIn("pi_12_3.checkpoint", self.files())

    def test_lsf_is_told_to_go_on(self):
        status = self.run_job(SLURM.replace("slurm", "lsf"), {}, {"LSB_JOBID": "12"})
        self.assertEqual(status, 75)
        self.assertIn('#BSUB -Q "75"\n', (self.directory / "job.sh").read_text())

    def test_failures_and_too_many_restarts_end_the_job(self):
        never = {"scontrol": "#!/bin/bash\ntouch never\n"}
        self.assertEqual(self.run_job(SLURM, never, {"SLURM_JOB_ID": "1"}, status="1"), 1)
        os.remove(self.directory / "job.sh")
        self.assertEqual(self.run_job(SLURM + "restarts: 3\n", never,
                                      {"SLURM_JOB_ID": "2", "SLURM_RESTART_COUNT": "3"}), 75)
        self.assertFalse((self.directory / "never").exists())

    def refuse(self, phrase, *arguments):
        before = self.files()
        done = self.batch(*(arguments or ("pi", "--machine", "m.yaml", "--output", "x.sh")))
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, MESSAGE)
        self.assertIn(phrase, done.stderr)
        self.assertEqual((done.stdout, self.files()), ("", before))

    def test_bad_machine_files(self):
        for text, phrase in (
                ("coers: 4\n", "Did you mean cores?"), ("scheduler: slrum\n", "Did you mean slurm?"),
                ("cores: 0\n", "is out of range"), ("cores: 1e3\n", "is out of range"),
                ("time: 90\n", "Write HH:MM:SS"), ("ranks: gpu\n", "gpus: 0"), ("ranks: 3\n", "cannot be shared"),
                ("ranks: gpus\n", "Did you mean gpu?"), ("launcher: aprun\n", "is not known"),
                ("modules: openmpi\n", "is no list"), ("nodes: [1, 2]\n", "has parts"),
                ("partition: \"a\\nb\"\n", "line breaks"), ("margin: 3600\n", "Change margin"),
                ("launcher: openmpi\nmpi: pmix\n", "goes with srun"), ("nodes: 'x\n", "cannot read")):
            with self.subTest(text=text):
                key = text.partition(":")[0]
                kept = "".join(line + "\n" for line in SLURM.splitlines() if not line.startswith(key + ":"))
                self.refuse_file(kept + text, phrase)
        self.refuse_file("cores: 4\ntime: 01:00:00\n", "scheduler is missing")
        self.refuse_file("\n", "is no machine file")
        self.refuse("is no machine file")

    def refuse_file(self, text, phrase):
        """As the script does, without starting it: that takes longer than all else."""
        self.write("m.yaml", text)
        with self.assertRaises(ScriptError) as caught:
            load(self.directory / "m.yaml", {})
        self.assertIn(phrase, str(caught.exception))
        self.assertRegex(str(caught.exception), r"(?s) \(.+\)\. \S.*[.?]$")

    def test_bad_arguments(self):
        self.write("m.yaml", SLURM)
        self.refuse("cannot read 'none.yaml'", "pi", "--machine", "none.yaml")
        self.refuse("names the files", "pi", "output.file=x.h5", "--machine", "m.yaml")
        self.refuse("is not section.key=value", "pi", "fill", "--machine", "m.yaml")
        self.refuse("cannot name a job", "pi", "--name", "a b", "--machine", "m.yaml")
        self.write("x.sh", "mine")
        self.refuse("cannot write 'x.sh'")
