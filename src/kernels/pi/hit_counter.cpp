// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/hit_counter.hpp"

#include <algorithm>
#include <utility>

#include "machine/device_bytes.hpp"

namespace rivulet {

HitCounter::HitCounter(const Space& space, std::unique_ptr<StreamSource> source, ItemShape shape)
    : space_(space),
      source_(std::move(source)),
      hits_("rivulet::hits", source_->range().count),
      shape_(shape) {}

void HitCounter::restart() {
  source_->restart();
  Kokkos::deep_copy(space_, hits_, std::uint64_t{0});
  space_.fence();
  is_prepared_ = false;
}

void HitCounter::resume(std::uint64_t points) {
  const ItemPeriod period = source_->period(shape_);
  source_->resume(Uint128{points / period.items} * period.rounds);
  space_.fence();
}

void HitCounter::prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end) {
  work_ = cut_streams(share, begin, end);
  is_prepared_ = true;
}

void HitCounter::count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
                       const Advance& advance) {
  if (!std::exchange(is_prepared_, false)) work_ = cut_streams(share, begin, end);
  const std::uint64_t segments = std::max(work_.cut.count, std::uint64_t{1});
  const std::uint64_t round = round_points();
  launches_.run(0, work_.length, round, round * work_.size,
                [&](std::uint64_t first_item, std::uint64_t end_item) {
                  work_.first_item = first_item;
                  work_.end_item = end_item;
                  count_part(work_);
                  if (advance) advance((end_item - first_item) * segments);
                });
}

void HitCounter::warm_up() {
  const Seconds before = seconds_;
  count_part(cut_streams(StreamShare::each(round_points()), 0, round_points()));
  seconds_ = before;
}

std::vector<std::uint64_t> HitCounter::hits_of_streams() const { return to_host(hits_); }

Work HitCounter::cut_streams(const StreamShare& share, std::uint64_t begin, std::uint64_t end) {
  const Work work = source_->cut_streams({share, begin, end, {0, source_->range().count}}, shape_);
  reserve_memory(work);
  return work;
}

}  // namespace rivulet
