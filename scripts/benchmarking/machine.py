# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured on: nothing that names the host."""

import datetime
import os
import pathlib
import platform
import shutil
import subprocess


def lines_of(*command):
    if shutil.which(command[0]) is None:
        return []
    run = subprocess.run(command, text=True, capture_output=True)
    return run.stdout.splitlines() if run.returncode == 0 else []


def first_line(*command):
    return next((line.strip() for line in lines_of(*command)), "")


def gpus():
    """How many NVIDIA GPUs there are; parts of one (MIG) are listed below it."""
    return sum(line.startswith("GPU ") for line in lines_of("nvidia-smi", "--list-gpus"))


def processor():
    known = {}
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            known.setdefault(name.strip(), value.strip())
    except OSError:
        pass
    if "model name" not in known:
        return platform.processor() or platform.machine()
    return (f"{known['model name']} (family {known.get('cpu family', '?')}, "
            f"model {known.get('model', '?')})")


def described(contexts, binary):
    known = next((one for one in contexts if "compiler" in one), {})
    gpu = first_line("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    found = {
        "date": datetime.date.today().isoformat(), "processor": processor(),
        "cores": os.cpu_count(), "GPUs": f"{gpus()} x {gpu}" if gpu else "",
        "compiler": known.get("compiler", ""),
        "Kokkos": next((one["kokkos"] for one in contexts if "kokkos" in one), ""),
        "Rivulet": first_line(str(binary), "--version").removeprefix("rivulet ")}
    return {key: value for key, value in found.items() if value}
