// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "ready_generators.hpp"

// What tests of number sources draw from.

namespace rivulet {

inline constexpr std::uint64_t run_seed = 0x0123456789abcdef;
/// In words that hold whatever no number may be written to.
inline constexpr unsigned char untouched = 0xa5;

/// A source and the plan it needs.
struct Bundle {
  std::unique_ptr<StreamPlan> plan;
  std::unique_ptr<NumberSource> source;

  Bundle(const std::string& name, StreamRequest request, StreamRange range,
         const NumberRequest& numbers) {
    const Generator& generator = built_generator(name);
    request.streams = range.first + range.count;
    plan = generator.plan(request, io::Communicator::self());
    source = make_number_source(Space(), *plan, range, numbers);
    source->restart();
  }
  Bundle(const std::string& name, std::uint64_t streams, const NumberRequest& numbers)
      : Bundle(name, native(), {0, streams}, numbers) {}

  static StreamRequest native() {
    StreamRequest request;
    request.seed = run_seed;
    return request;
  }

  /// The bits of a piece's numbers, stream by stream, through a buffer in one of the layouts, whose
  /// other bytes must stay what they were.
  std::vector<std::uint64_t> draw(const NumberPiece& piece, int layout_kind = 0) {
    const std::size_t bytes = source->number_bytes();
    const NumberLayout layout = layout_kind == 0   ? NumberLayout{piece.count, 1}
                                : layout_kind == 1 ? NumberLayout{1, piece.streams}
                                : layout_kind == 2 ? NumberLayout{piece.count + 3, 1}
                                                   : NumberLayout{2, 2 * piece.streams + 1};
    const std::size_t room = ((piece.streams - 1) * layout.stream_stride +
                              (piece.count - 1) * layout.number_stride + 1 + 16) *
                             bytes;
    const Kokkos::View<unsigned char*, Space> to("rivulet::test", room);
    Kokkos::deep_copy(to, untouched);
    source->draw(piece, layout, to.data());
    Space().fence();
    auto host = Kokkos::create_mirror_view(to);
    Kokkos::deep_copy(host, to);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t s = 0; s < piece.streams; ++s) {
      for (std::uint64_t i = 0; i < piece.count; ++i) {
        unsigned char* const at =
            host.data() + (s * layout.stream_stride + i * layout.number_stride) * bytes;
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, bytes);
        numbers.push_back(bits);
        std::fill_n(at, bytes, untouched);
      }
    }
    EXPECT_TRUE(std::all_of(host.data(), host.data() + room,
                            [](unsigned char byte) { return byte == untouched; }));
    return numbers;
  }
};

}  // namespace rivulet
