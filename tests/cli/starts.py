# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The starts of native streams and their first words, computed from these formulas alone, independent of src/.

Integers are unsigned; >>, << and ^ are C's. The hash is SplitMix64's (Steele, Lea & Flood, OOPSLA 2014). A 64-bit hash
H, of 16-bit pieces H_0 (the lowest) to H_3, chooses four powers of two:

    g = 0x9e3779b97f4a7c15                                  the golden ratio's fraction

    mix(x):  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
             x = (x ^ (x >> 27)) * 0x94d049bb133111eb
             return x ^ (x >> 31)                           all modulo 2^64

    four(H) = 2^(1 + H_0 mod 14) + 2^(15 + H_1 mod 15) + 2^(30 + H_2 mod 15) + 2^(45 + H_3 mod 13)

A stream of a twister or of a generator on one cycle has a set, an index i and L, which docs/streams.md lists. It starts
E(i) + h(i) steps after the seeded state:

    E(i) = sum of J_r over the bits r that are set in i
    J_r  = 2^r (2^(L+1) + g) + o_r
    o_r  = 1 + four(mix((r + 1) g mod 2^64))

    K(i) = mix(0x243f6a8885a308d3 + (i + 1) g mod 2^64)     0x243f6a8885a308d3: the first 64 bits of pi - 3
    h(0) = 0, and for i > 0
    h(i) = floor(K(i) / 2^55)                               twisters: 0 to 511 steps
    h(i) = four(K(i))                                       the others

Twisters use init_by_array of mt19937ar.c (Matsumoto & Nishimura) on all words x[0], x[1], ... of the state; the first
number is made from x[n]. The key begins with the lower and the upper half of the seed. Then follow
- dcmt: the set's number (two halves), p, a, b, c;
- mt19937: 19937, 0x9908b0df;
- mtgp11213: the set's number, 11213, pos, entries 1, 2, 4, 8 of its table.

Other generators hash their seeds, with mix and g. To compute tag(v_1, v_2, ...), start with T = 0, and set T = mix(((T
+ g) mod 2^64) ^ v) for each v, first to last; the tag is the last T. A state's bits are those of the 64-bit words W_j,
end to end, lowest bits first. The words depend on the run's seed, a tag T, and a number s, which is the stream's for
RANMAR and sfc64, else 0:

    low = seed,  high = s
    for j = 1 .. 4:   low, high = high, low ^ mix(high + mix(T + j g))
    W_0 = mix(low),  W_1 = mix(high),  W_j = mix(mix(low + j g) + high)          sums modulo 2^64

The list states, for each generator, the numbers of the tag, and then the state:
- hybrid_tausworthe, lfsr113: 2^16 k + 2^8 q + s of each component. 128 bits: z1, z2, z3, z4; a component below its
  least seed, 2^(32-k), is increased by that seed. Congruential steps count modulo 2^32.
- xoshiro256pp: 256, 17, 45, 23. W_0 .. W_3: s[0] .. s[3].
- pcg64dxsm: 128, a, lower and upper half of c. W_0 + 2^64 W_1, which makes the first number.
- sfc64: 256, 11, 3, 24. W_0, W_1, W_2: a, b, c; the count is 1. The first number is that of step 13.
- mrg32k3a: m1, m2, 1403580, 810728, 527612, 1370589. 192 bits: six words, three modulo m1, three modulo m2; if all
  three are 0, the first of them is 1.
- ranluxpp: 576, 240, 24, 2048. 576 bits: x modulo m, or 1 if that is 0.
- mixmax17: p, 17, 36, 0. 1037 bits: 17 words of 61 bits modulo p, v_0 .. v_16; if all are 0, v_0 is 1.
- RANMAR: k, first c, d, m. 97 k bits: x_0 .. x_96; if all are even, x_96 is made odd. The first number is
  x_97 - (c - d mod m) modulo 2^k.

Polynomials over GF(2) are integers; bit i is the coefficient of t^i."""

import numpy

import ranmar
import twister

M64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
PI = 0x243F6A8885A308D3


def mix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & M64
    return x ^ x >> 31


def powers_of_two(hashed):
    quarters = [hashed >> 16 * i & 0xFFFF for i in range(4)]
    first, size = (1, 15, 30, 45), (14, 15, 15, 13)
    return sum(1 << f + q % n for f, q, n in zip(first, quarters, size))


def jumps(s, log2_distance):
    """Returns E(s)."""
    distance = (1 << log2_distance + 1) + GOLDEN
    return sum((distance << r) + 1 + powers_of_two(mix((r + 1) * GOLDEN & M64))
               for r in range(64) if s >> r & 1)


def start_hash(s):
    return mix(PI + (s + 1) * GOLDEN & M64)


def twister_start(i, log2_distance=128):
    return jumps(i, log2_distance) + (start_hash(i) >> 55 if i else 0)


def cycle_start(s):
    return jumps(s, 64) + (powers_of_two(start_hash(s)) if s else 0)


# Twisters

def minimal_polynomial(bits, degree):
    """Returns the minimal polynomial of at least 2 * degree bits, by the Berlekamp-Massey algorithm."""
    connection, previous, length, since = 1, 1, 0, 1
    seen = 0  # bit j came j places before the newest bit
    for i, bit in enumerate(bits[:2 * degree]):
        seen = seen << 1 | bit
        if not (connection & seen).bit_count() & 1:
            since += 1
            continue
        changed = connection ^ previous << since
        if 2 * length <= i:
            connection, previous, length, since = changed, connection, i + 1 - length, 1
        else:
            connection, since = changed, since + 1
    assert length == degree
    return int(bin(connection)[2:].zfill(degree + 1)[::-1], 2)  # the reciprocal polynomial


def power_of_t(exponent, phi):
    degree = phi.bit_length() - 1
    multiples = [0]
    for high in range(1, 256):  # multiples of phi, by their eight highest coefficients, from t^degree on
        multiple = 0
        for bit in range(7, -1, -1):
            if (high ^ multiple >> degree) >> bit & 1:
                multiple ^= phi << bit
        multiples.append(multiple)
    result = 1
    for bit in bin(exponent)[2:]:
        square = int("0".join(bin(result)[2:]), 2) << int(bit)
        for place in range((square.bit_length() - degree) // 8 * 8, -1, -8):
            if square.bit_length() > degree + place:
                square ^= multiples[square >> degree + place] << place
        result = square
    return result


def combined(g, x, n):
    """Returns the sum over i of g_i (x_i, ..., x_{i+n-1})."""
    total = numpy.zeros(n, dtype=numpy.uint32)
    for i in range(g.bit_length()):
        if g >> i & 1:
            total ^= x[i:i + n]
    return total


def jumped(state, steps, degree, extend):
    """Returns the state after `steps` steps; extend(state, count) appends the next `count` words."""
    if steps == 0:
        return state
    n = len(state)
    x = extend(state, 2 * degree)
    phi = minimal_polynomial([int(word) & 1 for word in x[n:]], degree)
    return combined(power_of_t(steps, phi), x, n)


def dcmt(p, sets, seed, s, count):
    place, index = s % len(sets), s // len(sets)
    a, b, c = map(int, sets[place])
    n = p // 32 + 1
    m, lower = n // 2, 2**(32 * n - p) - 1
    key = [seed & 0xFFFFFFFF, seed >> 32, place, 0, p, a, b, c]

    def extend(state, more):
        x = [int(word) for word in state]
        for k in range(more):
            y = x[k] & ~lower | x[k + 1] & lower
            x.append(x[k + m] ^ y >> 1 ^ (a if y & 1 else 0))
        return numpy.array(x, dtype=numpy.uint32)

    state = jumped(twister.init_by_array(n, key), twister_start(index), p, extend)
    return list(twister.words(p, [sets[place]], state[:, None], count)[:, 0])


def mt19937(seed, s, count):
    def extend(state, more):
        x = numpy.zeros(624 + more, dtype=numpy.uint32)
        x[:624] = state
        for k in range(0, more, 227):  # 227 words do not depend on each other
            last = min(k + 227, more)
            y = x[k:last] & 0x80000000 | x[k + 1:last + 1] & 0x7FFFFFFF
            x[k + 624:last + 624] = (x[k + 397:last + 397] ^ y >> 1
                                     ^ (y & 1) * numpy.uint32(0x9908B0DF))
        return x

    key = [seed & 0xFFFFFFFF, seed >> 32, 19937, 0x9908B0DF]
    state = jumped(twister.init_by_array(624, key), twister_start(s), 19937, extend)
    y = extend(state, count)[624:]
    y = y ^ y >> 11
    y = y ^ y << 7 & 0x9D2C5680
    y = y ^ y << 15 & 0xEFC60000
    return list(y ^ y >> 18)


def linear_table(basis):
    """Returns a table whose entry i is the sum of the basis words at the set bits of i."""
    table = [0]
    for word in basis:
        table += [entry ^ word for entry in table]
    return table


def mtgp(sets, seed, s, count):
    """Returns the first words of stream s. A set is a dictionary: pos, sh1, sh2, and entries 1, 2, 4, 8 of tbl and
    tmp_tbl."""
    number, index = s % len(sets), s // len(sets)
    one = sets[number]
    pos, table, temper = one["pos"], linear_table(one["tbl"]), linear_table(one["tmp_tbl"])
    key = [seed & 0xFFFFFFFF, seed >> 32, number, 11213, pos, *one["tbl"]]

    def extend(state, more):
        x = [int(word) for word in state]
        for k in range(more):
            y = x[k] & 0xFFF80000 ^ x[k + 1]
            y ^= y << one["sh1"] & 0xFFFFFFFF
            y ^= x[k + pos] >> one["sh2"]
            x.append(y ^ table[y & 15])
        return numpy.array(x, dtype=numpy.uint32)

    state = jumped(twister.init_by_array(351, key), twister_start(index), 11213, extend)
    x = [int(word) for word in extend(state, count)]
    words = []
    for k in range(count):
        t = x[k + pos - 1]
        t ^= t >> 16
        t ^= t >> 8
        words.append(x[k + 351] ^ temper[t & 15])
    return words


# The hash of the other generators' starts

def tag(constants):
    value = 0
    for one in constants:
        value = mix((value + GOLDEN & M64) ^ one)
    return value


def hashed_bits(seed, s, tagged, count):
    """Returns the first `count` bits of the hash, the lowest first, as one integer."""
    low, high = seed, s
    for turn in range(1, 5):
        key = mix(tagged + turn * GOLDEN & M64)
        low, high = high, low ^ mix(high + key & M64)
    words = [mix(low), mix(high)]
    while 64 * len(words) < count:
        words.append(mix(mix(low + len(words) * GOLDEN & M64) + high & M64))
    return sum(word << 64 * j for j, word in enumerate(words)) & (1 << count) - 1


# Tausworthe generators: (k, q, s) of the components

TAUSWORTHE = {
    "hybrid_tausworthe": ((31, 13, 12), (29, 2, 4), (28, 3, 17)),
    "lfsr113": ((31, 6, 18), (29, 2, 2), (28, 13, 7), (25, 3, 13)),
}


def component_step(z, k, q, s):
    live = 2**32 - 2**(32 - k)
    return (z & live) << s & 0xFFFFFFFF ^ ((z << q & 0xFFFFFFFF) ^ z) >> k - s


def component_after(z, steps, k, q, s):
    """Returns a component after `steps` steps, by squaring the matrix of a step. Its columns are the images of single
    bits."""
    image = lambda columns, word: xor_of(columns[j] for j in range(32) if word >> j & 1)
    step = [component_step(1 << j, k, q, s) for j in range(32)]
    while steps:
        if steps & 1:
            z = image(step, z)
        step = [image(step, column) for column in step]
        steps >>= 1
    return z


def xor_of(words):
    total = 0
    for word in words:
        total ^= word
    return total


def tausworthe(generator, seed, s, count):
    components = TAUSWORTHE[generator]
    tagged = tag([k << 16 | q << 8 | shift for k, q, shift in components])
    bits = hashed_bits(seed, 0, tagged, 128)
    z = [bits >> 32 * i & 0xFFFFFFFF for i in range(4)]
    steps = cycle_start(s)
    for i, (k, q, shift) in enumerate(components):
        least = 2**(32 - k)
        z[i] = component_after(z[i] + (least if z[i] < least else 0), steps, k, q, shift)
    if len(components) == 3:  # the congruential part
        a, c = 1664525, 1013904223
        for bit in range(32):
            if steps >> bit & 1:
                z[3] = (a * z[3] + c) % 2**32
            a, c = a * a % 2**32, (a * c + c) % 2**32
    words = []
    for _ in range(count):
        for i, part in enumerate(components):
            z[i] = component_step(z[i], *part)
        if len(components) == 3:
            z[3] = (1664525 * z[3] + 1013904223) % 2**32
        words.append(z[0] ^ z[1] ^ z[2] ^ z[3])
    return words


def raw_ranmar(generator, seed, s, count):
    """Returns the first raw numbers of a stream, 24 or 48 bits each."""
    bits, c, step, modulus = ranmar.VARIANTS[generator]
    hashed = hashed_bits(seed, s, tag([bits, c, step, modulus]), 97 * bits)
    x = [hashed >> bits * w & (1 << bits) - 1 for w in range(97)]
    if not any(word & 1 for word in x):
        x[96] |= 1
    numbers = []
    for n in range(count):
        x.append((x[n] - x[n + 64]) % (1 << bits))
        c = (c - step) % modulus
        numbers.append((x[-1] - c) % (1 << bits))
    return numbers


def philox(seed, s, count, rounds=10):
    words = []
    for block in range(-(-count // 4)):
        c = [block & 0xFFFFFFFF, block >> 32, s & 0xFFFFFFFF, s >> 32]
        k = [seed & 0xFFFFFFFF, seed >> 32]
        for _ in range(rounds):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [b >> 32 ^ c[1] ^ k[0], b & 0xFFFFFFFF, a >> 32 ^ c[3] ^ k[1], a & 0xFFFFFFFF]
            k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
        words += c
    return words[:count]
