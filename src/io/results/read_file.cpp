// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/files/input_file.hpp"
#include "io/files/output_lock.hpp"
#include "io/files/sealed_file.hpp"
#include "io/results/hdf5_support.hpp"
#include "io/results/results_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr std::uint64_t newest_format_version = 1;

std::uint64_t count_of(const Handle& space) {
  return static_cast<std::uint64_t>(
      std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
}

bool is_signed(hid_t type) { return H5Tget_sign(type) == H5T_SGN_2; }

/// True if the wanted type can represent every number of the stored type.
bool can_represent(hid_t wanted, hid_t stored) {
  if (H5Tget_class(wanted) != H5Tget_class(stored)) return false;
  const std::size_t wanted_bits = H5Tget_precision(wanted);
  const std::size_t stored_bits = H5Tget_precision(stored);
  if (H5Tget_class(wanted) == H5T_FLOAT || is_signed(wanted) == is_signed(stored)) {
    return wanted_bits >= stored_bits;
  }
  return is_signed(wanted) && wanted_bits > stored_bits;
}

/// An attribute or a dataset.
struct Stored {
  std::string name;  ///< name in messages; "OBJECT@NAME" for an attribute
  Handle handle = {};
  Handle type = {};
  Handle space = {};

  herr_t read(hid_t memory, void* to) const {
    if (H5Iget_type(handle.get()) == H5I_ATTR) return H5Aread(handle.get(), memory, to);
    return H5Dread(handle.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  }
  H5T_class_t kind() const { return H5Tget_class(type.get()); }
};

}  // namespace

struct ReadFile::File {
  std::string path;
  Handle file = {};

  [[noreturn]] void fail(const std::string& object, const std::string& why) const {
    throw Error("cannot read '" + object + "' of '" + path + "'", why,
                "Recreate the file with this version of Rivulet.");
  }
  void check(herr_t result, const std::string& object) const {
    if (result < 0) fail(object, hdf5_reason());
  }
  Handle check(Handle handle, const std::string& object) const {
    check(handle.valid() ? 0 : -1, object);
    return handle;
  }

  void open(Seal seal);
  void check_format(const std::string& kind) const;

  Stored dataset(const std::string& name) const {
    if (!link_exists(file.get(), name)) fail(name, "there is no such dataset");
    Stored found{name, check({H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose}, name)};
    if (has_external_data(found.handle)) fail(name, "its data are in other files");
    found.type = check({H5Dget_type(found.handle.get()), H5Tclose}, name);
    found.space = check({H5Dget_space(found.handle.get()), H5Sclose}, name);
    return found;
  }

  bool has_attribute(const std::string& object, const std::string& name) const {
    return link_exists(file.get(), object) &&
           H5Aexists_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
  }
  Stored attribute(const std::string& object, const std::string& name) const;

  /// Returns all elements; throws Error if T cannot hold them.
  template <class T>
  std::vector<T> values(const Stored& from) const;
  std::vector<std::string> texts(const Stored& from) const;
  template <class T>
  std::vector<T> numbers(const Stored& from) const;
  /// Returns an attribute of any type.
  AttributeValue any_value(const std::string& object, const std::string& name) const;
};

void ReadFile::File::open(Seal seal) {
  std::error_code unreadable;  // open_input() reports the reason
  if (!std::filesystem::exists(path, unreadable)) {
    if (const std::string writer = writer_of(path); !writer.empty()) {
      throw Error("cannot read '" + path + "'", "it is still being written: " + writer,
                  "Wait for that run to end.");
    }
  }
  const FileDescriptor found = open_input({path, "cannot read '" + path + "'", "Check its name."});
  const bool is_sealed = seal == Seal::already_checked || check_seal(found, path);
  if (!is_sealed && seal == Seal::required) {
    throw Error("cannot read '" + path + "'",
                !looks_like_hdf5(path) ? "not an HDF5 file"
                                       : "it has no seal: it was changed or cut short, or an older "
                                         "Rivulet or another program wrote it",
                "Give a complete file written by this version of Rivulet.");
  }
  file = open_to_read(found, path);
  if (file.valid()) return;
  const std::string reason = hdf5_reason();
  throw Error("cannot read '" + path + "'",
              looks_like_hdf5(path) ? reason : "not an HDF5 file: " + reason,
              "Give a complete file written by Rivulet.");
}

void ReadFile::File::check_format(const std::string& kind) const {
  const std::string expected = "rivulet " + kind;
  const std::string advice = "Give a file of kind '" + kind + "' written by Rivulet.";
  if (!has_attribute("/", "format") || !has_attribute("/", "format_version")) {
    throw Error("'" + path + "' is not a Rivulet file", "it has no attribute 'format'", advice);
  }
  const auto format = texts(attribute("/", "format"));
  if (format.size() != 1 || format[0] != expected) {
    throw Error("'" + path + "' is of the wrong kind",
                "it is '" + (format.empty() ? "" : format[0]) + "', not '" + expected + "'",
                advice);
  }
  const auto version = numbers<std::uint64_t>(attribute("/", "format_version"));
  if (version.size() != 1 || version[0] > newest_format_version) {
    throw Error("'" + path + "' is too new",
                "its format_version is " + (version.empty() ? "" : std::to_string(version[0])) +
                    ", and this Rivulet reads up to " + std::to_string(newest_format_version),
                "Use a newer Rivulet.");
  }
}

/// Returns the strings of an object. Their length may be fixed or variable.
std::vector<std::string> ReadFile::File::texts(const Stored& from) const {
  if (from.kind() != H5T_STRING) fail(from.name, "it is not text");
  const std::uint64_t count = count_of(from.space);
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (H5Tis_variable_str(from.type.get()) > 0) {
    std::vector<char*> pointers(count, nullptr);
    check(from.read(from.type.get(), pointers.data()), from.name);
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(from.type.get(), from.space.get(), H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t width = H5Tget_size(from.type.get());
  std::string bytes(count * width, '\0');
  check(from.read(from.type.get(), bytes.data()), from.name);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string padded = bytes.substr(i * width, width);
    texts.push_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
  }
  return texts;
}

Stored ReadFile::File::attribute(const std::string& object, const std::string& name) const {
  Stored found{object + "@" + name};
  if (!has_attribute(object, name)) fail(found.name, "there is no such attribute");
  found.handle =
      check({H5Aopen_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
             H5Aclose},
            found.name);
  found.type = check({H5Aget_type(found.handle.get()), H5Tclose}, found.name);
  found.space = check({H5Aget_space(found.handle.get()), H5Sclose}, found.name);
  return found;
}

template <class T>
std::vector<T> ReadFile::File::numbers(const Stored& from) const {
  const std::uint64_t count = count_of(from.space);
  std::vector<T> numbers(count);
  const auto read = [&](hid_t memory, void* data) {
    if (count > 0) check(from.read(memory, data), from.name);
  };
  if constexpr (std::same_as<T, double>) {
    if (from.kind() != H5T_FLOAT) fail(from.name, "it is not a real number");
    read(H5T_NATIVE_DOUBLE, numbers.data());
  } else {
    if (from.kind() != H5T_INTEGER) fail(from.name, "it is not an integer");
    const auto convert = [&](hid_t memory, auto stored) {
      read(memory, stored.data());
      for (std::size_t i = 0; i < count; ++i) {
        if (!std::in_range<T>(stored[i])) fail(from.name, "the number does not fit");
        numbers[i] = static_cast<T>(stored[i]);
      }
    };
    if (is_signed(from.type.get())) {
      convert(H5T_NATIVE_INT64, std::vector<std::int64_t>(count));
    } else {
      convert(H5T_NATIVE_UINT64, std::vector<std::uint64_t>(count));
    }
  }
  return numbers;
}

template <class T>
std::vector<T> ReadFile::File::values(const Stored& from) const {
  if constexpr (std::same_as<T, std::string>) {
    return texts(from);
  } else if constexpr (std::same_as<T, bool>) {
    const Handle memory = bool_type();
    std::int8_t value = 0;
    if (from.kind() != H5T_ENUM || count_of(from.space) != 1) fail(from.name, "it is not a flag");
    check(from.read(memory.get(), &value), from.name);
    return {value != 0};
  } else {
    return numbers<T>(from);
  }
}

AttributeValue ReadFile::File::any_value(const std::string& object, const std::string& name) const {
  const Stored from = attribute(object, name);
  const bool single = H5Sget_simple_extent_type(from.space.get()) == H5S_SCALAR;
  const auto one_or_all = [&](auto values) -> AttributeValue {
    if (single) return values.at(0);
    return values;
  };
  if (from.kind() == H5T_STRING) return one_or_all(texts(from));
  if (from.kind() == H5T_FLOAT) return one_or_all(numbers<double>(from));
  if (from.kind() == H5T_ENUM) return values<bool>(from).at(0);
  if (!is_signed(from.type.get())) return one_or_all(numbers<std::uint64_t>(from));
  if (!single) fail(from.name, "lists of such numbers are not supported");
  return numbers<std::int64_t>(from).at(0);
}

ReadFile::ReadFile(const std::string& path, const std::string& kind, Seal seal)
    : file_(std::make_unique<File>(File{path})) {
  const QuietHdf5 quiet;
  start_hdf5();
  file_->open(seal);
  file_->check_format(kind);
}

ReadFile::~ReadFile() = default;
ReadFile::ReadFile(ReadFile&&) noexcept = default;

template <class T>
T ReadFile::attribute(const std::string& object, const std::string& name) const {
  const QuietHdf5 quiet;
  if constexpr (requires { typename T::allocator_type; } && !std::same_as<T, std::string>) {
    return file_->values<typename T::value_type>(file_->attribute(object, name));
  } else {
    const auto values = file_->values<T>(file_->attribute(object, name));
    if (values.size() != 1) file_->fail(object + "@" + name, "it is not a single value");
    return values[0];
  }
}

template bool ReadFile::attribute(const std::string&, const std::string&) const;
template std::int64_t ReadFile::attribute(const std::string&, const std::string&) const;
template std::uint64_t ReadFile::attribute(const std::string&, const std::string&) const;
template double ReadFile::attribute(const std::string&, const std::string&) const;
template std::string ReadFile::attribute(const std::string&, const std::string&) const;
template std::vector<std::string> ReadFile::attribute(const std::string&, const std::string&) const;
template std::vector<std::uint64_t> ReadFile::attribute(const std::string&,
                                                        const std::string&) const;
template std::vector<double> ReadFile::attribute(const std::string&, const std::string&) const;

bool ReadFile::has_attribute(const std::string& object, const std::string& name) const {
  const QuietHdf5 quiet;
  return file_->has_attribute(object, name);
}

std::vector<std::pair<std::string, AttributeValue>> ReadFile::attributes(
    const std::string& object) const {
  const QuietHdf5 quiet;
  if (object != "/" && !link_exists(file_->file.get(), object)) {
    file_->fail(object, "there is no such object");
  }
  const Handle opened =
      file_->check({H5Oopen(file_->file.get(), object.c_str(), H5P_DEFAULT), H5Oclose}, object);
  std::vector<std::string> names;
  file_->check(H5Aiterate2(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr,
                           append_name<H5A_info_t>, &names),
               object);
  std::vector<std::pair<std::string, AttributeValue>> all;
  for (const std::string& name : names) all.emplace_back(name, file_->any_value(object, name));
  return all;
}

bool ReadFile::has(const std::string& path) const {
  const QuietHdf5 quiet;
  return link_exists(file_->file.get(), path);
}

std::vector<std::string> ReadFile::list(const std::string& path) const {
  const QuietHdf5 quiet;
  if (!link_exists(file_->file.get(), path)) file_->fail(path, "there is no such group");
  const Handle group =
      file_->check({H5Gopen2(file_->file.get(), path.c_str(), H5P_DEFAULT), H5Gclose}, path);
  std::vector<std::string> names;
  file_->check(
      H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, append_name<H5L_info_t>, &names),
      path);
  return names;
}

std::string ReadFile::text(const std::string& path) const {
  const QuietHdf5 quiet;
  const auto all = file_->texts(file_->dataset(path));
  if (all.size() != 1) file_->fail(path, "it is not a single text");
  return all[0];
}

std::vector<std::string> ReadFile::lines(const std::string& path) const {
  std::istringstream lines(text(path));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

std::vector<std::uint64_t> ReadFile::shape(const std::string& path) const {
  const QuietHdf5 quiet;
  const Stored found = file_->dataset(path);
  const int rank = H5Sget_simple_extent_ndims(found.space.get());
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(found.space.get(), extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

std::uint64_t ReadFile::element_count(const std::string& path) const {
  const QuietHdf5 quiet;
  return count_of(file_->dataset(path).space);
}

void ReadFile::read_into(const std::string& path, ElementType type, void* destination) const {
  const QuietHdf5 quiet;
  const Stored found = file_->dataset(path);
  if (!can_represent(memory_type(type), found.type.get())) {
    file_->fail(path, "its elements have an unexpected type");
  }
  file_->check(found.read(memory_type(type), destination), path);
}

}  // namespace rivulet::io
