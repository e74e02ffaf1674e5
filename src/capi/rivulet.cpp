// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/rivulet.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <shared_mutex>

#include "capi/calls.hpp"
#include "io/words/messages.hpp"
#include "rivulet/version.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

/// Indexed by rivulet_status.
constexpr std::array<const char*, RIVULET_ERROR_FORKED + 1> status_names{
    "RIVULET_OK",
    "RIVULET_ERROR_NULL_POINTER",
    "RIVULET_ERROR_COUNT",
    "RIVULET_ERROR_UNKNOWN_NAME",
    "RIVULET_ERROR_NAME_TAKEN",
    "RIVULET_ERROR_OPTION",
    "RIVULET_ERROR_SEED",
    "RIVULET_ERROR_NO_SUCH_SEQUENCE",
    "RIVULET_ERROR_DESTROYED",
    "RIVULET_ERROR_WRONG_TYPE",
    "RIVULET_ERROR_OUT_OF_MEMORY",
    "RIVULET_ERROR_OUT_OF_RANGE",
    "RIVULET_ERROR_SPACE",
    "RIVULET_ERROR_NOT_A_STATE",
    "RIVULET_ERROR_WRONG_VERSION",
    "RIVULET_ERROR_WRONG_GENERATOR",
    "RIVULET_ERROR_ENDED",
    "RIVULET_ERROR_KOKKOS",
    "RIVULET_ERROR_OTHER",
    "RIVULET_ERROR_FORKED",
};

[[gnu::noinline]] int get_slowly(rivulet_sequence id, std::int64_t count, void* numbers,
                                 NumberType type) {
  return with_sequence(id, [&](HandleTable::Slot& slot) {
    if (slot.type != type) {
      throw SequenceError(
          Fault::wrong_type,
          fmt::format("cannot get {} numbers from sequence \"{}\"", type_word(type), slot.name),
          fmt::format("its numbers are of type {}", type_word(slot.type)),
          fmt::format("Call rivulet_get_{}.", type_word(slot.type)));
    }
    require_positive(count, "count");
    require_not_null(numbers, "numbers");
    slot.sequence->get(static_cast<std::uint64_t>(count), numbers);
  });
}

/// Fast path for calls that request a few numbers, all already drawn. It costs one atomic operation
/// and a copy.
template <NumberType type>
int get(rivulet_sequence id, std::int64_t count, void* numbers) {
  static const HandleTable* const table = runs_here() ? &handle_table() : nullptr;
  HandleTable::Slot* const slot = table != nullptr ? table->find(id) : nullptr;
  if (slot != nullptr && count > 0 && numbers != nullptr) {
    const std::lock_guard<SpinLock> lock(slot->lock);
    if (slot->id == id && slot->sequence && slot->type == type &&
        slot->sequence->take(static_cast<std::uint64_t>(count), numbers)) {
      return RIVULET_OK;
    }
  }
  return get_slowly(id, count, numbers, type);
}

int skip(rivulet_sequence sequence, std::int64_t multiplier, std::int32_t log2) {
  return with_sequence(sequence, [&](HandleTable::Slot& slot) {
    if (multiplier < 0) {
      throw SequenceError(Fault::count, fmt::format("a skip of {}", multiplier),
                          "sequences do not run backwards",
                          "To go back, restore a saved state, or create the sequence anew.");
    }
    if (log2 < 0 || log2 > 126) {
      throw SequenceError(Fault::option, fmt::format("log2={}", log2),
                          "positions end at 2^127 or below", "Pass 0 .. 126 as log2.");
    }
    const Uint128 count = Uint128{static_cast<std::uint64_t>(multiplier)} << log2;
    const bool fits = count >> log2 == static_cast<std::uint64_t>(multiplier);
    slot.sequence->skip(fits ? count : position_limit);
  });
}

std::string warnings_of(const Sequence& sequence) {
  std::string lines;
  for (const std::string& line : sequence.warnings()) lines += line + "\n";
  return named_as_options(lines);
}

/// Copies text_of(sequence) to the caller's memory.
template <class TextOf>
int copy_text(rivulet_sequence id, std::int64_t capacity, char* text, const TextOf& text_of) {
  return with_sequence(id, [&](HandleTable::Slot& slot) {
    require_not_null(text, "text");
    const std::string found = text_of(*slot.sequence);
    if (capacity <= 0 || static_cast<std::uint64_t>(capacity) <= found.size()) {
      throw SequenceError(Fault::space, fmt::format("capacity={}", capacity),
                          fmt::format("the text takes {} B", found.size() + 1),
                          "Pass a buffer of this size, and its size as capacity.");
    }
    std::memcpy(text, found.c_str(), found.size() + 1);
  });
}

/// Returns a generator's fact, or NULL if the index is out of range. A fact views a literal or a
/// whole string and is thus null-terminated.
const char* fact(std::int64_t index, std::string_view Generator::*member) {
  if (index < 0 || index >= rivulet_generator_count()) return nullptr;
  return (generators()[static_cast<std::size_t>(index)]->*member).data();
}

}  // namespace

}  // namespace rivulet::capi

using namespace rivulet;
using namespace rivulet::capi;

int rivulet_initialize(void) {
  return guarded([] { start_kokkos(); });
}

int rivulet_finalize(void) {
  return guarded([] { finish_kokkos(); });
}

const char* rivulet_version(void) { return version; }

int64_t rivulet_generator_count(void) {
  return runs_here() ? static_cast<int64_t>(generators().size()) : 0;
}

const char* rivulet_generator_name(int64_t index) { return fact(index, &Generator::name); }

const char* rivulet_generator_description(int64_t index) { return fact(index, &Generator::doc); }

const char* rivulet_message(void) { return last_message(); }

const char* rivulet_status_name(int status) {
  const auto index = static_cast<std::size_t>(status);  // a negative status becomes out of range
  return index < status_names.size() ? status_names[index] : "unknown status";
}

int rivulet_options_default(rivulet_options* options) {
  return guarded([&] {
    require_not_null(options, "options");
    *options = default_options();
  });
}

int rivulet_create(const char* name, const rivulet_options* options, rivulet_sequence* sequence) {
  return guarded(RIVULET_ERROR_OPTION, [&] {
    reset(sequence);
    const std::string checked = checked_name(name);
    const SequenceOptions wanted = sequence_options(options);
    check(wanted);
    const std::shared_lock<SharedMutex> shared(kokkos_mutex());
    start_kokkos();
    *sequence = handle_table().insert(checked, make_sequence(wanted, wanted.names_a_file()));
  });
}

int rivulet_destroy(rivulet_sequence sequence) {
  return guarded([&] {
    const std::shared_lock<SharedMutex> shared(kokkos_mutex());
    handle_table().destroy(sequence);
  });
}

int rivulet_find(const char* name, rivulet_sequence* sequence) {
  return guarded([&] {
    reset(sequence);
    require_not_null(name, "name");
    *sequence = handle_table().find_name(name);
    if (*sequence != 0) return;
    throw SequenceError(Fault::unknown_name, fmt::format("no sequence \"{}\"", name),
                        "none of that name exists now",
                        "Call rivulet_create with this name first.");
  });
}

int rivulet_warnings(rivulet_sequence sequence, int64_t capacity, char* text) {
  return copy_text(sequence, capacity, text, warnings_of);
}

int rivulet_describe(rivulet_sequence sequence, int64_t capacity, char* text) {
  return copy_text(sequence, capacity, text, [](const Sequence& one) {
    return io::printable_line(description(one.options()));
  });
}

int rivulet_get_double(rivulet_sequence sequence, int64_t count, double* numbers) {
  return get<NumberType::float64>(sequence, count, numbers);
}

int rivulet_get_float(rivulet_sequence sequence, int64_t count, float* numbers) {
  return get<NumberType::float32>(sequence, count, numbers);
}

int rivulet_get_uint32(rivulet_sequence sequence, int64_t count, uint32_t* numbers) {
  return get<NumberType::uint32>(sequence, count, numbers);
}

int rivulet_get_uint64(rivulet_sequence sequence, int64_t count, uint64_t* numbers) {
  return get<NumberType::uint64>(sequence, count, numbers);
}

int rivulet_skip(rivulet_sequence sequence, int64_t count) { return skip(sequence, count, 0); }

int rivulet_skip_power(rivulet_sequence sequence, int64_t multiplier, int32_t log2) {
  return skip(sequence, multiplier, log2);
}

int rivulet_position(rivulet_sequence sequence, uint64_t* high, uint64_t* low) {
  return with_sequence(sequence, [&](HandleTable::Slot& slot) {
    require_not_null(high, "high");
    require_not_null(low, "low");
    const Uint128 position = slot.sequence->position();
    *high = static_cast<uint64_t>(position >> 64);
    *low = static_cast<uint64_t>(position);
  });
}
