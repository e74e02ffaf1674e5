// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <shared_mutex>
#include <string>

#include "capi/calls.hpp"
#include "capi/distributions.hpp"
#include "io/words/standard_streams.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

static_assert(sizeof(void*) >= sizeof(rivulet_sequence), "a pointer holds an id");

[[noreturn]] void refuse_no_sequence(rivulet_sequence id) {
  require_not_forked();
  throw SequenceError(Fault::destroyed, fmt::format("no sequence {}", id),
                      "it was destroyed or never created",
                      "Call rivulet_create first, and rivulet_destroy after the last use.");
}

/// Returns the sequence of an id. Takes no lock, because no other call may use the sequence at the
/// same time.
[[gnu::always_inline]] inline Sequence& sequence_of(void* id) {
  static const HandleTable& table = handle_table();
  const auto wanted = static_cast<rivulet_sequence>(reinterpret_cast<std::intptr_t>(id));
  HandleTable::Slot* const slot = table.find(wanted);
  if (slot == nullptr || slot->id != wanted || !slot->sequence) refuse_no_sequence(wanted);
  return *slot->sequence;
}

/// Returns use(sequence). The caller cannot receive an error, so an error prints a message and
/// aborts.
template <class Use>
auto next_number(void* id, const Use& use) noexcept {
  try {
    return use(sequence_of(id));
  } catch (...) {
    store_error(RIVULET_ERROR_OTHER);
    io::write_message(fmt::format("rivulet: {}\n", last_message()));
    std::abort();
  }
}

/// Returns the Drawing of a call's arguments. `count_name` names `count` in messages.
Drawing checked_drawing(const char* distribution, std::int64_t parameter_count,
                        const double* parameters, std::int32_t type, const char* count_name,
                        std::int64_t count, void* numbers) {
  require_not_null(distribution, "distribution");
  if (parameter_count != 0) require_not_null(parameters, "parameters");
  require_not_null(numbers, "numbers");
  require_positive(count, count_name);
  return {.distribution = distribution,
          .parameters = {parameters, static_cast<std::size_t>(parameter_count)},
          .type = number_type(type),
          .count = static_cast<std::uint64_t>(count),
          .to = numbers};
}

void require_children(const SequenceOptions& options) {
  if (options.generator_facts().child != nullptr && options.instances == 1) return;
  if (options.instances > 1) {
    throw SequenceError(Fault::option,
                        fmt::format("a child of a sequence with instances={}", options.instances),
                        "only a single stream has children", "Create the parent with instances=1.");
  }
  throw SequenceError(Fault::option, fmt::format("{} has no children", options.generator),
                      "only counter-based generators keep the children of children apart",
                      "Choose generator=philox4x32, or give each stream its own first_stream.");
}

}  // namespace
}  // namespace rivulet::capi

using namespace rivulet;
using namespace rivulet::capi;

int rivulet_draw(rivulet_sequence sequence, const char* distribution, int64_t parameter_count,
                 const double* parameters, int32_t type, int64_t count, void* numbers) {
  return with_sequence(sequence, RIVULET_ERROR_OPTION, [&](HandleTable::Slot& slot) {
    draw(*slot.sequence,
         checked_drawing(distribution, parameter_count, parameters, type, "count", count, numbers));
  });
}

int rivulet_draw_ahead(rivulet_sequence sequence, const char* distribution, int64_t parameter_count,
                       const double* parameters, int32_t type, int64_t most, void* numbers,
                       int64_t* count, int64_t* own) {
  return with_sequence(sequence, RIVULET_ERROR_OPTION, [&](HandleTable::Slot& slot) {
    const Drawing drawing =
        checked_drawing(distribution, parameter_count, parameters, type, "most", most, numbers);
    require_not_null(count, "count");
    require_not_null(own, "own");
    std::uint64_t of_each = 0;
    *count = static_cast<int64_t>(draw_ahead(*slot.sequence, drawing, of_each));
    *own = static_cast<int64_t>(of_each);
  });
}

int rivulet_create_child(const char* name, rivulet_sequence parent, uint64_t number,
                         rivulet_sequence* child) {
  return guarded(RIVULET_ERROR_OPTION, [&] {
    reset(child);
    const std::string checked = checked_name(name);
    const std::shared_lock<SharedMutex> shared(kokkos_mutex());
    start_kokkos();
    SequenceOptions options;
    handle_table().use(parent,
                       [&](HandleTable::Slot& slot) { options = slot.sequence->options(); });
    require_children(options);
    StreamRequest request = options.request();
    options.first_stream = options.generator_facts().child(request, options.first_stream, number);
    options.seed = request.seed;
    options.option_values = request.options;
    options.start = 0;
    *child = handle_table().insert(checked, make_sequence(options, false));
  });
}

uint64_t rivulet_next_uint64(void* sequence) {
  return next_number(sequence, next_number_of<std::uint64_t>);
}

uint32_t rivulet_next_uint32(void* sequence) {
  return next_number(sequence, next_number_of<std::uint32_t>);
}

double rivulet_next_double(void* sequence) { return next_number(sequence, next_number_of<double>); }

uint64_t rivulet_next_raw(void* sequence) {
  return next_number(sequence, [](Sequence& raw_sequence) {
    return with_engine(raw_sequence, 1, [](auto& rng) { return std::uint64_t{rng()}; });
  });
}
