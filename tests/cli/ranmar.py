# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes RANMAR after James (1990) in integer arithmetic, and the orders of the fill job, independently of src/."""

import numpy

# By variant: bits, first c, step of c, modulus of c.
VARIANTS = {
    "ranmar24": (24, 362436, 7654321, 16777213),
    "ranmar48": (48, 362436 << 24, 7654321 << 24, 16777213 << 24),
    "ranmar48_scaled": (48, 362436 << 24, 7654321 << 24, (1 << 48) - 3),
    "ranmar48x": (48, 362436 << 24, (7654321 << 24) + 0x9E3779, (1 << 48) - 59),
}


def seeds_of(stream, ij, kl):
    """Returns the pair (ij, kl) of a stream: kl counts up, and its overflow increments ij."""
    return divmod(ij * 30082 + kl + stream, 30082)


def start(bits, ij, kl):
    """Returns u(1) .. u(97) of RMARIN, as integers of `bits` bits."""
    i, j, k, l = ij // 177 % 177 + 2, ij % 177 + 2, kl // 169 % 178 + 1, kl % 169
    u = []
    for _ in range(97):
        s, t = 0, 1 << (bits - 1)
        for _ in range(bits):
            m = (i * j % 179) * k % 179
            i, j, k = j, k, m
            l = (53 * l + 1) % 169
            if l * m % 64 >= 32:
                s += t
            t >>= 1
        u.append(s)
    return u


def raw(variant, ij, kl, count):
    """Returns the first `count` numbers of RANMAR's loop, times 2^bits."""
    bits, c, cd, cm = VARIANTS[variant]
    u = start(bits, ij, kl)
    i97, j97 = 96, 32
    numbers = []
    for _ in range(count):
        uni = (u[i97] - u[j97]) % (1 << bits)
        u[i97] = uni
        i97, j97 = (i97 - 1) % 97, (j97 - 1) % 97
        c = c - cd if c >= cd else c - cd + cm
        numbers.append((uni - c) % (1 << bits))
    return numbers


def filled(streams, total, order, block=None):
    """Returns the array that the fill job makes of the streams' numbers, in an order of docs/fill.md."""
    s = len(streams)
    if order == "interleaved":
        return numpy.array([streams[i % s][i // s] for i in range(total)])
    if block is None:
        counts = [total // s + (i < total % s) for i in range(s)]
        return numpy.concatenate([one[:n] for one, n in zip(streams, counts)])
    share = block // s
    rows = []
    for cycle in range(-(-total // block)):
        rows += [one[cycle * share:(cycle + 1) * share] for one in streams]
    return numpy.concatenate(rows)[:total]
