// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/replaced_file.hpp"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "io/file_space.hpp"
#include "io/hdf5_support.hpp"
#include "io/sealed_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error("cannot write '" + path + "'", "it exists and " + what,
              "Choose another path, or remove it first.");
}

/// What the attribute `format` of the root group begins with in every file of Rivulet's.
constexpr std::string_view mark = "rivulet ";

/// Of a single text, of fixed or variable length; empty for anything else.
std::string text_of(const Handle& attribute) {
  const Handle stored(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING) return "";
  if (H5Tis_variable_str(stored.get()) <= 0) {
    std::string text(H5Tget_size(stored.get()), '\0');
    return H5Aread(attribute.get(), stored.get(), text.data()) < 0 ? "" : text;
  }
  const Handle type = variable_text_type();
  char* read = nullptr;
  if (H5Aread(attribute.get(), type.get(), &read) < 0 || read == nullptr) return "";
  const std::string text = read;
  H5free_memory(read);
  return text;
}

/// The attribute `format`; "" where there is none, or not one text.
std::string format_of(const Handle& file) {
  if (H5Aexists(file.get(), "format") <= 0) return "";
  const Handle attribute(H5Aopen(file.get(), "format", H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  return H5Sget_simple_extent_npoints(space.get()) == 1 ? text_of(attribute) : "";
}

void require_kind(const std::string& path, const std::string& end, const std::string& kind) {
  const QuietHdf5 quiet;
  const Handle access = file_access();
  const htri_t is_hdf5 = H5Fis_hdf5(end.c_str());
  if (is_hdf5 < 0) refuse(path, "cannot be read: " + hdf5_reason());
  if (is_hdf5 == 0) refuse(path, "is not an HDF5 file");
  check_seal(end);  // HDF5 may crash over what is damaged
  const Handle file(H5Fopen(end.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file.valid()) refuse(path, "is damaged, or not a Rivulet file: " + hdf5_reason());
  const std::string format = format_of(file);
  if (!format.starts_with(mark)) refuse(path, "is not a Rivulet file");
  const std::string found = format.substr(mark.size());
  if (found != kind) refuse(path, "is a Rivulet file of " + found + ", not of " + kind);
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

}  // namespace rivulet::io
