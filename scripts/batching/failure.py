# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong in a way that a user can do something about."""


class BatchError(Exception):
    """"PROBLEM (WHY). WHAT TO DO." """

    def __init__(self, problem, why, remedy):
        super().__init__(f"{problem} ({why}). {remedy}")
