// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/outputs/output_claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "io/outputs/open_outputs.hpp"
#include "io/outputs/output_lock.hpp"
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

/// A folder for a.h5, with what was left there.
class OutputClaims : public testing::Test {
 protected:
  std::string refusal() const {
    return message_of([&] { OutputClaim(Communicator::self(), path, "a.h5"); });
  }
  void leave_lock(const Writer& writer) const {
    std::ofstream(lock_of(path)) << lock_text(writer);
    std::ofstream(folder / writer.temporary) << "half";
  }
  /// A process on this host that has ended: this one's number, at another time.
  Writer ended() const {
    Writer writer{this_process(), "2026-11-22T20:12:30Z", "a.h5.0123456789abcdef.part", true};
    --writer.process.started;
    return writer;
  }
  void expect_claimed() const {
    { const OutputClaim claim(Communicator::self(), path, "a.h5"); }
    EXPECT_TRUE(folder.is_empty());
  }

  TemporaryFolder folder;
  std::string path = folder / "a.h5";
};

TEST_F(OutputClaims, AreOneAtATime) {
  const std::string self = "process " + std::to_string(::getpid()) + " on " + this_process().host;
  std::optional<OutputClaim> claim(std::in_place, Communicator::self(), path, "a.h5");
  EXPECT_THAT(
      refusal(),
      AllOf(StartsWith("cannot write 'a.h5' (another run is writing it: " + self + ", since 20"),
            EndsWith("Z). Wait for it to end, or choose another path.")));
  EXPECT_TRUE(std::filesystem::exists(claim->temporary()));
  EXPECT_EQ(writer_of(path)->process.number, this_process().number);
  const OutputClaim other(Communicator::self(), folder / "b.h5", "b.h5");
  claim.reset();
  EXPECT_EQ(refusal(), "nothing was thrown");
  EXPECT_FALSE(writer_of(path).has_value());
}

TEST_F(OutputClaims, GiveTheFileItsName) {
  OutputClaim claim(Communicator::self(), path, "a.h5");
  std::ofstream(claim.temporary()) << "whole";
  claim.complete();
  EXPECT_EQ(contents(path), "whole");
  EXPECT_FALSE(std::filesystem::exists(claim.temporary()));
  EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
  EXPECT_EQ(refusal(), "nothing was thrown");
}

TEST_F(OutputClaims, GiveNoOtherFileTheName) {
  OutputClaim claim(Communicator::self(), path, "a.h5");
  std::ofstream(folder / "other") << "another's";
  std::filesystem::rename(folder / "other", claim.temporary());
  EXPECT_EQ(message_of([&] { claim.complete(); }),
            "cannot write 'a.h5' (its temporary file, '" + claim.temporary() +
                "', was replaced by another). Run it again, where nobody else writes.");
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// A file that appeared, or was changed, since the claim began belongs to another program.
TEST_F(OutputClaims, ReplaceOnlyWhatWasThere) {
  const auto refused_over = [&](const std::function<void()>& change, Unnamed unnamed) {
    OutputClaim claim(Communicator::self(), path, "a.h5");
    std::ofstream(claim.temporary()) << "whole";
    change();
    const std::string message = message_of([&] { claim.complete(unnamed); });
    EXPECT_FALSE(claim.has_its_name());
    return std::pair(message, claim.temporary());
  };
  const auto put = [&] { std::ofstream(path) << "a user's"; };
  const auto [message, temporary] = refused_over(put, Unnamed::stays);
  EXPECT_EQ(message,
            "cannot write 'a.h5' (a file of that name has appeared meanwhile). The file is "
            "complete, but for its name: it is '" +
                temporary + "'. Rename that.");
  EXPECT_EQ(contents(path), "a user's");
  EXPECT_EQ(contents(temporary), "whole");
  const auto [changed, second] =
      refused_over([&] { std::ofstream(path) << "another"; }, Unnamed::goes);
  EXPECT_EQ(changed,
            "cannot write 'a.h5' (the file of that name was changed meanwhile). Choose another "
            "path.");
  EXPECT_FALSE(std::filesystem::exists(second));
  std::filesystem::remove(path);
  const auto make = [&] { std::filesystem::create_directory(path); };
  const auto [folder_made, third] = refused_over(make, Unnamed::stays);
  EXPECT_THAT(folder_made, HasSubstr("has appeared meanwhile"));
  EXPECT_EQ(contents(third), "whole");
  EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
}

TEST_F(OutputClaims, ReplaceWhatProcessesThatEndedLeft) {
  leave_lock(ended());
  expect_claimed();
  Writer without_locks = ended();
  without_locks.holds_lock = false;
  leave_lock(without_locks);
  expect_claimed();
  Writer elsewhere = ended();  // and its lock is free, which everybody sees on a disk of this host
  elsewhere.process.host = "node7";
  leave_lock(elsewhere);
  expect_claimed();
  std::ofstream(lock_of(path)) << lock_text(ended()).substr(0, 30);  // killed as it wrote
  expect_claimed();
}

/// The lock's process has ended, or was killed before it wrote its lock: no other process writes
/// it.
TEST_F(OutputClaims, ReplaceAnotherUsersLockWhereTheFolderLetsThem) {
  constexpr uid_t nobody = 65534;
  if (::geteuid() != 0 || ::seteuid(nobody) != 0) GTEST_SKIP() << "only root can be another user";
  ASSERT_EQ(::seteuid(0), 0);
  for (const std::string& text : {lock_text(ended()), std::string()}) {
    std::ofstream(lock_of(path)) << text;
    for (const mode_t mode : {01777u, 0777u}) {  // of a folder such as /tmp, and of a group's
      ASSERT_EQ(::chmod(folder.path().c_str(), mode), 0);
      ASSERT_EQ(::seteuid(nobody), 0);
      const std::string why = refusal();
      ASSERT_EQ(::seteuid(0), 0);
      EXPECT_EQ(why, mode == 0777u ? "nothing was thrown"
                                   : "cannot write 'a.h5' (its lock, '" + lock_of(path) +
                                         "', is another user's, whose run has ended, and cannot be "
                                         "removed: Operation not permitted). Have its owner remove "
                                         "it, or choose another path.");
    }
    EXPECT_TRUE(folder.is_empty());
  }
}

/// No process has the number 0, nor one that a pid_t cannot hold; kill() takes them for groups.
TEST_F(OutputClaims, ReplaceLocksOfNoProcess) {
  for (const std::uint64_t number : {0ull, 0xffffffffull, 0x100000000ull, ~0ull}) {
    Writer nobody = ended();
    nobody.holds_lock = false;
    nobody.process.number = number;
    nobody.process.started = 0;
    leave_lock(nobody);
    expect_claimed();
  }
}

TEST_F(OutputClaims, KeepWhatACheckpointNeeds) {
  std::string temporary;
  {
    OutputClaim claim(Communicator::self(), path, "a.h5");
    temporary = claim.temporary();
    std::ofstream(temporary) << "half";
    claim.keep(true);
  }
  EXPECT_EQ(contents(temporary), "half");
  EXPECT_FALSE(std::filesystem::exists(lock_of(path)));
  Writer killed = ended();
  killed.keeps = true;
  leave_lock(killed);
  EXPECT_EQ(refusal(), "nothing was thrown");
  EXPECT_EQ(contents(folder / killed.temporary), "half");

  const std::string to = folder / "b.h5";
  OutputClaim claim(Communicator::self(), to, "b.h5", temporary);
  EXPECT_THAT(refusal(), HasSubstr("another run is writing it"));
  remove_open_outputs();
  EXPECT_EQ(contents(temporary), "half");
  claim.complete();
  EXPECT_EQ(contents(to), "half");
  EXPECT_FALSE(std::filesystem::exists(temporary));
}

TEST_F(OutputClaims, GoOnWithWhatALockHadNotYetKept) {
  const Writer killed = ended();  // before the lock said so
  leave_lock(killed);
  OutputClaim claim(Communicator::self(), path, "a.h5", folder / killed.temporary);
  EXPECT_EQ(contents(folder / killed.temporary), "half");
  claim.complete();
  EXPECT_EQ(contents(path), "half");
}

TEST_F(OutputClaims, OfProcessesThatEndedAreRemoved) {
  leave_lock(ended());
  remove_ended_claim(path);
  EXPECT_TRUE(folder.is_empty());
  const OutputClaim claim(Communicator::self(), path, "a.h5");
  remove_ended_claim(path);
  EXPECT_TRUE(std::filesystem::exists(lock_of(path)));
  EXPECT_TRUE(std::filesystem::exists(claim.temporary()));
}

TEST_F(OutputClaims, AreRefusedWhereNobodyKnows) {
  Writer writer = ended();
  writer.holds_lock = false;
  writer.process.host = "node7";
  leave_lock(writer);
  EXPECT_EQ(refusal(),
            "cannot write 'a.h5' (another run is writing it, or was killed and cannot be seen from "
            "here: process " +
                std::to_string(::getpid()) +
                " on node7, since 2026-11-22T20:12:30Z). Wait for it to end, or choose another "
                "path; if it no longer runs, remove '" +
                lock_of(path) + "'.");
  writer.process = this_process();
  leave_lock(writer);
  EXPECT_THAT(refusal(), HasSubstr("(another run is writing it: process"));
  EXPECT_TRUE(std::filesystem::exists(folder / writer.temporary));
}

TEST_F(OutputClaims, LeaveWhatIsNotRivulets) {
  for (const char* name : {"a.h5.part", "precious", "a.h5.0123456789abcde.part"}) {
    Writer writer = ended();
    writer.temporary = name;
    leave_lock(writer);
    { const OutputClaim claim(Communicator::self(), path, "a.h5"); }
    EXPECT_EQ(contents(folder / name), "half");
  }
  std::filesystem::create_symlink("precious", folder / ended().temporary);
  std::ofstream(lock_of(path)) << lock_text(ended());
  { const OutputClaim claim(Communicator::self(), path, "a.h5"); }
  EXPECT_TRUE(std::filesystem::is_symlink(folder / ended().temporary));
}

TEST_F(OutputClaims, TakeNoOtherFileForALock) {
  const std::string lock = lock_of(path);
  const std::string message =
      "cannot write 'a.h5' (its lock, '" + lock +
      "', exists and is not one of Rivulet's). Remove it, or choose another "
      "path.";
  std::ofstream(lock) << "a user's";
  EXPECT_EQ(refusal(), message);
  EXPECT_EQ(contents(lock), "a user's");
  std::filesystem::rename(lock, folder / "other");
  std::filesystem::create_symlink("other", lock);
  EXPECT_EQ(refusal(), message);
  std::ofstream(folder / "other").flush();  // empty, as a lock is that is just made
  EXPECT_EQ(refusal(), message);
  EXPECT_EQ(contents(folder / "other"), "");
  std::filesystem::remove(lock);
  ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(refusal(), message);
}

TEST_F(OutputClaims, AreDroppedBeforeAnAbort) {
  const OutputClaim claim(Communicator::self(), path, "a.h5");
  remove_open_outputs();
  EXPECT_TRUE(folder.is_empty());
  const OutputClaim next(Communicator::self(), path, "a.h5");
  remove_open_outputs();
  EXPECT_TRUE(folder.is_empty());
}

/// In a program of its own, which starts MPI anew: a fork of one that has cannot end it.
TEST_F(OutputClaims, AreDroppedByAnAbort) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* variable = "RIVULET_TEST_ABORTED_IN";
  ::setenv(variable, folder.path().c_str(), 0);  // the first program's, for the second
  const auto fail = [this] {
    std::filesystem::remove(folder.path());
    const std::string there = std::string(std::getenv(variable)) + "/a.h5";
    const OutputClaim claim(Communicator::self(), there, "a.h5");
    if (std::filesystem::exists(lock_of(there))) Communicator::self().abort("the lock is there");
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(1), "the lock is there");
  EXPECT_TRUE(folder.is_empty());
  ::unsetenv(variable);
  GTEST_FLAG_SET(death_test_style, "fast");
}

TEST(LockText, IsReadAsWritten) {
  const Writer writer{this_process(), utc_now(), "a name: with a colon", true};
  const std::string text = lock_text(writer);
  const auto read = writer_in(text);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(lock_text(*read), text);
  EXPECT_EQ(life_of(read->process), Life::running);
  EXPECT_FALSE(writer_in(text.substr(0, text.find("started"))).has_value());
  EXPECT_FALSE(writer_in("rivulet lock 2\nstarted: 1\n").has_value());
}

TEST(LockText, LeavesRoomBehindLongNames) {
  constexpr std::size_t shortest_limit = 143;  // eCryptfs'
  const std::string one = "folder/" + std::string(254, 'x') + "1";
  const std::string other = "folder/" + std::string(254, 'x') + "2";
  const std::string folder = "folder/";
  EXPECT_LE(temporary_of(one).size(), folder.size() + shortest_limit);
  EXPECT_THAT(temporary_of(one), StartsWith(folder + "xxx"));
  EXPECT_NE(lock_of(one), lock_of(other));
  EXPECT_NE(temporary_of(one), temporary_of(one));
  const std::string name = temporary_of(one).substr(folder.size());
  EXPECT_TRUE(is_temporary_of(name, one));
  EXPECT_FALSE(is_temporary_of(name, other));
  EXPECT_FALSE(is_temporary_of("../" + name, one));
}

TEST(LifeOf, IsUnknownElsewhere) {
  ProcessIdentity process = this_process();
  process.host = "node7";
  EXPECT_EQ(life_of(process), Life::unknown);
  process = this_process();
  process.space = "another start of the machine";
  EXPECT_EQ(life_of(process), Life::unknown);
  process = this_process();
  process.number = 0x7ffffff0;  // more than Linux gives
  EXPECT_EQ(life_of(process), Life::ended);
}

/// Uses file systems that no test can mount; their numbers are statfs(2)'s.
TEST(LockReach, DependsOnHowAFileSystemIsMounted) {
  constexpr std::uint32_t ext4 = 0xef53;
  constexpr std::uint32_t gpfs = 0x47504653;
  constexpr std::uint32_t nfs = 0x6969;
  constexpr std::uint32_t lustre = 0x0bd00bd0;
  constexpr std::uint32_t fuse = 0x65735546;
  for (const std::uint32_t system : {ext4, gpfs}) EXPECT_TRUE(locks_reach(system, ",rw,"));
  EXPECT_TRUE(locks_reach(nfs, ",rw,local_lock=none,"));
  EXPECT_TRUE(locks_reach(nfs, ",rw,local_lock=posix,"));
  for (const char* options : {"", ",rw,nolock,", ",local_lock=all,rw,", ",rw,local_lock=flock,"}) {
    EXPECT_FALSE(locks_reach(nfs, options)) << options;
  }
  EXPECT_TRUE(locks_reach(lustre, ",rw,flock,"));
  EXPECT_FALSE(locks_reach(lustre, ",rw,localflock,"));
  EXPECT_FALSE(locks_reach(lustre, ",rw,noflock,"));
  EXPECT_FALSE(locks_reach(fuse, ",rw,"));
}

}  // namespace
}  // namespace rivulet::io
