// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/weights_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <new>
#include <span>
#include <string_view>

#include "io/inputs/input_file.hpp"
#include "io/results/hdf5_support.hpp"
#include "io/terminal/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

using Extents = std::vector<std::uint64_t>;

std::uint64_t row_elements(const Extents& extents) {
  std::uint64_t elements = 1;
  for (std::size_t i = 1; i < extents.size(); ++i) elements *= extents[i];
  return elements;
}

// ---- HDF5 ---------------------------------------------------------------------------------------

/// A text of fixed or variable length; "" where there is no such attribute, or not one text.
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

/// Names a filter of the dataset, such as a compression, that HDF5 lacks here; "" for none.
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
    start_hdf5();
    const QuietHdf5 quiet;
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
    if (!file_.valid()) {
      throw Error("cannot read '" + path + "'", "as HDF5: " + hdf5_reason(),
                  "Give an HDF5 file, or numbers in a file whose name ends in .csv.");
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
    const Opened one = open(name);
    if (one.extents.size() != 1) {
      fail(name, fmt::format("it has {} dimensions", one.extents.size()),
           "An axis is a dataset of one dimension.");
    }
    std::vector<double> values(one.extents[0]);
    if (!values.empty()) read(one, H5S_ALL, H5S_ALL, values);
    return values;
  }

  std::string unit(const std::string& name) const override {
    const QuietHdf5 quiet;
    return text_attribute(open(name).dataset.get(), "unit");
  }

 private:
  struct Opened {
    std::string name;
    Handle dataset = {};
    Extents extents = {};
  };

  [[noreturn]] void fail(const std::string& name, const std::string& why,
                         const std::string& what_to_do) const {
    throw Error("cannot read '" + name + "' of '" + path_ + "'", why, what_to_do);
  }

  Opened open(const std::string& name) const {
    if (name.empty() || !link_exists(file_.get(), name)) {
      fail(name, "there is no such dataset; " + what_there_is(), "Name one that exists.");
    }
    Opened one{name};
    one.dataset = Handle(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!one.dataset.valid()) fail(name, "it is not a dataset", "Name a dataset in it.");
    if (is_elsewhere(one.dataset)) {
      fail(name, "its data are in other files (a virtual or external dataset)",
           "Give a file that holds them itself; h5repack or h5py makes one.");
    }
    if (const auto filter = missing_filter(one.dataset.get()); !filter.empty()) {
      fail(name, fmt::format("HDF5 lacks its filter {}", filter),
           "Set HDF5_PLUGIN_PATH to the folder of its plugin, or store it with gzip or no filter.");
    }
    const Handle type(H5Dget_type(one.dataset.get()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) {
      fail(name, "its elements are not numbers", "Store integers or reals.");
    }
    const Handle space(H5Dget_space(one.dataset.get()), H5Sclose);
    if (H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) {
      fail(name, "it has no dimension: a single value, or none", "Store an array.");
    }
    std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
    one.extents.assign(extents.begin(), extents.end());
    return one;
  }

  void read(const Opened& one, hid_t memory, hid_t space, std::span<double> to) const {
    if (H5Dread(one.dataset.get(), H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, to.data()) < 0) {
      fail(one.name, hdf5_reason(), "Recreate the file; it may be damaged.");
    }
    std::array<double, 8> fill{0x1.ep+122};  // of elements never written; netCDF's for reals
    const bool says = H5Aexists(one.dataset.get(), "_FillValue") > 0;
    const Handle own(says ? H5Aopen(one.dataset.get(), "_FillValue", H5P_DEFAULT) : -1, H5Aclose);
    if (says && H5Aget_storage_size(own.get()) <= sizeof fill[0]) {  // one, or as many bytes
      H5Aread(own.get(), H5T_NATIVE_DOUBLE, fill.data());
    }
    if (fill[0] > 0 && std::ranges::count(to, fill[0]) > 0) {
      fail(one.name, fmt::format("some elements have its fill value {:.6g}", fill[0]),
           "Write all elements, 0 for what is never to be drawn.");
    }
  }

  std::string what_there_is() const {
    std::vector<std::string> names;
    H5Literate(file_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name<H5L_info_t>, &names);
    constexpr std::size_t most = 10;
    const bool more = names.size() > most;
    if (more) names.resize(most);
    return names.empty()
               ? "the file is empty"
               : fmt::format("it holds {}{}", fmt::join(names, ", "), more ? ", ..." : "");
  }

  std::string path_;
  Handle file_;
  Opened weights_;
};

// ---- CSV ----------------------------------------------------------------------------------------

constexpr std::string_view csv_blanks = " \t\"";
constexpr std::string_view marks = ",;";
/// 2^32 weights, which is how many there may be, of 64 bytes each.
constexpr std::uint64_t longest_csv = std::uint64_t{1} << 38;

/// Takes the first line off a text: one that ends in LF, CRLF or, as spreadsheets once wrote them,
/// CR.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  return line;
}

class CsvWeights final : public WeightsFile {
 public:
  CsvWeights(const std::string& path, std::string_view text) : path_(path) {
    std::uint64_t line_number = 0;
    std::uint64_t lines = 0;
    std::uint64_t columns = 0;
    while (!text.empty()) {
      const std::uint64_t before = values_.size();
      take_line(next_line(text), ++line_number);
      const std::uint64_t found = values_.size() - before;
      if (found == 0) continue;
      if (lines++ == 0) columns = found;
      if (found != columns) {
        fail(fmt::format("line {} has {} numbers, the first one {}", line_number, found, columns),
             "Give every line the same number.");
      }
    }
    const bool one_axis = lines <= 1 || columns == 1;
    extents_ = one_axis ? Extents{values_.size()} : Extents{lines, columns};
  }

  const Extents& extents() const override { return extents_; }

  void read(std::uint64_t first, std::uint64_t rows, double* to) const override {
    const std::uint64_t row = row_elements(extents_);
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first * row), rows * row, to);
  }

  std::vector<double> axis(const std::string& name) const override {
    throw Error("no axis '" + name + "' in '" + path_ + "'", "a CSV is one table",
                "Leave table.axes out, or give an HDF5 file.");
  }

  std::string unit(const std::string&) const override { return ""; }

 private:
  [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const {
    throw Error("cannot read '" + path_ + "'", why, what_to_do);
  }

  /// "0,5;1,5" and "0,5 1,5" are two numbers with decimal commas, or four in somebody else's eyes.
  void require_one_separator(std::string_view line, std::uint64_t number) const {
    const bool has_comma = line.find(',') != std::string_view::npos;
    const bool has_semicolon = line.find(';') != std::string_view::npos;
    if (has_comma && (has_semicolon || has_gap(line))) {
      fail(fmt::format("line {} has commas and {} between numbers: decimal commas?", number,
                       has_semicolon ? "semicolons" : "blanks"),
           "Write decimal points, and part the numbers of a line by one of comma, semicolon or "
           "blank.");
    }
  }

  /// Whether blanks alone part two numbers.
  static bool has_gap(std::string_view line) {
    for (std::size_t at = 0; (at = line.find_first_of(csv_blanks, at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_not_of(csv_blanks, at), line.size());
      const bool parts = at > 0 && marks.find(line[at - 1]) == std::string_view::npos &&
                         end < line.size() && marks.find(line[end]) == std::string_view::npos;
      if (parts) return true;
      at = end;
    }
    return false;
  }

  /// The fields of "1, 2,3", "1;2 ; 3" or "1 2 3": a comma or semicolon may have blanks around it.
  void take_line(std::string_view line, std::uint64_t number) {
    line = line.substr(0, line.find('#'));
    require_one_separator(line, number);
    const auto skip_blanks = [&] {
      line.remove_prefix(std::min(line.find_first_not_of(csv_blanks), line.size()));
    };
    for (skip_blanks(); !line.empty(); skip_blanks()) {
      const std::size_t end = std::min(line.find_first_of(" \t\",;"), line.size());
      values_.push_back(number_from(line.substr(0, end), number));
      line.remove_prefix(end);
      skip_blanks();
      if (line.empty() || marks.find(line.front()) == std::string_view::npos) continue;
      line.remove_prefix(1);
      skip_blanks();
      if (line.empty()) values_.push_back(number_from("", number));
    }
  }

  double number_from(std::string_view text, std::uint64_t line) const {
    double value = 0;
    std::string_view digits = text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::result_out_of_range) {
      fail(fmt::format("line {}: '{}' does not fit a double", line, line_of(text)),
           "Scale the weights.");
    }
    if (code != std::errc() || end != digits.data() + digits.size()) {
      fail(fmt::format("line {}: '{}' is not a number", line, line_of(text)),
           "Give numbers only; column names may follow a #.");
    }
    return value;
  }

  std::string path_;
  std::vector<double> values_;
  Extents extents_;
};

}  // namespace

std::unique_ptr<WeightsFile> open_weights(const std::string& path, const std::string& dataset) {
  const Input input{path, "cannot read '" + path + "'", "Name a file."};
  if (ending_of(path) != ".csv") {
    require_input(input);
    return std::make_unique<Hdf5Weights>(path, dataset);
  }
  try {
    return std::make_unique<CsvWeights>(path, read_input(input, longest_csv));
  } catch (const std::bad_alloc&) {
    throw_no_memory(input);
  }
}

}  // namespace rivulet::io
