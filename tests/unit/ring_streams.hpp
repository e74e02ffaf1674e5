// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "draw_streams.hpp"
#include "generators/mt19937.hpp"
#include "generators/mtgp.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "state_words.hpp"

// Creates streams of the two twisters with ring buffers, mt19937 and mtgp11213. Defines reference
// implementations that step word by word.

namespace rivulet {

using Numbers = std::vector<std::uint32_t>;

inline StreamRequest native_ring(std::uint64_t streams = 1) {
  return {.streams = streams, .seed = 0x0123456789abcdef};
}
inline StreamRequest published_ring(std::uint64_t seed, std::uint64_t streams = 1) {
  return {.streams = streams, .seed = seed, .seeding = Seeding::published};
}

/// mt19937 as its authors define it, but stepping one word at a time.
class SteppedMt19937 {
 public:
  explicit SteppedMt19937(Numbers state) : x_(std::move(state)) {}

  std::uint32_t operator()() {
    const auto at = [this](int k) -> std::uint32_t& {
      return x_[(next_ + static_cast<std::size_t>(k)) % words];
    };
    const std::uint32_t y = (at(0) & 0x80000000u) | (at(1) & 0x7fffffffu);
    const std::uint32_t word = at(397) ^ (y >> 1) ^ ((y & 1u) != 0 ? 0x9908b0dfu : 0u);
    at(0) = word;
    ++next_;
    std::uint32_t z = word;
    z ^= z >> 11;
    z ^= (z << 7) & 0x9d2c5680u;
    z ^= (z << 15) & 0xefc60000u;
    return z ^ z >> 18;
  }
  /// Returns the state's words, the oldest first, without insignificant bits.
  Numbers state() const {
    Numbers oldest_first;
    for (std::size_t k = 0; k < words; ++k) oldest_first.push_back(x_[(next_ + k) % words]);
    oldest_first[0] &= 0x80000000u;
    return oldest_first;
  }

 private:
  static constexpr std::size_t words = Mt19937Recurrence::n;

  Numbers x_;
  std::size_t next_ = 0;
};

/// mtgp11213 as Saito & Matsumoto (ACM TOMS 39 (2013) 12) define it, stepping one word at a time.
class SteppedMtgp {
 public:
  SteppedMtgp(const MtgpSet& set, Numbers state) : set_(set), x_(std::move(state)) {}

  std::uint32_t operator()() {
    const std::size_t k = x_.size() - length;
    const auto pos = static_cast<std::size_t>(set_.pos);
    std::uint32_t x = (x_[k] & 0xfff80000u) ^ x_[k + 1];
    x ^= x << set_.sh1;
    const std::uint32_t y = x ^ (x_[k + pos] >> set_.sh2);
    std::uint32_t t = x_[k + pos - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    x_.push_back(y ^ entry(set_.table, y));
    return x_.back() ^ entry(set_.temper, t);
  }
  /// Returns the state's words, the oldest first, without insignificant bits.
  Numbers state() const {
    Numbers words(x_.end() - length, x_.end());
    words[0] &= 0xfff80000u;
    return words;
  }

 private:
  static constexpr int length = Mtgp11213Recurrence::n;

  static std::uint32_t entry(const std::uint32_t (&of_bit)[4], std::uint32_t index) {
    std::uint32_t sum = 0;
    for (int bit = 0; bit < 4; ++bit) sum ^= (index >> bit & 1) != 0 ? of_bit[bit] : 0;
    return sum;
  }

  MtgpSet set_;
  Numbers x_;
};

/// Returns the next `count` numbers of a stepped twister.
template <class Stepped>
Numbers next_numbers(Stepped&& twister, std::uint64_t count) {
  Numbers numbers(count);
  std::generate(numbers.begin(), numbers.end(), std::ref(twister));
  return numbers;
}

/// Streams of a range at their starts.
template <class G>
struct RingStreams {
  static constexpr bool is_mt19937 = std::is_same_v<G, Mt19937Generator>;
  typename G::Plan plan;
  typename G::Streams streams;
  typename G::Starter starter;

  RingStreams(const StreamRequest& request, StreamRange range)
      : plan(request), streams(plan, range), starter(plan, range) {
    starter.seed(Space(), streams);
  }
  explicit RingStreams(const StreamRequest& request) : RingStreams(request, {0, request.streams}) {}

  Numbers state(std::uint64_t stream) const { return state_words<std::uint32_t>(streams, stream); }
  std::vector<Numbers> states() const {
    std::vector<Numbers> all;
    for (std::uint64_t s = 0; s < streams.count(); ++s) all.push_back(state(s));
    return all;
  }
  /// Returns a reference generator at the stream's current position.
  auto stepped(std::uint64_t stream) const {
    if constexpr (is_mt19937) {
      return SteppedMt19937(state(stream));
    } else {
      return SteppedMtgp(plan.set(plan.set_of(streams.range().first + stream)), state(stream));
    }
  }
  /// Moves all streams by `steps` steps.
  void jump(Uint128 steps) const {
    jump(detail::TwisterStarts::multiple_jumps(HostSpace(), plan, streams.range(), steps, 1)
             .front());
  }
  /// Moves all streams by a jump polynomial. They must share one parameter set.
  void jump(const Gf2Polynomial& polynomial) const {
    JumpTable table{1, {}};
    for (std::size_t w = 0; w < Mt19937Recurrence::n; ++w) {
      table.bits.push_back(polynomial.half_word(w));
    }
    jump(table);
  }
  void jump(const JumpTable& table) const { jump_all(streams, table); }
};

}  // namespace rivulet
