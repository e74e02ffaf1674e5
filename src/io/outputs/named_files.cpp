// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/named_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "io/outputs/file_descriptor.hpp"
#include "io/outputs/file_space.hpp"
#include "io/outputs/lock_text.hpp"
#include "io/outputs/replaced_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

struct NamedFile {
  std::string key;  ///< "section.key", or what else names it
  std::string path;
  FileUse use;
};

class FileCollector : public Binder {
 public:
  explicit FileCollector(std::string section) : section_(std::move(section)) {}
  std::vector<NamedFile> files;

 protected:
  void visit(const Entry&, std::uint64_t&, Range<std::uint64_t>) override {}
  void visit(const Entry&, double&, Range<double>) override {}
  void visit(const Entry&, bool&) override {}
  void visit(const Entry& entry, std::string& value) override {
    if (entry.file == FileUse::none || value.empty()) return;
    files.push_back({section_ + "." + entry.key, value, entry.file});
  }
  void visit_bytes(const Entry&, std::uint64_t&, Range<std::uint64_t>) override {}
  void visit_duration(const Entry&, double&, Range<double>) override {}
  void visit_list(const Entry&, std::vector<std::uint64_t>&, Range<std::uint64_t>) override {}
  void visit_choice(const Entry&, std::size_t&, const std::vector<Option>&) override {}

 private:
  std::string section_;
};

std::vector<NamedFile> files_of(const Schema& schema, const std::string& deck) {
  std::vector<NamedFile> all;
  if (!deck.empty()) all.push_back({"the deck", deck, FileUse::read});
  for (const SectionSchema& section : schema.sections()) {
    FileCollector collector(section.name);
    section.bind(collector);
    all.insert(all.end(), collector.files.begin(), collector.files.end());
  }
  return all;
}

void require_there(const NamedFile& file) {
  struct stat status {};
  if (file.use != FileUse::read || ::stat(file.path.c_str(), &status) == 0 || errno != ENOENT) {
    return;
  }
  throw Error("cannot read '" + file.path + "'", "there is no such file",
              "Check " + file.key + ".");
}

/// Where a file is, or is to be: from the root, and by no link.
std::string place_of(const std::string& path) {
  std::error_code none;  // then the name is compared as it is
  const auto whole = std::filesystem::absolute(end_of_links(path), none);
  const auto place = std::filesystem::weakly_canonical(whole, none);
  return none ? path : place.string();
}

/// Two files to be written would replace each other, or the lock that says who writes one.
void require_two_places(const NamedFile& one, const NamedFile& other) {
  const std::string place = place_of(one.path);
  const std::string other_place = place_of(other.path);
  const std::string advice = "Give them different names.";
  if (place == other_place) {
    throw Error(fmt::format("{} and {} are both '{}'", one.key, other.key, one.path),
                "each would replace the other", advice);
  }
  if (place != lock_of(other_place) && lock_of(place) != other_place) return;
  const bool first = place == lock_of(other_place);
  throw Error(fmt::format("{}='{}' is the lock of {}", first ? one.key : other.key,
                          first ? one.path : other.path, first ? other.key : one.key),
              "it says who writes that file", advice);
}

void require_apart(const NamedFile& written, const NamedFile& other) {
  if (other.use == FileUse::written) return require_two_places(written, other);
  if (!are_one_file(written.path, other.path)) return;
  throw Error(written.key + "='" + written.path + "' is " +
                  (other.path == written.path ? "" : "'" + other.path + "', ") + other.key,
              "the output would replace what the run reads", "Give the output another name.");
}

}  // namespace

void require_creatable(const std::string& path, const std::string& shown) {
  const std::string probe = temporary_of(path);
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC;
  const bool made = FileDescriptor(::open(probe.c_str(), flags, 0666)).valid();
  const int code = made ? 0 : errno;
  if (made) ::unlink(probe.c_str());
  if (code != 0 && code != ENOSPC && code != EDQUOT) throw_cannot_write(shown, code);
}

bool are_one_file(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat other {};
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

void check_named_files(const Communicator& communicator, const Schema& schema,
                       const std::string& deck) {
  communicator.on_root([&] {
    const std::vector<NamedFile> files = files_of(schema, deck);
    for (const NamedFile& file : files) {
      require_there(file);
      if (file.use != FileUse::written) continue;
      for (const NamedFile& other : files) {
        if (&other != &file) require_apart(file, other);
      }
    }
  });
}

}  // namespace rivulet::io
