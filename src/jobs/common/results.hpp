// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/results/result_tree.hpp"
#include "io/results/results_file.hpp"
#include "jobs/common/counts.hpp"
#include "jobs/common/job.hpp"

namespace rivulet {

/// The machine of a run, for the report and the results file.
struct Machine {
  std::string backend;        ///< Kokkos execution space
  std::uint64_t threads = 1;  ///< concurrency of this space on this rank
  std::string kokkos_version;
};
Machine machine();

/// Writes the group /config: resolved deck, versions, machine, ranks and hosts. Collective.
void write_config(io::ResultsFile& file, const JobContext& context);

inline std::string results_group(const std::string& job) { return "/results/" + job; }

/// Declares the fields of counts (counts.hpp) as results. Collective.
class DeclaredCounts {
 public:
  explicit DeclaredCounts(Results& out) : out_(out) {}

  bool in_checkpoint() const { return out_.path() == state_group; }
  template <class T>
  void rows(const std::string& name, const NumbersById<T>& rows, const FieldInfo& info) {
    const RowRange row_range(out_.ranks(), rows.first, rows.values.size());
    const std::uint64_t columns = in_checkpoint() ? 1 : info.columns;
    out_.rows<T>(name,
                 {rows.values, row_range.own.first / columns, row_range.total / columns, columns},
                 info.axes, info.unit, info.doc);
  }
  template <class T>
  void totals(const std::string& name, const std::vector<T>& values, const FieldInfo& info) {
    out_.when(!values.empty(), "",
              [&] { out_.dataset(name, values, info.axes, info.unit, info.doc); });
  }
  void totals(const std::string& name, const std::vector<Int128>& values, const FieldInfo& info) {
    totals(name + "_upper", uppers_of(values), {info.doc + of_uppers, "", info.axes});
    totals(name + "_lower", lowers_of(values), {info.doc + of_lowers, "", info.axes});
  }
  void list(const std::string& name, const std::vector<std::uint64_t>& entries,
            const FieldInfo& info) {
    const auto own = std::make_shared<std::vector<std::uint64_t>>(entries);
    out_.keep_alive(own);
    totals(name, *own, info);
  }
  void number(const std::string& name, std::uint64_t value, const FieldInfo& info) {
    out_.stored(name, value, info.unit, info.doc);
  }
  void sum(const std::string& name, Int128 value, const FieldInfo& info) {
    out_.stored(name + "_upper", upper_of(value), info.unit, info.doc + of_uppers);
    out_.stored(name + "_lower", lower_of(value), info.unit, info.doc + of_lowers);
  }
  void text(const std::string& name, const std::string& value, const FieldInfo& info) {
    out_.stored(name, value, info.unit, info.doc);
  }

 private:
  Results& out_;
};

/// Declares counts, which must outlive the results. Collective.
template <class Counts>
void declare_counts(Results& out, const Counts& counts) {
  DeclaredCounts fields(out);
  const_cast<Counts&>(counts).fields(fields);  // fields() is not const: other visitors write
}

/// The figures of a finished run.
struct Ending {
  double seconds = 0;  ///< seconds of the run on this rank
  double figure_of_merit = 0;
  std::string unit;  ///< unit of the figure of merit
  std::string digest;
};

/// Ends the run's timing. Then completes the results file, if there is one: writes the digest and
/// the group /timing, and renames the file. The group stores the seconds of each phase on each
/// rank, and the figure of merit. Collective.
void complete(JobContext& context, const Ending& end, std::optional<io::ResultsFile>& file);

/// Writes the last lines of the report, which are common to all jobs: times, file, figure of merit
/// and digest. Sets the exit status (JobContext::status) if the digest differs from the expected
/// digest. `file`: the report's name for the output file. Collective.
void end_report(JobContext& context, const Ending& end, const std::string& file = "results file");

/// Throws Error on all ranks if an iteration's digest differs from the first iteration's. A
/// difference shows that the machine or the build computes wrong results. `what`: the predicate of
/// the message, such as "made different numbers". Collective.
void require_same(const io::Communicator& communicator, const std::string& digest,
                  const std::string& first, const std::string& what);

/// Returns, on all ranks, the SHA-256 of all ranks' words in rank order. Words are little-endian.
/// Collective.
std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local);

}  // namespace rivulet
