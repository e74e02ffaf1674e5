# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the first numbers of native streams of generators with few words of state, from the formulas of starts.py
and docs/cycle.md alone, independently of src/."""

from starts import M64, hashed_bits, minimal_polynomial, power_of_t, tag, cycle_start


def halves(numbers):
    return [half for number in numbers for half in (number & 0xFFFFFFFF, number >> 32)]


def rotated(x, n):
    return (x << n | x >> 64 - n) & M64


def xoshiro_step(z):
    number = rotated(z[0] + z[3] & M64, 23) + z[0] & M64
    shifted = z[1] << 17 & M64
    z[2] ^= z[0]
    z[3] ^= z[1]
    z[1] ^= z[2]
    z[0] ^= z[3]
    z[2] ^= shifted
    z[3] = rotated(z[3], 45)
    return number


def xoshiro256pp(seed, s, count):
    bits = hashed_bits(seed, 0, tag([256, 17, 45, 23]), 256)
    state = [bits >> 64 * k & M64 for k in range(4)]
    z, lowest = [1, 0, 0, 0], []
    for _ in range(512):
        lowest.append(z[0] & 1)
        xoshiro_step(z)
    power = power_of_t(cycle_start(s), minimal_polynomial(lowest, 256))
    z = [0, 0, 0, 0]
    for i in range(256):
        if power >> i & 1:
            z = [a ^ b for a, b in zip(z, state)]
        xoshiro_step(state)
    return halves(xoshiro_step(z) for _ in range(-(-count // 2)))[:count]


def pcg64dxsm(seed, s, count):
    a, c = 0xDA942042E4DD58B5, 0x5851F42D4C957F2D14057B7EF767814F
    z = hashed_bits(seed, 0, tag([128, a, c & M64, c >> 64]), 128)
    power, added = a, c
    for bit in range(128):
        if cycle_start(s) >> bit & 1:
            z = (power * z + added) % 2**128
        power, added = power * power % 2**128, (power * added + added) % 2**128
    numbers = []
    for _ in range(-(-count // 2)):
        number = z >> 64
        number = (number ^ number >> 32) * a & M64
        numbers.append((number ^ number >> 48) * (z | 1) & M64)
        z = (a * z + c) % 2**128
    return halves(numbers)[:count]


def sfc64(seed, s, count):
    bits = hashed_bits(seed, s, tag([256, 11, 3, 24]), 192)
    a, b, c = (bits >> 64 * k & M64 for k in range(3))
    numbers = []
    for counted in range(1, 13 + -(-count // 2)):
        numbers.append(a + b + counted & M64)
        a, b, c = b ^ b >> 11, 9 * c & M64, rotated(c, 24) + numbers[-1] & M64
    return halves(numbers[12:])[:count]


def mrg32k3a(seed, s, count):
    moduli = 2**32 - 209, 2**32 - 22853
    rows = (-810728, 1403580, 0), (-1370589, 0, 527612)
    bits = hashed_bits(seed, 0, tag([*moduli, 1403580, 810728, 527612, 1370589]), 192)
    words = [bits >> 32 * k & 0xFFFFFFFF for k in range(6)]
    sequences = []
    for m, row, z in zip(moduli, rows, (words[:3], words[3:])):
        z, step = [word % m for word in z], [[0, 1, 0], [0, 0, 1], list(row)]
        for bit in range(cycle_start(s).bit_length()):
            if cycle_start(s) >> bit & 1:
                z = [sum(a * b for a, b in zip(line, z)) % m for line in step]
            step = [[sum(line[k] * step[k][j] for k in range(3)) % m for j in range(3)]
                    for line in step]
        for k in range(count):
            z.append(sum(a * b for a, b in zip(row, z[k:])) % m)
        sequences.append(z[3:])
    numbers = [(x - y - 1) % moduli[0] for x, y in zip(*sequences)]
    return [number + (209 * number >> 32) for number in numbers]


def ranluxpp(seed, s, count):
    m, bits = 2**576 - 2**240 + 1, 576
    factor = pow(pow(2**24, -1, m), 2048, m)
    x = hashed_bits(seed, 0, tag([bits, 240, 24, 2048]), bits) % m or 1
    x = x * pow(factor, cycle_start(s), m) % m
    numbers = []
    while len(numbers) < count:
        digits = (x << bits) // m
        numbers += [digits >> at & 2**48 - 1 for at in range(0, bits, 48)]
        x = x * factor % m
    return numbers[:count]


def mixmax17(seed, s, count):
    p, n = 2**61 - 1, 17

    def stepped(v):
        new, partial = [sum(v) % p], 0
        for word in v[1:]:
            new.append((new[-1] + partial + word + (partial << 36)) % p)
            partial += word
        return new

    bits = hashed_bits(seed, 0, tag([p, n, 36, 0]), 61 * n)
    v = [(bits >> 61 * k & p) % p for k in range(n)]
    columns = [stepped([int(k == j) for k in range(n)]) for j in range(n)]
    times = lambda columns, v: [sum(a * b for a, b in zip(row, v)) % p for row in zip(*columns)]
    for bit in range(cycle_start(s).bit_length()):
        if cycle_start(s) >> bit & 1:
            v = times(columns, v)
        columns = [times(columns, column) for column in columns]
    numbers = []
    while len(numbers) < count:
        numbers += [word >> 13 for word in v[1:]]
        v = stepped(v)
    return numbers[:count]


GENERATORS = {"xoshiro256pp": xoshiro256pp, "pcg64dxsm": pcg64dxsm, "sfc64": sfc64,
              "mrg32k3a": mrg32k3a, "ranluxpp": ranluxpp, "mixmax17": mixmax17}
