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

/// A job's results, declared once: attributes and datasets of the group /results/JOB, and lines of
/// the report. A job declares them for the file, and again for the report. Collective.
class Results {
 public:
  /// Declares for a file, in a group such as "/results/pi".
  Results(const io::Communicator& ranks, io::ResultsFile& file, std::string group)
      : ranks_(ranks), group_(std::move(group)), file_(&file) {}
  /// Declares for a report.
  Results(const io::Communicator& ranks, io::Report& report) : ranks_(ranks), report_(&report) {}

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
    if (report_ != nullptr) tell(*report_, name, value, unit, digits);
  }
  /// Declares a line about memory, of all ranks' bytes, or about set-up; the report shows it after
  /// the streams.
  void memory(const std::string& name, std::uint64_t own_bytes) {
    if (report_ != nullptr) late(name, ranks_.sum(own_bytes), "B");
  }
  template <class T>
  void late(const std::string& name, const T& value, const std::string& unit = "", int digits = 0) {
    late_.push_back([=](io::Report& report) { tell(report, name, value, unit, digits); });
  }

  /// Declares counts, as datasets: rows of these ids.
  template <class Counts>
  void counts(Counts& counts, const CountedIds& ids) {
    if (file_ == nullptr) return;
    CountsWriter writer(*file_, group_, ids, ranks_.is_root());
    counts.fields(writer);
    names_.insert(writer.attributes().begin(), writer.attributes().end());
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
  /// The file, for data of special form; nullptr in a report.
  io::ResultsFile* file() { return file_; }

  const std::set<std::string>& names() const { return names_; }
  void tell_late() {
    for (const auto& tell : late_) tell(*report_);
  }

 private:
  static std::string with_blanks(std::string name);
  template <class T>
  static void tell(io::Report& report, const std::string& name, const T& value,
                   const std::string& unit, int digits) {
    if constexpr (std::floating_point<T>) {
      if (digits > 0) return report.result(name, value, unit, digits);
    }
    static_cast<void>(digits);
    report.result(name, value, unit);
  }

  io::Communicator ranks_;
  std::string group_;
  io::ResultsFile* file_ = nullptr;
  io::Report* report_ = nullptr;
  std::set<std::string> names_;
  std::vector<std::function<void(io::Report&)>> late_;
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
/// Collective.
void end_report(JobContext& context, const Ending& end);
/// Prints the last two lines, figure of merit and digest. Compares the digest with the expected
/// one, and sets the program's status. Collective.
void finish_report(JobContext& context, const Ending& end);

/// Throws Error on all ranks if an iteration's digest differs from the first one: the machine or
/// the build computes wrongly. what: the text after "made" in its message. Collective.
void require_same(const io::Communicator& communicator, const std::string& digest,
                  const std::string& first, const std::string& what);

/// SHA-256 over every rank's words in rank order, little-endian, on all ranks. Collective.
std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local);

}  // namespace rivulet
