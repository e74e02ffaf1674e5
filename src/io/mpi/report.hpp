// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>

#include "io/mpi/communicator.hpp"
#include "io/mpi/timing.hpp"

namespace rivulet::io {

/// Formats a value for the report. Integers are exact. Reals have `digits` significant digits. If
/// `digits` is 0, they have the fewest digits that read back to the same value.
std::string text_of(double value, int digits);
inline std::string text_of(std::string_view value, int) { return std::string(value); }
template <std::integral T>
std::string text_of(T value, int) {
  if constexpr (std::same_as<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// The report of a run: lines `name: value unit` under section titles. Root prints; the other ranks
/// print nothing.
class Report {
 public:
  /// Prints to standard output.
  explicit Report(const Communicator& communicator, bool quiet = false);
  Report(const Communicator& communicator, std::ostream& out, bool quiet = false);

  void section(const std::string& title);
  /// Begins a section that a quiet report omits.
  void details(const std::string& title);
  bool quiet() const { return quiet_; }
  /// Prints lines unchanged, such as the resolved deck.
  void text(const std::string& lines);

  /// Prints a line `name: value unit`. `digits` has the same meaning as in text_of().
  template <class T>
  void result(const std::string& name, const T& value, const std::string& unit = "",
              int digits = 0) {
    line(name, text_of(value, digits), unit);
  }

  /// Prints each phase's minimum, average and maximum over the ranks, in seconds. Collective.
  void timings(const PhaseTimer& timer);

  /// Prints the last two lines: figure of merit and digest. `remark`, which may be empty, follows
  /// the digest on its line. No other output may follow.
  void finish(double figure_of_merit, const std::string& unit, const std::string& digest,
              const std::string& remark = "");

 private:
  void write(const std::string& text);

  void line(const std::string& name, const std::string& value, const std::string& unit);

  Communicator communicator_;
  std::ostream& out_;
  bool quiet_;
  bool shown_ = true;  ///< true if the current section is printed
};

}  // namespace rivulet::io
