// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "battery/words/word_tiles.hpp"
#include "kernels/generators/generators.hpp"
#include "ready_generators.hpp"

namespace rivulet {

/// Words that are given, and then the last one again and again.
class GivenWords final : public WordSupply {
 public:
  explicit GivenWords(std::vector<std::uint32_t> words) : words_(std::move(words)) {}
  std::uint64_t unit() const override { return 1; }
  void draw(std::uint64_t first, std::uint64_t units, std::uint32_t* to) override {
    using Memory = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    std::vector<std::uint32_t> some;
    for (std::uint64_t i = first; i < first + units; ++i) {
      some.push_back(i < words_.size() ? words_[i] : words_.back());
    }
    Kokkos::deep_copy(
        Kokkos::View<std::uint32_t*, Space, Memory>(to, units),
        Kokkos::View<const std::uint32_t*, Kokkos::HostSpace, Memory>(some.data(), units));
  }

 private:
  std::vector<std::uint32_t> words_;
};

/// The words of a generator, or of another supply.
class Words {
 public:
  Words(std::unique_ptr<WordSupply> supply, std::uint64_t tile)
      : tiles_(Space(), std::move(supply)) {
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
    const std::uint32_t* const words = tiles_.read(position, count);
    const Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> view(
        words, count);
    std::vector<std::uint32_t> found(count);
    Kokkos::deep_copy(
        Kokkos::View<std::uint32_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
            found.data(), count),
        view);
    return found;
  }

 private:
  static std::unique_ptr<StreamPlan> plan_of(const std::string& generator, bool published,
                                             std::uint64_t streams) {
    StreamRequest request;
    request.streams = streams;
    request.numbers_per_stream = std::uint64_t{1} << 44;
    request.seeding = published ? Seeding::published : Seeding::native;
    return built_generator(generator).plan(request, io::Communicator::self());
  }

  std::unique_ptr<StreamPlan> plan_;
  WordTiles tiles_;
};

}  // namespace rivulet
