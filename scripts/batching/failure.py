# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong in a way that a user can do something about."""

import os
import sys


class BatchError(Exception):
    """"PROBLEM (WHY). WHAT TO DO." """

    def __init__(self, problem, why, remedy):
        super().__init__(f"{problem} ({why}). {remedy}")


def printed(text):
    """Prints lines at once; BatchError where standard output cannot be written."""
    try:
        if sys.stdout is None:  # closed
            raise OSError(0, "it is closed")
        print(text, flush=True)
    except OSError as failure:
        if sys.stdout is not None:  # what could not be written must not be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise BatchError("cannot write to standard output", failure.strerror,
                         "Check where it is redirected.") from failure
