# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads results files and finds the job that wrote them.

A job's module has

- JOB, the job's name;
- KIND (optional), the kind of the job's files: "results", with the group /results/JOB, or "parameters";
- MOST_FILES (optional), the largest number of files per picture;
- NAME_OF_SEVERAL (optional), the name of a picture of several files;
- read(file, path), which returns the content of an open file (the path is for messages and labels);
- draw(results), which returns the pictures as a list of pairs: an ending for the file name, and a figure.
"""

import os

from common.failure import ScriptError
from common.files import reader

NEWEST_FORMAT_VERSION = 1
DEFAULTS = {"KIND": "results", "MOST_FILES": 1, "NAME_OF_SEVERAL": ""}


def job_attribute(job, name):
    return getattr(job, name, DEFAULTS[name])


class Unreadable(Exception):
    """The content of a file cannot be drawn. The message is the reason, such as "its dataset k is empty"."""


def read_files(paths, jobs):
    """Returns the module of the job that wrote the files, and a list of their contents. Raises ScriptError if a file
    cannot be drawn, or the files cannot be drawn together."""
    found = [read_file(path, jobs) for path in paths]
    job = found[0][0]
    for path, (other, _) in zip(paths, found):
        if other is not job:
            raise ScriptError(f"cannot plot '{paths[0]}' and '{path}' together (they are of the "
                            f"{job.JOB} job and of the {other.JOB} job). Give them one by one.")
    if len(paths) > job_attribute(job, "MOST_FILES"):
        raise ScriptError(f"cannot plot {len(paths)} files (a picture shows at most {job_attribute(job, 'MOST_FILES')} "
                        f"of the {job.JOB} job). Give fewer at a time.")
    return job, [result for _, result in found]


def read_file(path, jobs):
    """Returns the module of the job that wrote a file, and the file's content. Raises ScriptError."""
    names = either([job.JOB for job in jobs])
    advice = f"Give results files of the {names} job, as written by `rivulet JOB --output FILE`."
    if not os.path.isfile(path):
        reason = ("it is a folder" if os.path.isdir(path) else
                  "it is not a regular file" if os.path.exists(path) else "there is no such file")
        raise ScriptError(f"cannot read '{path}' ({reason}). {advice}")
    try:
        file = reader.opened(path)
    except reader.Damaged as failure:
        raise ScriptError(f"cannot plot '{path}' ({failure}). Use another copy of it, or make it again.") from failure
    except OSError as failure:
        reason = failure.strerror if failure.errno else f"not an HDF5 file: {failure}"
        raise ScriptError(f"cannot read '{path}' ({reason}). {advice}") from failure
    with file:
        job = job_of(file, path, jobs, advice)
        if job:
            return job, read_job(job, file, path)
    raise ScriptError(f"cannot plot '{path}' (it holds no results of the {names} job). {advice}")


def job_of(file, path, jobs, advice):
    """Returns the module of the job that wrote a file, or None for other jobs. Raises ScriptError for a damaged file,
    and for a file that kind_of() refuses."""
    try:
        kind = kind_of(file, path, advice)
        writers = [job for job in jobs if job_attribute(job, "KIND") == kind
                   and (kind == "parameters" or f"results/{job.JOB}" in file)]
        return writers[0] if writers else None
    except ScriptError:
        raise
    except Exception as failure:  # h5py raises many types for damaged files
        raise damaged(path, failure, advice) from failure


def kind_of(file, path, advice):
    """Returns the kind of a Rivulet file. Raises ScriptError if it is not a Rivulet file, or its format is too new."""
    mark, _, kind = text_of(file.attrs.get("format", "")).partition(" ")
    if mark != "rivulet" or not kind:
        raise ScriptError(f"cannot plot '{path}' (it is not a Rivulet file). {advice}")
    version = int(file.attrs.get("format_version", NEWEST_FORMAT_VERSION))
    if version > NEWEST_FORMAT_VERSION:
        raise ScriptError(f"cannot plot '{path}' (its format_version is {version}, and this script "
                        f"reads up to {NEWEST_FORMAT_VERSION}). Use the scripts/plot of the Rivulet "
                        "that wrote it.")
    return kind


def read_job(job, file, path):
    remedy = f"Run the {job.JOB} job again."
    try:
        return job.read(file, path)
    except ScriptError:
        raise
    except KeyError as failure:
        raise ScriptError(f"cannot plot '{path}' (it is incomplete: {failure.args[0]}). "
                        f"{remedy}") from failure
    except Exception as failure:  # damaged content makes h5py, numpy or arithmetic fail
        raise damaged(path, failure, remedy) from failure


def damaged(path, failure, advice):
    """Returns the ScriptError for a damaged file, with a message of one line."""
    reason = " ".join(str(failure).split()) or type(failure).__name__
    return ScriptError(f"cannot plot '{path}' (it is damaged: {reason}). {advice}")


def text_of(attribute):
    """Returns a text attribute as str. h5py returns the fixed-length texts of parameter files as bytes."""
    return attribute.decode(errors="replace") if isinstance(attribute, bytes) else str(attribute)


def filled(group, name):
    """Returns the values of a dataset. Raises Unreadable if it is empty."""
    if not group[name].size:
        raise Unreadable(f"its dataset {name} is empty")
    return group[name][()]


def require_equal_lengths(**columns):
    """Raises Unreadable if the arrays differ in length."""
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(column):,}" for name, column in columns.items())
        raise Unreadable(f"its datasets differ in length, {lengths}")


def either(words):
    """Returns words joined as in "a, b or c"."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
