// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// states_in_memory SECONDS SEED damages saved states: it flips bits, and truncates, inserts and
// splices bytes. rivulet_restore and rivulet_create_from must report the damage, and the sequence
// must continue with its own numbers. Unchanged bytes must restore the saved state.
// The bytes end at an unreadable guard page, so that reading past them crashes the program.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "rivulet.h"

namespace {

using Bytes = std::vector<unsigned char>;
using Numbers = std::array<double, 8>;

constexpr unsigned patience = 20;  // seconds per iteration before SIGALRM ends the program

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s; last message: %s\n", what.c_str(), rivulet_message());
  std::exit(1);
}

void succeed(int status, const char* what) {
  if (status != RIVULET_OK) fail(std::string(what) + ": " + rivulet_status_name(status));
}

/// A buffer whose contents end at an unreadable guard page.
class Guarded {
 public:
  explicit Guarded(std::size_t most)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        room_((most + page_ - 1) / page_ * page_),
        begin_(static_cast<unsigned char*>(mmap(nullptr, room_ + page_, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (begin_ == MAP_FAILED || mprotect(begin_ + room_, page_, PROT_NONE) != 0) fail("no memory");
  }
  ~Guarded() { munmap(begin_, room_ + page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  const void* put(const Bytes& bytes) {
    unsigned char* const at = begin_ + room_ - bytes.size();
    if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
    return at;
  }
  std::size_t room() const { return room_; }

 private:
  std::size_t page_;
  std::size_t room_;
  unsigned char* begin_;
};

class Source {
 public:
  explicit Source(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// A sequence, a twin that draws the same numbers, and their saved state.
class TwinSequences {
 public:
  TwinSequences(const char* generator, std::int64_t instances, std::int64_t buffer) {
    rivulet_options options;
    succeed(rivulet_options_default(&options), "options");
    options.generator = generator;
    options.instances = instances;
    options.buffer_numbers = buffer;
    const std::string name = std::string(generator) + std::to_string(buffer);
    succeed(rivulet_create(name.c_str(), &options, &sequence_), "create");
    succeed(rivulet_create((name + " twin").c_str(), &options, &twin_), "create");
    draw_both();
    std::int64_t size = 0;
    succeed(rivulet_save_size(sequence_, &size), "size");
    saved_.resize(static_cast<std::size_t>(size));
    succeed(rivulet_save(sequence_, size, saved_.data()), "save");
    expected_next_ = draw_both();
  }

  const Bytes& saved() const { return saved_; }
  rivulet_sequence sequence() const { return sequence_; }

  /// Draws from both sequences, which must agree.
  Numbers draw_both() {
    const Numbers numbers = drawn(sequence_);
    if (numbers != drawn(twin_)) fail("a sequence has lost its place");
    return numbers;
  }
  /// Checks that the next numbers of a restored sequence are those after the save.
  void expect_saved(rivulet_sequence sequence) const {
    if (drawn(sequence) != expected_next_) fail("another state than was saved");
  }
  void restore_twin() {
    succeed(rivulet_restore(twin_, static_cast<std::int64_t>(saved_.size()), saved_.data()),
            "restore");
    expect_saved(twin_);
  }

 private:
  static Numbers drawn(rivulet_sequence sequence) {
    Numbers numbers;
    succeed(rivulet_get_double(sequence, static_cast<std::int64_t>(numbers.size()), numbers.data()),
            "get");
    return numbers;
  }

  rivulet_sequence sequence_ = 0;
  rivulet_sequence twin_ = 0;
  Bytes saved_;
  Numbers expected_next_{};
};

/// Returns `saved` with one to four random changes, or unchanged once in 50 calls on average.
Bytes changed(const Bytes& saved, const Bytes& other, Source& source) {
  Bytes bytes = saved;
  const std::size_t changes = source.below(50) == 0 ? 0 : 1 + source.below(4);
  const auto at = [&](std::size_t position) {
    return bytes.begin() + static_cast<std::ptrdiff_t>(position);
  };
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t position = source.below(bytes.size() + 1);
    // Most of a large state is one field. Half of the single-byte changes therefore hit the first
    // bytes, where the other fields are.
    const std::size_t biased_position =
        source.below(2) == 0 ? position
                             : source.below(std::min<std::size_t>(bytes.size(), 200) + 1);
    switch (source.below(6)) {
      case 0:
      case 1:
        if (biased_position < bytes.size())
          bytes[biased_position] ^= static_cast<unsigned char>(1U << source.below(8));
        break;
      case 2:
        if (biased_position < bytes.size()) bytes[biased_position] = source.below(2) == 0 ? 0 : 255;
        break;
      case 3:
        bytes.resize(position);
        break;
      case 4:
        bytes.insert(at(position), 1 + source.below(64),
                     static_cast<unsigned char>(source.below(256)));
        break;
      default: {  // the end of another state
        const std::size_t from = source.below(other.size() + 1);
        bytes.resize(position);
        bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
      }
    }
  }
  return bytes;
}

bool is_refusal(int status) {
  const std::string said = rivulet_message();
  const bool is_known = status == RIVULET_ERROR_NOT_A_STATE ||
                        status == RIVULET_ERROR_WRONG_VERSION ||
                        status == RIVULET_ERROR_COUNT;  // if there are no bytes
  return is_known && said.ends_with('.') && said.find(" (") != std::string::npos;
}

struct Counts {
  std::uint64_t tried = 0;
  std::uint64_t restored = 0;
};

void restore(TwinSequences& twins, const Bytes& bytes, const void* at, Counts& counts) {
  const int status = rivulet_restore(twins.sequence(), static_cast<std::int64_t>(bytes.size()), at);
  if (bytes != twins.saved()) {
    if (!is_refusal(status)) fail(std::string("restored: ") + rivulet_status_name(status));
    twins.draw_both();
    return;
  }
  succeed(status, "restore");
  twins.expect_saved(twins.sequence());
  twins.restore_twin();
  ++counts.restored;
}

void create(const TwinSequences& twins, const Bytes& bytes, const void* at, Counts& counts) {
  rivulet_sequence created = -1;
  const int status =
      rivulet_create_from("made", static_cast<std::int64_t>(bytes.size()), at, &created);
  if (bytes != twins.saved()) {
    if (!is_refusal(status) || created != 0)
      fail(std::string("created: ") + rivulet_status_name(status));
    return;
  }
  succeed(status, "create");
  twins.expect_saved(created);
  succeed(rivulet_destroy(created), "destroy");
  ++counts.restored;
}

/// Creates two pairs of sequences for each generator that needs neither a parameter file nor
/// published seeding: one pair with three interleaved streams, and one pair with a buffer.
std::vector<std::unique_ptr<TwinSequences>> make_all_twins() {
  std::vector<std::unique_ptr<TwinSequences>> all;
  for (std::int64_t i = 0; i < rivulet_generator_count(); ++i) {
    const std::string name = rivulet_generator_name(i);
    if (name == "dcmt1279" || name == "dcmt2203" || name == "hybrid_tausworthe_listing") continue;
    all.push_back(std::make_unique<TwinSequences>(name.c_str(), 3, 0));
    all.push_back(std::make_unique<TwinSequences>(name.c_str(), 1, 1000));
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Source source(std::strtoull(argv[2], nullptr, 10));
  const auto all = make_all_twins();
  std::size_t most = 0;
  for (const auto& one : all) most = std::max(most, one->saved().size());
  Guarded memory(8 * most + 4096);
  Counts counts;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
  while (std::chrono::steady_clock::now() < end) {
    alarm(patience);
    TwinSequences& twins = *all[source.below(all.size())];
    const Bytes& other = all[source.below(all.size())]->saved();
    const Bytes bytes = changed(twins.saved(), other, source);
    const bool is_another = bytes == other && bytes != twins.saved();
    if (is_another || bytes.size() > memory.room()) continue;
    const void* const at = memory.put(bytes);
    ++counts.tried;
    source.below(4) == 0 ? create(twins, bytes, at, counts) : restore(twins, bytes, at, counts);
  }
  std::printf("tried %llu, of which %llu restored\n", static_cast<unsigned long long>(counts.tried),
              static_cast<unsigned long long>(counts.restored));
  return counts.restored > 0 ? 0 : 1;
}
