// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sequences/sequence.hpp"

namespace rivulet::capi {

/// A lock that costs one atomic operation if uncontended. A thread sleeps if it waits long.
class SpinLock {
 public:
  void lock() {
    if (taken_.exchange(true, std::memory_order_acquire)) wait();
  }
  bool try_lock() { return !taken_.exchange(true, std::memory_order_acquire); }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  void wait();

  std::atomic<bool> taken_{false};
};

/// The process's sequences by id. An id combines a slot's index with the count of sequences that
/// had the slot before, so the id of a destroyed sequence is never reused. Slots are never freed,
/// so a look-up takes only the slot's lock.
class HandleTable {
 public:
  struct alignas(64) Slot {
    SpinLock lock;
    std::int64_t id = 0;  ///< id of the slot's last sequence, alive or not
    NumberType type = NumberType::float64;
    std::unique_ptr<Sequence> sequence;
    std::string name;
  };

  /// Returns the slot to which an id belongs, or nullptr if this slot is not allocated. The slot
  /// may be unused, or used by a sequence with another id.
  Slot* find(std::int64_t id) const {
    const auto index = static_cast<std::uint64_t>(id) & (max_slots - 1);
    const Slot* const chunk = chunks_[index / chunk_slots].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : const_cast<Slot*>(chunk) + index % chunk_slots;
  }

  /// Throws SequenceError (name_taken) if a sequence has this name.
  void require_free(const std::string& name) const;
  std::int64_t insert(const std::string& name, std::unique_ptr<Sequence> sequence);
  void destroy(std::int64_t id);
  void destroy_all();
  /// Returns the id of the sequence with this name, or 0 if there is none.
  std::int64_t find_name(const std::string& name) const;

  /// Calls action(slot) with the slot of `id` locked. Throws SequenceError if the id has no live
  /// sequence.
  template <class Action>
  void use(std::int64_t id, const Action& action) {
    Slot& slot = slot_of(id);
    const std::lock_guard<SpinLock> lock(slot.lock);
    require_live(slot, id);
    action(slot);
  }

  /// Invalidates all ids without freeing the sequences' memory. A forked process calls this,
  /// because the owners of its locks no longer exist.
  void close_all() noexcept;

  /// Waits for the prefetching of all sequences that no thread is using.
  void synchronize_all();

 private:
  static constexpr std::uint64_t max_slots = std::uint64_t{1} << 20;
  static constexpr std::uint64_t chunk_slots = 256;

  Slot& slot_of(std::int64_t id) const;
  static void require_live(const Slot& slot, std::int64_t id);
  std::uint64_t allocate_index();
  std::vector<std::int64_t> live_ids() const;

  mutable std::mutex mutex_;  ///< guards all members except the chunks' slots
  std::array<std::atomic<Slot*>, max_slots / chunk_slots> chunks_{};
  std::uint64_t used_ = 0;
  std::vector<std::uint64_t> free_indices_;
  std::map<std::string, std::int64_t> names_;
};

/// Returns the process's table. The table is never destroyed, because threads may use it while the
/// process exits.
HandleTable& handle_table();

}  // namespace rivulet::capi
