# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The seal of a Rivulet file, a text of 512 bytes before or behind it with the SHA-256 of the rest
(src/io/results/sealed_file.hpp): whether that is still what was sealed."""

import hashlib
import os
import re
import struct

BYTES = 512
FIRST_MARK, LAST_MARK = b"rivulet sealed file: ", b" end of seal\n"
PIECE = 1 << 20
# The text of a seal gives the number of places it leaves out: pairs of begin and bytes, before the
# seal.
PLACES = re.compile(rb" bytes in (\d+) places,")
PLACE = struct.Struct("<QQ")


def is_broken(path):
    """Whether the file has a seal that is not of what it holds; False where it has none."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        for begin in (0, size - BYTES):
            file.seek(max(begin, 0))
            seal = file.read(BYTES)
            if seal.startswith(FIRST_MARK) or (len(seal) == BYTES and seal.endswith(LAST_MARK)):
                return digest_in(seal) != digest_of(file, seal, begin, size)
    return False


def digest_in(seal):
    found = re.search(rb"SHA-256 ([0-9a-f]{64}) over ", seal)
    is_whole = seal.startswith(FIRST_MARK) and seal.endswith(LAST_MARK)
    return found[1].decode() if found and is_whole else None


def digest_of(file, seal, begin, size):
    """Of the rest of the file but for what is left out, and of the seal's lines that say what it is."""
    sha = hashlib.sha256()
    at, end = (BYTES, size) if begin == 0 else (0, begin)
    for first, count in left_out(file, seal, end) if begin else ():
        add(sha, file, at, first)
        at = first + count
    add(sha, file, at, end)
    lines = seal[seal.find(b"\n"):-len(LAST_MARK)].rstrip(b" ")
    if len(lines) > 1:
        sha.update(lines)
    return sha.hexdigest()


def left_out(file, seal, end):
    """What the list says; nothing where it is damaged."""
    found = PLACES.search(seal)
    begin = end - (int(found[1]) if found else 0) * PLACE.size
    if begin < 0:
        return []
    file.seek(begin)
    places = list(PLACE.iter_unpack(file.read(end - begin)))
    bounds = [0, *(bound for first, count in places for bound in (first, first + count)), begin]
    return places if bounds == sorted(bounds) else []


def add(sha, file, at, end):
    file.seek(at)
    while at < end and (piece := file.read(min(PIECE, end - at))):
        sha.update(piece)
        at += len(piece)
