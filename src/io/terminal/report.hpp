// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>

#include "io/mpi/communicator.hpp"
#include "io/terminal/timing.hpp"

namespace rivulet::io {

/// What a run tells its user: on root, lines `name: value unit` under section titles; nothing on
/// the other ranks. Integers print exactly, reals with as few digits as read back to the same
/// value.
class Report {
 public:
  explicit Report(const Communicator& communicator, bool quiet = false);  ///< to standard output
  Report(const Communicator& communicator, std::ostream& out, bool quiet = false);

  void section(const std::string& title);
  /// A section that a quiet report leaves out.
  void details(const std::string& title);
  bool quiet() const { return quiet_; }
  /// Lines as they are, such as the resolved deck.
  void text(const std::string& lines);

  void result(const std::string& name, const std::string& value, const std::string& unit = "");
  void result(const std::string& name, const char* value, const std::string& unit = "");
  void result(const std::string& name, double value, const std::string& unit = "");
  /// Prints a fixed number of significant digits.
  void result(const std::string& name, double value, const std::string& unit, int digits);
  template <std::integral T>
  void result(const std::string& name, T value, const std::string& unit = "") {
    result(name, to_text(value), unit);
  }

  /// Collective: minimum, average and maximum over the ranks of every phase, in seconds.
  void timings(const PhaseTimer& timer);

  /// The last two lines, and nothing after them. The remark is on the digest's line; may be empty.
  void finish(double figure_of_merit, const std::string& unit, const std::string& digest,
              const std::string& remark = "");

 private:
  void write(const std::string& text);

  template <std::integral T>
  static std::string to_text(T value) {
    if constexpr (std::same_as<T, bool>)
      return value ? "true" : "false";
    else
      return std::to_string(value);
  }

  Communicator communicator_;
  std::ostream& out_;
  bool quiet_;
  bool shown_ = true;  ///< the present section
};

}  // namespace rivulet::io
