// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "draw/draw.hpp"
#include "kernels/pi/pi_stored.hpp"
#include "machine/device_bytes.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

PiCounter::PiCounter(const Space& space, StreamRange range)
    : space_(space), range_(range), hits_("rivulet::hits", range.count) {}

void PiCounter::restart() {
  restart_streams();
  Kokkos::deep_copy(space_, hits_, std::uint64_t{0});
  space_.fence();
  is_prepared_ = false;
}

void PiCounter::resume(std::uint64_t points, const std::vector<std::uint64_t>& hits) {
  resume_streams(points);
  copy_to_device(hits_.data(), hits.data(), hits.size() * sizeof(std::uint64_t));
  space_.fence();
}

void PiCounter::prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end) {
  work_ = place({share, begin, end, {0, range_.count}});
  is_prepared_ = true;
}

void PiCounter::count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
                      const Advance& advance) {
  if (!std::exchange(is_prepared_, false)) work_ = place({share, begin, end, {0, range_.count}});
  is_prepared_ = false;
  const std::uint64_t segments = std::max(work_.cut.count, std::uint64_t{1});
  const std::uint64_t round = round_points();
  launches_.run(0, work_.length, round, round * work_.size,
                [&](std::uint64_t from, std::uint64_t upto) {
                  work_.from = from;
                  work_.upto = upto;
                  count_part(work_);
                  if (advance) advance((upto - from) * segments);
                });
}

void PiCounter::warm_up() {
  const Seconds before = seconds_;
  const std::uint64_t points = round_points();
  Work work = place({StreamShare::each(points), 0, points, {0, range_.count}});
  count_part(work);
  seconds_ = before;
}

std::vector<std::uint64_t> PiCounter::hits_of_streams() const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hits_);
  return {host.data(), host.data() + host.extent(0)};
}

namespace {

/// Generates and counts in one kernel.
class FusedCounter final : public PiCounter {
 public:
  FusedCounter(const Space& space, const StreamPlan& plan, StreamRange range,
               const DrawOptions& options, const PiChoice& choice)
      : PiCounter(space, range),
        choice_(choice),
        source_(make_stream_source(space, plan, range, options)) {}

  std::uint64_t round_points() const override { return source_->period(shape()).items; }
  std::uint64_t state_bytes() const override { return source_->state_bytes(); }

  Work place(const ItemRange& points) override { return source_->place(points, shape()); }

  void count_part(const Work& work) override {
    const Kokkos::Timer watch;
    with_point(choice_, [&](auto point) {
      draw(*source_, work, CountHits<decltype(point)>{hits_, work});
    });
    space_.fence();
    seconds_.compute += watch.seconds();
  }

 private:
  ItemShape shape() const { return {words_of(choice_)}; }
  void restart_streams() override { source_->restart(); }
  void resume_streams(std::uint64_t points) override {
    const ItemPeriod period = source_->period(shape());
    source_->resume(Uint128{points / period.items} * period.rounds);
  }

  PiChoice choice_;
  std::unique_ptr<StreamSource> source_;
};

}  // namespace

std::unique_ptr<PiCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                           StreamRange range, StreamMapping mapping,
                                           const PiChoice& choice) {
  const DrawOptions options{mapping, choice.segments};
  const std::uint64_t each = plan.generator().state_bytes + sizeof(std::uint64_t);
  return require_memory_for(
      fmt::format("{} streams on one rank", range.count), range.count * each,
      "Use fewer streams, or more ranks on more nodes.", [&]() -> std::unique_ptr<PiCounter> {
        if (choice.kernel == PiKernel::stored) {
          return std::make_unique<StoredCounter>(space, plan, range, options, choice);
        }
        return std::make_unique<FusedCounter>(space, plan, range, options, choice);
      });
}

}  // namespace rivulet
