// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/files/output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "io/files/open_outputs.hpp"
#include "io/files/output_lock.hpp"
#include "io/mpi/node.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::contents;
using test::message_of;
using test::TemporaryFolder;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Provides a temporary folder for the output a.h5.
class Outputs : public testing::Test {
 protected:
  std::string refusal() const {
    return message_of([&] { Output(Communicator::self(), path, "a.h5"); });
  }
  /// Creates the files that a killed run on a host leaves behind.
  void leave(const std::string& host, const std::string& temporary) const {
    std::ofstream(lock_of(path)) << "rivulet lock\nwriter: process 1 on " << host
                                 << ", since 2026-11-22T20:12:30Z\ntemporary: " << temporary
                                 << "\n";
    std::ofstream(folder / temporary) << "half";
  }
  void expect_made() const {
    { const Output output(Communicator::self(), path, "a.h5"); }
    EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
  }

  static constexpr const char* part = "a.h5.0123456789abcdef.part";
  TemporaryFolder folder;
  std::string path = folder / "a.h5";
};

TEST_F(Outputs, AreOneAtATime) {
  const std::string self = "process " + std::to_string(::getpid()) + " on " + host_name();
  std::optional<Output> output(std::in_place, Communicator::self(), path, "a.h5");
  EXPECT_THAT(
      refusal(),
      AllOf(StartsWith("cannot write 'a.h5' (another run is writing it: " + self + ", since 20"),
            EndsWith("Z). Wait for it to end, or choose another path.")));
  EXPECT_TRUE(std::filesystem::exists(output->temporary()));
  EXPECT_THAT(writer_of(path), StartsWith(self));
  const Output other(Communicator::self(), folder / "b.h5", "b.h5");
  output.reset();
  EXPECT_EQ(refusal(), "nothing was thrown");
  EXPECT_EQ(writer_of(path), "");
}

TEST_F(Outputs, GiveTheFileItsName) {
  Output output(Communicator::self(), path, "a.h5");
  std::ofstream(output.temporary()) << "whole";
  output.complete();
  EXPECT_EQ(contents(path), "whole");
  EXPECT_FALSE(std::filesystem::exists(output.temporary()));
  EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
  EXPECT_EQ(refusal(), "nothing was thrown");
}

TEST_F(Outputs, GiveNoOtherFileTheName) {
  Output output(Communicator::self(), path, "a.h5");
  std::ofstream(folder / "other") << "another's";
  std::filesystem::rename(folder / "other", output.temporary());
  EXPECT_EQ(
      message_of([&] { output.complete(); }),
      "cannot write 'a.h5' (its temporary file, '" + output.temporary() +
          "', was replaced by another file). Run again in a folder where no other program writes.");
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// complete() replaces no file that another program made or changed after the output was opened.
TEST_F(Outputs, ReplaceOnlyWhatWasThere) {
  const auto refused_over = [&](const std::function<void()>& change, OnRenameFailure on_failure) {
    Output output(Communicator::self(), path, "a.h5");
    std::ofstream(output.temporary()) << "whole";
    change();
    const std::string message = message_of([&] { output.complete(on_failure); });
    EXPECT_FALSE(output.has_final_name());
    return std::pair(message, output.temporary());
  };
  const auto put = [&] { std::ofstream(path) << "a user's"; };
  const auto [message, temporary] = refused_over(put, OnRenameFailure::keep_temporary);
  EXPECT_EQ(message,
            "cannot write 'a.h5' (another program made this file during the run). Rename the "
            "complete file, '" +
                temporary + "'.");
  EXPECT_EQ(contents(path), "a user's");
  EXPECT_EQ(contents(temporary), "whole");
  const auto [changed, second] =
      refused_over([&] { std::ofstream(path) << "another"; }, OnRenameFailure::remove);
  EXPECT_EQ(
      changed,
      "cannot write 'a.h5' (another program changed this file during the run). Choose another "
      "path.");
  EXPECT_FALSE(std::filesystem::exists(second));
  std::filesystem::remove(path);
  const auto make = [&] { std::filesystem::create_directory(path); };
  const auto [folder_made, third] = refused_over(make, OnRenameFailure::keep_temporary);
  EXPECT_THAT(folder_made, HasSubstr("made this file during the run"));
  EXPECT_EQ(contents(third), "whole");
  EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
}

/// The kernel has released the dead process' lock. Only the lock file is left.
TEST_F(Outputs, RemoveWhatAKilledRunOfThisHostLeft) {
  leave(host_name(), part);
  expect_made();
  EXPECT_TRUE(folder.is_empty());
  std::ofstream(lock_of(path)) << "rivulet lo";  // killed while it wrote its lock
  expect_made();
}

/// Locks may not work across hosts, so a run on another host may still be writing.
TEST_F(Outputs, LeaveFilesOfOtherHosts) {
  leave("node7", part);
  expect_made();
  EXPECT_EQ(contents(folder / part), "half");
}

TEST_F(Outputs, LeaveWhatIsNotRivulets) {
  for (const char* name :
       {"a.h5.part", "precious", "a.h5.0123456789abcde.part", "a.h5.0123456789abcdef.unfinished"}) {
    leave(host_name(), name);
    expect_made();
    EXPECT_EQ(contents(folder / name), "half");
  }
}

/// In a folder such as /tmp, another user's stale lock can be locked, but not removed.
TEST_F(Outputs, TakeAnotherUsersLock) {
  constexpr uid_t nobody = 65534;
  if (::geteuid() != 0 || ::seteuid(nobody) != 0) GTEST_SKIP() << "only root can be another user";
  ASSERT_EQ(::seteuid(0), 0);
  leave(host_name(), part);
  ASSERT_EQ(::chmod(folder.path().c_str(), 01777), 0);
  ASSERT_EQ(::seteuid(nobody), 0);
  const std::string alone = refusal();
  std::string beside;
  {
    const Output output(Communicator::self(), path, "a.h5");
    beside = refusal();
  }
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(alone, "nothing was thrown");
  EXPECT_THAT(beside, HasSubstr("another run is writing it"));
  EXPECT_TRUE(std::filesystem::exists(lock_of(path)));
}

TEST_F(Outputs, KeepWhatACheckpointNeeds) {
  std::string unfinished;
  {
    Output output(Communicator::self(), path, "a.h5");
    std::ofstream(output.temporary()) << "half";
    unfinished = unfinished_of(output.temporary());
    output.keep(true);
    EXPECT_EQ(output.temporary(), unfinished);
    remove_open_outputs();
  }
  EXPECT_EQ(contents(unfinished), "half");
  EXPECT_EQ(refusal(), "nothing was thrown");

  const std::string to = folder / "b.h5";
  Output output(Communicator::self(), to, "b.h5", unfinished);
  EXPECT_THAT(refusal(), HasSubstr("another run is writing it"));
  remove_open_outputs();
  EXPECT_EQ(contents(unfinished), "half");
  output.complete();
  EXPECT_EQ(contents(to), "half");
  EXPECT_FALSE(std::filesystem::exists(unfinished));
}

TEST_F(Outputs, RemoveWhatACheckpointNoLongerNeeds) {
  for (const bool aborts : {false, true}) {
    Output output(Communicator::self(), path, "a.h5");
    output.keep(true);
    output.keep(false);
    if (aborts) {
      remove_open_outputs();
      EXPECT_TRUE(folder.is_empty());
    }
  }
  EXPECT_TRUE(folder.is_empty());
}

TEST_F(Outputs, TakeNoOtherFileForALock) {
  const std::string lock = lock_of(path);
  const std::string message =
      "cannot write 'a.h5' (its lock file, '" + lock +
      "', exists and is not a lock of Rivulet). Remove that file, or choose another "
      "path.";
  std::ofstream(lock) << "a user's";
  EXPECT_EQ(refusal(), message);
  EXPECT_EQ(contents(lock), "a user's");
  std::filesystem::rename(lock, folder / "other");
  std::filesystem::create_symlink("other", lock);
  EXPECT_EQ(refusal(), message);
  std::ofstream(folder / "other").flush();  // empty, like a new lock file
  EXPECT_EQ(refusal(), message);
  EXPECT_EQ(contents(folder / "other"), "");
  std::filesystem::remove(lock);
  ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(refusal(), message);
}

TEST_F(Outputs, AreDroppedBeforeAnAbort) {
  const Output output(Communicator::self(), path, "a.h5");
  remove_open_outputs();
  EXPECT_TRUE(folder.is_empty());
  const Output next(Communicator::self(), path, "a.h5");
  remove_open_outputs();
  EXPECT_TRUE(folder.is_empty());
}

/// Runs in a separate program, which starts MPI anew: a fork of an MPI process cannot finalize MPI.
TEST_F(Outputs, AreDroppedByAnAbort) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* variable = "RIVULET_TEST_ABORTED_IN";
  ::setenv(variable, folder.path().c_str(), 0);  // the parent sets it for the child
  const auto fail = [this] {
    std::filesystem::remove(folder.path());
    const std::string there = std::string(std::getenv(variable)) + "/a.h5";
    const Output output(Communicator::self(), there, "a.h5");
    if (std::filesystem::exists(lock_of(there))) Communicator::self().abort("the lock is there");
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(1), "the lock is there");
  EXPECT_TRUE(folder.is_empty());
  ::unsetenv(variable);
  GTEST_FLAG_SET(death_test_style, "fast");
}

TEST(OutputNames, LeaveRoomAfterLongNames) {
  constexpr std::size_t shortest_limit = 143;  // of eCryptfs
  const std::string one = "folder/" + std::string(254, 'x') + "1";
  const std::string other = "folder/" + std::string(254, 'x') + "2";
  const std::string folder = "folder/";
  EXPECT_LE(unfinished_of(temporary_of(one)).size(), folder.size() + shortest_limit);
  EXPECT_THAT(temporary_of(one), StartsWith(folder + "xxx"));
  EXPECT_NE(lock_of(one), lock_of(other));
  EXPECT_EQ(lock_of(output_of(unfinished_of(temporary_of(one)))), lock_of(one));
  EXPECT_EQ(output_of(temporary_of("folder/a.h5")), "folder/a.h5");
  EXPECT_NE(temporary_of(one), temporary_of(one));
  const std::string name = temporary_of(one).substr(folder.size());
  EXPECT_TRUE(is_temporary_of(name, one));
  EXPECT_FALSE(is_temporary_of(name, other));
  EXPECT_FALSE(is_temporary_of("../" + name, one));
}

}  // namespace
}  // namespace rivulet::io
