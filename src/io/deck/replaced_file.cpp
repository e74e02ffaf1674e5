// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/deck/replaced_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "io/files/file_space.hpp"
#include "io/files/output_lock.hpp"
#include "io/files/sealed_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error("cannot write '" + path + "'", "it exists and " + what,
              "Choose another path, or remove it first.");
}

/// Throws Error unless the existing file is intact and of this kind. Reads the seal without HDF5,
/// because a damaged file may crash HDF5. Does not compare a checkpoint with its seal: users
/// do not edit checkpoints, and a run replaces its own too often to read each one again.
void require_kind(const std::string& path, const std::string& end, const std::string& kind) {
  const FileDescriptor file(::open(end.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) {
    refuse(path, "cannot be read: " + std::generic_category().message(errno));
  }
  const auto seal = sealed_as(end);
  if (!seal && !looks_like_hdf5(end)) refuse(path, "is not an HDF5 file");
  if (!seal || seal->kind.empty()) {
    refuse(path,
           "has no seal: it was changed or cut short, or an older Rivulet or another program wrote "
           "it");
  }
  if (seal->kind != kind) {
    refuse(path, "is a Rivulet file of kind '" + seal->kind + "', not '" + kind + "'");
  }
  if (kind != "checkpoint" && match_seal(file, end) == SealMatch::broken) {
    refuse(path, "was changed or cut short since Rivulet wrote it");
  }
}

struct NamedFile {
  std::string key;  ///< "section.key", or "the deck"
  std::string path;
  FileUse use;
};

std::vector<NamedFile> files_of(const Schema& schema, const std::string& deck) {
  std::vector<NamedFile> all;
  if (!deck.empty()) all.push_back({"the deck", deck, FileUse::read});
  for (const SectionSchema& section : schema.sections()) {
    for (const BoundKey& one : keys_of(section)) {
      if (one.entry.file == FileUse::none || one.text.empty()) continue;
      all.push_back({section.name + "." + one.entry.key, one.text, one.entry.file});
    }
  }
  return all;
}

void require_there(const NamedFile& file) {
  if (file.use != FileUse::read || identity_of(file.path) || errno != ENOENT) return;
  const bool is_made = file.key == "table.file" && file.path == "neutron.h5";
  const std::string made =
      ", or run `scripts/make_neutron_table` to make the table of inputs/neutron.yaml";
  throw Error("cannot read '" + file.path + "'", "there is no such file",
              "Check " + file.key + (is_made ? made : "") + ".");
}

/// Throws Error if two outputs would replace each other, or if one would replace the other's lock
/// file.
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
              "Rivulet makes this lock file while it writes that output", advice);
}

void require_apart(const NamedFile& written, const NamedFile& other) {
  if (other.use == FileUse::written) return require_two_places(written, other);
  if (!is_one_file(identity_of(written.path), identity_of(other.path))) return;
  throw Error(written.key + "='" + written.path + "' is the same file as " + other.key +
                  (other.path == written.path ? "" : ", '" + other.path + "'"),
              "the output would replace an input of the run", "Give the output another name.");
}

}  // namespace

std::string end_of_links(const std::string& path) {
  std::error_code none;
  constexpr int most_links = 40;  // as many as Linux follows
  std::filesystem::path at = path;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(at, none); ++i) {
    at = at.parent_path() / std::filesystem::read_symlink(at, none);
  }
  return at.string();
}

std::string replaced_file(const std::string& path, const std::string& kind) {
  if (path.empty()) throw_cannot_write(path, ENOENT);
  const std::string end = end_of_links(path);
  std::error_code code;
  const auto status = std::filesystem::status(end, code);
  using std::filesystem::file_type;
  if (status.type() == file_type::not_found) return end;
  if (status.type() == file_type::none) throw_cannot_write(path, code.value());
  if (status.type() == file_type::directory) throw_cannot_write(path, EISDIR);
  if (status.type() != file_type::regular) refuse(path, "is not a regular file");
  if (std::filesystem::file_size(end, code) > 0) require_kind(path, end, kind);
  return end;
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
