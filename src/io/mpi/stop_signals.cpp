// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/mpi/stop_signals.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

struct NamedSignal {
  int signal;
  std::string_view name;
};
/// Signals that batch systems and users send.
constexpr std::array known_signals{
    NamedSignal{SIGTERM, "SIGTERM"}, NamedSignal{SIGINT, "SIGINT"},
    NamedSignal{SIGUSR1, "SIGUSR1"}, NamedSignal{SIGUSR2, "SIGUSR2"},
    NamedSignal{SIGHUP, "SIGHUP"},   NamedSignal{SIGXCPU, "SIGXCPU"},
    NamedSignal{SIGALRM, "SIGALRM"}, NamedSignal{SIGQUIT, "SIGQUIT"}};

std::atomic<int> last_signal = 0;
std::atomic<int> exit_status = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // as signal handlers require

// These functions are static because the library would otherwise export their names despite the
// namespace.
extern "C" {
static void record_signal(int signal) { last_signal = signal; }

static void exit_program(int signal) {
  if (void (*const remove)() = remove_in_handler) remove();
  const int status = exit_status;
  ::_exit(status != 0 ? status : 128 + signal);
}
}

void change_mask(int how, const std::vector<int>& signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  ::pthread_sigmask(how, &set, nullptr);
}

void install_handler(const std::vector<int>& signals, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // interrupted reads and writes restart
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) ::sigaction(signal, &action, nullptr);
  change_mask(SIG_UNBLOCK, signals);
}

}  // namespace

std::string name_of_signal(int signal) {
  for (const NamedSignal& entry : known_signals) {
    if (entry.signal == signal) return std::string(entry.name);
  }
  return fmt::format("signal {}", signal);
}

std::vector<int> signals_from(const std::string& text) {
  constexpr std::string_view separators = " ,";
  std::vector<int> signals;
  std::string_view remaining = text;
  for (std::string_view word = next_word(remaining, separators); !word.empty();
       word = next_word(remaining, separators)) {
    const std::string name = (word.starts_with("SIG") ? "" : "SIG") + std::string(word);
    const auto found = std::ranges::find(known_signals, name, &NamedSignal::name);
    if (found == known_signals.end()) {
      std::string names;
      for (const NamedSignal& entry : known_signals)
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
      throw Error(fmt::format("unknown signal '{}'", word), "a run can stop on " + names,
                  "Write, for example, checkpoint.signals=\"SIGTERM SIGUSR1\".");
    }
    signals.push_back(found->signal);
  }
  return signals;
}

void exit_on_signals(const std::vector<int>& signals, int status) {
  exit_status = status;
  install_handler(signals, exit_program);
}
void block_signals(const std::vector<int>& signals) { change_mask(SIG_BLOCK, signals); }
void record_signals(const std::vector<int>& signals) { install_handler(signals, record_signal); }
int received_signal() { return last_signal; }

}  // namespace rivulet::io
