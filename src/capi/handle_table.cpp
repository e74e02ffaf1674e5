// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/handle_table.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

[[noreturn]] void refuse_unknown(std::int64_t id) {
  throw SequenceError(Fault::no_such_sequence, fmt::format("no sequence {}", id),
                      "this id was never issued", "Use an id that rivulet_create returned.");
}

[[noreturn]] void refuse_taken(const std::string& name) {
  throw SequenceError(Fault::name_taken, fmt::format("a sequence \"{}\" already exists", name),
                      "names must be unique", "Choose another name, or destroy that one first.");
}

}  // namespace

void SpinLock::wait() {
  constexpr int spins = 64;
  constexpr int yields = 1024;
  for (int tries = 0;; ++tries) {
    if (!taken_.load(std::memory_order_relaxed) && try_lock()) return;
    if (tries < spins) continue;
    if (tries < spins + yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
}

HandleTable& handle_table() {
  static auto* const table = new HandleTable;
  return *table;
}

HandleTable::Slot& HandleTable::slot_of(std::int64_t id) const {
  Slot* const slot = id > 0 ? find(id) : nullptr;
  if (slot == nullptr) refuse_unknown(id);
  return *slot;
}

void HandleTable::require_live(const Slot& slot, std::int64_t id) {
  if (slot.id == id && slot.sequence) return;
  if (id > slot.id) refuse_unknown(id);
  throw SequenceError(Fault::destroyed, fmt::format("sequence {} no longer exists", id),
                      "it has been destroyed",
                      "Call rivulet_destroy after the last use, or rivulet_create again.");
}

void HandleTable::require_free(const std::string& name) const {
  if (find_name(name) != 0) refuse_taken(name);
}

std::int64_t HandleTable::find_name(const std::string& name) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = names_.find(name);
  return found == names_.end() ? 0 : found->second;
}

std::uint64_t HandleTable::allocate_index() {
  if (!free_indices_.empty()) {
    const std::uint64_t index = free_indices_.back();
    free_indices_.pop_back();
    return index;
  }
  if (used_ == max_slots) {
    throw SequenceError(Fault::out_of_memory, "no room for another sequence",
                        fmt::format("the library keeps at most {}", max_slots),
                        "Destroy sequences that are no longer needed.");
  }
  free_indices_.reserve(used_ + 1);  // so that push_back() in destroy() cannot fail
  auto& chunk = chunks_[used_ / chunk_slots];
  if (chunk.load() == nullptr) {
    chunk.store(std::make_unique<Slot[]>(chunk_slots).release(), std::memory_order_release);
  }
  return used_++;
}

std::int64_t HandleTable::insert(const std::string& name, std::unique_ptr<Sequence> sequence) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [entry, is_new] = names_.try_emplace(name, 0);
  if (!is_new) refuse_taken(name);
  try {
    std::string copy = name;
    const std::uint64_t index = allocate_index();
    Slot& slot = *find(static_cast<std::int64_t>(index));
    const std::lock_guard<SpinLock> slot_lock(slot.lock);
    const auto before = static_cast<std::uint64_t>(slot.id) / max_slots;
    slot.id = static_cast<std::int64_t>((before + 1) * max_slots + index);
    slot.type = sequence->options().type;
    slot.name = std::move(copy);
    slot.sequence = std::move(sequence);
    entry->second = slot.id;
    return slot.id;
  } catch (...) {
    names_.erase(entry);
    throw;
  }
}

void HandleTable::destroy(std::int64_t id) {
  std::unique_ptr<Sequence> sequence;  // destroyed after the locks are released
  Slot& slot = slot_of(id);
  // Lock order: slot, then table. A wait for the slot's user then does not block other threads. No
  // thread waits for a live sequence's slot while it holds the table's lock.
  const std::lock_guard<SpinLock> slot_lock(slot.lock);
  require_live(slot, id);
  const std::lock_guard<std::mutex> lock(mutex_);
  sequence = std::move(slot.sequence);
  names_.erase(slot.name);
  free_indices_.push_back(static_cast<std::uint64_t>(id) & (max_slots - 1));
}

std::vector<std::int64_t> HandleTable::live_ids() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::int64_t> ids;
  for (const auto& [name, id] : names_) ids.push_back(id);
  return ids;
}

void HandleTable::destroy_all() {
  for (const std::int64_t id : live_ids()) {
    try {
      destroy(id);
    } catch (const SequenceError&) {  // another thread has destroyed it
    }
  }
}

void HandleTable::close_all() noexcept {
  for (const auto& chunk : chunks_) {
    Slot* const slots = chunk.load();
    for (std::uint64_t i = 0; slots != nullptr && i < chunk_slots; ++i) {
      slots[i].id = 0;
      slots[i].lock.unlock();
    }
  }
}

void HandleTable::synchronize_all() {
  for (const std::int64_t id : live_ids()) {
    Slot& slot = slot_of(id);
    if (!slot.lock.try_lock()) continue;
    if (slot.sequence) slot.sequence->synchronize();
    slot.lock.unlock();
  }
}

}  // namespace rivulet::capi
