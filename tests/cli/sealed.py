# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seals of files that tests change: what the program would have written (docs/results_file.md, "The seal")."""

import hashlib

SEAL = 512  # bytes
END = b" end of seal\n"


def reseal(path, kind):
    """Gives a changed file the seal that fits it."""
    body = path.read_bytes()[SEAL:]
    lines = f"\nkind: {kind}\n".encode()
    digest = hashlib.sha256(body + lines).hexdigest()
    line = (f"rivulet sealed file: SHA-256 {digest} over the {len(body)} bytes that follow the first {SEAL}, and the "
            "lines below")
    path.write_bytes((line.encode() + lines).ljust(SEAL - len(END)) + END + body)
