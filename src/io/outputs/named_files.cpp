// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/named_files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <vector>

#include "io/outputs/file_space.hpp"
#include "io/outputs/replaced_file.hpp"
#include "io/outputs/writer.hpp"
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
  if (file.use != FileUse::read || identity_of(file.path) || errno != ENOENT) return;
  throw Error("cannot read '" + file.path + "'", "there is no such file",
              "Check " + file.key + ".");
}

/// Two files to be written would replace each other, or the lock that says who writes one.
void require_two_places(const NamedFile& one, const NamedFile& other) {
  const std::string place = end_of_links(one.path);
  const std::string other_place = end_of_links(other.path);
  const std::string advice = "Give them different names.";
  if (is_one_name(place, other_place)) {
    throw Error(fmt::format("{} and {} are both '{}'", one.key, other.key, one.path),
                "each would replace the other", advice);
  }
  const bool first = is_one_name(place, lock_of(other_place));
  if (!first && !is_one_name(lock_of(place), other_place)) return;
  throw Error(fmt::format("{}='{}' is the lock of {}", first ? one.key : other.key,
                          first ? one.path : other.path, first ? other.key : one.key),
              "it says who writes that file", advice);
}

void require_apart(const NamedFile& written, const NamedFile& other) {
  if (other.use == FileUse::written) return require_two_places(written, other);
  if (!is_one_file(identity_of(written.path), identity_of(other.path))) return;
  throw Error(written.key + "='" + written.path + "' is " +
                  (other.path == written.path ? "" : "'" + other.path + "', ") + other.key,
              "the output would replace what the run reads", "Give the output another name.");
}

}  // namespace

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
