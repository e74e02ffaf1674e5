// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/rng/number_format.hpp"
#include "sequences/sequence.hpp"

// Numbers of a sequence as the C++ library's engines give them, and its distributions by name.

namespace rivulet::capi {

[[noreturn]] void refuse_other_numbers();

/// A sequence of a generator's own numbers (RIVULET_OWN) in the shape of <random>: of 32 bits
/// uint32, of 24 and 48 doubles, which hold them exactly. `format` is that of their NumberFormat.
template <int format>
class SequenceEngine {
 public:
  static constexpr int bits = format == 64 ? 32 : format;
  static constexpr int format_bits = format;
  using Stored = std::conditional_t<bits == 32, std::uint32_t, double>;
  using result_type = std::conditional_t<bits == 48, std::uint64_t, std::uint32_t>;

  explicit SequenceEngine(Sequence& sequence) : sequence_(sequence) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() {
    return static_cast<result_type>((std::uint64_t{1} << bits) - 1);
  }
  result_type operator()() { return own(sequence_.next<Stored>()); }

  /// The number that is stored so.
  static result_type own(Stored number) {
    if constexpr (bits == 32) {
      return number;
    } else {
      return static_cast<result_type>(number * static_cast<double>(std::uint64_t{1} << bits));
    }
  }
  Sequence& sequence() { return sequence_; }

 private:
  Sequence& sequence_;
};

/// Calls use(engine). Throws SequenceError (wrong_type) if the numbers are not the generator's own.
template <class Use>
decltype(auto) with_engine(Sequence& sequence, const Use& use) {
  switch (sequence.own_format()) {
    case 24:
      return use(SequenceEngine<24>(sequence));
    case 32:
      return use(SequenceEngine<32>(sequence));
    case 48:
      return use(SequenceEngine<48>(sequence));
    case 64:
      return use(SequenceEngine<64>(sequence));
    default:
      refuse_other_numbers();
  }
}

struct Drawing {
  std::string_view distribution;
  std::span<const double> parameters;
  NumberType type;
  std::uint64_t count;
  void* to;
};

/// Draws. Throws SequenceError (wrong_type, unknown_name, option, out_of_range), and the sequence
/// is then where it was.
void draw(Sequence& sequence, const Drawing& drawing);

}  // namespace rivulet::capi
