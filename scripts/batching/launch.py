# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How ranks are started and bound, of each launcher: words of its command."""


def gpus_a_rank(machine):
    return max(1, machine.gpus // machine.ranks_a_node)


def srun(machine, total):
    """Threads stay in their rank's cores. All GPUs of a node are seen by all its ranks, which take one each, in the
    order of the ranks; neighbouring ranks are on one socket, as neighbouring GPUs mostly are."""
    words = ["srun"]
    if machine.mpi:
        words.append(f"--mpi={machine.mpi}")
    words += [f"--ntasks={total}", f"--ntasks-per-node={machine.ranks_a_node}",
              f"--cpus-per-task={machine.cores_a_rank}", "--cpu-bind=cores"]
    if machine.gpus:
        words += ["--distribution=block:block", "--gpu-bind=none"]
    return words


def flux(machine, total):
    words = ["flux", "run", f"--nodes={machine.nodes}", f"--ntasks={total}",
             f"--cores-per-task={machine.cores_a_rank}", "--setopt=cpu-affinity=per-task"]
    if machine.gpus:
        words += [f"--gpus-per-task={gpus_a_rank(machine)}", "--setopt=gpu-affinity=off"]
    return words


def openmpi(machine, total):
    return ["mpiexec", "-n", str(total), "--map-by",
            f"ppr:{machine.ranks_a_node}:node:pe={machine.cores_a_rank}", "--bind-to", "core"]


def pals(machine, total):
    return ["mpiexec", "-n", str(total), "--ppn", str(machine.ranks_a_node), "--depth",
            str(machine.cores_a_rank), "--cpu-bind", "depth"]


def hydra(machine, total):
    return ["mpiexec", "-n", str(total), "-ppn", str(machine.ranks_a_node), "-bind-to",
            f"core:{machine.cores_a_rank}"]


def jsrun(machine, total):
    """A resource set a rank."""
    words = ["jsrun", f"--nrs={total}", f"--rs_per_host={machine.ranks_a_node}", "--tasks_per_rs=1",
             f"--cpu_per_rs={machine.cores_a_rank}", f"--bind=packed:{machine.cores_a_rank}"]
    if machine.gpus:
        words.append(f"--gpu_per_rs={gpus_a_rank(machine)}")
    return words


LAUNCHES = {"srun": srun, "flux": flux, "openmpi": openmpi, "pals": pals, "hydra": hydra, "jsrun": jsrun}


def command(machine):
    return LAUNCHES[machine.launcher](machine, machine.nodes * machine.ranks_a_node)


def threads(machine):
    """OpenMP's settings: a thread a core, each staying there."""
    return {"OMP_NUM_THREADS": str(machine.cores_a_rank), "OMP_PROC_BIND": "close",
            "OMP_PLACES": "cores"}
