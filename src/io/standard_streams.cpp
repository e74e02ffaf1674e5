// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// errno of the first print that failed; 0 for none.
int& first_failure() {
  static int code = 0;
  return code;
}

void remember(int code) {
  if (first_failure() == 0) first_failure() = code == 0 ? EIO : code;
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The least number that is free, which is this one. In the wrong direction, so that it fails.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void print(const std::string& text) {
  errno = 0;
  std::cout << text << std::flush;
  if (!std::cout) remember(errno);
}

void require_printed() {
  print("");  // with what others may have left in the stream
  // Network file systems may tell of a full disk only when a file is closed: so a copy is.
  const int copy = ::dup(STDOUT_FILENO);
  if (copy >= 0 && ::close(copy) != 0) remember(errno);
  if (first_failure() == 0) return;
  throw Error("cannot write to standard output", std::generic_category().message(first_failure()),
              "Check where it is redirected.");
}

}  // namespace rivulet::io
