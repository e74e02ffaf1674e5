// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "capi/calls.hpp"
#include "sequences/saved_sequence.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

std::span<const std::byte> given_bytes(std::int64_t size, const void* bytes) {
  require_not_null(bytes, "bytes");
  require_positive(size, "size");
  return {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)};
}

void require_same_kind(const SequenceOptions& saved, const SequenceOptions& ours) {
  if (saved.generator != ours.generator) {
    throw SequenceError(
        Fault::wrong_generator,
        fmt::format("a sequence of {} cannot become one of {}", ours.generator, saved.generator),
        "its generator is fixed",
        fmt::format("Restore into a sequence with generator={}.", saved.generator));
  }
  if (saved.type != ours.type) {
    throw SequenceError(Fault::wrong_type,
                        fmt::format("a sequence of type {} cannot become one of type {}",
                                    type_word(ours.type), type_word(saved.type)),
                        "its type is fixed", "Restore into a sequence of the saved type.");
  }
}

}  // namespace
}  // namespace rivulet::capi

using namespace rivulet;
using namespace rivulet::capi;

int rivulet_save_size(rivulet_sequence sequence, int64_t* bytes) {
  return with_sequence(sequence, [&](HandleTable::Slot& slot) {
    require_not_null(bytes, "bytes");
    *bytes = static_cast<int64_t>(to_bytes(slot.sequence->save()).size());
  });
}

int rivulet_save(rivulet_sequence sequence, int64_t capacity, void* bytes) {
  return with_sequence(sequence, [&](HandleTable::Slot& slot) {
    require_not_null(bytes, "bytes");
    const std::vector<std::byte> saved = to_bytes(slot.sequence->save());
    if (capacity < 0 || static_cast<std::uint64_t>(capacity) < saved.size()) {
      throw SequenceError(Fault::space, fmt::format("capacity={}", capacity),
                          fmt::format("the sequence takes {} B", saved.size()),
                          "Pass a buffer of the size that rivulet_save_size returns.");
    }
    std::memcpy(bytes, saved.data(), saved.size());
  });
}

int rivulet_restore(rivulet_sequence sequence, int64_t size, const void* bytes) {
  return with_sequence(sequence, RIVULET_ERROR_NOT_A_STATE, [&](HandleTable::Slot& slot) {
    SavedSequence saved = from_bytes(given_bytes(size, bytes));
    const SequenceOptions& ours = slot.sequence->options();
    require_same_kind(saved.options, ours);
    saved.options.buffer_numbers = ours.buffer_numbers;
    saved.options.asynchronous = ours.asynchronous;
    slot.sequence = make_sequence(saved, saved.options.names_a_file());
  });
}

int rivulet_create_from(const char* name, int64_t size, const void* bytes,
                        rivulet_sequence* sequence) {
  return guarded(RIVULET_ERROR_NOT_A_STATE, [&] {
    reset(sequence);
    const std::string checked = checked_name(name);
    const SavedSequence saved = from_bytes(given_bytes(size, bytes));
    const std::shared_lock<SharedMutex> shared(kokkos_mutex());
    start_kokkos();
    *sequence = handle_table().insert(checked, make_sequence(saved, saved.options.names_a_file()));
  });
}
