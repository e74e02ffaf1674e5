// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <filesystem>

#include "io/inputs/input_file.hpp"
#include "io/outputs/output_lock.hpp"
#include "io/results/hdf5_support.hpp"
#include "io/results/results_file.hpp"
#include "io/results/sealed_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr std::uint64_t newest_format_version = 1;

std::vector<std::uint64_t> extents_of(const Handle& space) {
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

std::uint64_t count_of(const Handle& space) {
  return static_cast<std::uint64_t>(
      std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
}

bool is_signed(hid_t type) { return H5Tget_sign(type) == H5T_SGN_2; }

/// Whether every number of the stored type is one of the wanted type.
bool holds(hid_t wanted, hid_t stored) {
  if (H5Tget_class(wanted) != H5Tget_class(stored)) return false;
  const std::size_t wanted_bits = H5Tget_precision(wanted);
  const std::size_t stored_bits = H5Tget_precision(stored);
  if (H5Tget_class(wanted) == H5T_FLOAT || is_signed(wanted) == is_signed(stored)) {
    return wanted_bits >= stored_bits;
  }
  return is_signed(wanted) && wanted_bits > stored_bits;
}

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

  Handle dataset(const std::string& name) const {
    if (!link_exists(file.get(), name)) fail(name, "there is no such dataset");
    Handle dataset = check({H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose}, name);
    if (is_elsewhere(dataset)) fail(name, "its data are in other files");
    return dataset;
  }

  bool has_attribute(const std::string& object, const std::string& name) const {
    return link_exists(file.get(), object) &&
           H5Aexists_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
  }

  struct Attribute {
    std::string full;  ///< "OBJECT@NAME", for messages
    Handle handle;
    Handle type;
    Handle space;
  };
  Attribute attribute(const std::string& object, const std::string& name) const;

  /// All elements of an attribute; throws if they are not T.
  template <class T>
  std::vector<T> values(const std::string& object, const std::string& name) const;

  /// An attribute of whatever type.
  AttributeValue any_value(const std::string& object, const std::string& name) const;

  template <class Read>
  std::vector<std::string> texts(const std::string& name, const Handle& type, const Handle& space,
                                 Read&& read) const;
  template <class T>
  std::vector<T> values(const Attribute& from) const;
  template <class T>
  std::vector<T> numbers(const Attribute& from) const;
};

void ReadFile::File::open(Seal seal) {
  std::error_code unreadable;  // whose reason require_input() tells
  if (!std::filesystem::exists(path, unreadable)) {
    if (const auto writer = writer_of(path)) {
      throw Error("cannot read '" + path + "'", "it is still being written: " + writer->text(),
                  "Wait for it.");
    }
  }
  require_input({path, "cannot read '" + path + "'", "Check its name."});
  const bool is_sealed = seal == Seal::seen || check_seal(path);
  if (!is_sealed && seal == Seal::required) {
    throw Error(
        "cannot read '" + path + "'",
        !looks_like_hdf5(path)
            ? "not an HDF5 file"
            : "it has no seal: it was changed or cut short, or is an older Rivulet's or another "
              "program's",
        "Give a complete file written by this version of Rivulet.");
  }
  const Handle access = file_access();
  file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (file.valid()) return;
  const std::string reason = hdf5_reason();
  const bool is_hdf5 = H5Fis_hdf5(path.c_str()) > 0;
  throw Error("cannot read '" + path + "'", is_hdf5 ? reason : "not an HDF5 file: " + reason,
              "Give a complete file written by Rivulet.");
}

void ReadFile::File::check_format(const std::string& kind) const {
  const std::string expected = "rivulet " + kind;
  const std::string advice = "Give a file of kind '" + kind + "' written by Rivulet.";
  if (!has_attribute("/", "format") || !has_attribute("/", "format_version")) {
    throw Error("'" + path + "' is not a Rivulet file", "it has no attribute 'format'", advice);
  }
  const auto format = values<std::string>("/", "format");
  if (format.size() != 1 || format[0] != expected) {
    throw Error("'" + path + "' is of the wrong kind",
                "it is '" + (format.empty() ? "" : format[0]) + "', not '" + expected + "'",
                advice);
  }
  const auto version = values<std::uint64_t>("/", "format_version");
  if (version.size() != 1 || version[0] > newest_format_version) {
    throw Error("'" + path + "' is too new",
                "its format_version is " + (version.empty() ? "" : std::to_string(version[0])) +
                    ", and this Rivulet reads up to " + std::to_string(newest_format_version),
                "Use a newer Rivulet.");
  }
}

/// Texts of fixed or variable length; `read` takes a memory type and a destination.
template <class Read>
std::vector<std::string> ReadFile::File::texts(const std::string& name, const Handle& type,
                                               const Handle& space, Read&& read) const {
  if (H5Tget_class(type.get()) != H5T_STRING) fail(name, "it is not text");
  const std::uint64_t count = count_of(space);
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> pointers(count, nullptr);
    check(read(type.get(), pointers.data()), name);
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
    return texts;
  }
  const std::size_t width = H5Tget_size(type.get());
  std::string bytes(count * width, '\0');
  check(read(type.get(), bytes.data()), name);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string padded = bytes.substr(i * width, width);
    texts.push_back(padded.substr(0, padded.find_last_not_of('\0') + 1));
  }
  return texts;
}

ReadFile::File::Attribute ReadFile::File::attribute(const std::string& object,
                                                    const std::string& name) const {
  Attribute found{object + "@" + name, {}, {}, {}};
  const std::string& full = found.full;
  if (!has_attribute(object, name)) fail(full, "there is no such attribute");
  found.handle =
      check({H5Aopen_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
             H5Aclose},
            full);
  found.type = check({H5Aget_type(found.handle.get()), H5Tclose}, full);
  found.space = check({H5Aget_space(found.handle.get()), H5Sclose}, full);
  return found;
}

template <class T>
std::vector<T> ReadFile::File::numbers(const Attribute& from) const {
  const std::uint64_t count = count_of(from.space);
  std::vector<T> numbers(count);
  const auto read = [&](hid_t memory, void* data) {
    if (count > 0) check(H5Aread(from.handle.get(), memory, data), from.full);
  };
  if constexpr (std::same_as<T, double>) {
    if (H5Tget_class(from.type.get()) != H5T_FLOAT) fail(from.full, "it is not a real number");
    read(H5T_NATIVE_DOUBLE, numbers.data());
  } else {
    if (H5Tget_class(from.type.get()) != H5T_INTEGER) fail(from.full, "it is not an integer");
    const auto keep = [&](const auto& stored) {
      for (std::size_t i = 0; i < stored.size(); ++i) {
        if (!std::in_range<T>(stored[i])) fail(from.full, "the number does not fit");
        numbers[i] = static_cast<T>(stored[i]);
      }
    };
    if (is_signed(from.type.get())) {
      std::vector<std::int64_t> stored(count);
      read(H5T_NATIVE_INT64, stored.data());
      keep(stored);
    } else {
      std::vector<std::uint64_t> stored(count);
      read(H5T_NATIVE_UINT64, stored.data());
      keep(stored);
    }
  }
  return numbers;
}

template <class T>
std::vector<T> ReadFile::File::values(const Attribute& from) const {
  if constexpr (std::same_as<T, std::string>) {
    return texts(from.full, from.type, from.space, [&](hid_t memory, void* data) {
      return H5Aread(from.handle.get(), memory, data);
    });
  } else if constexpr (std::same_as<T, bool>) {
    const Handle memory = bool_type();
    std::int8_t value = 0;
    if (H5Tget_class(from.type.get()) != H5T_ENUM || count_of(from.space) != 1) {
      fail(from.full, "it is not a flag");
    }
    check(H5Aread(from.handle.get(), memory.get(), &value), from.full);
    return {value != 0};
  } else {
    return numbers<T>(from);
  }
}

template <class T>
std::vector<T> ReadFile::File::values(const std::string& object, const std::string& name) const {
  return values<T>(attribute(object, name));
}

AttributeValue ReadFile::File::any_value(const std::string& object, const std::string& name) const {
  const Attribute from = attribute(object, name);
  const bool single = H5Sget_simple_extent_type(from.space.get()) == H5S_SCALAR;
  const auto one_or_all = [&](auto values) -> AttributeValue {
    if (single) return values.at(0);
    return values;
  };
  switch (H5Tget_class(from.type.get())) {
    case H5T_STRING:
      return one_or_all(values<std::string>(from));
    case H5T_FLOAT:
      return one_or_all(values<double>(from));
    case H5T_ENUM:
      return values<bool>(from).at(0);
    default:
      break;
  }
  if (!is_signed(from.type.get())) return one_or_all(values<std::uint64_t>(from));
  if (!single) fail(from.full, "lists of such numbers are not Rivulet's");
  return values<std::int64_t>(from).at(0);
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
    return file_->values<typename T::value_type>(object, name);
  } else {
    const auto values = file_->values<T>(object, name);
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
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* all) {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return herr_t{0};
  };
  file_->check(H5Aiterate2(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names),
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
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* all) {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return herr_t{0};
  };
  file_->check(H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), path);
  return names;
}

std::string ReadFile::text(const std::string& path) const {
  const auto all = texts(path);
  if (all.size() != 1) file_->fail(path, "it is not a single text");
  return all[0];
}

std::vector<std::string> ReadFile::texts(const std::string& path) const {
  const QuietHdf5 quiet;
  const Handle dataset = file_->dataset(path);
  const Handle type = file_->check({H5Dget_type(dataset.get()), H5Tclose}, path);
  const Handle space = file_->check({H5Dget_space(dataset.get()), H5Sclose}, path);
  return file_->texts(path, type, space, [&](hid_t memory, void* data) {
    return H5Dread(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  });
}

std::vector<std::uint64_t> ReadFile::shape(const std::string& path) const {
  const QuietHdf5 quiet;
  const Handle dataset = file_->dataset(path);
  return extents_of(file_->check({H5Dget_space(dataset.get()), H5Sclose}, path));
}

std::uint64_t ReadFile::element_count(const std::string& path) const {
  std::uint64_t count = 1;
  for (const auto extent : shape(path)) count *= extent;
  return count;
}

void ReadFile::read_into(const std::string& path, ElementType type, void* destination) const {
  const QuietHdf5 quiet;
  const Handle dataset = file_->dataset(path);
  const Handle stored = file_->check({H5Dget_type(dataset.get()), H5Tclose}, path);
  if (!holds(memory_type(type), stored.get())) {
    file_->fail(path, "its elements have an unexpected type");
  }
  file_->check(
      H5Dread(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, destination), path);
}

}  // namespace rivulet::io
