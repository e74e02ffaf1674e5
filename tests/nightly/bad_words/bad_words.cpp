// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bad_words NAME WORDS writes 32-bit words of a generator with a known fault.
// bad_words S DELAY WORDS writes the words of S good streams in turn. Stream 3 S / 4 equals stream
// S / 4 from the latter's word DELAY on.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Word = std::uint32_t;
using Wide = std::uint64_t;
using Next = std::function<Word()>;

/// SplitMix64's output function.
Wide mixed(Wide z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}
Word upper(Wide value) { return static_cast<Word>(value >> 32); }
Word good(Wide stream, Wide number) { return upper(mixed(mixed(stream + 1) + number)); }

/// x[n] = step(x[n - r], x[n - s]), with the first words from good().
template <class Step>
Next lagged(std::size_t r, std::size_t s, Step step) {
  std::vector<Word> x(r);
  for (std::size_t i = 0; i < r; ++i) x[i] = good(9, i);
  return [=, at = std::size_t{0}]() mutable {
    Word& last = x[at];
    last = step(last, x[(at + r - s) % r]);
    at = (at + 1) % r;
    return last;
  };
}

/// Interleaved PCG32 streams. Their start states depend on only `bits` bits of a hash.
Next hashed_seeds(Wide streams, int bits) {
  std::vector<Wide> states(streams);
  for (Wide i = 0; i < streams; ++i) states[i] = mixed(mixed(i) >> (64 - bits));
  return [=, at = std::size_t{0}]() mutable {
    Wide& x = states[at];
    at = (at + 1) % states.size();
    const Wide old = std::exchange(x, x * 6364136223846793005U + 1442695040888963407U);
    return std::rotr(static_cast<Word>((old >> 18 ^ old) >> 27), static_cast<int>(old >> 59));
  };
}

/// Good words, except that one word in 128 has the same top bit as the word `lag` places before it.
Next copied_bit(Wide lag) {
  std::vector<Word> past(lag);
  return [=, n = Wide{0}]() mutable {
    Word& before = past[n % lag];
    Word word = good(2, n);
    if (good(3, n) >> 25 == 0) word = (word & ~0U >> 1) | (before & 1U << 31);
    ++n;
    return before = word;
  };
}

const std::map<std::string, Next>& generators() {
  static const std::map<std::string, Next> all = {
      {"hashed_seeds_16", hashed_seeds(4096, 16)},
      // 256 interleaved children of a generator all have the same state.
      {"equal_children", [n = Wide{0}]() mutable { return good(1, n++ / 256); }},
      {"lcg64_upper", [x = Wide{1}]() mutable { return upper(x = x * 6364136223846793005U + 1); }},
      {"minstd",
       [x = Wide{1}]() mutable {
         x = x * 16807 % 0x7fffffffU;
         return static_cast<Word>(x * 0x200000004U >> 32);
       }},
      {"mwc_pair",
       [z = Word{362436069}, w = Word{521288629}]() mutable {
         z = 36969 * (z & 65535) + (z >> 16);
         w = 18000 * (w & 65535) + (w >> 16);
         return (z << 16) + w;
       }},
      {"additive_607", lagged(607, 273, [](Word a, Word b) { return a + b; })},
      {"additive_1279", lagged(1279, 418, [](Word a, Word b) { return a + b; })},
      {"additive_55", lagged(55, 24, [](Word a, Word b) { return a + b; })},
      {"r250", lagged(250, 103, [](Word a, Word b) { return a ^ b; })},
      {"r1279", lagged(1279, 418, [](Word a, Word b) { return a ^ b; })},
      {"xorshift128",
       [x = std::array<Word, 4>{1, 2, 3, 4}]() mutable {
         const Word t = x[0] ^ x[0] << 11;
         x = {x[1], x[2], x[3], x[3] ^ x[3] >> 19 ^ t ^ t >> 8};
         return x[3];
       }},
      {"xoroshiro128p_lower",
       [a = Wide{1}, b = Wide{2}]() mutable {
         const Wide sum = a + b;
         b ^= a;
         a = std::rotl(a, 24) ^ b ^ b << 16;
         b = std::rotl(b, 37);
         return static_cast<Word>(sum);
       }},
      {"period_2_24", [n = Wide{0}]() mutable { return good(1, n++ % (1U << 24)); }},
      {"copied_bit_1000", copied_bit(1000)},
      {"copied_bit_4096", copied_bit(4096)},
      // In one word of 64, the Hamming weight is above 16 only if the previous word's weight is
      // above 16.
      {"weak_weights",
       [n = Wide{0}, last = 0]() mutable {
         Word word = good(5, n);
         const bool is_heavy = std::popcount(word) > 16;
         if (good(6, n++) >> 26 == 0 && is_heavy != (last > 16)) word = ~word;
         last = std::popcount(word);
         return word;
       }},
      {"rc4_of_16",
       [s = std::array<std::uint8_t, 16>{3, 14, 7, 0, 9, 12, 1, 15, 6, 4, 11, 2, 13, 8, 5, 10},
        i = 0U, j = 0U]() mutable {
         Word word = 0;
         for (int k = 0; k < 8; ++k) {
           i = (i + 1) % 16;
           j = (j + s[i]) % 16;
           std::swap(s[i], s[j]);
           word = word << 4 | s[(s[i] + s[j]) % 16U];
         }
         return word;
       }},
  };
  return all;
}

void write(Next next, Wide words) {
  std::vector<Word> some;
  for (Wide left = words; left > 0; left -= some.size()) {
    some.resize(left < 16384 ? left : 16384);
    for (Word& one : some) one = next();
    if (std::fwrite(some.data(), sizeof(Word), some.size(), stdout) != some.size()) return;
  }
}

}  // namespace

int main(int count, char** given) {
  const std::vector<std::string> arguments(given + 1, given + count);
  if (arguments.size() == 2 && generators().contains(arguments[0])) {
    write(generators().at(arguments[0]), std::strtoull(given[2], nullptr, 10));
    return 0;
  }
  if (arguments.size() != 3) return 1;
  const Wide streams = std::strtoull(given[1], nullptr, 10);
  const Wide delay = std::strtoull(given[2], nullptr, 10);
  write(
      [=, i = Wide{0}]() mutable {
        const Wide stream = i % streams, number = i++ / streams;
        return stream == 3 * streams / 4 ? good(streams / 4, number + delay) : good(stream, number);
      },
      std::strtoull(given[3], nullptr, 10));
  return 0;
}
