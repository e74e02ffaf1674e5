// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/raw_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "io/outputs/file_space.hpp"
#include "io/terminal/standard_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// The most that Linux lets an ordinary user's pipe hold; a pipe holds 64 KiB otherwise.
[[maybe_unused]] constexpr int pipe_bytes = 1 << 20;

[[noreturn]] void throw_cannot_write() {
  throw Error("cannot write to standard output", std::generic_category().message(errno),
              "Check where it is redirected.");
}

/// For a pipe that somebody made non-blocking.
void wait_until_writable(int descriptor) {
  pollfd one{descriptor, POLLOUT, 0};
  ::poll(&one, 1, -1);
}

}  // namespace

RawOutput::RawOutput(bool ends) {
  if (::isatty(STDOUT_FILENO) != 0) {
    throw Error("cannot write raw numbers to a terminal", "they are not text",
                "Pipe them: `rivulet stream fill | head -c 64 | xxd`.");
  }
  if (!ends && is_regular(STDOUT_FILENO)) {
    throw Error("cannot write endless numbers to a file", "they would fill its disk",
                "Set a limit with --count N, or pipe them to a program that reads them.");
  }
  descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor_ < 0 || !print_to_standard_error()) throw_cannot_write();
  std::signal(SIGPIPE, SIG_IGN);
#ifdef F_SETPIPE_SZ
  ::fcntl(descriptor_, F_SETPIPE_SZ, pipe_bytes);  // fails on what is not a pipe, harmlessly
#endif
}

RawOutput::~RawOutput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RawOutput::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_cannot_write();
}

bool RawOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_until_writable(descriptor_);
    } else if (errno != EINTR) {
      throw_cannot_write();
    }
  }
  return true;
}

}  // namespace rivulet::io
