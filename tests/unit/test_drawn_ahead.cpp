// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "rivulet/detail/this_thread.hpp"
#include "sequences/drawn_ahead.hpp"
#include "sequences/sequence.hpp"

namespace rivulet {
namespace {

/// Counts up; a unit is three numbers.
class Counter {
 public:
  static constexpr std::uint64_t unit = 3;
  static constexpr std::size_t unit_bytes = unit * sizeof(std::uint64_t);

  DrawnAhead::Draw draw() {
    return [this](std::uint64_t units, std::byte* to) {
      if (fails) throw std::runtime_error("no numbers");
      std::vector<std::uint64_t> numbers(units * unit);
      std::iota(numbers.begin(), numbers.end(), next);
      const Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
          from(reinterpret_cast<std::byte*>(numbers.data()), units * unit_bytes);
      Kokkos::deep_copy(Kokkos::View<std::byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                            to, units * unit_bytes),
                        from);
      next += units * unit;
      batches.push_back(units);
    };
  }
  DrawnAhead::Rest rest() {
    return [this] { return SequenceStates{next, {}}; };
  }

  std::uint64_t next = 0;
  std::vector<std::uint64_t> batches;
  bool fails = false;
};

/// Units of 10 or more are large; 64 at most in a batch; a chunk is no whole number of units.
constexpr AheadLimits small{true, 10 * Counter::unit_bytes, 64 * Counter::unit_bytes + 5, 100};

class DrawnAheadReads : public testing::Test {
 protected:
  /// Reads as `get` does (or, into a buffer, as `begin_draw`), and compares.
  void read(std::uint64_t units, bool into_buffer = false) {
    std::vector<std::uint64_t> numbers(units * Counter::unit);
    auto* const to = reinterpret_cast<std::byte*>(numbers.data());
    if (into_buffer) {
      ahead_.begin_read(units, to);
      space_.fence();
    } else {
      ahead_.read(units, to);
    }
    for (const std::uint64_t number : numbers) ASSERT_EQ(number, at_++);
  }

  Space space_;
  Counter counter_;
  std::uint64_t at_ = 0;
  DrawnAhead ahead_{space_, Counter::unit_bytes, small, counter_.draw(), counter_.rest(), nullptr};
};

TEST_F(DrawnAheadReads, AreInOrderWhateverTheirLengths) {
  for (int turn = 0; turn < 4; ++turn) {
    for (const std::uint64_t units : {1U, 10U, 12U, 3U, 200U, 1U, 64U, 65U, 9U, 7U, 30U}) {
      read(units, (units + static_cast<std::uint64_t>(turn)) % 3 == 0);
    }
  }
}

TEST_F(DrawnAheadReads, LargeOnesDrawFurtherAheadEachTime) {
  for (int i = 0; i < 12; ++i) read(10);
  // As much as is read; then twice that, and doubled up to what memory is allowed.
  EXPECT_EQ(counter_.batches, (std::vector<std::uint64_t>{10, 20, 40, 64}));
}

TEST_F(DrawnAheadReads, SmallOnesDrawNothingAhead) {
  for (int i = 0; i < 5; ++i) read(9);
  EXPECT_EQ(counter_.batches, std::vector<std::uint64_t>(5, 9));
  EXPECT_EQ(ahead_.states(), nullptr);
}

TEST_F(DrawnAheadReads, OneAloneDrawsNothingAhead) {
  read(150);
  EXPECT_EQ(counter_.next, 150 * Counter::unit);
  EXPECT_EQ(counter_.batches, (std::vector<std::uint64_t>{64, 64, 22}));
}

TEST_F(DrawnAheadReads, KeepStatesFromBeforeWhatIsNotRead) {
  for (int i = 0; i < 60; ++i) {
    read(10 + static_cast<std::uint64_t>(i) % 7);
    if (counter_.next == at_) continue;
    const SequenceStates* const states = ahead_.states();
    ASSERT_NE(states, nullptr);
    EXPECT_LE(states->numbers, at_);
    EXPECT_GE(states->numbers + 64 * Counter::unit, at_);
  }
}

TEST_F(DrawnAheadReads, BeginAnewAfterADrop) {
  for (int i = 0; i < 4; ++i) read(10);
  ASSERT_GT(counter_.next, at_);
  ahead_.drop();
  counter_.next = at_ = 1000;
  EXPECT_EQ(ahead_.states(), nullptr);
  counter_.batches.clear();
  for (int i = 0; i < 3; ++i) read(11);
  EXPECT_EQ(counter_.batches, (std::vector<std::uint64_t>{11, 22}));
}

TEST_F(DrawnAheadReads, GoOnAfterAFailureAndADrop) {
  for (int i = 0; i < 3; ++i) read(10);
  counter_.fails = true;
  std::vector<std::uint64_t> numbers(100 * Counter::unit);
  EXPECT_THROW(ahead_.read(100, reinterpret_cast<std::byte*>(numbers.data())), std::runtime_error);
  counter_.fails = false;
  ahead_.drop();
  counter_.next = at_;
  for (int i = 0; i < 6; ++i) read(17);
}

TEST(DrawnAhead, WithoutStatesDrawsNothingAhead) {
  Counter counter;
  DrawnAhead ahead(Space(), Counter::unit_bytes, small, counter.draw(), nullptr, nullptr);
  std::vector<std::uint64_t> numbers(20 * Counter::unit);
  for (std::uint64_t i = 0; i < 5; ++i) {
    ahead.read(20, reinterpret_cast<std::byte*>(numbers.data()));
    EXPECT_EQ(numbers.back(), (i + 1) * 20 * Counter::unit - 1);
  }
  EXPECT_EQ(counter.batches, std::vector<std::uint64_t>(5, 20));
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

// Sequences whose draws are cut into segments, or go by way of device memory.

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
    options.ahead = {GetParam().through_device || device_build, 8000, 300000, 10000};
    options.buffer_numbers = GetParam().buffer_numbers;
    options.asynchronous = GetParam().asynchronous;
    return options;
  }
  static std::vector<SequenceOptions> arrangements() {
    std::vector<SequenceOptions> all;
    for (const std::string generator : {"dcmt521", "ranmar48", "hybrid_tausworthe"}) {
      for (const std::uint64_t instances : {1U, 3U, 40U}) {
        SequenceOptions options;
        options.generator = generator;
        options.instances = instances;
        all.push_back(options);
        options.order = Order::blocked;
        options.block_length = 1111 * instances;
        all.push_back(options);
      }
    }
    return all;
  }
  /// The first numbers, a few at a time.
  static std::vector<double> reference(SequenceOptions options, std::uint64_t count) {
    options.segments = 1;
    options.ahead.through_device = device_build;
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

TEST_P(LargeDraws, AreAsSmallOnesWithSkipsBetween) {
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
  for (const std::string generator : {"dcmt521", "ranmar48"}) {
    SequenceOptions options;
    options.generator = generator;
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
