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

/// How words lie in a file.
struct WordForm {
  std::uint64_t halves = 1;  ///< of 32 bits in a word: 1 or 2, the lower one first
  bool is_big_endian = false;
};

/// The words of a file, of a pipe, or of standard input ("stdin"), as halves of 32 bits: of words
/// of 64 bits the lower half comes first. Everything throws Error.
class RawWords {
 public:
  /// Refuses files that are empty, and those of odd length.
  RawWords(const std::string& source, const WordForm& form);

  /// Whether words are gone once they were read: of all but regular files.
  bool goes_only_forward() const { return !is_file_; }
  const WordForm& form() const { return form_; }
  /// Halves in all; of a pipe the largest number until its end was read.
  std::uint64_t end() const { return end_; }
  /// Halves from a position on, at the beginning of a word; returns the number of them that there
  /// were. Refuses a source whose words are all equal.
  std::uint64_t read(std::uint64_t position, std::span<std::uint32_t> to);
  /// A digest of a file's length and first words.
  std::string seal();

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
  std::uint64_t next_ = 0;            ///< half behind those that were read last
  std::vector<std::uint32_t> first_;  ///< word that was read
  std::uint64_t equal_ = 0;           ///< halves that were compared with it
  bool differ_ = false;
};

}  // namespace rivulet::io
