// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rivulet::io {

/// Names of signals in a text, such as "SIGTERM SIGINT", with or without SIG, separated by blanks
/// or commas. Throws Error for what is none that a program can be sent to end it.
std::vector<int> signals_from(const std::string& text);
/// "SIGTERM".
std::string name_of_signal(int signal);

/// From now on each of these signals ends the program at once: the partial files go (PartialFile),
/// and the exit status is `status` or, if that is 0, 128 + the signal's number, as a shell's.
void end_on(const std::vector<int>& signals, int status = 0);
/// From now on they are only noted.
void note(const std::vector<int>& signals);
/// The signal noted last; 0 for none.
int noted_signal();

/// A file that is to go if a signal ends the program before this object does: then it is the
/// caller's again. Few exist at a time; those beyond 16 stay.
class PartialFile {
 public:
  PartialFile() = default;
  explicit PartialFile(const std::string& path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&& other) noexcept;

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t slot_ = none;
};

}  // namespace rivulet::io
