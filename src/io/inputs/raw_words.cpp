// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/raw_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>

#include "io/files/input_file.hpp"
#include "io/files/sha256.hpp"
#include "io/words/standard_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// Number of halves after which a source is refused if its words so far are all equal. A shorter
/// source is refused at its end.
constexpr std::uint64_t max_equal_halves = 1 << 16;

constexpr std::uint32_t with_bytes_reversed(std::uint32_t half) {
  return half >> 24 | (half >> 8 & 0xff00U) | (half & 0xff00U) << 8 | half << 24;
}

}  // namespace

RawWords::RawWords(const std::string& source, const WordForm& form)
    : form_(form), problem_(fmt::format("cannot read words from '{}'", source)) {
  if (source == "stdin") {
    file_ = STDIN_FILENO;
    if (::isatty(file_) != 0) {
      fail("it is a terminal",
           "Pipe the output of a program: `PROGRAM | rivulet battery battery.source=stdin`.");
    }
    return;
  }
  opened_ = open_input({source, problem_, "Check battery.source.", true});
  file_ = opened_.get();
  is_file_ = is_regular(file_);
  if (!is_file_) return;
  const std::uint64_t bytes = size_of_regular(opened_);
  const std::uint64_t bytes_per_word = sizeof(std::uint32_t) * form_.halves;
  if (bytes == 0) fail("it is empty", "Check battery.source.");
  if (bytes % bytes_per_word != 0) {
    fail(fmt::format("{} B is not a whole number of words of {} B", bytes, bytes_per_word),
         "Check battery.word_bits, and whether the file is complete.");
  }
  end_ = bytes / sizeof(std::uint32_t);
}

std::uint64_t RawWords::read(std::uint64_t position, std::span<std::uint32_t> to) {
  if (is_sequential()) skip_to(position);
  if (position >= end_) return 0;
  const std::uint64_t bytes_per_word = sizeof(std::uint32_t) * form_.halves;
  const std::uint64_t bytes =
      read_bytes(position * sizeof(std::uint32_t), std::as_writable_bytes(to));
  const std::uint64_t count = bytes / bytes_per_word * form_.halves;
  next_ = position + count;
  if (count < to.size()) {
    if (is_file_ && next_ < end_)
      fail("it was cut short while it was read", "Run again when the file is complete.");
    if (const std::uint64_t surplus_bytes = bytes % bytes_per_word; surplus_bytes != 0) {
      warn(fmt::format(
          "the input ended within a word (the last {} B are ignored). Check battery.word_bits.",
          surplus_bytes));
    }
    end_ = next_;
  }
  const auto halves_read = to.first(count);
  if (form_.is_big_endian != (std::endian::native == std::endian::big)) {
    std::ranges::transform(halves_read, halves_read.begin(), with_bytes_reversed);
  }
  if (form_.halves == 2 && form_.is_big_endian) {
    for (std::size_t i = 0; i < count; i += 2) std::swap(halves_read[i], halves_read[i + 1]);
  }
  require_unequal(halves_read);
  return count;
}

std::string RawWords::fingerprint() {
  std::vector<std::uint32_t> first(std::min(end_, max_equal_halves));
  read(0, first);
  Sha256 sum;
  sum.update(std::to_string(end_));
  sum.update(std::span<const std::uint32_t>(first));
  return sum.hex();
}

/// Reads until `to` is full or the source ends. Returns the number of bytes read.
std::uint64_t RawWords::read_bytes(std::uint64_t at, std::span<std::byte> to) const {
  std::uint64_t done = 0;
  while (done < to.size()) {
    const auto remaining = to.subspan(done);
    const ssize_t count =
        is_file_ ? ::pread(file_, remaining.data(), remaining.size(), static_cast<off_t>(at + done))
                 : ::read(file_, remaining.data(), remaining.size());
    pollfd ready{file_, POLLIN, 0};
    if (count < 0 && errno == EAGAIN && ::poll(&ready, 1, -1) > 0) continue;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      fail(std::generic_category().message(errno),
           is_file_ ? "Check the disk and the file system." : "Check the program that writes it.");
    }
    if (count == 0) break;
    done += static_cast<std::uint64_t>(count);
  }
  return done;
}

void RawWords::skip_to(std::uint64_t position) {
  if (position < next_) {
    fail("a pipe can be read only once, and a test reads its words again",
         "Write the words to a file and set battery.source=FILE, or choose other battery.tests.");
  }
  std::vector<std::uint32_t> skipped(std::min<std::uint64_t>(position - next_, 1 << 18));
  while (next_ < std::min(position, end_)) {
    read(next_, std::span(skipped).first(std::min(position - next_, skipped.size())));
  }
}

void RawWords::require_unequal(std::span<const std::uint32_t> halves) {
  if (has_difference_ || halves.empty()) return;
  if (first_.empty()) {
    first_.assign(halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(form_.halves));
  }
  for (std::size_t i = 0; i < halves.size() && !has_difference_; ++i) {
    has_difference_ = halves[i] != first_[i % form_.halves];
  }
  compared_ += halves.size();
  if (has_difference_ || (compared_ < max_equal_halves && next_ < end_)) return;
  fail(fmt::format("its {}words are all equal: 0x{:08x}",
                   next_ < end_ ? fmt::format("first {} ", compared_ / form_.halves) : "",
                   fmt::join(first_.rbegin(), first_.rend(), "")),
       "Check the program that writes them.");
}

void RawWords::fail(const std::string& why, const std::string& what_to_do) const {
  throw Error(problem_, why, what_to_do);
}

}  // namespace rivulet::io
