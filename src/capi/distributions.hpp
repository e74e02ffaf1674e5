// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/distributions/normal.hpp"
#include "sequences/sequence.hpp"

// Adapts a sequence to the C++ library's engine interface, and draws from the library's
// distributions by name.

namespace rivulet::capi {

[[noreturn]] void refuse_other_numbers();

/// A sequence of a generator's native numbers (RIVULET_OWN) as an engine of <random>. 32-bit
/// numbers are stored as uint32; 24- and 48-bit numbers as doubles, which hold them exactly.
/// `format` is the `bits` of NumberFormat; 64 means halves of 64-bit words.
template <int format>
class SequenceEngine {
 public:
  static constexpr int bits = format == 64 ? 32 : format;
  static constexpr int format_bits = format;
  using Stored = std::conditional_t<bits == 32, std::uint32_t, double>;
  using result_type = std::conditional_t<bits == 48, std::uint64_t, std::uint32_t>;

  /// `draws` is the approximate number of draws from a distribution. For many draws, the engine
  /// reads native numbers in large chunks. The sequence fills these faster than its small buffer,
  /// with all threads and vector registers.
  explicit SequenceEngine(Sequence& sequence, std::uint64_t draws = 0)
      : sequence_(sequence), has_chunks_(draws >= 1 << 14) {
    attach_buffer();
  }
  SequenceEngine(const SequenceEngine&) = delete;
  SequenceEngine& operator=(const SequenceEngine&) = delete;
  ~SequenceEngine() { sync_position(); }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() {
    return static_cast<result_type>((std::uint64_t{1} << bits) - 1);
  }
  [[gnu::always_inline]] result_type operator()() {
    if (next_ == end_) [[unlikely]]
      return next_of_more();
    Stored number;
    std::memcpy(&number, next_, sizeof(number));
    next_ += sizeof(number);
    return own(number);
  }

  /// Returns the standard normal number computed from the next uniform double. In a chunk, the
  /// engine computes a block of normal numbers at once, with vectors.
  template <class Real>
  requires std::is_same_v<Real, double>
  [[gnu::always_inline]] Real next_normal() {
    constexpr std::size_t size = raw_of_double * sizeof(Stored);
    auto into = static_cast<std::size_t>(next_ - normals_begin_);
    if (into >= normals_made_ || into % size != 0) [[unlikely]] {
      if (!is_chunk_ || static_cast<std::size_t>(end_ - next_) < size) {
        return detail::standard_normal(detail::draw_number<Real, Interval::open>(*this));
      }
      make_normals();
      into = 0;
    }
    next_ += size;
    return normals_[into / size];
  }

  /// Returns the native number from its stored form.
  static result_type own(Stored number) {
    if constexpr (bits == 32) {
      return number;
    } else {
      return static_cast<result_type>(number * static_cast<double>(std::uint64_t{1} << bits));
    }
  }

  /// Returns the sequence, moved past the numbers that the engine returned. The sequence may
  /// be read directly until the engine's next draw.
  Sequence& synced_sequence() {
    sync_position();
    return sequence_;
  }

 private:
  void attach_buffer() {
    const std::span<const std::byte> drawn = sequence_.drawn();
    begin_ = next_ = drawn.data();
    end_ = next_ + drawn.size();
  }
  [[gnu::noinline]] result_type next_of_more() {
    sync_position();
    if (!has_chunks_) {
      const auto number = sequence_.next<Stored>();
      attach_buffer();
      return own(number);
    }
    next_chunk();
    return (*this)();
  }
  void next_chunk() {
    constexpr std::size_t size = 1 << 16;
    chunk_.resize(size);
    const Uint128 limit = sequence_.options().end() - 1 - sequence_.position();
    const auto count = limit < size ? static_cast<std::uint64_t>(limit) : size;
    sequence_.get(std::max<std::uint64_t>(count, 1), chunk_.data());  // throws if none are left
    begin_ = next_ = reinterpret_cast<const std::byte*>(chunk_.data());
    end_ = next_ + count * sizeof(Stored);
    is_chunk_ = true;
  }
  /// Moves the sequence to the engine's position.
  void sync_position() {
    if (is_chunk_) {
      sequence_.go_back(sequence_.position() -
                        static_cast<std::uint64_t>(end_ - next_) / sizeof(Stored));
    } else if (next_ != begin_) {
      sequence_.skip(static_cast<std::uint64_t>(next_ - begin_) / sizeof(Stored));
    }
    begin_ = next_ = end_ = normals_begin_ = nullptr;
    normals_made_ = 0;
    is_chunk_ = false;
  }
  void make_normals();  ///< computes normals_ from the native numbers at next_

  Sequence& sequence_;
  bool has_chunks_;
  bool is_chunk_ = false;  ///< numbers are in chunk_, not in the sequence's buffer
  std::vector<Stored> chunk_;
  // Drawn numbers; the engine has returned the numbers before next_.
  const std::byte* begin_ = nullptr;
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;

  static constexpr int raw_of_double = NumberFormat<format, double, Interval::open>::raw;
  std::array<double, 256> normals_;  ///< made from the native numbers at normals_begin_
  const std::byte* normals_begin_ = nullptr;
  std::size_t normals_made_ = 0;  ///< bytes of native numbers that normals_ covers
};

/// Calls use.operator()<Engine>() with the SequenceEngine for the sequence's numbers. Throws
/// SequenceError (wrong_type) unless these are the generator's native numbers.
template <class Use>
[[gnu::always_inline]] inline decltype(auto) with_engine_type(const Sequence& sequence,
                                                              const Use& use) {
  switch (sequence.own_format()) {
    case 24:
      return use.template operator()<SequenceEngine<24>>();
    case 32:
      return use.template operator()<SequenceEngine<32>>();
    case 48:
      return use.template operator()<SequenceEngine<48>>();
    case 64:
      return use.template operator()<SequenceEngine<64>>();
    default:
      refuse_other_numbers();
  }
}
/// Calls use(engine) with an engine for about `draws` draws.
template <class Use>
decltype(auto) with_engine(Sequence& sequence, std::uint64_t draws, const Use& use) {
  return with_engine_type(sequence, [&]<class Rng>() -> decltype(auto) {
    Rng rng(sequence, draws);
    return use(rng);
  });
}

/// Returns the next number of type Out as an engine would draw it, but constructs an engine only if
/// the buffer is too short.
template <class Out>
[[gnu::always_inline]] inline Out next_number_of(Sequence& sequence) {
  return with_engine_type(sequence, [&sequence]<class Rng>() -> Out {
    using Format = NumberFormat<Rng::format_bits, Out, Interval::closed_open>;
    using Stored = typename Rng::Stored;
    const std::byte* const taken = sequence.take(Format::raw);
    if (taken == nullptr) {
      Rng rng(sequence);
      return detail::draw_number<Out>(rng);
    }
    Stored stored[Format::raw];
    std::memcpy(stored, taken, sizeof(stored));
    typename Format::Integer own[Format::raw];
    for (int k = 0; k < Format::raw; ++k) own[k] = Rng::own(stored[k]);
    return Format::make(own, 1);
  });
}

struct Drawing {
  std::string_view distribution;
  std::span<const double> parameters;
  NumberType type;
  std::uint64_t count;
  void* to;
};

/// Draws numbers. Throws SequenceError (wrong_type, unknown_name, option, out_of_range); the
/// sequence's position is then unchanged.
void draw(Sequence& sequence, const Drawing& drawing);

/// Draws as many numbers as the sequence's buffer supplies, but at least one and at most
/// drawing.count. The sequence does not move. Returns how many were drawn, and sets `own` to the
/// count of native numbers that each drawn number takes. Throws as draw() does, and SequenceError
/// (option) for distributions that take a variable count of native numbers.
std::uint64_t draw_ahead(Sequence& sequence, Drawing drawing, std::uint64_t& own);

}  // namespace rivulet::capi
