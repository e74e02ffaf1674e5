// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/jump_range.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rivulet/detail/uint128.hpp"

// Starts and jumps of RANMAR's streams. States have word() and put_word() (see twister_jump.hpp),
// and term(stream), which returns a reference to the term of the arithmetic sequence.

namespace rivulet {

/// A jump by n numbers of the lagged Fibonacci sequence x_i = x_{i-97} - x_{i-33} modulo any power
/// of two up to 2^64. If t^n = sum of p_i t^i in Z/2^64[t] / (t^97 + t^64 - 1), then x_{n+j} = sum
/// of p_i x_{i+j}. An identity modulo 2^64 holds modulo every smaller power of two.
class LaggedFibonacciJump {
 public:
  static constexpr int words = 97;
  static constexpr int lag = 33;
  using Words = std::array<std::uint64_t, words>;

  /// Computes the jump by n = multiplier * 2^log2 numbers in O(log n), for any n. The jump by 2^100
  /// takes a few tenths of a millisecond.
  explicit LaggedFibonacciJump(Uint128 multiplier, unsigned log2 = 0)
      : multiplier_(multiplier), log2_(log2) {
    // The leading six bits of the multiplier are an exponent below 97, so this power of t needs no
    // reduction.
    int bit = 0;
    while (multiplier >> bit >= 64) ++bit;
    coefficients_[static_cast<std::size_t>(multiplier >> bit)] = 1;
    while (bit-- > 0) {
      square();
      if ((multiplier >> bit & 1) != 0) multiply_by_t();
    }
    for (unsigned i = 0; i < log2; ++i) square();
  }

  LaggedFibonacciJump doubled() const {
    LaggedFibonacciJump twice = *this;
    twice.square();
    ++twice.log2_;
    return twice;
  }

  /// p_0 .. p_96 modulo 2^64.
  const Words& coefficients() const { return coefficients_; }

  /// Returns n * step mod modulus (modulus > 0): the distance by which the jump moves an arithmetic
  /// sequence with this step.
  std::uint64_t times(std::uint64_t step, std::uint64_t modulus) const {
    Uint128 product = multiplier_ % modulus * (step % modulus) % modulus;
    for (unsigned i = 0; i < log2_; ++i) product = 2 * product % modulus;
    return static_cast<std::uint64_t>(product);
  }

 private:
  using Product = std::array<std::uint64_t, 2 * words - 1>;

  /// Squares p modulo t^97 + t^64 - 1.
  void square() {
    Product product{};
    for (std::size_t i = 0; i < words; ++i) {
      for (std::size_t j = 0; j < words; ++j) product[i + j] += coefficients_[i] * coefficients_[j];
    }
    for (std::size_t i = product.size() - 1; i >= words; --i) {
      product[i - words] += product[i];
      product[i - lag] -= product[i];
    }
    std::copy_n(product.begin(), words, coefficients_.begin());
  }
  /// Multiplies p by t, using t^97 = 1 - t^64.
  void multiply_by_t() {
    const std::uint64_t top = coefficients_.back();
    std::shift_right(coefficients_.begin(), coefficients_.end(), 1);
    coefficients_[0] = top;
    coefficients_[words - lag] -= top;
  }

  Uint128 multiplier_;
  unsigned log2_;
  Words coefficients_{};  ///< p
};

}  // namespace rivulet

namespace rivulet::detail {

template <class Variant, class States>
struct SeedRanmar {
  States states;
  bool published;
  std::uint64_t run_seed;
  /// Id of the first stream or, with published seeding, ranmar_index() of its seed (ij, kl).
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const std::uint64_t number = first + stream;
    const auto start =
        published ? published_state<Variant>(RanmarSeed::at(static_cast<std::int64_t>(number)))
                  : native_start<Variant>(run_seed, number);
    for (int k = 0; k < ranmar_words; ++k) states.put_word(k, stream, start.x[k]);
    states.term(stream) = start.c;
  }
};

/// Jumps each stream with a team on a device and with a single thread on a CPU. No teams are
/// launched on a CPU, because host programs may jump from threads that must not launch teams.
template <class Variant, class States>
class JumpRanmar {
 public:
  using Integer = typename Variant::Integer;
  static constexpr int threads = 32;
  /// Number of words of the sequence that the sums need, x_0 .. x_192.
  static constexpr int terms = 2 * ranmar_words - 1;
  static constexpr std::size_t scratch_bytes = terms * sizeof(Integer);

  JumpRanmar(const States& states, const LaggedFibonacciJump& jump, const JumpRange& range)
      : states_(states),
        range_(range),
        step_(static_cast<Integer>(jump.times(Variant::c_step, Variant::c_modulus))) {
    static_assert(LaggedFibonacciJump::words == ranmar_words);
    // Truncation is exact: an identity modulo 2^64 holds modulo every smaller power of two.
    for (int k = 0; k < ranmar_words; ++k) {
      coefficients_[k] = static_cast<Integer>(jump.coefficients()[static_cast<std::size_t>(k)]);
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, std::uint64_t number, void* scratch) const {
    const int thread = team.team_rank();
    move(number, static_cast<Integer*>(scratch), [&](int count, const auto& body) {
      for (int i = thread; i < count; i += threads) body(i);
      team.team_barrier();
    });
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t number) const {
    Integer words[terms];
    move(number, words, [](int count, const auto& body) {
      for (int i = 0; i < count; ++i) body(i);
    });
  }

 private:
  /// Moves the stream that the range selects as number `number`. each(count, body) calls body(i)
  /// for 0 <= i < count, spread over the team's threads if there is a team.
  template <class Each>
  KOKKOS_FUNCTION void move(std::uint64_t number, Integer* x, const Each& each) const {
    const std::uint64_t to = range_.stream(number);
    if (!range_.has(to)) return;  // all threads of the team return
    const std::uint64_t from = to - range_.distance;
    each(ranmar_words, [&](int k) { x[k] = states_.word(k, from); });
    // Computes the words in groups. The words of a group do not depend on each other.
    constexpr int together = (terms - ranmar_words) / 3;
    static_assert(together <= ranmar_lag);
    for (int k = ranmar_words; k < terms; k += together) {
      Integer* const next = x + k;
      each(int{together}, [=](int j) { next[j] = next[j - ranmar_words] - next[j - ranmar_lag]; });
    }
    const Integer* const p = coefficients_;
    each(ranmar_words + 1, [&](int j) {
      if (j == ranmar_words) {
        states_.term(to) = ranmar_lower<Variant>(states_.term(from), step_);
        return;
      }
      Integer sum = 0;
      for (int k = 0; k < ranmar_words; ++k) sum += p[k] * x[k + j];
      states_.put_word(j, to, sum);
    });
  }

  States states_;
  JumpRange range_;
  Integer step_;  ///< decrease of the arithmetic sequence's term
  Integer coefficients_[ranmar_words];
};

/// Gives a single state the interface of `States`, for ranmar_jump().
template <class Variant>
struct OneRanmar {
  using Integer = typename Variant::Integer;
  RanmarState<Variant>* state;

  KOKKOS_FUNCTION Integer word(int k, std::uint64_t) const {
    return state->x[(state->next + k) % ranmar_words];
  }
  KOKKOS_FUNCTION void put_word(int k, std::uint64_t, Integer word) const { state->x[k] = word; }
  KOKKOS_FUNCTION Integer& term(std::uint64_t) const { return state->c; }
};

template <class Variant>
struct RanmarStarts {
  struct Jumps {};
  using Jump = LaggedFibonacciJump;

  /// This limit is far below the periods, which are at least 2^144.
  static constexpr unsigned log2_most_numbers = 127;
  static unsigned log2_jump_limit(const RanmarPlan&) { return log2_most_numbers; }

  template <class Host>
  static Jumps range_jumps(const Host&, const RanmarPlan&, StreamRange) {
    return {};
  }
  template <class Host>
  static std::vector<Jump> multiple_jumps(const Host&, const RanmarPlan&, StreamRange,
                                          Uint128 numbers, std::uint64_t max_multiple) {
    std::vector<Jump> jumps{LaggedFibonacciJump(numbers)};
    while (max_multiple >> jumps.size() != 0) jumps.push_back(jumps.back().doubled());
    return jumps;
  }

  template <class Launch, class States>
  static void start(const Launch& launch, const RanmarPlan& plan, StreamRange range, const Jumps&,
                    const States& states) {
    const bool published = plan.request().seeding == Seeding::published;
    const std::uint64_t first =
        published ? static_cast<std::uint64_t>(ranmar_index(plan.seed_of(range.first)))
                  : range.first;
    launch.each("rivulet::seed_streams", range.count,
                SeedRanmar<Variant, States>{states, published, plan.request().seed, first});
  }
  template <class Launch, class States>
  static void jump(const Launch& launch, const States& states, const Jump& jump,
                   const JumpRange& range) {
    const JumpRanmar<Variant, States> body(states, jump, range);
    if constexpr (Launch::on_device) {
      launch.teams("rivulet::jump", range.count(), body);
    } else {
      launch.each("rivulet::jump", range.count(), body);
    }
  }
};

}  // namespace rivulet::detail

namespace rivulet {

/// Returns the state after the jump. The state must be at a round boundary.
template <class Variant>
RanmarState<Variant> ranmar_jump(RanmarState<Variant> state, const LaggedFibonacciJump& jump) {
  const detail::JumpRanmar<Variant, detail::OneRanmar<Variant>> body(
      {&state}, jump, detail::JumpRange::all_of(0, 1));
  body(0);
  state.next = 0;
  return state;
}

}  // namespace rivulet
