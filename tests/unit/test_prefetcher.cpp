// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/this_thread.hpp"
#include "sequences/prefetcher.hpp"
#include "sequences/sequence.hpp"

namespace rivulet {
namespace {

/// A source that counts up. A unit is three numbers.
class Counter final : public UnitSource {
 public:
  static constexpr std::uint64_t unit = 3;
  static constexpr std::size_t unit_bytes = unit * sizeof(std::uint64_t);

  std::optional<Uint128> next() const override { return next_; }
  void move_to(Uint128 unit_number, const SequenceStates* before) override {
    ++moves;
    has_states = before != nullptr && before->numbers <= unit_number * unit;
    next_ = unit_number;
  }
  void draw(std::uint64_t units, std::byte* to) override {
    const auto first = static_cast<std::uint64_t>(*std::exchange(next_, {}));
    if (fails) throw std::runtime_error("no numbers");
    std::vector<std::uint64_t> numbers(units * unit);
    std::iota(numbers.begin(), numbers.end(), first * unit);
    const Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> from(
        reinterpret_cast<std::byte*>(numbers.data()), units * unit_bytes);
    Kokkos::deep_copy(Kokkos::View<std::byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                          to, units * unit_bytes),
                      from);
    next_ = first + units;
    batches.push_back(units);
  }
  SequenceStates save() const override {
    ++saves;
    return {*next_ * unit, {}};
  }

  std::vector<std::uint64_t> batches;
  int moves = 0;
  mutable int saves = 0;
  bool has_states = false;  ///< whether the last move got states to begin from
  std::atomic<bool> fails = false;

 private:
  std::optional<Uint128> next_;
};

/// Reads of 10 or more units are large; a batch has at most 64 units; a buffer is not a whole
/// number of units.
constexpr PrefetchLimits small{true, 10 * Counter::unit_bytes, 64 * Counter::unit_bytes + 5, 100};

class Prefetching : public testing::Test {
 protected:
  static constexpr std::uint64_t window = 5;

  explicit Prefetching(PrefetchLimits limits = small, bool asynchronous = false, bool keeps = true)
      : prefetcher_(Space(), counter_, limits, {Counter::unit_bytes, window, asynchronous, keeps},
                    nullptr) {}

  /// Reads units with one request for all of them, or window by window, and compares the numbers.
  void read(std::uint64_t units, bool by_windows = false) {
    if (!by_windows) prefetcher_.expect(units);
    while (units > 0) {
      const UnitBuffer& buffer = prefetcher_.from(at_, by_windows ? 0 : units);
      ASSERT_TRUE(buffer.has(at_));
      const auto skipped = static_cast<std::uint64_t>(at_ - buffer.first);
      const auto* const numbers = reinterpret_cast<const std::uint64_t*>(buffer.memory.data());
      const std::uint64_t some = std::min(units, buffer.units - skipped);
      for (std::uint64_t i = 0; i < some * Counter::unit; ++i) {
        ASSERT_EQ(numbers[skipped * Counter::unit + i], at_ * Counter::unit + i);
      }
      at_ += some;
      units -= some;
    }
  }
  std::uint64_t drawn() const {
    return std::accumulate(counter_.batches.begin(), counter_.batches.end(), std::uint64_t{0});
  }

  Counter counter_;
  std::uint64_t at_ = 0;
  Prefetcher prefetcher_;
};

TEST_F(Prefetching, IsInOrderWhateverTheLengths) {
  for (int turn = 0; turn < 4; ++turn) {
    for (const std::uint64_t units : {1U, 10U, 12U, 3U, 200U, 1U, 64U, 65U, 9U, 7U, 30U}) {
      read(units, (units + static_cast<std::uint64_t>(turn)) % 3 == 0);
    }
  }
  EXPECT_EQ(counter_.moves, 1);
}

TEST_F(Prefetching, LargeReadsDrawFurtherAheadEachTime) {
  for (int i = 0; i < 12; ++i) read(10);
  // The first large read draws as much as it reads. Each later draw is twice as long as the
  // previous one, up to the memory limit.
  EXPECT_EQ(counter_.batches, (std::vector<std::uint64_t>{10, 20, 40, 64}));
}

TEST_F(Prefetching, KeepsStatesFromBeforeWhatIsNotRead) {
  for (int i = 0; i < 60; ++i) {
    read(10 + static_cast<std::uint64_t>(i) % 7);
    if (drawn() == at_) continue;
    const auto states = prefetcher_.states(at_);
    EXPECT_LE(states->numbers, at_ * Counter::unit);
    EXPECT_GE(states->numbers + 64 * Counter::unit, at_ * Counter::unit);
  }
  EXPECT_EQ(counter_.moves, 1);
}

TEST_F(Prefetching, GoesBackFromStates) {
  for (int i = 0; i < 4; ++i) read(10);
  ASSERT_GT(drawn(), at_ + 20);
  at_ += 20;
  read(1);
  EXPECT_EQ(counter_.moves, 2);
  EXPECT_TRUE(counter_.has_states);
}

TEST_F(Prefetching, GoesOnAfterAFailureAndADrop) {
  for (int i = 0; i < 3; ++i) read(10);
  counter_.fails = true;
  prefetcher_.expect(100);
  EXPECT_THROW(prefetcher_.from(at_ + 100, 100), std::runtime_error);
  counter_.fails = false;
  prefetcher_.drop();
  for (int i = 0; i < 6; ++i) read(17);
}

class PrefetchingWithoutStates : public Prefetching {
 protected:
  PrefetchingWithoutStates() : Prefetching(small, false, false) {}
};

TEST_F(PrefetchingWithoutStates, DrawsNothingAhead) {
  for (std::uint64_t i = 0; i < 5; ++i) read(20);
  EXPECT_EQ(counter_.batches, std::vector<std::uint64_t>(5, 20));
}

class PrefetchingByAThread : public Prefetching {
 protected:
  PrefetchingByAThread() : Prefetching({.through_device = false}, true) {}
};

TEST_F(PrefetchingByAThread, FillsTheNextBufferMeanwhile) {
  read(1, true);
  prefetcher_.synchronize();
  EXPECT_EQ(counter_.batches, (std::vector<std::uint64_t>{window, window}));
  at_ = 7;  // in the second buffer
  read(17, true);
  EXPECT_EQ(counter_.moves, 1);
  EXPECT_EQ(prefetcher_.states(at_)->numbers, Uint128{20 * Counter::unit});
}

/// The caller repeats a draw that failed in the thread, and throws only if the repetition fails.
TEST_F(PrefetchingByAThread, DrawsAgainWhatFailed) {
  read(1, true);
  prefetcher_.synchronize();
  counter_.fails = true;
  read(5, true);  // the thread fails to draw the third buffer
  prefetcher_.synchronize();
  counter_.fails = false;
  read(30, true);
  prefetcher_.synchronize();
  counter_.fails = true;
  at_ = 1000;
  EXPECT_THROW(prefetcher_.from(at_, 0), std::runtime_error);
  counter_.fails = false;
  prefetcher_.drop();
  read(30, true);
}

TEST(HostCopy, CopiesByAnyNumberOfThreads) {
  HostCopy copy;
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1} << 20, std::size_t{7654321}}) {
    std::vector<unsigned char> from(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 256);
    std::vector<unsigned char> to(bytes + 1, 99);
    copy(to.data(), from.data(), bytes);
    EXPECT_EQ(std::memcmp(to.data(), from.data(), bytes), 0) << bytes;
    EXPECT_EQ(to.back(), 99);
  }
}

// The tests below draw sequences in segments, or through device memory.

struct Drawing {
  std::uint64_t segments;
  bool through_device;
  std::uint64_t buffer_numbers;
  bool asynchronous;
};

std::ostream& operator<<(std::ostream& out, const Drawing& how) {
  return out << how.segments << " segments, device " << how.through_device << ", buffer "
             << how.buffer_numbers << ", asynchronous " << how.asynchronous;
}

class LargeDraws : public testing::TestWithParam<Drawing> {
 protected:
  static SequenceOptions drawn_so(SequenceOptions options) {
    options.segments = GetParam().segments;
    options.prefetch = {GetParam().through_device || device_build, 8000, 300000, 10000};
    options.buffer_numbers = GetParam().buffer_numbers;
    options.asynchronous = GetParam().asynchronous;
    return options;
  }
  static std::vector<SequenceOptions> arrangements() {
    std::vector<SequenceOptions> all;
    for (const std::string generator : {"dcmt521", "ranmar48", "hybrid_tausworthe"}) {
      for (const std::uint64_t instances : {1U, 3U, 40U}) {
        SequenceOptions options{.generator = generator, .instances = instances};
        all.push_back(options);
        options.order = Order::blocked;
        options.block_length = 1111 * instances;
        all.push_back(options);
      }
    }
    return all;
  }
  /// Returns the first `count` numbers, drawn at most 500 at a time.
  static std::vector<double> reference(SequenceOptions options, std::uint64_t count) {
    options.segments = 1;
    options.prefetch.through_device = device_build;
    Sequence sequence(options);
    std::vector<double> numbers(count);
    for (std::uint64_t done = 0; done < count; done += 500) {
      sequence.get(std::min<std::uint64_t>(500, count - done), numbers.data() + done);
    }
    return numbers;
  }
};

INSTANTIATE_TEST_SUITE_P(Sequence, LargeDraws,
                         testing::Values(Drawing{1, true, 0, false}, Drawing{7, false, 0, false},
                                         Drawing{7, true, 0, false}, Drawing{0, true, 5000, false},
                                         Drawing{5, false, 20000, true},
                                         Drawing{7, true, 5000, true}));

TEST_P(LargeDraws, EqualSmallDrawsWithSkips) {
  constexpr std::uint64_t count = 170000;
  for (const SequenceOptions& options : arrangements()) {
    const std::vector<double> expected = reference(options, count);
    Sequence sequence(drawn_so(options));
    std::vector<double> numbers(count);
    std::uint64_t at = 0;
    for (const std::uint64_t some : {20000U, 20000U, 7U, 20000U, 1U, 12000U, 12000U, 3U, 30000U}) {
      sequence.get(some, numbers.data());
      for (std::uint64_t i = 0; i < some; ++i) {
        ASSERT_EQ(numbers[i], expected[at + i]) << options.generator << " " << options.instances;
      }
      at += some;
      if (some % 2 == 1) {
        sequence.skip(4321 * some);
        at += 4321 * some;
      }
    }
    EXPECT_EQ(sequence.position(), Uint128{at});
  }
}

TEST_P(LargeDraws, GoOnFromBytes) {
  for (const SequenceOptions& options : arrangements()) {
    const std::vector<double> expected = reference(options, 120000);
    Sequence sequence(drawn_so(options));
    std::vector<double> numbers(20000);
    for (const std::uint64_t some : {20000U, 20000U, 13U, 20000U}) {
      sequence.get(some, numbers.data());
      const std::vector<std::byte> bytes = to_bytes(sequence.save());
      const auto at = static_cast<std::uint64_t>(sequence.position());
      SavedSequence saved = from_bytes(bytes);
      if (options.instances == 1) {
        EXPECT_LE(saved.states.numbers, Uint128{at});
      }
      saved.options.segments = 3;
      Sequence restored(saved);
      for (const std::uint64_t more : {100U, 15000U}) {
        restored.get(more, numbers.data());
        const std::uint64_t from = at + (more == 100 ? 0 : 100);
        for (std::uint64_t i = 0; i < more; ++i) ASSERT_EQ(numbers[i], expected[from + i]) << at;
      }
    }
  }
}

TEST(DrawsOfMillions, AreTheSameByOneThreadAlone) {
  for (const std::string generator : {"dcmt521", "ranmar48", "philox4x32", "xoshiro256pp"}) {
    const SequenceOptions options{.generator = generator};
    constexpr std::uint64_t count = std::uint64_t{11} << 20;
    std::vector<double> by_all(count);
    std::vector<double> by_one(count);
    Sequence(options).get(count, by_all.data());
    {
      const ThisThreadOnly alone;
      Sequence(options).get(count, by_one.data());
    }
    EXPECT_EQ(by_all, by_one);
  }
}

}  // namespace
}  // namespace rivulet
