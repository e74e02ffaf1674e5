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

/// A value as the report prints it: integers exactly, reals with this many significant digits or,
/// if it is 0, as few as read back to the same value.
std::string text_of(double value, int digits);
inline std::string text_of(std::string_view value, int) { return std::string(value); }
template <std::integral T>
std::string text_of(T value, int) {
  if constexpr (std::same_as<T, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

/// What a run tells its user: on root, lines `name: value unit` under section titles; nothing on
/// the other ranks.
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

  /// digits: significant ones of a real; 0: as many as read back to the same value.
  template <class T>
  void result(const std::string& name, const T& value, const std::string& unit = "",
              int digits = 0) {
    line(name, text_of(value, digits), unit);
  }

  /// Collective: minimum, average and maximum over the ranks of every phase, in seconds.
  void timings(const PhaseTimer& timer);

  /// The last two lines, and nothing after them. The remark is on the digest's line; may be empty.
  void finish(double figure_of_merit, const std::string& unit, const std::string& digest,
              const std::string& remark = "");

 private:
  void write(const std::string& text);

  void line(const std::string& name, const std::string& value, const std::string& unit);

  Communicator communicator_;
  std::ostream& out_;
  bool quiet_;
  bool shown_ = true;  ///< the present section
};

}  // namespace rivulet::io
