// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/words/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <system_error>
#include <utility>

#include "io/words/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

int first_failure = 0;                  ///< errno of the first print that failed; 0 for none
bool prints_to_standard_error = false;  ///< true if prints may be lost

void record_failure(int code) {
  if (first_failure == 0) first_failure = code == 0 ? EIO : code;
}

/// During the object's lifetime, blocks the signals that a failed write raises, because they end
/// the program: SIGPIPE (the reader is gone) and SIGXFSZ (the file-size limit is reached).
class BlockWriteSignals {
 public:
  BlockWriteSignals() {
    ::sigpending(&already_pending_);
    ::sigemptyset(&blocked_);
    for (const int signal : signals) ::sigaddset(&blocked_, signal);
    ::pthread_sigmask(SIG_BLOCK, &blocked_, &previous_mask_);
  }
  ~BlockWriteSignals() {
    sigset_t pending;
    ::sigpending(&pending);
    for (const int signal : signals) {
      if (::sigismember(&pending, signal) == 0 || ::sigismember(&already_pending_, signal) != 0)
        continue;
      sigset_t single;
      ::sigemptyset(&single);
      ::sigaddset(&single, signal);
      int received = 0;
      ::sigwait(&single, &received);
    }
    ::pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
  }
  BlockWriteSignals(const BlockWriteSignals&) = delete;
  BlockWriteSignals& operator=(const BlockWriteSignals&) = delete;

 private:
  static constexpr std::array signals{SIGPIPE, SIGXFSZ};
  sigset_t blocked_{}, previous_mask_{}, already_pending_{};
};

/// True if a write failed because the descriptor is non-blocking and full (according to errno), but
/// the descriptor becomes writable within 200 ms.
bool becomes_writable(int descriptor) {
  constexpr int milliseconds = 200;
  pollfd request{descriptor, POLLOUT, 0};
  return (errno == EAGAIN || errno == EWOULDBLOCK) && ::poll(&request, 1, milliseconds) > 0;
}

/// Largest pipe capacity, in bytes, that Linux grants unprivileged users; the default is 64 KiB.
[[maybe_unused]] constexpr int pipe_bytes = 1 << 20;

[[noreturn]] void throw_cannot_write(int code) {
  throw Error("cannot write to standard output", std::generic_category().message(code),
              "Check where it is redirected.");
}

}  // namespace

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free descriptor, which is `stream`. The wrong access mode makes
    // reads or writes fail.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

bool has_input() noexcept {
  struct stat status {};
  int bytes = 0;
  if (::fstat(STDIN_FILENO, &status) != 0 || S_ISCHR(status.st_mode)) return false;
  if (S_ISREG(status.st_mode)) return ::lseek(STDIN_FILENO, 0, SEEK_CUR) < status.st_size;
  return ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
}

void print(const std::string& text) {
  errno = 0;
  std::cout << text << std::flush;
  if (!std::cout) record_failure(errno);
}

bool print_to_standard_error() {
  std::cout.flush();
  std::fflush(stdout);
  prints_to_standard_error = ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  return prints_to_standard_error;
}

void write_message(std::string_view text, int descriptor) noexcept {
  const BlockWriteSignals guard;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0 || (errno != EINTR && !becomes_writable(descriptor))) {
      return;
    }
  }
}

void warn(const std::string& what) {
  write_message("rivulet: warning: " + printable_line(what) + "\n");
}

void require_printed() {
  print("");  // flushes output that other code left in the stream
  // Closes a duplicate, because network file systems may report a full disk only on close().
  const int copy = ::dup(STDOUT_FILENO);
  if (copy >= 0 && ::close(copy) != 0) record_failure(errno);
  if (first_failure == 0 || prints_to_standard_error) return;
  throw_cannot_write(first_failure);
}

RawOutput::RawOutput(bool is_finite) {
  if (::isatty(STDOUT_FILENO) != 0) {
    throw Error("cannot write raw numbers to a terminal", "they are not text",
                "Pipe them: `rivulet stream fill | head -c 64 | xxd`.");
  }
  struct stat status {};
  if (!is_finite && ::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode)) {
    throw Error("cannot write endless numbers to a file", "they would fill its disk",
                "Set a limit with --count N, or pipe them to a program that reads them.");
  }
  descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (descriptor_ < 0 || !print_to_standard_error()) throw_cannot_write(errno);
  std::signal(SIGPIPE, SIG_IGN);
#ifdef F_SETPIPE_SZ
  ::fcntl(descriptor_, F_SETPIPE_SZ, pipe_bytes);  // fails harmlessly if this is no pipe
#endif
}

RawOutput::~RawOutput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RawOutput::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_cannot_write(errno);
}

bool RawOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd request{descriptor_, POLLOUT, 0};
      ::poll(&request, 1, -1);  // blocks until the non-blocking pipe is writable
    } else if (errno != EINTR) {
      throw_cannot_write(errno);
    }
  }
  return true;
}

}  // namespace rivulet::io
