# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seals of files that tests change: what the program would have written (docs/results_file.md, "The seal")."""

import hashlib

SEAL = 512  # bytes
END = b" end of seal\n"


def seal_of(body, where, kind):
    lines = f"\nkind: {kind}\n".encode()
    digest = hashlib.sha256(body + lines).hexdigest()
    line = (f"rivulet sealed file: SHA-256 {digest} over the {len(body)} bytes {where}, and the lines below")
    return (line.encode() + lines).ljust(SEAL - len(END)) + END


def reseal(path, kind):
    """Before the same file."""
    body = path.read_bytes()[SEAL:]
    path.write_bytes(seal_of(body, f"that follow the first {SEAL}", kind) + body)


def seal_behind(path):
    """Results that h5py has changed, and by that has cut off their seal."""
    body = path.read_bytes()
    path.write_bytes(body + seal_of(body, "before this", "results"))
