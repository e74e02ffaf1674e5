# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The batch systems: the first lines of a script, and the commands that requeue a job."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Scheduler:
    mark: str  # first word of option lines
    submit: tuple  # command that submits a script
    head: Callable  # (machine, job name, number of parts) -> options, one per line
    restarts: str = ""  # shell expression: number of earlier runs of the job
    requeue: tuple = ()  # shell lines that requeue the job; empty if an option in the head makes the scheduler do so
    begin: tuple = ()  # first shell lines
    part: str = ""  # shell expression: index of the job in an array, from 0; empty if arrays are not supported

    @property
    def resubmits(self):
        return "RIVULET_SCRIPT" in " ".join(self.requeue)


def texts_if_set(*pairs):
    """Returns the text of each (text, value) pair whose value is true."""
    return [text for text, value in pairs if value]


def slurm_head(machine, name, parts):
    return [f"--job-name={name}", f"--nodes={machine.nodes}",
            f"--ntasks-per-node={machine.ranks_a_node}", f"--cpus-per-task={machine.cores_a_rank}",
            "--hint=nomultithread", f"--time={machine.time}",
            *texts_if_set((f"--gpus-per-node={machine.gpus}", machine.gpus),
                          (f"--mem={machine.memory.replace(' ', '').removesuffix('B')}", machine.memory),
                          (f"--partition={machine.partition}", machine.partition),
                          (f"--account={machine.account}", machine.account)),
            *resumed(machine, f"--signal=USR1@{machine.margin}", "--requeue", "--open-mode=append"),
            *texts_if_set((f"--array=0-{parts - 1}", parts)), f"--output={name}_{'%A_%a' if parts else '%j'}.log"]


def flux_head(machine, name, _):
    return [f"--job-name={name}", f"--nodes={machine.nodes}", "--exclusive",
            f"--time-limit={machine.seconds}s",
            *texts_if_set((f"--queue={machine.partition}", machine.partition),
                          (f"--bank={machine.account}", machine.account)),
            f"--output={name}_{{{{id}}}}.log"]


def pbs_head(machine, name, _):
    chunk = [f"select={machine.nodes}", f"ncpus={machine.cores}", f"mpiprocs={machine.ranks_a_node}",
             f"ompthreads={machine.cores_a_rank}",
             *texts_if_set((f"ngpus={machine.gpus}", machine.gpus),
                           (f"mem={machine.memory.replace(' ', '').lower()}", machine.memory))]
    return [f"-N {name}", f"-l {':'.join(chunk)}", "-l place=scatter:excl",
            f"-l walltime={clock(machine.seconds)}",
            *texts_if_set((f"-q {machine.partition}", machine.partition),
                          (f"-A {machine.account}", machine.account)), "-j oe"]


def lsf_head(machine, name, _):
    total = machine.nodes * machine.ranks_a_node
    size = ([f"-nnodes {machine.nodes}"] if machine.launcher == "jsrun" else
            [f"-n {total}", f'-R "span[ptile={machine.ranks_a_node}] '
                            f'affinity[core({machine.cores_a_rank})]"', "-x",
             *texts_if_set((f'-gpu "num={machine.gpus}/host"', machine.gpus))])
    return [f"-J {name}", *size, f"-W {clock(machine.seconds, parts=2)}",
            *texts_if_set((f"-M {machine.memory.replace(' ', '')}", machine.memory),
                          (f"-q {machine.partition}", machine.partition),
                          (f"-P {machine.account}", machine.account)),
            *resumed(machine, '-Q "75"'), f"-o {name}_%J.log"]


def resumed(machine, *lines):
    return lines if machine.checkpoint != "none" else ()


def clock(seconds, parts=3):
    """Returns seconds as HH:MM:SS, or as HH:MM rounded up to whole minutes if `parts` is 2."""
    if parts == 2:
        minutes = -(-seconds // 60)
        return f"{minutes // 60}:{minutes % 60:02d}"
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


# Variables that a job passes to its successor when it requeues itself.
PASSED_VARIABLES = "RIVULET_RESTARTS=$((restarts + 1)),RIVULET_SCRIPT=$RIVULET_SCRIPT"
SCHEDULERS = {
    "slurm": Scheduler(
        mark="#SBATCH", submit=("sbatch", "--parsable"), head=slurm_head, part="$SLURM_ARRAY_TASK_ID",
        restarts="${SLURM_RESTART_COUNT:-0}", requeue=(
            # Names one task of an array as ARRAYID_TASKID: the array's id alone would requeue all tasks.
            'scontrol requeue "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}'
            '${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}" && exit 0',)),
    "flux": Scheduler(
        mark="#flux:", submit=("flux", "batch"), head=flux_head, restarts="${RIVULET_RESTARTS:-0}",
        requeue=('flux --parent batch --env=RIVULET_SCRIPT="$RIVULET_SCRIPT" \\',
                 '  --env=RIVULET_RESTARTS="$((restarts + 1))" "$RIVULET_SCRIPT" && exit 0')),
    "pbs": Scheduler(
        mark="#PBS", submit=("qsub",), head=pbs_head, begin=('cd "$PBS_O_WORKDIR" || exit',),
        restarts="${RIVULET_RESTARTS:-0}", requeue=(f'qsub -v "{PASSED_VARIABLES}" "$RIVULET_SCRIPT" && exit 0',)),
    # The option -Q in the head requeues a job that ends with status 75. The job keeps its id.
    "lsf": Scheduler(mark="#BSUB", submit=("bsub",), head=lsf_head),
}
