// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/mpi/report.hpp"
#include "io/results/results_file.hpp"

namespace rivulet::io {

/// A result in the results file: an attribute of its group, or a dataset.
struct Result {
  std::string name;
  std::string type;  ///< "u64", "f64", "text", ...
  std::string axes;  ///< names of an array's axes, such as "height,width"; else empty
  std::string unit;
  std::string doc;  ///< meaning; ends with the condition if only some runs have the result
  bool is_dataset = false;
  /// Writes the result. `path` is the dataset's path or, for an attribute, the group's.
  std::function<void(ResultsFile& file, const std::string& path)> write;
  bool is_filled_by_run = false;  ///< true if write() only creates the dataset, which the run fills
};

/// A rank's rows of a table. `local` holds the elements of these rows, and `first` is the index of
/// the first row. The elements must outlive the Results object; Results::keep_alive() can ensure
/// this.
template <class T>
struct Rows {
  std::span<const T> local;
  std::uint64_t first = 0;
  std::uint64_t total = 0;  ///< rows of all ranks
  std::uint64_t columns = 1;
};

/// Name of the attribute that holds the exit status. Only jobs whose results can cause a nonzero
/// status have this attribute.
inline constexpr const char* status_attribute = "exit_status";

/// Memory per rank during a run, in bytes: the generators' state and the job's own data.
struct RunMemory {
  std::uint64_t state = 0;
  std::optional<std::uint64_t> job_data = {};
};

/// Format of a value in the report, if it differs from the format in the results file.
struct Line {
  std::optional<std::string> name = {};  ///< if unset, the attribute's name with blanks for "_"
  std::optional<std::string> unit = {};  ///< if unset, the attribute's unit unless it is "1"
  int digits = 0;                        ///< significant digits of a real; 0: shortest exact form
};

/// The results of a run, each declared once. The results file, the report and the description are
/// written from these declarations. A description has no values, but includes results that only
/// some decks or runs have. Every function is collective.
class Results {
 public:
  enum class Purpose { run, description };

  /// `path` is the path of the results' group, such as "/results/pi".
  Results(const Communicator& ranks, std::string path, Purpose purpose = Purpose::run)
      : ranks_(ranks), path_(std::move(path)), is_description_(purpose == Purpose::description) {}

  const Communicator& ranks() const { return ranks_; }
  const std::string& path() const { return path_; }
  bool is_description() const { return is_description_; }

  void group(const std::string& description) { description_ = description; }

  /// Declares an attribute, and a line of the report.
  template <class T>
  void value(const std::string& name, const T& value, const std::string& unit,
             const std::string& doc, const Line& line = {}) {
    stored(name, value, unit, doc);
    report_line(line.name.value_or(with_blanks(name)), value,
                line.unit.value_or(unit == "1" ? "" : unit), line.digits);
  }
  /// Declares an attribute only. `axes` names the axes of a vector.
  template <class T>
  void stored(const std::string& name, const T& value, const std::string& unit,
              const std::string& doc, const std::string& axes = "") {
    add({name, type_of(value), axes, unit, doc, false,
         [=](ResultsFile& file, const std::string& group) {
           file.attribute(group, name, value, unit);
         }});
  }
  /// Declares a line of the report only.
  template <class T>
  void report_line(const std::string& name, const T& value, const std::string& unit = "",
                   int digits = 0) {
    report_lines_.push_back({name, text_of(value, digits), unit});
  }
  /// Declares report lines with the total memory of all ranks. No-op if there is no run (`bytes` is
  /// null).
  void memory(const RunMemory* bytes, const std::string& job_data_name) {
    if (bytes == nullptr) return;
    setup_line("state", ranks_.sum(bytes->state), "B");
    if (bytes->job_data) setup_line(job_data_name, ranks_.sum(*bytes->job_data), "B");
  }
  /// Declares a report line about memory or set-up. The report shows such lines after the lines
  /// about the streams.
  template <class T>
  void setup_line(const std::string& name, const T& value, const std::string& unit = "",
                  int digits = 0) {
    setup_lines_.push_back({name, text_of(value, digits), unit});
  }

  /// Declares the exit status of the run, as an attribute.
  void status(int value) {
    status_ = value;
    stored(status_attribute, static_cast<std::uint64_t>(value), "", "exit status of the run");
  }
  /// Keeps `values`, such as the elements of rows(), alive as long as this object.
  void keep_alive(std::shared_ptr<const void> values) { kept_alive_.push_back(std::move(values)); }
  /// Declares the amount of work for the figure of merit. The default is the amount that the job's
  /// extent states.
  void work(double value) { work_ = value; }

  template <class T>
  void rows(const std::string& name, const Rows<T>& rows, const std::string& axes,
            const std::string& unit, const std::string& doc) {
    add({name, name_of(element_type<T>()), axes, unit, doc, true,
         [=](ResultsFile& file, const std::string& path) {
           file.table(path, rows.local, rows.columns, rows.first, rows.total, doc, unit);
         }});
  }
  /// Declares a dataset. Root's values are written; other ranks' vectors must have the same size.
  template <class T>
  void dataset(const std::string& name, std::vector<T> values, const std::string& axes,
               const std::string& unit, const std::string& doc, std::uint64_t columns = 1) {
    add({name, name_of(element_type<T>()), axes, unit, doc, true,
         [=, all = std::move(values), is_root = ranks_.is_root()](ResultsFile& file,
                                                                  const std::string& path) {
           file.table(path, std::span(all.data(), is_root ? all.size() : 0), columns, 0,
                      all.size() / columns, doc, unit);
         }});
  }
  void texts(const std::string& name, const std::vector<std::string>& values,
             const std::string& axes, const std::string& doc) {
    add({name, "text", axes, "", doc, true,
         [=](ResultsFile& file, const std::string& path) { file.texts(path, values, doc); }});
  }
  /// Declares a dataset that the run fills while it draws.
  void filled_by_run(const std::string& name, const TableExtents& shape, const std::string& axes,
                     const std::string& unit, const std::string& doc) {
    add({name, name_of(shape.type), axes, unit, doc, true,
         [=](ResultsFile& file, const std::string& path) { file.create(path, shape, doc, unit); },
         true});
  }

  /// Calls `declare` if `holds` is true; in a description, calls it always. Appends `condition`,
  /// such as "with fill.to=file", to the meanings of the results that `declare` declares.
  template <class Declare>
  void when(bool holds, const std::string& condition, const Declare& declare) {
    if (!holds && !is_description_) return;
    const std::string outer = std::exchange(condition_, condition);
    declare();
    condition_ = outer;
  }

  /// Creates the datasets of filled_by_run(). Must be called before the run writes to them.
  void create(ResultsFile& file) const { write_results(true, file); }
  /// Writes all results except those of filled_by_run().
  void write(ResultsFile& file) const { write_results(false, file); }
  /// Returns the names of the group's attributes.
  std::set<std::string> attributes() const;

  void write_lines(Report& report) const;
  void write_setup_lines(Report& report) const;

  int status() const { return status_; }
  std::optional<double> work() const { return work_; }
  /// Returns a line per result, for people and programs. At least two blanks separate its fields:
  /// location, type, axes, unit and meaning. An empty field is "-". The location is PATH/NAME for a
  /// dataset, and PATH@NAME for an attribute.
  std::string lines() const;

 private:
  struct ReportLine {
    std::string name;
    std::string text;
    std::string unit;
  };

  void add(Result result);
  void write_results(bool is_filled_by_run, ResultsFile& file) const;
  std::string path_of(const Result& dataset) const {
    return (path_ == "/" ? "" : path_) + "/" + dataset.name;
  }
  static std::string with_blanks(std::string name);
  static std::string name_of(ElementType type);
  template <class T>
  static std::string type_of(const T&) {
    if constexpr (std::convertible_to<T, std::string_view>)
      return "text";
    else if constexpr (requires { typename T::value_type; })
      return type_of(typename T::value_type{});
    else if constexpr (std::same_as<T, bool>)
      return "u8";
    else if constexpr (std::floating_point<T>)
      return "f64";
    else
      return std::unsigned_integral<T> ? "u64" : "i64";
  }

  Communicator ranks_;
  std::string path_;
  bool is_description_;
  std::string description_;
  std::string condition_;
  std::vector<Result> results_;
  std::vector<ReportLine> report_lines_;
  std::vector<ReportLine> setup_lines_;
  std::vector<std::shared_ptr<const void>> kept_alive_;
  int status_ = 0;
  std::optional<double> work_;
};

}  // namespace rivulet::io
