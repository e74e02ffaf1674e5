# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens Rivulet's HDF5 files to read. Scripts load this file, too (scripts/common/files.py): it imports no other
part of the package.

A file has a seal: 512 bytes of text before or behind it, with the SHA-256 of the rest
(src/io/results/sealed_file.hpp). The seal is checked first, as HDF5 may crash on a damaged file."""

from __future__ import annotations

import hashlib
import os
import re
import struct
from typing import Any, BinaryIO

BYTES = 512
FIRST_MARK, LAST_MARK = b"rivulet sealed file: ", b" end of seal\n"
PIECE = 1 << 20
# The text of a seal gives the number of places it leaves out: pairs of begin and bytes, before the
# seal.
PLACES = re.compile(rb" bytes in (\d+) places,")
PLACE = struct.Struct("<QQ")


class Damaged(OSError):
    """Without an errno, as h5py's for what is no HDF5 file."""


def opened(path: str) -> Any:
    """An h5py.File to read; Damaged if the file has a seal that is not of what it holds."""
    if is_broken(path):
        raise Damaged("it is damaged: its SHA-256 is not the one that its seal has")
    return unlocked(path)


def unlocked(path: str) -> Any:
    """An h5py.File to read. HDF5 does not lock it, as some file systems have no locks: a file of Rivulet's is
    complete when it has its name."""
    import h5py  # pylint: disable=import-outside-toplevel

    try:
        return h5py.File(path, "r", locking=False)
    except (TypeError, ValueError):  # before h5py 3.5 or HDF5 1.10.7: HDF5_USE_FILE_LOCKING decides
        return h5py.File(path, "r")


def is_broken(path: str) -> bool:
    """Whether the file has a seal that is not of what it holds; False where it has none."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        for begin in (0, size - BYTES):
            file.seek(max(begin, 0))
            seal = file.read(BYTES)
            if seal.startswith(FIRST_MARK) or (len(seal) == BYTES and seal.endswith(LAST_MARK)):
                return _digest_in(seal) != _digest_of(file, seal, begin, size)
    return False


def _digest_in(seal: bytes) -> str | None:
    found = re.search(rb"SHA-256 ([0-9a-f]{64}) over ", seal)
    is_whole = seal.startswith(FIRST_MARK) and seal.endswith(LAST_MARK)
    return found[1].decode() if found and is_whole else None


def _digest_of(file: BinaryIO, seal: bytes, begin: int, size: int) -> str:
    """Of the rest of the file but for what is left out, and of the seal's lines that say what it is."""
    sha = hashlib.sha256()
    at, end = (BYTES, size) if begin == 0 else (0, begin)
    for first, count in _left_out(file, seal, end) if begin else ():
        _add(sha, file, at, first)
        at = first + count
    _add(sha, file, at, end)
    lines = seal[seal.find(b"\n"):-len(LAST_MARK)].rstrip(b" ")
    if len(lines) > 1:
        sha.update(lines)
    return sha.hexdigest()


def _left_out(file: BinaryIO, seal: bytes, end: int) -> list[Any]:
    """What the list says; nothing where it is damaged."""
    found = PLACES.search(seal)
    begin = end - (int(found[1]) if found else 0) * PLACE.size
    if begin < 0:
        return []
    file.seek(begin)
    places = list(PLACE.iter_unpack(file.read(end - begin)))
    bounds = [0, *(bound for first, count in places for bound in (first, first + count)), begin]
    return places if bounds == sorted(bounds) else []


def _add(sha: Any, file: BinaryIO, at: int, end: int) -> None:
    file.seek(at)
    while at < end and (piece := file.read(min(PIECE, end - at))):
        sha.update(piece)
        at += len(piece)
