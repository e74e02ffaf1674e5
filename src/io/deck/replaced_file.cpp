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
/// do not edit checkpoints, and a run replaces its checkpoint too often to hash the old one.
void require_kind(const std::string& path, const std::string& target, const std::string& kind) {
  const FileDescriptor file(::open(target.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) {
    refuse(path, "cannot be read: " + std::generic_category().message(errno));
  }
  const auto seal = seal_description(target);
  if (!seal && !looks_like_hdf5(target)) refuse(path, "is not an HDF5 file");
  if (!seal || seal->kind.empty()) {
    refuse(path,
           "has no seal: it was changed or cut short, or an older Rivulet or another program wrote "
           "it");
  }
  if (seal->kind != kind) {
    refuse(path, "is a Rivulet file of kind '" + seal->kind + "', not '" + kind + "'");
  }
  if (kind != "checkpoint" && match_seal(file, target) == SealMatch::broken) {
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
    for (const BoundKey& key : keys_of(section)) {
      if (key.entry.file == FileUse::none || key.text.empty()) continue;
      all.push_back({section.name + "." + key.entry.key, key.text, key.entry.file});
    }
  }
  return all;
}

void require_exists(const NamedFile& file) {
  if (file.use != FileUse::read || identity_of(file.path) || errno != ENOENT) return;
  const bool is_neutron_table = file.key == "table.file" && file.path == "neutron.h5";
  const std::string neutron_advice =
      ", or run `scripts/make_neutron_table` to make the table of inputs/neutron.yaml";
  throw Error("cannot read '" + file.path + "'", "there is no such file",
              "Check " + file.key + (is_neutron_table ? neutron_advice : "") + ".");
}

/// Throws Error if two outputs would replace each other, or if one would replace the other's lock
/// file.
void require_different_outputs(const NamedFile& first, const NamedFile& second) {
  const std::string target = resolve_symlinks(first.path);
  const std::string other_target = resolve_symlinks(second.path);
  const std::string advice = "Give them different names.";
  if (is_same_path(target, other_target)) {
    throw Error(fmt::format("{} and {} are both '{}'", first.key, second.key, first.path),
                "each would replace the other", advice);
  }
  const bool first_is_lock = is_same_path(target, lock_of(other_target));
  if (!first_is_lock && !is_same_path(lock_of(target), other_target)) return;
  throw Error(
      fmt::format("{}='{}' is the lock of {}", first_is_lock ? first.key : second.key,
                  first_is_lock ? first.path : second.path, first_is_lock ? second.key : first.key),
      "Rivulet makes this lock file while it writes that output", advice);
}

void require_distinct(const NamedFile& written, const NamedFile& other) {
  if (other.use == FileUse::written) return require_different_outputs(written, other);
  if (!is_same_file(identity_of(written.path), identity_of(other.path))) return;
  throw Error(written.key + "='" + written.path + "' is the same file as " + other.key +
                  (other.path == written.path ? "" : ", '" + other.path + "'"),
              "the output would replace an input of the run", "Give the output another name.");
}

}  // namespace

std::string resolve_symlinks(const std::string& path) {
  std::error_code ignored;
  constexpr int max_links = 40;  // as many as Linux follows
  std::filesystem::path target = path;
  for (int i = 0; i < max_links && std::filesystem::is_symlink(target, ignored); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  }
  return target.string();
}

std::string resolve_output_path(const std::string& path, const std::string& kind) {
  if (path.empty()) throw_cannot_write(path, ENOENT);
  const std::string target = resolve_symlinks(path);
  std::error_code code;
  const auto status = std::filesystem::status(target, code);
  using std::filesystem::file_type;
  if (status.type() == file_type::not_found) return target;
  if (status.type() == file_type::none) throw_cannot_write(path, code.value());
  if (status.type() == file_type::directory) throw_cannot_write(path, EISDIR);
  if (status.type() != file_type::regular) refuse(path, "is not a regular file");
  if (std::filesystem::file_size(target, code) > 0) require_kind(path, target, kind);
  return target;
}

void check_named_files(const Communicator& communicator, const Schema& schema,
                       const std::string& deck) {
  communicator.on_root([&] {
    const std::vector<NamedFile> files = files_of(schema, deck);
    for (const NamedFile& file : files) {
      require_exists(file);
      if (file.use != FileUse::written) continue;
      for (const NamedFile& other : files) {
        if (&other != &file) require_distinct(file, other);
      }
    }
  });
}

}  // namespace rivulet::io
