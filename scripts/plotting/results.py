# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads results files and finds which job made them.

A job's module has JOB, the name of its group in /results; NAME_OF_SEVERAL, what to call a picture
of several files, or "" if it draws one file at a time; MOST_FILES; read(file, path), what the open
file holds; and draw(results): for each picture what its file's name ends in and the figure.
"""

import os

from plotting.errors import PlotError


def read_files(paths, jobs):
    """The job that made the files, and what it reads in each; PlotError if they hold no such."""
    found = [read_file(path, jobs) for path in paths]
    job = found[0][0]
    for path, (other, _) in zip(paths, found):
        if other is not job:
            raise PlotError(f"cannot plot '{paths[0]}' and '{path}' together (they are of the "
                            f"{job.JOB} job and of the {other.JOB} job) Give them one by one.")
    if len(paths) > job.MOST_FILES:
        raise PlotError(f"cannot plot {len(paths)} files (a picture shows at most {job.MOST_FILES} "
                        f"of the {job.JOB} job) Give fewer at a time.")
    return job, [result for _, result in found]


def read_file(path, jobs):
    """The job that made a file, and what it reads there."""
    import h5py

    names = either([job.JOB for job in jobs])
    advice = f"Give results files of the {names} job, as `rivulet JOB --output FILE` writes them."
    if not os.path.isfile(path):
        raise PlotError(f"cannot read '{path}' (there is no such file) {advice}")
    try:
        file = h5py.File(path, "r")
    except OSError as failure:
        raise PlotError(f"cannot read '{path}' (not an HDF5 file: {failure}) {advice}") from failure
    with file:
        kind = file.attrs.get("format", "")
        if kind != "rivulet results":
            is_ours = str(kind).startswith("rivulet")
            why = f"it is '{kind}'" if is_ours else "it is not a file of Rivulet"
            raise PlotError(f"cannot plot '{path}' ({why}) {advice}")
        for job in jobs:
            if f"results/{job.JOB}" in file:
                return job, read_job(job, file, path)
    raise PlotError(f"cannot plot '{path}' (it holds no results of the {names} job) {advice}")


def read_job(job, file, path):
    try:
        return job.read(file, str(path))
    except KeyError as failure:
        raise PlotError(f"cannot plot '{path}' (it is incomplete: {failure.args[0]}) "
                        f"Run the {job.JOB} job again.") from failure


def either(words):
    """Such as "a, b or c"."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
