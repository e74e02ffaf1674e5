# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws a second of the C++ library's distributions, beside other libraries', on one core."""

import os
import subprocess

TURNS = 20  # of each case, of which the fastest counts, for a repetition


def program(folder):
    return folder / "bench" / "library_distributions"


def measure(_, repetitions, path):
    """The lines of the program's table."""
    done = subprocess.run([path.resolve(), str(TURNS * repetitions)], check=True, text=True,
                          stdout=subprocess.PIPE, env=dict(os.environ, OMP_PROC_BIND="false", OMP_NUM_THREADS="1"))
    return done.stdout.splitlines()
