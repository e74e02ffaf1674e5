// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "../io_test_support.hpp"
#include "io/mpi/communicator.hpp"
#include "io/mpi/launcher.hpp"
#include "io/mpi/node.hpp"

namespace rivulet::io {
namespace {

TEST(Launcher, RanksThatDifferAreNamed) {
  const Communicator world = Communicator::world();
  EXPECT_NO_THROW(require_alike(world, "a build", "1.0, gcc", "Start the same."));
  if (world.size() == 1) GTEST_SKIP() << "one rank differs from nobody";
  const bool is_last = world.rank() + 1 == world.size();
  const std::string text = is_last ? "one\nother\nend" : "one\ntwo\nend";
  EXPECT_EQ(test::message_of([&] { require_alike(world, "a build", text, "Start the same."); }),
            "rank " + std::to_string(world.size() - 1) + " on " + host_name() +
                ": a build other than rank 0's ('other' here, 'two' there). Start the same.");
}

}  // namespace
}  // namespace rivulet::io
