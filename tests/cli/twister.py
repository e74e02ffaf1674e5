# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamically created Mersenne Twisters after Matsumoto and Nishimura, independent of src/.

Arrays have shape (streams,) or (words, streams), and all arithmetic is modulo 2^32."""

import re

import numpy

import rivulet_cli


def word(value):
    return numpy.uint32(value & 0xFFFFFFFF)


def shipped_sets(p):
    """Returns (a, b, c) of each set that Rivulet ships."""
    path = rivulet_cli.SOURCE_DIR / "include/rivulet/detail/rng" / f"shipped_{p}.inc"
    rows = re.findall(r"(?m)^\{\d+, (0x\w+), (0x\w+), (0x\w+)\},$", path.read_text(encoding="utf-8"))
    return [tuple(int(word, 16) for word in row) for row in rows]


def init_genrand(n, seeds):
    """Returns state words (n, streams) from one 32-bit seed per stream, like sgenrand_mt of List 6.16 of The OpenCL
    Programming Book."""
    seeds = numpy.array(seeds, dtype=numpy.uint32)
    state = numpy.empty((n, len(seeds)), dtype=numpy.uint32)
    for i in range(n):
        state[i] = seeds
        seeds = word(1812433253) * (seeds ^ (seeds >> word(30))) + word(i + 1)
    return state


def init_by_array(n, key):
    """Returns state words (n,) from a key of 32-bit words, like init_by_array of mt19937ar.c."""
    x = [int(w) for w in init_genrand(n, [19650218])[:, 0]]
    i, j = 1, 0
    for k in range(max(n, len(key))):
        x[i] = ((x[i] ^ ((x[i - 1] ^ (x[i - 1] >> 30)) * 1664525)) + key[j] + j) & 0xFFFFFFFF
        i, j = i + 1, (j + 1) % len(key)
        if i >= n:
            x[0], i = x[n - 1], 1
    for k in range(n - 1):
        x[i] = ((x[i] ^ ((x[i - 1] ^ (x[i - 1] >> 30)) * 1566083941)) - i) & 0xFFFFFFFF
        i += 1
        if i >= n:
            x[0], i = x[n - 1], 1
    x[0] = 0x80000000
    return numpy.array(x, dtype=numpy.uint32)


def native_states(p, seed, sets):
    """Returns state words (n, sets) of native seeding, for the run's seed and a list of sets (a, b, c)."""
    key = [seed & 0xFFFFFFFF, seed >> 32]
    return numpy.stack([init_by_array(p // 32 + 1, [*key, i, 0, p, *map(int, one)])
                        for i, one in enumerate(sets)], axis=1)


def words(p, sets, state, count):
    """Returns the first `count` tempered words (count, streams) of streams, each with a set (a, b, c)."""
    n = p // 32 + 1
    m = n // 2
    lower = word((1 << (32 * n - p)) - 1)
    upper = ~lower
    a, b, c = (numpy.array(column, dtype=numpy.uint32) for column in zip(*sets))
    rounds = -(-count // n)
    x = numpy.empty(((rounds + 1) * n, len(sets)), dtype=numpy.uint32)
    x[:n] = state
    one = word(1)
    # Words k + n .. k + n + (n - m) - 1 depend only on words before them.
    for first in range(0, rounds * n, n - m):
        last = min(first + n - m, rounds * n)
        y = (x[first:last] & upper) | (x[first + 1:last + 1] & lower)
        x[first + n:last + n] = x[first + m:last + m] ^ (y >> one) ^ ((y & one) * a)
    y = x[n:n + count]
    y = y ^ (y >> word(12))
    y ^= (y << word(7)) & b
    y ^= (y << word(15)) & c
    return y ^ (y >> word(18))
