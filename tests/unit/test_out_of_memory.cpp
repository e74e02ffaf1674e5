// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/mpi/node.hpp"
#include "io_test_support.hpp"
#include "kokkos_compat.hpp"
#include "machine/devices.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr std::uint64_t too_much = std::uint64_t{1} << 55;

void allocate_too_much() {
  const Kokkos::View<char*, Space> view(
      Kokkos::view_alloc("rivulet::much", Kokkos::WithoutInitializing), too_much);
}

/// Returns the limits that are tried on a machine with `available` bytes.
std::vector<std::uint64_t> limits_tried(std::uint64_t maximum, std::uint64_t minimum,
                                        std::uint64_t available) {
  std::vector<std::uint64_t> limits;
  with_available_memory(maximum, minimum, [&](std::uint64_t limit) {
    limits.push_back(limit);
    require_memory_for("a test", limit, "", [&] {
      if (limit > available) throw std::bad_alloc();
    });
  });
  return limits;
}

TEST(OutOfMemory, HalvesUntilItFits) {
  EXPECT_THAT(limits_tried(1000, 10, 1000), ElementsAre(1000));
  EXPECT_THAT(limits_tried(1000, 10, 300), ElementsAre(1000, 500, 250, 125)) << "and half of it";
  EXPECT_THAT(limits_tried(100, 25, 25), ElementsAre(100, 50, 25));
}

TEST(OutOfMemory, StopsAtTheLeast) {
  EXPECT_THROW(limits_tried(100, 26, 25), OutOfMemory);
  EXPECT_THROW(limits_tried(100, 100, 99), OutOfMemory);
}

TEST(OutOfMemory, SaysHowMuchAndHowMuchThereIs) {
  const std::string message =
      message_of([] { require_memory_for("numbers", too_much, "Use fewer.", allocate_too_much); });
  EXPECT_THAT(message,
              MatchesRegex("no memory for numbers \\(it takes 36028797018963968 B, "
                           "[0-9]+ B more than the (host|device) has left\\)\\. Use fewer."));
  EXPECT_THAT(OutOfMemory("no memory for a test", 1, "Now.").what(),
              MatchesRegex("no memory for a test \\(it takes 1 B; the (host|device) has [0-9]+ B "
                           "left\\)\\. Now."));
}

TEST(OutOfMemory, LeavesOtherFailuresAlone) {
  const auto throw_other = [] { throw std::runtime_error("other"); };
  EXPECT_THROW(require_memory_for("a test", 1, "", throw_other), std::runtime_error);
  const auto throw_error = [] { throw Error("a", "b", "c"); };
  EXPECT_EQ(message_of([&] { require_memory_for("a test", 1, "", throw_error); }), "a (b). c");
}

TEST(OutOfMemory, IsToldInALineWhereNobodySaidWhatFor) {
  const std::string message =
      message_of([] { io::Communicator::self().together(allocate_too_much); });
  EXPECT_THAT(message, MatchesRegex("out of memory \\([0-9.e+]+ ?[A-Za-z]+: no room for "
                                    "rivulet::much\\)\\. Use more ranks .*\\."));
}

TEST(OutOfMemory, MemoryLeftIsThatOfTheKernels) {
  const FreeMemory left = free_memory_for_kernels();
  EXPECT_GT(left.bytes, 0U);
  EXPECT_EQ(std::string(left.where), device_build ? "the device" : "the host");
}

TEST(HostMemory, KeepsToTheLimitOfTheShell) {
  std::uint64_t pages = 0;
  ASSERT_TRUE(std::ifstream("/proc/self/statm") >> pages);
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t more = std::uint64_t{256} << 20;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = used + more;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  const std::uint64_t left = io::available_memory();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  constexpr std::uint64_t slack = std::uint64_t{1}
                                  << 20;  // reading statm allocates memory temporarily
  EXPECT_LE(left, more + slack);
  EXPECT_GT(left, more / 2);
}

}  // namespace
}  // namespace rivulet
