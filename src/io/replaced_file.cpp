// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/replaced_file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "io/file_space.hpp"
#include "io/hdf5_support.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error("cannot write '" + path + "'", "it exists and is " + what,
              "Choose another path, or remove it first.");
}

/// What the attribute `format` of the root group begins with in every file of Rivulet's.
constexpr const char* mark = "rivulet ";

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

/// A file that HDF5 does not open may be the rest of one of Rivulet's.
bool is_somebody_elses(const std::string& path) {
  const QuietHdf5 quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) return false;
  if (H5Aexists(file.get(), "format") <= 0) return true;
  const Handle attribute(H5Aopen(file.get(), "format", H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) return true;
  return !text_of(attribute).starts_with(mark);
}

/// What the name leads to in the end. A link that leads nowhere yet names the file to be.
std::filesystem::path end_of(const std::filesystem::path& path) {
  std::error_code none;
  constexpr int most_links = 40;  // as many as Linux follows
  std::filesystem::path at = path;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(at, none); ++i) {
    at = at.parent_path() / std::filesystem::read_symlink(at, none);
  }
  return at;
}

}  // namespace

std::string replaced_file(const std::string& path) {
  if (path.empty()) throw_cannot_write(path, ENOENT);
  const std::string end = end_of(path).string();
  std::error_code code;
  const auto status = std::filesystem::status(end, code);
  using std::filesystem::file_type;
  if (status.type() == file_type::not_found) return end;
  if (status.type() == file_type::none) throw_cannot_write(path, code.value());
  if (status.type() == file_type::directory) throw_cannot_write(path, EISDIR);
  if (status.type() != file_type::regular) refuse(path, "not a regular file");
  if (std::filesystem::file_size(end, code) == 0) return end;
  if (H5Fis_hdf5(end.c_str()) <= 0) refuse(path, "not an HDF5 file");
  if (is_somebody_elses(end)) refuse(path, "not a Rivulet file");
  return end;
}

}  // namespace rivulet::io
