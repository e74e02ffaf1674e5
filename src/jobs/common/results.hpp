// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/common/counts.hpp"
#include "jobs/common/job.hpp"

namespace rivulet {

/// The machine of a run, for report and results file.
struct Machine {
  std::string backend;        ///< Kokkos execution space
  std::uint64_t threads = 1;  ///< its concurrency on this rank
  std::string kokkos_version;
};
Machine machine();

/// Writes the group /config: resolved deck, versions, machine, ranks and hosts. Collective.
void write_config(io::ResultsFile& file, const JobContext& context);

inline std::string results_group(const std::string& job) { return "/results/" + job; }

/// The report's form of a value, if it differs from that in the results file.
struct Line {
  std::optional<std::string> name = {};  ///< else the attribute's, with blanks for underscores
  std::optional<std::string> unit = {};  ///< else the attribute's, but for "1"
  int digits = 0;                        ///< significant ones of a real; 0: those that it has
};

/// The attribute of a job's results with the status of a run that they end, where one may not be 0.
inline constexpr const char* status_attribute = "exit_status";

/// Bytes of one rank's memory in a run: of the generators' state, and of the job's own data.
struct RunMemory {
  std::uint64_t state = 0;
  std::optional<std::uint64_t> own = {};
};

/// A job's results, declared once: attributes and datasets of the group /results/JOB, written at
/// once if there is a file, and lines of the report, told later. Collective.
class Results {
 public:
  /// `group` is that of the file, such as "/results/pi". file: nullptr for none.
  Results(const io::Communicator& ranks, io::ResultsFile* file, std::string group)
      : ranks_(ranks), group_(std::move(group)), file_(file) {}

  void group(const std::string& description) {
    names_.insert("description");
    if (file_ != nullptr) file_->group(group_, description);
  }

  /// Declares an attribute and a line.
  template <class T>
  void value(const std::string& name, const T& value, const std::string& unit = "",
             const Line& line = {}) {
    stored(name, value, unit);
    told(line.name.value_or(with_blanks(name)), value, line.unit.value_or(unit == "1" ? "" : unit),
         line.digits);
  }
  /// Declares an attribute only.
  template <class T>
  void stored(const std::string& name, const T& value, const std::string& unit = "") {
    names_.insert({name, name + "_unit"});
    if (file_ != nullptr) file_->attribute(group_, name, value, unit);
  }
  /// Declares a line only.
  template <class T>
  void told(const std::string& name, const T& value, const std::string& unit = "", int digits = 0) {
    lines_.push_back(line_of(name, value, unit, digits));
  }
  /// Declares lines about the memory of all ranks, if there is a run.
  void memory(const RunMemory* bytes, const std::string& name_of_own) {
    if (bytes == nullptr) return;
    late("state", ranks_.sum(bytes->state), "B");
    if (bytes->own) late(name_of_own, ranks_.sum(*bytes->own), "B");
  }
  /// Declares a line about memory or set-up, which the report shows after the streams.
  template <class T>
  void late(const std::string& name, const T& value, const std::string& unit = "", int digits = 0) {
    late_.push_back(line_of(name, value, unit, digits));
  }
  /// Declares the status with which the program ends.
  void status(int value) {
    status_ = value;
    stored(status_attribute, static_cast<std::uint64_t>(value));
  }
  /// Declares the work that the figure of merit counts; without it that is the extent's amount.
  void work(double value) { work_ = value; }

  /// Declares counts, as datasets.
  template <class Counts>
  void counts(const Counts& counts) {
    if (file_ == nullptr) return;
    CountsWriter writer(*file_, group_, ranks_);
    Counts written = counts;
    written.fields(writer);
    names_.insert(writer.attributes().begin(), writer.attributes().end());
  }
  /// Declares a dataset whose rows the ranks have, in their order; `first` is the id of the own
  /// rows' first.
  template <class T>
  void rows(const std::string& name, std::span<const T> own, std::uint64_t first,
            const std::string& description, const std::string& unit = "") {
    if (file_ == nullptr) return;
    const RowPlace place(ranks_, first, own.size());
    file_->dataset(group_ + "/" + name, own, place.own.first, place.total, description, unit);
  }
  /// Declares a dataset that all ranks have.
  template <class T>
  void dataset(const std::string& name, const std::vector<T>& values,
               const std::string& description, const std::string& unit = "") {
    if (file_ == nullptr) return;
    file_->dataset(group_ + "/" + name,
                   std::span(values.data(), ranks_.is_root() ? values.size() : 0), 0, values.size(),
                   description, unit);
  }

  const io::Communicator& ranks() const { return ranks_; }
  /// The file, for data of special form; may be nullptr.
  io::ResultsFile* file() { return file_; }

  const std::set<std::string>& names() const { return names_; }
  int status() const { return status_; }
  std::optional<double> work() const { return work_; }
  void tell(io::Report& report) const {
    for (const auto& tell : lines_) tell(report);
  }
  void tell_late(io::Report& report) const {
    for (const auto& tell : late_) tell(report);
  }

 private:
  using Tell = std::function<void(io::Report&)>;

  static std::string with_blanks(std::string name);
  template <class T>
  static Tell line_of(const std::string& name, const T& value, const std::string& unit,
                      int digits) {
    return [=](io::Report& report) {
      if constexpr (std::floating_point<T>) {
        if (digits > 0) return report.result(name, value, unit, digits);
      }
      report.result(name, value, unit);
    };
  }

  io::Communicator ranks_;
  std::string group_;
  io::ResultsFile* file_;
  std::set<std::string> names_;
  std::vector<Tell> lines_;
  std::vector<Tell> late_;
  int status_ = 0;
  std::optional<double> work_;
};

/// The data of a run's end.
struct Ending {
  double seconds = 0;  ///< in all, on this rank
  double figure_of_merit = 0;
  std::string unit;  ///< of the figure of merit
  std::string digest;
};

/// Ends the run's timing and completes its results file, if there is one: writes the digest and the
/// group /timing (seconds by phase, one value per rank, and the figure of merit), and renames the
/// file. Collective.
void complete(JobContext& context, const Ending& end, std::optional<io::ResultsFile>& file);

/// The report's last lines, the same for every job: times, the file, figure of merit and digest.
/// Compares the digest with the expected one, and sets the program's status. Collective.
void end_report(JobContext& context, const Ending& end, const std::string& file = "results file");

/// Throws Error on all ranks if an iteration's digest differs from the first one: the machine or
/// the build computes wrongly. what: the text after "made" in its message. Collective.
void require_same(const io::Communicator& communicator, const std::string& digest,
                  const std::string& first, const std::string& what);

/// SHA-256 over every rank's words in rank order, little-endian, on all ranks. Collective.
std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local);

}  // namespace rivulet
