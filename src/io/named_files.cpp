// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/named_files.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <vector>

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

void require_apart(const NamedFile& written, const NamedFile& other) {
  if (other.use == FileUse::written || !are_one_file(written.path, other.path)) return;
  throw Error(written.key + "='" + written.path + "' is " +
                  (other.path == written.path ? "" : "'" + other.path + "', ") + other.key,
              "the output would replace what the run reads", "Give the output another name.");
}

}  // namespace

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
      for (const NamedFile& other : files) require_apart(file, other);
    }
  });
}

}  // namespace rivulet::io
