// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/words/standard_streams.hpp"

namespace rivulet::io {
namespace {

constexpr double seconds_between_bars = 0.2;
constexpr double seconds_between_lines = 60;
constexpr std::size_t bar_width = 30;

/// Formats seconds, rounded up, as "1:02:03" or "2:03".
std::string clock_text(double seconds) {
  const auto whole_seconds = static_cast<std::uint64_t>(std::min(std::ceil(seconds), 3.6e9));
  const std::uint64_t hours = whole_seconds / 3600;
  const std::uint64_t minutes = whole_seconds / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole_seconds % 60);
  return fmt::format("{}:{:02}", minutes, whole_seconds % 60);
}

}  // namespace

Progress::Progress(const Communicator& communicator, std::uint64_t total, std::string what,
                   const ProgressOptions& options)
    : descriptor_(options.descriptor),
      active_(options.shown && communicator.is_root() && total > 0),
      terminal_(options.terminal.value_or(::isatty(options.descriptor) != 0)),
      interval_(
          options.interval.value_or(terminal_ ? seconds_between_bars : seconds_between_lines)),
      total_(total),
      what_(std::move(what)) {}

Progress::~Progress() {
  if (width_ == 0) return;
  write_message(fmt::format("\r{}\r", std::string(width_, ' ')), descriptor_);
}

void Progress::advance(std::uint64_t done) {
  done_ = std::min(done_ + done, total_);  // jobs may report a partial segment as whole
  if (!active_ || watch_.seconds() - last_shown_ < interval_) return;
  last_shown_ = watch_.seconds();
  show();
}

void Progress::show() {
  const double fraction = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const double seconds = std::max(watch_.seconds(), 1e-9);
  const std::string remaining =
      fraction > 0 ? clock_text(seconds * (1 - fraction) / fraction) : "?";
  const std::string status = fmt::format(
      "{:.4g} of {:.4g} {}, {:.3g} {}/s, {} left", static_cast<double>(done_),
      static_cast<double>(total_), what_, static_cast<double>(done_) / seconds, what_, remaining);
  if (!terminal_) {
    write_message(fmt::format("{:5.1f} %: {}\n", 100 * fraction, status), descriptor_);
  } else {
    const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(bar_width));
    std::string line = fmt::format("[{}{}] {:5.1f} % {}", std::string(filled, '#'),
                                   std::string(bar_width - filled, '.'), 100 * fraction, status);
    const std::size_t width = line.size();
    line.resize(std::max(width, width_), ' ');
    width_ = width;
    write_message("\r" + line, descriptor_);
  }
}

}  // namespace rivulet::io
