// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// The layout of words in a file.
struct WordForm {
  std::uint64_t halves = 1;  ///< 32-bit halves per word: 1 or 2
  bool is_big_endian = false;
};

/// Reads the words of a file, a pipe or standard input ("stdin") as 32-bit halves. A 32-bit word is
/// one half; a 64-bit word is two, the lower half first. Every function throws Error on failure.
class RawWords {
 public:
  /// Throws Error for a terminal, an empty file, and a file that ends within a word.
  RawWords(const std::string& source, const WordForm& form);

  /// True if words can be read only once and in order, because the source is not a regular file.
  bool is_sequential() const { return !is_file_; }
  const WordForm& form() const { return form_; }
  /// Returns the number of halves. For a pipe, returns 2^64 - 1 until its end has been read.
  std::uint64_t half_count() const { return end_; }
  /// Reads halves from `position`, the beginning of a word. Returns the number of halves read,
  /// which is less than to.size() only at the source's end. Throws Error if the source's words are
  /// all equal.
  std::uint64_t read(std::uint64_t position, std::span<std::uint32_t> to);
  /// Returns a digest of a file's length and first words.
  std::string fingerprint();

 private:
  std::uint64_t read_bytes(std::uint64_t at, std::span<std::byte> to) const;
  void skip_to(std::uint64_t position);
  void require_unequal(std::span<const std::uint32_t> halves);
  [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const;

  WordForm form_;
  std::string problem_;
  FileDescriptor opened_;
  int file_ = -1;
  bool is_file_ = false;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t next_ = 0;            ///< position after the last half read
  std::vector<std::uint32_t> first_;  ///< first word read
  std::uint64_t compared_ = 0;        ///< halves compared with first_
  bool has_difference_ = false;
};

}  // namespace rivulet::io
