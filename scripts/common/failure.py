# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors that the user can fix, and printing that reports a failed write as such an error."""

import os
import sys


class ScriptError(Exception):
    """An error with the message "PROBLEM (REASON). REMEDY." The arguments are these three parts; or two parts, "PROBLEM
    (REASON)." and the remedy; or the whole message."""

    def __init__(self, problem, *parts):
        why = f" ({parts[0]})." if len(parts) == 2 else ""
        super().__init__(" ".join([problem + why, *parts[-1:]]))


def run(name, main):
    """Runs main(). If it raises ScriptError, prints the error's message and ends the script with status 1."""
    try:
        main()
    except ScriptError as failure:
        sys.exit(f"scripts/{name}: {failure}")


def print_flushed(text):
    """Prints a text and flushes it. Raises ScriptError if writing to standard output fails."""
    try:
        if sys.stdout is None:  # standard output is closed
            raise OSError(0, "it is closed")
        # Invalid UTF-8, such as in a file's name, is printed as escapes.
        print(text.encode(errors="surrogateescape").decode(errors="backslashreplace"), flush=True)
    except OSError as failure:
        if sys.stdout is not None:  # discards the buffer: Python flushes it at exit, and would fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ScriptError("cannot write to standard output", failure.strerror,
                         "Check where it is redirected.") from failure
