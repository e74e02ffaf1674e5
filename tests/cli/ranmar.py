# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RANMAR after James (1990) in whole numbers, and how raw numbers become a fill's; independent of
src/."""

import numpy

# bits, first c, its step and modulus
VARIANTS = {
    "ranmar24": (24, 362436, 7654321, 16777213),
    "ranmar48": (48, 362436 << 24, 7654321 << 24, 16777213 << 24),
    "ranmar48_scaled": (48, 362436 << 24, 7654321 << 24, (1 << 48) - 3),
    "ranmar48x": (48, 362436 << 24, (7654321 << 24) + 0x9E3779, (1 << 48) - 59),
}


def seeds_of(stream, ij, kl):
    """The pair of a stream: kl counts up, wrapping into ij."""
    return divmod(ij * 30082 + kl + stream, 30082)


def start(bits, ij, kl):
    """RMARIN's u(1) .. u(97), as whole numbers of `bits` bits."""
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
    """The first numbers of RANMAR's loop, times 2^bits."""
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


def raw_per_number(bits, kind):
    if kind == "uint64":
        return 3 if bits == 24 else 2
    return 2 if (kind, bits) in (("uint32", 24), ("double", 32)) else 1


def bits_of_number(bits, kind, n):
    """The random bits of one number, and how many, of its raw ones."""
    if kind == "uint32":
        return (n[0] >> 8 << 16 | n[1] >> 8 if bits == 24 else n[0] >> (bits - 32)), 32
    if kind == "uint64":
        if bits == 24:
            return n[0] << 40 | n[1] << 16 | n[2] >> 8, 64
        return n[0] >> (bits - 32) << 32 | n[1] >> (bits - 32), 64
    if kind == "float":
        return n[0] >> (bits - 24), 24
    return ((n[0] >> 5) << 26 | n[1] >> 6, 53) if bits == 32 else (n[0], bits)


def in_interval(n, k, interval, half_fits):
    """n of k bits as a fraction; exact in double but for closed, which is rounded."""
    if interval == "closed":
        return n, (1 << k) - 1
    if interval == "open":
        return (2 * n + 1, 2 << k) if half_fits else (n | 1, 1 << k)
    if interval == "open_closed":
        return n + 1, 1 << k
    return max(n, 1) if interval == "zero_replaced" else n, 1 << k


def numbers(bits, raws, kind, interval="closed_open"):
    """A stream's numbers, as numpy holds them, of its raw ones."""
    step = raw_per_number(bits, kind)
    made = []
    for i in range(0, len(raws) // step * step, step):
        n, k = bits_of_number(bits, kind, [int(r) for r in raws[i:i + step]])
        if kind in ("float", "double"):
            top, bottom = in_interval(n, k, interval, kind == "double" and k < 53)
            real = numpy.float32 if kind == "float" else numpy.float64
            made.append(real(top) / real(bottom))
        else:
            made.append(n)
    types = {"uint32": "<u4", "uint64": "<u8", "float": "<f4", "double": "<f8"}
    return numpy.array(made, dtype=types[kind])


def filled(streams, total, order, block=None):
    """The array of a fill, of streams' numbers: order by order as docs/fill.md defines them."""
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
