# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Describes the machine of a measurement, without host names."""

import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess


def lines_of(*command):
    if shutil.which(command[0]) is None:
        return []
    run = subprocess.run(command, text=True, capture_output=True)
    return run.stdout.splitlines() if run.returncode == 0 else []


def first_line(*command):
    return next((line.strip() for line in lines_of(*command)), "")


def cpuinfo():
    """Returns a dict of the first core's fields in /proc/cpuinfo; without this file, the dict is empty."""
    known = {}
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            known.setdefault(name.strip(), value.strip())
    except OSError:
        pass
    return known


def processor():
    known = cpuinfo()
    if "model name" not in known:
        return platform.processor() or platform.machine()
    return (f"{known['model name']} (family {known.get('cpu family', '?')}, "
            f"model {known.get('model', '?')})")


def gpu_names():
    """Returns the NVIDIA GPUs and their driver version, such as "2 x NVIDIA H200, 580.159.04", or "" without GPUs."""
    gpu = first_line("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    # nvidia-smi lists MIG instances below their GPU; only the GPUs count.
    count = sum(line.startswith("GPU ") for line in lines_of("nvidia-smi", "--list-gpus"))
    return f"{count} x {gpu}" if gpu else ""


def clocks():
    """Returns the GPU's and the CPU's clocks as text. The current clocks are those at the time of the call, not during
    the runs."""
    gpu = first_line("nvidia-smi", "--query-gpu=clocks.sm,clocks.max.sm", "--format=csv,noheader")
    cpu = cpuinfo().get("cpu MHz")
    most = re.findall(r"(?m)^CPU max MHz: +(\S+)$", "\n".join(lines_of("lscpu")))
    return "; ".join([*([f"GPU now, at most: {gpu}"] if gpu else []),
                      *([f"CPU MHz now{', at most' if most else ''}: {', '.join([cpu, *most])}"] if cpu else [])])


def version_of(compiler):
    """Returns the first line of `compiler --version` or, for nvcc, the line with the release. Returns "" if the
    compiler
    does not run here, as on some nodes."""
    said = [line.strip() for line in lines_of(compiler, "--version")] if compiler else []
    return next((line for line in said if ", release " in line), next(iter(said), ""))


def build_of(folder):
    """Returns a dict with the compiler, flags and build type of a build or an installation, from CMakeCache.txt."""
    known = {}
    for place in (folder, folder / "share" / "rivulet"):
        try:
            text = (place / "CMakeCache.txt").read_text(encoding="utf-8")
        except OSError:
            continue
        known = dict(re.findall(r"(?m)^(\w+):\w+=(.*)$", text))
        break
    kind = known.get("CMAKE_BUILD_TYPE", "")
    arch = known.get("RIVULET_ARCH") or ("native" if known.get("RIVULET_NATIVE") == "ON" else "")
    flags = [known.get(key, "") for key in ("CMAKE_CXX_FLAGS", f"CMAKE_CXX_FLAGS_{kind.upper()}")]
    compiler = version_of(known.get("CMAKE_CXX_COMPILER", "")) or known.get("RIVULET_COMPILER", "")
    return {"compiler": compiler or "not known",
            "flags": " ".join([*filter(None, flags), *([f"-march={arch}"] if arch else [])]) or "not known",
            "build type": kind or "not known"}


def described(contexts, binary):
    known = next((one for one in contexts if "compiler" in one), {})
    found = {
        "date": datetime.date.today().isoformat(), "processor": processor(),
        "cores": os.cpu_count(), "GPUs": gpu_names(),
        "compiler": known.get("compiler", ""),
        "Kokkos": next((one["kokkos"] for one in contexts if "kokkos" in one), ""),
        "Rivulet": first_line(str(binary), "--version").removeprefix("rivulet ")}
    return {key: value for key, value in found.items() if value}
