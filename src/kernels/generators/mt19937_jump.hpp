// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/generators/mt19937_engines.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"

namespace rivulet {

namespace detail {

/// Streams that a jump moves: local indices first, first + stride, ..., each from the state of the
/// stream `distance` before it.
struct Mt19937Targets {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  std::uint64_t distance = 0;

  KOKKOS_FUNCTION std::uint64_t to(std::uint64_t i) const { return first + i * stride; }
  KOKKOS_FUNCTION std::uint64_t from(std::uint64_t i) const { return to(i) - distance; }
};

// A jump g makes y_j = sum over i of g_i x_{i+j}, j = 0 .. n-1, from the sequence itself
// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
// bits of x_0 reach only the dead bits of y_0.

/// The exponents of a jump's terms by their remainder modulo the lanes of a word, so that a CPU
/// adds whole vectors that lie at multiples of their size.
class Mt19937Terms {
 public:
  explicit Mt19937Terms(const Gf2Polynomial& jump) {
    for (int s = 0; s < lanes<Word>; ++s) {
      for (int i = s; i <= jump.degree(); i += lanes<Word>) {
        if (jump.coefficient(i)) offsets_.push_back(i - s);
      }
      ends_[s + 1] = offsets_.size();
    }
  }
  /// i - s for the terms t^i with i % lanes<Word> == s.
  const int* begin(int s) const { return offsets_.data() + ends_[s]; }
  const int* end(int s) const { return offsets_.data() + ends_[s + 1]; }

 private:
  std::vector<int> offsets_;
  std::size_t ends_[lanes<Word> + 1] = {};
};

/// A jump on a CPU: a thread goes through the terms with a few vectors of the sum in registers.
template <class Streams>
struct Mt19937JumpByThread {
  using Recurrence = Mt19937Recurrence;
  using Traits = WordTraits<Word>;
  static constexpr int n = Recurrence::n;
  static constexpr int width = lanes<Word>;
  /// Vectors that are summed at a time, in most of the registers; in passes, as many as hold any n
  /// words in a row.
  static constexpr int together = width == 16 ? 20 : 10;
  static constexpr int passes = ((n + width - 1) / width + together) / together;
  static constexpr int columns = passes * together * width;
  /// Words of the sequence that are read at most, in whole draws.
  static constexpr int draws =
      (Recurrence::p + columns - n + Recurrence::team_numbers - 1) / Recurrence::team_numbers;

  Streams streams;
  Mt19937Targets targets;
  const Mt19937Terms* terms;

  struct alignas(64) Memory {
    std::uint32_t x[n + draws * Recurrence::team_numbers + width];
    std::uint32_t part[columns + width];
    std::uint32_t y[n];
  };

  /// Moves streams number first .. first + lanes<Word> - 1 of the targets.
  void operator()(std::uint64_t first) const {
    const auto memory = std::make_unique<Memory>();
    for (std::uint64_t i = first; i < first + width && i < targets.count; ++i) {
      draw(*memory, targets.from(i));
      for (int j = 0; j < n; ++j) memory->y[j] = 0;
      for (int s = 0; s < width; ++s) add(*memory, s);
      streams.put(targets.to(i), memory->y);
    }
  }

  /// The sequence from a stream's state on.
  void draw(Memory& memory, std::uint64_t stream) const {
    for (int k = 0; k < n; ++k) memory.x[k] = streams.word(k, stream);
    for (int k = 0; k < draws * Recurrence::team_numbers; k += width) {
      const std::uint32_t* const x = memory.x + k;
      Traits::store(
          Recurrence::twist(Traits::load(x), Traits::load(x + 1), Traits::load(x + Recurrence::m)),
          memory.x + n + k);
    }
  }

  /// Adds the terms of one remainder: y_j = sum over s of part_s[j + s], where part_s is a sum of
  /// whole vectors.
  void add(Memory& memory, int s) const {
    for (int pass = 0; pass < passes; ++pass) {
      const int column = pass * together * width;
      sum(memory.x + column, s, memory.part + column);
    }
    for (int j = 0; j < n; j += width) {
      Traits::store(Traits::load(memory.y + j) ^ Traits::load(memory.part + j + s), memory.y + j);
    }
  }

  void sum(const std::uint32_t* x, int s, std::uint32_t* to) const {
    sum(x, s, to, std::make_integer_sequence<int, together>{});
  }
  template <int... v>
  void sum(const std::uint32_t* x, int s, std::uint32_t* to,
           std::integer_sequence<int, v...>) const {
    Word sums[together] = {((void)v, Word(0u))...};
    for (const int* term = terms->begin(s); term != terms->end(s); ++term) {
      const std::uint32_t* const from = x + *term;
      ((sums[v] ^= Traits::load(from + v * width)), ...);
    }
    (Traits::store(sums[v], to + v * width), ...);
  }
};

/// A jump on a device: the threads of a block go through the polynomial together, each with three
/// words of the sum. The sequence advances in shared memory.
template <class Streams>
struct Mt19937JumpByBlock {
  using Recurrence = Mt19937Recurrence;
  using Bits = Kokkos::View<const std::uint32_t*, Space>;
  static constexpr int n = Recurrence::n;
  static constexpr int threads = Recurrence::team_numbers;
  static constexpr int own = (n + threads - 1) / threads;
  static constexpr int words_per_draw = threads / 32;
  static_assert(words_per_draw * 32 == threads);
  static constexpr std::size_t scratch_bytes = (own + 1) * threads * sizeof(std::uint32_t);

  Streams streams;
  Mt19937Targets targets;
  Bits bits;  ///< the polynomial, 32 coefficients per word, in whole draws

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t number,
                                  void* scratch) const {
    auto* const x = static_cast<std::uint32_t*>(scratch);
    const int t = team.team_rank();
    const std::uint64_t from = targets.from(number);
    for (int k = t; k < n; k += threads) x[k] = streams.word(k, from);
    team.team_barrier();
    std::uint32_t y[own] = {};
    const auto words = static_cast<int>(bits.extent(0));
    for (int word = 0; word < words; word += words_per_draw) {
      draw(team, x + t);
      for (int w = 0; w < words_per_draw; ++w) {
        add(bits(static_cast<std::size_t>(word + w)), x + 32 * w + t, y);
      }
      team.team_barrier();
      for (int c = 0; c < own; ++c) x[t + c * threads] = x[t + (c + 1) * threads];
      team.team_barrier();
    }
    for (int c = 0; c < own; ++c) {
      const int k = t + c * threads;
      if (k < n) streams.put_word(k, targets.to(number), y[c]);
    }
  }

  /// The next words of the sequence behind those that there are, one per thread.
  KOKKOS_FORCEINLINE_FUNCTION static void draw(const StreamTeam& team, std::uint32_t* x) {
    x[n] = Recurrence::twist(x[0], x[1], x[Recurrence::m]);
    team.team_barrier();
  }
  /// Adds the terms of 32 coefficients.
  KOKKOS_FORCEINLINE_FUNCTION static void add(std::uint32_t g, const std::uint32_t* x,
                                              std::uint32_t (&y)[own]) {
    for (int b = 0; b < 32; ++b) {
      if ((g >> b & 1u) == 0) continue;
      for (int c = 0; c < own; ++c) y[c] ^= x[b + c * threads];
    }
  }
};

/// The coefficients in whole draws of 32-bit words, on the device.
inline Kokkos::View<const std::uint32_t*, Space> upload_jump(const Gf2Polynomial& jump) {
  constexpr int coefficients = Mt19937Recurrence::team_numbers;
  const int draws = (jump.degree() + coefficients) / coefficients;
  const Kokkos::View<std::uint32_t*, Space> bits(
      Kokkos::view_alloc("rivulet::mt19937_jump", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(draws * coefficients / 32));
  const auto host = Kokkos::create_mirror_view(bits);
  for (std::size_t i = 0; i < host.extent(0); ++i) host(i) = jump.half_word(i);
  Kokkos::deep_copy(bits, host);
  return bits;
}

/// Moves streams by one jump. Asynchronous on devices.
template <class Streams>
void apply_mt19937_jump(const Space& space, const Streams& streams, const Gf2Polynomial& jump,
                        const Mt19937Targets& targets) {
  if (targets.count == 0) return;
  if constexpr (device_build) {
    using Body = Mt19937JumpByBlock<Streams>;
    for_each_shared_team(space, "rivulet::mt19937_jump",
                         {targets.count, 1, Body::threads, 1, Body::scratch_bytes},
                         Body{streams, targets, upload_jump(jump)});
  } else {
    const Mt19937Terms terms(jump);
    for_each_stream_lane(space, "rivulet::mt19937_jump", targets.count,
                         Mt19937JumpByThread<Streams>{streams, targets, &terms});
    space.fence();  // the kernel reads the terms
  }
}

}  // namespace detail
}  // namespace rivulet
