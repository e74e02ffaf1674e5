// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/weights_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "io/files/input_file.hpp"
#include "io/results/hdf5_support.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

using Extents = std::vector<std::uint64_t>;

std::uint64_t row_elements(const Extents& extents) {
  std::uint64_t elements = 1;
  for (std::size_t i = 1; i < extents.size(); ++i) elements *= extents[i];
  return elements;
}

/// Returns a string attribute of fixed or variable length, or "" if there is none or if it is not a
/// single string.
std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) {
    return "";
  }
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute.get(), type.get(), &text) < 0 || text == nullptr) return "";
    std::string value = text;
    H5free_memory(text);
    return value;
  }
  std::string value(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), value.data()) < 0) return "";
  return value.substr(0, value.find('\0'));
}

/// Returns the number and name of a filter (such as a compressor) that the dataset needs but HDF5
/// lacks, or "" if there is none.
std::string missing_filter(hid_t dataset) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  for (int i = 0; i < H5Pget_nfilters(properties.get()); ++i) {
    std::array<char, 100> name{};
    const H5Z_filter_t filter =
        H5Pget_filter2(properties.get(), static_cast<unsigned>(i), nullptr, nullptr, nullptr,
                       name.size() - 1, name.data(), nullptr);
    if (H5Zfilter_avail(filter) <= 0) return fmt::format("{} '{}'", filter, name.data());
  }
  return "";
}

class Hdf5Weights final : public WeightsFile {
 public:
  Hdf5Weights(const std::string& path, const std::string& dataset) : path_(path) {
    const FileDescriptor file = open_input({path, "cannot read '" + path + "'", "Name a file."});
    start_hdf5();
    const QuietHdf5 quiet;
    file_ = open_to_read(file, path);
    if (!file_.valid()) {
      throw Error("cannot read '" + path + "'", "HDF5 says: " + hdf5_reason(),
                  "Give an HDF5 file (docs/alias.md shows how to make one).");
    }
    weights_ = open(dataset);
  }

  const Extents& extents() const override { return weights_.extents; }

  void read(std::uint64_t first, std::uint64_t rows, double* to) const override {
    const QuietHdf5 quiet;
    if (rows * row_elements(extents()) == 0) return;
    std::vector<hsize_t> start(extents().size(), 0);
    std::vector<hsize_t> count(extents().begin(), extents().end());
    start[0] = first;
    count[0] = rows;
    const Handle space(H5Dget_space(weights_.dataset.get()), H5Sclose);
    const Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                        H5Sclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    read(weights_, memory.get(), space.get(), {to, rows * row_elements(extents())});
  }

  std::vector<double> axis(const std::string& name) const override {
    const QuietHdf5 quiet;
    const OpenDataset opened = open(name);
    if (opened.extents.size() != 1) {
      fail(name, fmt::format("it has {} dimensions", opened.extents.size()),
           "Name a dataset of one dimension.");
    }
    std::vector<double> values(opened.extents[0]);
    if (!values.empty()) read(opened, H5S_ALL, H5S_ALL, values);
    return values;
  }

  std::string unit(const std::string& name) const override {
    const QuietHdf5 quiet;
    return text_attribute(open(name).dataset.get(), "unit");
  }

 private:
  struct OpenDataset {
    std::string name;
    Handle dataset = {};
    Extents extents = {};
  };

  [[noreturn]] void fail(const std::string& name, const std::string& why,
                         const std::string& what_to_do) const {
    throw Error("cannot read '" + name + "' of '" + path_ + "'", why, what_to_do);
  }

  OpenDataset open(const std::string& name) const {
    if (name.empty() || !link_exists(file_.get(), name)) {
      fail(name, "there is no such dataset; " + dataset_list(), "Name one that exists.");
    }
    OpenDataset opened{name};
    opened.dataset = Handle(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!opened.dataset.valid()) fail(name, "it is not a dataset", "Name a dataset in it.");
    if (has_external_data(opened.dataset)) {
      fail(name, "its data are in other files (a virtual or external dataset)",
           "Give a file that holds them itself: `h5repack -l CONTI IN.h5 OUT.h5` makes one.");
    }
    if (const auto filter = missing_filter(opened.dataset.get()); !filter.empty()) {
      fail(name, fmt::format("HDF5 lacks its filter {}", filter),
           "Set HDF5_PLUGIN_PATH to the folder of its plugin, or store it with gzip or no filter.");
    }
    const Handle type(H5Dget_type(opened.dataset.get()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
      fail(name, "its elements are not numbers", "Store integers or reals.");
    }
    const Handle space(H5Dget_space(opened.dataset.get()), H5Sclose);
    if (H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) {
      fail(name, "it has no dimension: it is a scalar or empty", "Store an array.");
    }
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    opened.extents.assign(extents.begin(), extents.end());
    return opened;
  }

  void read(const OpenDataset& opened, hid_t memory, hid_t space, std::span<double> to) const {
    if (H5Dread(opened.dataset.get(), H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, to.data()) <
        0) {
      fail(opened.name, hdf5_reason(), "Recreate the file; it may be damaged.");
    }
    std::array<double, 8> fill{0x1.ep+122};  // netCDF's default fill value
    const bool has_fill_value = H5Aexists(opened.dataset.get(), "_FillValue") > 0;
    const Handle fill_attribute(
        has_fill_value ? H5Aopen(opened.dataset.get(), "_FillValue", H5P_DEFAULT) : -1, H5Aclose);
    // An attribute of at most 8 bytes has at most 8 elements, so `fill` has room for all.
    if (has_fill_value && H5Aget_storage_size(fill_attribute.get()) <= sizeof fill[0]) {
      H5Aread(fill_attribute.get(), H5T_NATIVE_DOUBLE, fill.data());
    }
    if (fill[0] > 0 && std::ranges::count(to, fill[0]) > 0) {
      fail(opened.name,
           fmt::format("some elements are missing: they have the fill value {:.6g}", fill[0]),
           "Write all elements, with 0 for a cell that is never drawn.");
    }
  }

  std::string dataset_list() const {
    std::vector<std::string> names;
    H5Literate(file_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, append_name<H5L_info_t>, &names);
    constexpr std::size_t max_names = 10;
    const bool is_truncated = names.size() > max_names;
    if (is_truncated) names.resize(max_names);
    return names.empty()
               ? "the file is empty"
               : fmt::format("it holds {}{}", fmt::join(names, ", "), is_truncated ? ", ..." : "");
  }

  std::string path_;
  Handle file_;
  OpenDataset weights_;
};

[[noreturn]] void refuse_csv(const std::string& path) {
  const std::string converted = std::filesystem::path(path).replace_extension(".h5").string();
  throw Error(
      "cannot read '" + path + "'", "CSV tables are no longer read",
      fmt::format("Convert it to HDF5 and name the new file, for example with `python3 -c 'import "
                  "sys, h5py, numpy; h5py.File(sys.argv[2], \"w\")[\"weights\"] = "
                  "numpy.loadtxt(sys.argv[1], delimiter=\",\")' {} {}` (docs/alias.md).",
                  shell_quoted(path), shell_quoted(converted)));
}

}  // namespace

std::unique_ptr<WeightsFile> open_weights(const std::string& path, const std::string& dataset) {
  if (ending_of(path) == ".csv") refuse_csv(path);
  return std::make_unique<Hdf5Weights>(path, dataset);
}

}  // namespace rivulet::io
