// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/results_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "../io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::FileSizeLimit;
using test::message_of;
using test::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A file written by all ranks in a folder that they share.
class ResultsFileWorld : public testing::Test {
 protected:
  const Communicator world = Communicator::world();
  const std::uint64_t rank = static_cast<std::uint64_t>(world.rank());
  const std::uint64_t size = static_cast<std::uint64_t>(world.size());
  const TemporaryFolder folder{world};
  const std::string path = folder / "a.h5";

  /// Writes on all ranks; root then reads.
  template <class Fill, class Check>
  void write_and_check(Fill&& fill, Check&& check) {
    ResultsFile file(world, path, "results", "1");
    fill(file);
    file.commit();
    if (world.is_root()) check(ReadFile(path, "results"));
  }

  /// Returns the message of the action's error. The message must be the same on every rank, and the
  /// folder must then be empty.
  template <class F>
  std::string failure(F&& action) {
    const std::string message = message_of(action);
    EXPECT_EQ(message, world.broadcast(message));
    world.barrier();
    EXPECT_TRUE(folder.is_empty());
    return message;
  }
};

/// Elements [begin, begin + count) of 0, 1, 2, ...
template <class T>
std::vector<T> counting(std::uint64_t begin, std::uint64_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), static_cast<T>(begin));
  return values;
}

TEST_F(ResultsFileWorld, JoinsContiguousBlocks) {
  const std::uint64_t total = 300'007;  // several chunks, some shared by ranks
  const std::uint64_t begin = total * rank / size;
  const auto local = counting<std::uint64_t>(begin, total * (rank + 1) / size - begin);
  write_and_check([&](ResultsFile& out) { out.dataset("/hits", local, begin, total); },
                  [&](const ReadFile& in) {
                    EXPECT_EQ(in.dataset<std::uint64_t>("/hits"),
                              counting<std::uint64_t>(0, total));
                  });
}

TEST_F(ResultsFileWorld, JoinsBlocksThatAreNotInRankOrder) {
  const auto local = counting<std::uint8_t>(10 * (size - 1 - rank), 10);
  write_and_check(
      [&](ResultsFile& out) { out.dataset("/v", local, 10 * (size - 1 - rank), 10 * size); },
      [&](const ReadFile& in) {
        EXPECT_EQ(in.dataset<std::uint8_t>("/v"), counting<std::uint8_t>(0, 10 * size));
      });
}

TEST_F(ResultsFileWorld, TakesRanksThatOwnNothing) {
  const bool last = rank == size - 1;
  const auto local = counting<float>(0, last ? 5 : 0);
  write_and_check(
      [&](ResultsFile& out) {
        out.dataset("/v", local, 0, 5);
        out.dataset("/nothing", std::vector<double>(), 0, 0);
      },
      [&](const ReadFile& in) {
        EXPECT_EQ(in.dataset<float>("/v"), counting<float>(0, 5));
        EXPECT_TRUE(in.dataset<double>("/nothing").empty());
      });
}

TEST_F(ResultsFileWorld, WritesTablesWhoseRowsDoNotFitPieces) {
  const std::uint64_t columns = 700'001;  // 5.6 MB a row
  const auto local = counting<std::uint64_t>(2 * rank * columns, 2 * columns);
  write_and_check(
      [&](ResultsFile& out) {
        out.table("/t", std::span(local), columns, 2 * rank, 2 * size, "rows", "m");
      },
      [&](const ReadFile& in) {
        EXPECT_THAT(in.shape("/t"), ElementsAre(2 * size, columns));
        EXPECT_TRUE(in.dataset<std::uint64_t>("/t") ==
                    counting<std::uint64_t>(0, 2 * size * columns));
      });
}

TEST_F(ResultsFileWorld, WritesMoreThanOneRound) {
  const std::uint64_t own = rank == 0 ? 80'000'000 : 1;  // bytes; one round is 64 MiB
  const std::vector<std::uint8_t> local(own, static_cast<std::uint8_t>(rank + 1));
  const std::uint64_t offset = rank == 0 ? 0 : 80'000'000 + rank - 1;
  const std::uint64_t total = 80'000'000 + size - 1;
  write_and_check([&](ResultsFile& out) { out.dataset("/v", local, offset, total); },
                  [&](const ReadFile& in) {
                    const auto all = in.dataset<std::uint8_t>("/v");
                    EXPECT_EQ(std::count(all.begin(), all.end(), 1), 80'000'000);
                    EXPECT_EQ(all.back(), size);
                  });
}

TEST_F(ResultsFileWorld, WritesColumnsOfATableThatIsOneDimensional) {
  const std::uint64_t rows = 70'001;  // more than a chunk
  const std::uint64_t width = 2 * size + 1;
  const std::uint64_t first = 2 * rank;  // each rank has two columns, but the last rank has three
  const std::uint64_t length = rank + 1 == size ? 3 : 2;
  std::vector<std::uint64_t> local;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t i = 0; i < length; ++i) local.push_back(row * width + first + i);
  }
  const StridedRanges columns{first, length, width, rows};
  write_and_check(
      [&](ResultsFile& out) {
        out.create("/v", {ElementType::u64, rows * width});
        out.write_runs("/v", ElementType::u64, local.data(), std::span(&columns, 1));
      },
      [&](const ReadFile& in) {
        EXPECT_TRUE(in.dataset<std::uint64_t>("/v") == counting<std::uint64_t>(0, rows * width));
      });
}

TEST_F(ResultsFileWorld, WritesRunsOfAnyNumberAndLength) {
  // Rank r writes r sets of runs, each r elements long. Root writes the gaps of two elements after
  // the runs.
  const std::uint64_t a_set = 100;
  std::vector<StridedRanges> runs;
  std::vector<float> local;
  const auto add = [&](const StridedRanges& one) {
    runs.push_back(one);
    for (std::uint64_t i = 0; i < one.count; ++i) {
      const auto run = counting<float>(one.first + i * one.stride, one.length);
      local.insert(local.end(), run.begin(), run.end());
    }
  };
  std::uint64_t next = 0;
  for (std::uint64_t r = 1; r < size; ++r) {
    for (std::uint64_t set = 0; set < r; ++set) {
      if (rank == r) add({next, r, r + 2, a_set});
      if (rank == 0) add({next + r, 2, r + 2, a_set});
      next += (r + 2) * a_set;
    }
  }
  if (rank == 0) add({next, 5, 5, 3});
  const std::uint64_t total = next + 15;
  write_and_check(
      [&](ResultsFile& out) {
        out.create("/v", {ElementType::f32, total});
        out.write_runs("/v", ElementType::f32, local.data(), runs);
      },
      [&](const ReadFile& in) {
        EXPECT_TRUE(in.dataset<float>("/v") == counting<float>(0, total));
      });
}

TEST_F(ResultsFileWorld, WritesRunsThatDoNotFitARound) {
  // Lengths in bytes. A round of 64 MiB holds only a part of the longer run, or one of the two
  // shorter runs.
  for (const std::uint64_t length : {70'000'000U, 40'000'000U}) {
    std::vector<std::uint8_t> local;
    std::vector<StridedRanges> runs;
    if (rank == 0) {
      local.assign(length, 1);
      local.resize(2 * length, 2);
      runs.push_back({0, length, length + 1, 2});
    }
    write_and_check(
        [&](ResultsFile& out) {
          out.create("/v", {ElementType::u8, 2 * length + 1});
          out.write_runs("/v", ElementType::u8, local.data(), runs);
        },
        [&](const ReadFile& in) {
          const auto all = in.dataset<std::uint8_t>("/v");
          EXPECT_EQ(all[length - 1], 1);
          EXPECT_EQ(all[length + 1], 2);
          EXPECT_EQ(all.back(), 2);
        });
  }
}

TEST_F(ResultsFileWorld, RefusesRunsOutsideTheDataset) {
  const std::vector<std::uint32_t> local(6);
  const StridedRanges runs{rank, 2, 5, 3};
  EXPECT_THAT(failure([&] {
                ResultsFile file(world, path, "results", "1");
                file.create("/v", {ElementType::u32, 11});
                file.write_runs("/v", ElementType::u32, local.data(), std::span(&runs, 1));
              }),
              HasSubstr("are not among the 11 of '/v'"));
}

TEST_F(ResultsFileWorld, TakesAttributesAndTextsFromRoot) {
  const std::string mine = world.is_root() ? "root's" : "another's, and longer";
  const auto hosts = world.gather("host " + std::to_string(rank));
  write_and_check(
      [&](ResultsFile& out) {
        out.group("/g", "a group");
        out.attribute("/g", "text", mine);
        out.attribute("/g", "hosts", hosts);
        out.attribute("/g", "rank", rank, "ranks");
        out.text("/deck", mine);
        out.lines("/hosts", hosts);
      },
      [&](const ReadFile& in) {
        EXPECT_EQ(in.attribute<std::string>("/g", "text"), "root's");
        EXPECT_EQ(in.attribute<std::vector<std::string>>("/g", "hosts"), hosts);
        EXPECT_EQ(in.attribute<std::uint64_t>("/g", "rank"), 0U);
        EXPECT_EQ(in.text("/deck"), "root's");
        EXPECT_EQ(in.lines("/hosts"), hosts);
      });
}

TEST_F(ResultsFileWorld, LeavesNothingWithoutCommit) {
  { ResultsFile file(world, path, "results", "1"); }
  world.barrier();
  EXPECT_TRUE(folder.is_empty());
}

TEST_F(ResultsFileWorld, TellsEveryRankThatThePathIsWrong) {
  EXPECT_THAT(failure([&] { ResultsFile(world, folder / "none/a.h5", "results", "1"); }),
              AllOf(StartsWith("cannot write"), HasSubstr("none/a.h5' (No such file or directory)"),
                    HasSubstr("another path")));
  EXPECT_THAT(failure([&] { ResultsFile(world, folder.path(), "results", "1"); }),
              HasSubstr("(Is a directory)"));
}

TEST_F(ResultsFileWorld, TellsEveryRankThatTheDiskIsFull) {
  const std::vector<double> local(1'000'000);
  EXPECT_THAT(failure([&] {
                ResultsFile file(world, path, "results", "1");
                const FileSizeLimit limit(std::size_t{4} << 20);
                file.dataset("/v", local, rank * local.size(), size * local.size());
              }),
              AllOf(HasSubstr("a.h5' (File too large)"), HasSubstr("ulimit -f")));
}

TEST_F(ResultsFileWorld, SurvivesAWriteThatFailsOnOneRank) {
  const std::vector<double> local(1'000'000);
  EXPECT_THAT(failure([&] {
                ResultsFile file(world, path, "results", "1");
                file.create("/v", {ElementType::f64, size * local.size()});
                const FileSizeLimit limit(rank == 0 ? std::size_t{1} << 20 : RLIM_INFINITY);
                file.write("/v", std::span(local), 1, rank * local.size());
              }),
              HasSubstr("cannot write '" + path));
}

TEST_F(ResultsFileWorld, SurvivesACommitThatFails) {
  if (size > 1) GTEST_SKIP() << "a failure of MPI-IO in a commit ends the run (cli_failing_rank)";
  EXPECT_THAT(failure([&] {
                ResultsFile file(world, path, "results", "1");
                file.attribute("/", "note", "kept in memory until the end");
                const FileSizeLimit limit(16);
                file.commit();
              }),
              HasSubstr("cannot write '" + path + "'"));
}

TEST_F(ResultsFileWorld, StillWritesAfterFailures) {
  write_and_check([](ResultsFile& out) { out.attribute("/", "a", 1); },
                  [](const ReadFile& in) { EXPECT_EQ(in.attribute<std::int64_t>("/", "a"), 1); });
}

}  // namespace
}  // namespace rivulet::io
