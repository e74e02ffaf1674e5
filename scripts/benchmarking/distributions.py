# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a second of the C++ library's distributions, beside other libraries', on one core or a GPU."""

import os
import subprocess

TURNS = 20  # of each case on a core, of which the fastest counts, for a repetition


def program(folder):
    """The GPU's, if there is one: its kernels alone are worth a GPU's time."""
    on_gpu = folder / "bench" / "library_distributions_gpu"
    return on_gpu if on_gpu.is_file() else folder / "bench" / "library_distributions"


def measure(_, repetitions, path):
    """The lines of the program's table."""
    turns = repetitions if path.name.endswith("_gpu") else TURNS * repetitions
    done = subprocess.run([path.resolve(), str(turns)], check=True, text=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, OMP_PROC_BIND="false", OMP_NUM_THREADS="1"))
    return done.stdout.splitlines()
