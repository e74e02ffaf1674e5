// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/open_outputs.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <utility>

#include "io/files/output_lock.hpp"
#include "io/mpi/stop_signals.hpp"

namespace rivulet::io {
namespace {

// Signal handlers may touch only static memory and lock-free flags.

struct RegisteredOutput {
  std::atomic<bool> in_use = false;
  std::atomic<bool> ready = false;  ///< the paths are complete
  std::atomic<bool> is_own_rank = false;
  std::atomic<bool> kept = false;
  std::array<char, PATH_MAX> temporary{};
  std::array<char, PATH_MAX> lock{};
};
std::array<RegisteredOutput, 16> registry;  // NOLINT: signal handlers can reach only globals
static_assert(std::atomic<bool>::is_always_lock_free);

void remove_outputs_of_this_rank() {
  for (const RegisteredOutput& entry : registry) {
    if (!entry.ready || !entry.is_own_rank) continue;
    if (!entry.kept) ::unlink(entry.temporary.data());
    ::unlink(entry.lock.data());
  }
}

}  // namespace

OpenOutput::OpenOutput(const std::string& temporary, const std::string& lock, Owner owner,
                       bool kept) {
  remove_in_handler = remove_outputs_of_this_rank;
  remove_at_abort = remove_open_outputs;
  if (temporary.size() >= PATH_MAX || lock.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < registry.size() && entry_ == none; ++i) {
    if (!registry[i].in_use.exchange(true)) entry_ = i;
  }
  if (entry_ == none) return;
  RegisteredOutput& entry = registry[entry_];
  std::memcpy(entry.temporary.data(), temporary.c_str(), temporary.size() + 1);
  std::memcpy(entry.lock.data(), lock.c_str(), lock.size() + 1);
  entry.is_own_rank = owner == Owner::this_rank;
  entry.kept = kept;
  entry.ready = true;
}

OpenOutput::~OpenOutput() {
  if (entry_ == none) return;
  registry[entry_].ready = false;
  registry[entry_].in_use = false;
}

OpenOutput::OpenOutput(OpenOutput&& other) noexcept : entry_(std::exchange(other.entry_, none)) {}

void OpenOutput::keep(bool kept) {
  if (entry_ != none) registry[entry_].kept = kept;
}

void OpenOutput::abandon() { entry_ = none; }

void remove_open_outputs() {
  for (RegisteredOutput& entry : registry) {
    if (!entry.ready.exchange(false)) continue;
    if (!entry.kept) ::unlink(entry.temporary.data());
    remove_lock(entry.lock.data(), entry.temporary.data());
  }
}

}  // namespace rivulet::io
