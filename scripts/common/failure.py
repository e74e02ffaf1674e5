# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong in a way that a user can do something about."""

import os
import sys


class ScriptError(Exception):
    """"PROBLEM (WHY). WHAT TO DO.", of its three parts, of two where the problem says why, or as a whole."""

    def __init__(self, problem, *parts):
        why = f" ({parts[0]})." if len(parts) == 2 else ""
        super().__init__(" ".join([problem + why, *parts[-1:]]))


def run(name, main):
    """Ends the script with the message of what went wrong."""
    try:
        main()
    except ScriptError as failure:
        sys.exit(f"scripts/{name}: {failure}")


def printed(text):
    """Prints lines at once; ScriptError where standard output cannot be written."""
    try:
        if sys.stdout is None:  # closed
            raise OSError(0, "it is closed")
        print(text.encode(errors="surrogateescape").decode(errors="backslashreplace"), flush=True)  # any path
    except OSError as failure:
        if sys.stdout is not None:  # what could not be written must not be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ScriptError("cannot write to standard output", failure.strerror,
                         "Check where it is redirected.") from failure
