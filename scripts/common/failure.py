# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors that the user can fix, and output that may fail."""

import os
import sys


class ScriptError(Exception):
    """An error with the message "PROBLEM (REASON). REMEDY." The arguments are these three parts, two of them if the
    problem contains the reason, or the whole message."""

    def __init__(self, problem, *parts):
        why = f" ({parts[0]})." if len(parts) == 2 else ""
        super().__init__(" ".join([problem + why, *parts[-1:]]))


def run(name, main):
    """Runs main(). A ScriptError ends the script with its message and status 1."""
    try:
        main()
    except ScriptError as failure:
        sys.exit(f"scripts/{name}: {failure}")


def printed(text):
    """Prints a text without buffering. Raises ScriptError if standard output cannot be written."""
    try:
        if sys.stdout is None:  # standard output is closed
            raise OSError(0, "it is closed")
        print(text.encode(errors="surrogateescape").decode(errors="backslashreplace"), flush=True)  # any bytes
    except OSError as failure:
        if sys.stdout is not None:  # discards the buffer, or Python would fail again when it exits
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ScriptError("cannot write to standard output", failure.strerror,
                         "Check where it is redirected.") from failure
