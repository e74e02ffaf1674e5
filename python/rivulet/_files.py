# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens Rivulet's HDF5 files for reading. This module imports no other module of the package, because
scripts/common/files.py loads it without the package.

A file begins with a seal: 512 bytes of text with the SHA-256 of the rest (src/io/files/sealed_file.hpp). The module
checks the seal before HDF5 opens the file, because HDF5 may crash on a damaged file."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import stat
from typing import Any, BinaryIO

BYTES = 512
FIRST_MARK, LAST_MARK = b"rivulet sealed file: ", b" end of seal\n"
PIECE = 1 << 20
LEFT_OUT = re.compile(rb", but for the (\d+) bytes from byte (\d+) on")


class Damaged(OSError):
    """The seal of a file does not match its content. The error has no errno, like h5py's error for other formats."""


class _Closing(io.FileIO):
    """A file that closes itself without a ResourceWarning. h5py drops its reference to a file without closing it."""

    def __del__(self) -> None:
        self.close()


def opened(path: str) -> Any:
    """Returns an h5py.File for reading. Raises Damaged if the file has a seal that does not match its content."""
    file = _regular(path)
    if is_broken(file):
        raise Damaged("it is damaged: its SHA-256 does not match its seal")
    return _by_h5py(file)


def unsealed(path: str) -> Any:
    """Returns an h5py.File for reading. Does not check the seal."""
    return _by_h5py(_regular(path))


def _regular(path: str) -> BinaryIO:
    """Opens a regular file for reading, and returns it. Raises OSError for any other kind of file. Opening a pipe does
    not block."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return _Closing(number)  # type: ignore[return-value]


def _by_h5py(file: BinaryIO) -> Any:
    """Returns an h5py.File that reads the open file through Python. HDF5 then does not reopen the path, which may name
    another file by now, and needs no locks, which some file systems lack. Readers need no lock: Rivulet's
    files are complete when they get their names."""
    import h5py  # pylint: disable=import-outside-toplevel

    return h5py.File(file, "r")


def is_broken(file: BinaryIO) -> bool:
    """True only if the file has a seal that does not match its content."""
    size = os.fstat(file.fileno()).st_size
    file.seek(0)
    seal = file.read(BYTES)
    if not seal.startswith(FIRST_MARK) and not (len(seal) == BYTES and seal.endswith(LAST_MARK)):
        return False
    return seal != _seal_of(file, seal, size)


def _seal_of(file: BinaryIO, found: bytes, size: int) -> bytes:
    """Returns the seal computed from the file's content. The seal `found` states the bytes that the SHA-256 excludes,
    and the extra lines that it includes."""
    sha = hashlib.sha256()
    places = LEFT_OUT.search(found)
    count, first = map(int, places.groups()) if places else (0, size)
    if not BYTES <= first <= first + count <= size:
        count, first = 0, size
    _add(sha, file, BYTES, first)
    _add(sha, file, first + count, size)
    lines = found[found.find(b"\n"):-len(LAST_MARK)].rstrip(b" ")
    gap, below = b"", b""
    if count:
        gap = b", but for the %d bytes from byte %d on" % (count, first)
    if len(lines) > 1:
        sha.update(lines)
        below = b", and the lines below"
    seal = b"%bSHA-256 %b over the %d bytes that follow the first %d%b%b%b" % (
        FIRST_MARK, sha.hexdigest().encode(), size - BYTES, BYTES, gap, below, lines)
    return seal.ljust(BYTES - len(LAST_MARK)) + LAST_MARK


def _add(sha: Any, file: BinaryIO, at: int, end: int) -> None:
    file.seek(at)
    while at < end and (piece := file.read(min(PIECE, end - at))):
        sha.update(piece)
        at += len(piece)
