// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "capi/calls.hpp"
#include "io/results/results_file.hpp"
#include "rivulet/version.hpp"
#include "sequences/saved_sequence.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

constexpr const char* file_kind = "sequences";

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
        "its generator is fixed", "Restore into a sequence of the same generator.");
  }
  if (saved.type != ours.type) {
    throw SequenceError(Fault::wrong_type, "the saved sequence's numbers are of another type",
                        "a sequence's type is fixed", "Restore into a sequence of the same type.");
  }
}

void restore(HandleTable::Slot& slot, SavedSequence saved) {
  const SequenceOptions& ours = slot.sequence->options();
  require_same_kind(saved.options, ours);
  saved.options.buffer_numbers = ours.buffer_numbers;
  saved.options.asynchronous = ours.asynchronous;
  slot.sequence = make_sequence(saved, saved.options.names_a_file());
}

rivulet_sequence create_from(const std::string& name, const SavedSequence& saved) {
  const std::shared_lock<SharedMutex> shared(kokkos_mutex());
  start_kokkos();
  return handle_table().insert(name, make_sequence(saved, saved.options.names_a_file()));
}

std::string group_of(const std::string& name) { return "/sequences/" + name; }

/// Throws SequenceError if two of the sequences have one name: a file holds one state of each name.
void require_distinct(std::span<const rivulet_sequence> sequences) {
  std::set<rivulet_sequence> seen;
  for (const rivulet_sequence id : sequences) {
    if (seen.insert(id).second) continue;
    handle_table().use(id, [](HandleTable::Slot& slot) {
      throw SequenceError(Fault::name_taken,
                          fmt::format("sequence \"{}\" is listed twice", slot.name),
                          "a file holds one state per name", "List each sequence once.");
    });
  }
}

using NamedStates = std::vector<std::pair<std::string, std::vector<std::byte>>>;

void write_file(const std::string& path, const NamedStates& states) {
  const std::lock_guard<std::mutex> lock(file_mutex());
  io::ResultsFile file(io::Communicator::self(), path, file_kind, version, io::FileForm::sealed);
  file.group("/sequences", "Saved sequences by name: the bytes of rivulet_save");
  for (const auto& [name, bytes] : states) {
    file.group(group_of(name));
    const std::span<const std::uint8_t> elements(
        reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    file.dataset(group_of(name) + "/state", elements, 0, elements.size(),
                 "options, position and states, with a checksum");
    const SequenceOptions options = from_bytes(bytes).options;
    file.attribute(group_of(name), "generator", options.generator);
    file.attribute(group_of(name), "instances", options.instances);
  }
  file.commit(io::Unnamed::goes);
}

SavedSequence read_file(const std::string& path, const std::string& name) {
  const std::lock_guard<std::mutex> lock(file_mutex());
  const io::ReadFile file(path, file_kind);
  if (!file.has(group_of(name))) {
    throw SequenceError(Fault::unknown_name, fmt::format("no sequence \"{}\" in {}", name, path),
                        "none of that name was saved there", "Use the name it was saved with.");
  }
  const auto bytes = file.dataset<std::uint8_t>(group_of(name) + "/state");
  return from_bytes(std::as_bytes(std::span(bytes)));
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
                          "Pass as many as rivulet_save_size reports.");
    }
    std::memcpy(bytes, saved.data(), saved.size());
  });
}

int rivulet_restore(rivulet_sequence sequence, int64_t size, const void* bytes) {
  return with_sequence(sequence, RIVULET_ERROR_NOT_A_STATE, [&](HandleTable::Slot& slot) {
    restore(slot, from_bytes(given_bytes(size, bytes)));
  });
}

int rivulet_create_from(const char* name, int64_t size, const void* bytes,
                        rivulet_sequence* sequence) {
  return guarded(RIVULET_ERROR_NOT_A_STATE, [&] {
    reset(sequence);
    const std::string checked = checked_name(name);
    *sequence = create_from(checked, from_bytes(given_bytes(size, bytes)));
  });
}

int rivulet_save_hdf5(const char* path, int64_t count, const rivulet_sequence* sequences) {
  return guarded(RIVULET_ERROR_FILE, [&] {
    require_not_null(path, "path");
    require_not_null(sequences, "sequences");
    require_positive(count, "count");
    require_distinct({sequences, static_cast<std::size_t>(count)});
    NamedStates states;
    for (int64_t i = 0; i < count; ++i) {
      handle_table().use(sequences[i], [&](HandleTable::Slot& slot) {
        states.emplace_back(slot.name, to_bytes(slot.sequence->save()));
      });
    }
    write_file(path, states);
  });
}

int rivulet_restore_hdf5(const char* path, rivulet_sequence sequence) {
  return with_sequence(sequence, RIVULET_ERROR_FILE, [&](HandleTable::Slot& slot) {
    require_not_null(path, "path");
    restore(slot, read_file(path, slot.name));
  });
}

int rivulet_create_from_hdf5(const char* path, const char* name, rivulet_sequence* sequence) {
  return guarded(RIVULET_ERROR_FILE, [&] {
    reset(sequence);
    require_not_null(path, "path");
    const std::string checked = checked_name(name);
    *sequence = create_from(checked, read_file(path, checked));
  });
}
