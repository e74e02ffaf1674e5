# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/batch: what it writes for each batch system, that its loop goes on from checkpoints, and what
bad machine files get."""

import os
import re
import subprocess
import sys
import time
from unittest import mock

import rivulet_cli
from batch_case import LAUNCHER, RIVULET, ROOT, SCRIPT, SLURM, BatchCase
from batching import deck
from batching.machine import load
from common.failure import ScriptError

MACHINES = sorted((ROOT / "inputs" / "machines").glob("*.yaml"))


def wait_for(path):
    end = time.monotonic() + 60
    while not path.exists():
        if time.monotonic() > end:
            raise TimeoutError(path)
        time.sleep(0.05)


class Batch(BatchCase):
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

    def test_the_script_of_the_documentation(self):
        """As it is written, but for the digits that stand for the work."""
        page = (ROOT / "docs" / "clusters.md").read_text(encoding="utf-8")
        command = re.search(r"(?m)^scripts/batch (.*) --output nodes.sh$", page)[1].split()
        (self.directory / "inputs").symlink_to(ROOT / "inputs")
        (self.directory / "cluster.yaml").symlink_to(ROOT / "inputs" / "machines" / "slurm_cpu.yaml")
        text = self.script(*command, "--unchecked")
        self.assertIn(re.sub("pi-[0-9a-f]{8}", "pi-X", text), re.sub("pi-[0-9a-f]{8}", "pi-X", page))

    def test_shares_of_a_node(self):
        self.write("m.yaml", SLURM + "gpus: 4\nranks: gpu\nmemory: 240 GB\nmpi: pmix\n")
        text = self.script("pi", "--machine", "m.yaml", "--nodes", 2, "--account", "x")
        for line in ("#SBATCH --ntasks-per-node=4", "#SBATCH --cpus-per-task=2", "#SBATCH --gpus-per-node=4",
                     "#SBATCH --mem=240G", "#SBATCH --signal=USR1@120", "#SBATCH --requeue",
                     "#SBATCH --account=x", "export OMP_NUM_THREADS=2"):
            self.assertIn(line + "\n", text)
        self.assertIn("srun --mpi=pmix --ntasks=8 --ntasks-per-node=4 --cpus-per-task=2 --cpu-bind=cores "
                      "--distribution=block:block --gpu-bind=none rivulet", text)

    def test_setup_comes_before_modules(self):
        """It may say where they are."""
        self.write("m.yaml", SLURM + "modules: [rivulet]\nsetup: ['module use /a b', 'x=1']\n")
        self.assertIn("\n\nmodule use /a b\nx=1\nmodule load rivulet\nexport OMP_NUM_THREADS=4\n",
                      self.script("pi", "--machine", "m.yaml"))

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
                                   "--machine", "m.yaml", "--unchecked"], cwd=self.directory, text=True,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, f"scripts/batch: cannot write to standard output ({why}). Check where it is "
                                 "redirected.\n"))

    def test_values_stay_one_word(self):
        self.write("m.yaml", SLURM)
        text = self.script("pi", "streams.parameters=a b; rm *", "--machine", "m.yaml", "--unchecked")
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
        self.stem = re.search('results="(.*)[.]h5"', (self.directory / "job.sh").read_text())[1]
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

    def require_resumed(self):
        said = (self.directory / "said").read_text().splitlines()
        self.assertEqual(len(said), 3, said)
        self.assertIn(f"checkpoint.file={self.stem}.checkpoint", said[0])
        for line in said[1:]:
            self.assertTrue(line.startswith(f"--resume {self.stem}.checkpoint"), line)
        self.assertTrue((self.directory / f"{self.stem}.h5").exists())

    def test_slurm_goes_on(self):
        requeue = '#!/bin/bash\n[[ "$*" == "requeue 12" ]] && echo SLURM_RESTART_COUNT=1 > queued\n'
        self.assertEqual(self.run_job(SLURM, {"scontrol": requeue}, {"SLURM_JOB_ID": "12"}), 0)
        self.require_resumed()

    def test_a_part_of_an_array_is_requeued_alone(self):
        """Also the one whose id is the array's."""
        requeue = '#!/bin/bash\n[[ "$*" == "requeue 12_0" ]] && echo SLURM_RESTART_COUNT=1 > queued\n'
        array = {"SLURM_JOB_ID": "12", "SLURM_ARRAY_JOB_ID": "12", "SLURM_ARRAY_TASK_ID": "0"}
        self.assertEqual(self.run_job(SLURM, {"scontrol": requeue}, array), 0)
        self.require_resumed()

    def test_pbs_goes_on(self):
        """The job that goes on has another number."""
        qsub = '#!/bin/bash\n[[ $3 == */job.sh ]] && echo "$2" | tr , "\\n" > queued\n'
        variables = {"PBS_JOBID": "12.host", "PBS_O_WORKDIR": str(self.directory)}
        self.assertEqual(self.run_job(SLURM.replace("slurm", "pbs"), {"qsub": qsub}, variables), 0)
        self.require_resumed()
        self.assertIn("--time-limit 3480 s", (self.directory / "said").read_text())

    def test_flux_goes_on(self):
        """The job that goes on has another number, and knows how often."""
        flux = ('#!/bin/bash\n[[ $1 == job ]] && { echo "${@: -1}"; exit; }\n'
                '[[ "$1 $2" == "--parent batch" ]] || { while [[ $1 != */rivulet ]]; do shift; done; exec "$@"; }\n'
                'for word in "$@"; do [[ $word == --env=* ]] && echo "${word#--env=}"; done > queued\n'
                '[[ ${@: -1} == */job.sh ]]\n')
        machine = SLURM.replace("slurm", "flux") + "restarts: 2\n"
        self.assertEqual(self.run_job(machine, {"flux": flux}, {"FLUX_ENCLOSING_ID": "12"}), 0)
        self.require_resumed()
        os.remove(self.directory / "job.sh")
        (self.directory / f"{self.stem}.h5").unlink()
        (self.directory / f"{self.stem}.checkpoint").unlink()
        self.assertEqual(self.run_job(machine.replace("2\n", "1\n"), {"flux": flux},
                                      {"FLUX_ENCLOSING_ID": "12"}), 75)

    def test_a_script_that_is_submitted_again_goes_on(self):
        """In a job of another number; a third finds its results and does nothing, until these are removed."""
        never = {"scontrol": "#!/bin/bash\nfalse\n"}
        self.assertEqual(self.run_job(SLURM, never, {"SLURM_JOB_ID": "7"}), 75)
        for job, status, ran in (("8", 75, 2), ("9", 0, 3), ("10", 0, 3)):
            done = self.bash("job.sh", SLURM_JOB_ID=job)
            said = (self.directory / "said").read_text().splitlines()
            self.assertEqual((done.returncode, len(said)), (status, ran), done)
            if job == "9":
                os.remove(self.directory / f"{self.stem}.checkpoint")  # as Rivulet does at the end
        self.assertEqual(done.stdout, f"{self.stem}.h5 is there: nothing is left to do. To start afresh, remove it.\n")
        self.require_resumed()
        os.remove(self.directory / f"{self.stem}.h5")
        self.assertEqual(self.bash("job.sh", SLURM_JOB_ID="11").returncode, 75)
        self.assertIn("checkpoint.file=", (self.directory / "said").read_text().splitlines()[-1])

    def test_files_are_of_their_work(self):
        """Another amount, deck or name means other files; other nodes do not."""
        self.write("m.yaml", SLURM)
        self.write("pi.yaml", "job: pi\n")

        def stem(*arguments):
            return re.search('results="(.*)[.]h5"', self.script(*arguments, "--machine", "m.yaml"))[1]

        first = stem("pi.yaml")
        self.assertRegex(first, "^pi-[0-9a-f]{8}$")
        self.assertEqual(stem("pi.yaml", "--nodes", 2, "--time", "02:00:00"), first)
        others = {first, stem("pi"), stem("pi.yaml", "pi.points=7"), stem("pi.yaml", "--name", "a")}
        self.write("pi.yaml", "job: pi\nstreams:\n  seed: 1\n")
        self.assertEqual(len({*others, stem("pi.yaml")}), 5)

    def test_two_jobs_at_once(self):
        """The second one ends at once, whether there is a checkpoint yet or not, and harms nothing."""
        self.real("pi", "pi.points=1e14", "streams.count=64", machine="checkpoint: 1 s\n")
        environment = {**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "1",
                       "PATH": f"{self.directory}/bin:{os.environ['PATH']}"}
        stem = re.search('results="(.*)[.]h5"', (self.directory / "job.sh").read_text())[1]
        checkpoint = self.directory / f"{stem}.checkpoint"
        with subprocess.Popen(["bash", "./job.sh"], cwd=self.directory, stdout=subprocess.DEVNULL, text=True,
                              stderr=subprocess.PIPE, env=environment) as first:
            try:
                for there in (self.directory / f".{stem}.h5.rivulet-lock", checkpoint):
                    wait_for(there)
                    second = self.bash("job.sh", SLURM_JOB_ID="8", **rivulet_cli.ENVIRONMENT)
                    self.assertEqual(second.returncode, 1, second)
                    self.assertIn("another run is writing it", second.stderr)
                    self.assertIsNone(first.poll())
            finally:
                subprocess.run(["pkill", "-USR1", "-P", str(first.pid)], check=False)
                said = first.communicate(timeout=60)[1]
        self.assertEqual(first.returncode, 75, said)
        self.assertTrue(checkpoint.exists())

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

    def test_bad_machine_files(self):
        for text, phrase in (
                ("coers: 4\n", "Did you mean cores?"), ("scheduler: slrum\n", "Did you mean slurm?"),
                ("cores: 0\n", "is out of range"), ("cores: 1e3\n", "is out of range"),
                ("time: 90\n", "Write HH:MM:SS"), ("ranks: gpu\n", "gpus: 0"), ("ranks: 3\n", "cannot be shared"),
                ("ranks: gpus\n", "Did you mean gpu?"), ("launcher: aprun\n", "is not known"),
                ("modules: openmpi\n", "is no list"), ("nodes: [1, 2]\n", "has parts"),
                ("partition: \"a\\nb\"\n", "line breaks"),
                ("options: [\"--qos=a\\nrm b\"]\n", "line breaks"), ("modules: [\"a\\nb\"]\n", "line breaks"),
                ("margin: 3600\n", "Change margin"),
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

    def test_the_program_checks_the_deck(self):
        """Its own message, and no script."""
        self.write("m.yaml", SLURM)
        rest = ("--machine", "m.yaml", "--output", "x.sh")
        self.refuse("none.yaml: cannot read the deck (there is no such file)", "none.yaml", *rest)
        self.refuse("unknown key 'pionts'", "pi", "pi.pionts=3", *rest)
        self.refuse("give --checkpoint none", "fill", *rest)
        self.script("fill", *rest[:2], "--checkpoint", "none")
        self.script("none.yaml", "pi.pionts=3", *rest[:2], "--unchecked")

    def test_no_program_checks_the_deck(self):
        """None there, or one that does not run here: then there is no script, unless it is asked for."""
        self.add("broken", "#!/bin/sh\necho 'error while loading shared libraries' >&2\nexit 127\n")
        self.write("m.yaml", SLURM)
        with mock.patch.object(deck, "PROGRAM", self.directory / "none"):
            self.assertIsNone(deck.found_program("/none/rivulet"))
        rest = ("--machine", "m.yaml", "--output", "x.sh", "--program", self.directory / "broken")
        self.refuse(f"cannot check 'pi' (no {self.directory}/broken runs here)", "pi", *rest)
        self.refuse("without the number of streams", "pi", *rest, "--array", 2)
        self.refuse("no none/rivulet runs here", "pi", *rest[:4], "--check-with", "none/rivulet")
        self.script("pi", *rest, "--unchecked")
        self.assertIn("work=(pi ", (self.directory / "x.sh").read_text())

    def test_another_program_checks_the_deck(self):
        """The job runs the one that does not run here."""
        broken = self.add("broken", "#!/bin/sh\nexit 127\n")
        self.write("m.yaml", SLURM + f"program: {broken}\n")
        rest = ("--machine", "m.yaml", "--check-with", "rivulet")
        self.refuse("unknown key 'pionts'", "pi", "pi.pionts=3", *rest)
        self.assertIn(f" {broken})\n", self.script("pi", *rest))
        self.script("pi", *rest, "--array", 2, "--output", "x.sh")
        for name in ("x.sh", "x_merge.sh"):
            self.assertIn(f" {broken})\n", (self.directory / name).read_text())

    def test_bad_arguments(self):
        self.write("m.yaml", SLURM)
        self.refuse("cannot read 'none.yaml'", "pi", "--machine", "none.yaml")
        self.refuse("names the files", "pi", "output.file=x.h5", "--machine", "m.yaml")
        self.refuse("is not section.key=value", "pi", "fill", "--machine", "m.yaml")
        self.refuse("cannot name a job", "pi", "--name", "a b", "--machine", "m.yaml")
        self.write("x.sh", "mine")
        self.refuse("cannot write 'x.sh'")
