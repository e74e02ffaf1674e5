// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "battery/test_class.hpp"
#include "generators/generators.hpp"
#include "ready_generators.hpp"

namespace rivulet {

/// Supplies the given words, then repeats the last one.
inline WordSupply given_words(const std::vector<std::uint32_t>& words) {
  WordSupply supply;
  supply.draw = [words](std::uint64_t first, std::uint64_t count, std::uint32_t* to) {
    std::vector<std::uint32_t> some;
    for (std::uint64_t i = first; i < first + count; ++i) {
      some.push_back(i < words.size() ? words[i] : words.back());
    }
    Kokkos::deep_copy(Borrowed<std::uint32_t>(to, count),
                      Borrowed<const std::uint32_t, Kokkos::HostSpace>(some.data(), count));
    return no_end;
  };
  return supply;
}

/// The words of a generator, or of another supply.
class Words {
 public:
  Words(WordSupply supply, std::uint64_t tile) : tiles_(Space(), std::move(supply)) {
    tiles_.allocate(tile);
  }
  Words(const std::string& generator, bool published, std::uint64_t streams, const WordOrder& order,
        std::uint64_t tile)
      : plan_(plan_of(generator, published, streams)),
        tiles_(Space(), make_word_supply(Space(), {plan_.get()}, {0, streams},
                                         plan_->generator().mappings.front(), 0, order)) {
    tiles_.allocate(tile);
  }

  WordTiles& tiles() { return tiles_; }
  std::vector<std::uint32_t> read(std::uint64_t position, std::uint64_t count) {
    std::vector<std::uint32_t> found(count);
    for (std::uint64_t at = 0; at < count; at += tiles_.capacity()) {
      const std::uint64_t some = std::min(count - at, tiles_.capacity());
      Kokkos::deep_copy(Borrowed<std::uint32_t, Kokkos::HostSpace>(found.data() + at, some),
                        Borrowed<const std::uint32_t>(tiles_.read(position + at, some), some));
    }
    return found;
  }

 private:
  static std::unique_ptr<StreamPlan> plan_of(const std::string& generator, bool published,
                                             std::uint64_t streams) {
    const StreamRequest request{.streams = streams,
                                .seeding = published ? Seeding::published : Seeding::native,
                                .numbers_per_stream = std::uint64_t{1} << 44};
    return built_generator(generator).plan(request, io::Communicator::self());
  }

  std::unique_ptr<StreamPlan> plan_;
  WordTiles tiles_;
};

/// Computes the counts of a test's first replication from the given position.
inline Replication counted(Words& words, std::uint64_t position, const BatteryTest& test) {
  return class_of(test).count(words.tiles(), position, test);
}

}  // namespace rivulet
