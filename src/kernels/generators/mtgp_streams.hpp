// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/generators/mtgp_engines.hpp"
#include "kernels/generators/mtgp_warp.hpp"
#include "kernels/generators/stream_memory.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"

namespace rivulet {

/// The MTGP streams of one rank in device memory: 351 words each, the oldest first, of whose first
/// one only 13 bits count; the others are 0. By team alone: a device's threads have no registers
/// for so many words, and a vector's lanes would look for x[k+pos] at as many places.
class MtgpStreams : public StreamsInMemory<std::uint32_t> {
 public:
  using Plan = MtgpPlan;
  using Integer = std::uint32_t;
  using Recurrence = Mtgp11213Recurrence;
  /// Words of state per stream.
  static constexpr int words = Recurrence::n;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, after which streams can rest.
  static constexpr int round_numbers = 32;
  static constexpr int round_words = round_numbers;
  static constexpr int numbers_per_word = 1;
  /// Rounds that a stream draws in the time of a jump and of its polynomial: some 50 squarings of
  /// 0.15 ms, as the modulus has no few terms. Measured on a CPU, estimated for a device.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 20;

  /// Allocates and uploads the sets; the states are for MtgpStarter to fill.
  MtgpStreams(const MtgpPlan& plan, StreamRange range)
      : StreamsInMemory("rivulet::mtgp_states", words, range),
        tables_(Kokkos::view_alloc("rivulet::mtgp_sets", Kokkos::WithoutInitializing),
                plan.sets()) {
    const std::vector<MtgpTables> host = detail::all_mtgp_tables();
    copy_to_device(tables_.data(), host.data(), host.size() * sizeof(MtgpTables));
  }

  KOKKOS_FUNCTION std::uint64_t sets() const { return tables_.extent(0); }
  /// Parameter set that a stream, or a segment of one, draws from.
  KOKKOS_FUNCTION std::uint64_t set_of(std::uint64_t index) const {
    return (range().first + stream(index)) % sets();
  }
  KOKKOS_FUNCTION const MtgpTables& tables(std::uint64_t index) const {
    return tables_.data()[set_of(index)];
  }
  KOKKOS_FUNCTION detail::MtgpWords recurrence(std::uint64_t index) const {
    return {&tables(index)};
  }

  /// Sets it, whatever is in the bits that do not count.
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream,
                                            std::uint32_t value) const {
    word(k, stream) = k == 0 ? value & Recurrence::upper_mask : value;
  }

  /// An engine of one stream.
  KOKKOS_FUNCTION detail::MtgpScalar scalar(std::uint64_t stream) const {
    return detail::MtgpScalar(*this, stream);
  }

  using TeamEngine = detail::MtgpTeam;
  using BlockEngine = detail::MtgpTeam;
  /// Of a block: a thread for each number of a draw.
  static constexpr int block_warps = Recurrence::team_numbers / team_lanes;
#if RIVULET_LANES_HAND_ON
  using WarpEngine = detail::MtgpWarp;
#endif

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }

 private:
  Kokkos::View<MtgpTables*, Space> tables_;
};

}  // namespace rivulet
