// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/report.hpp"

#include <fmt/format.h>

#include <iostream>

#include "io/words/messages.hpp"
#include "io/words/standard_streams.hpp"

namespace rivulet::io {

Report::Report(const Communicator& communicator, bool quiet)
    : Report(communicator, std::cout, quiet) {}

Report::Report(const Communicator& communicator, std::ostream& out, bool quiet)
    : communicator_(communicator), out_(out), quiet_(quiet) {}

void Report::write(const std::string& text) {
  if (!communicator_.is_root() || !shown_) return;
  if (&out_ == &std::cout) return print(text);
  out_ << text << std::flush;
}

void Report::section(const std::string& title) {
  shown_ = true;
  write("\n" + title + "\n");
}

void Report::details(const std::string& title) {
  shown_ = !quiet_;
  write("\n" + title + "\n");
}

void Report::text(const std::string& lines) {
  write(lines.empty() || lines.back() == '\n' ? lines : lines + '\n');
}

std::string text_of(double value, int digits) {
  return digits > 0 ? fmt::format("{:.{}g}", value, digits) : fmt::format("{}", value);
}

void Report::line(const std::string& name, const std::string& value, const std::string& unit) {
  write(printable_line(name) + ": " + printable_line(value) + (unit.empty() ? "" : " ") + unit +
        "\n");
}

void Report::timings(const PhaseTimer& timer) {
  const auto spreads = timer.spreads(communicator_);
  details(fmt::format("Seconds on {} rank{}", communicator_.size(),
                      communicator_.size() == 1 ? "" : "s"));
  text(fmt::format("{:<10} {:>12} {:>12} {:>12}", "phase", "min", "avg", "max"));
  for (std::size_t i = 0; i < spreads.size(); ++i) {
    text(fmt::format("{:<10} {:>12.6f} {:>12.6f} {:>12.6f}", phase_names[i], spreads[i].min,
                     spreads[i].avg, spreads[i].max));
  }
}

void Report::finish(double figure_of_merit, const std::string& unit, const std::string& digest,
                    const std::string& remark) {
  constexpr int digits = 6;
  shown_ = true;
  text("\n");
  result("Figure of Merit (FOM)", figure_of_merit, unit, digits);
  result("Digest", digest, remark);
}

}  // namespace rivulet::io
