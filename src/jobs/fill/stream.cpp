// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

#include "io/words/standard_streams.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/fill/fill_buffer.hpp"
#include "jobs/fill/fill_options.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

static_assert(std::endian::native == std::endian::little, "byte order to be swapped here");

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

class StreamJob final : public JobWithDeck<FillOptions, Job> {
 public:
  explicit StreamJob(bool ends) : ends_(ends) {}

  const OutputOptions& output() const override { return no_file_; }
  Results description() override { return {io::Communicator::self(), "/"}; }

  void check(const io::Communicator& communicator) const override {
    if (communicator.size() > 1) {
      throw Error(fmt::format("`rivulet stream` on {} MPI ranks", communicator.size()),
                  "one process writes to standard output",
                  "Start it without mpiexec; it uses all threads, or the GPU.");
    }
    options_.streams.require_streams_for(communicator);
    check_checkpoint(options_.checkpoint, "numbers already piped cannot be drawn again");
    as_whole_family().check();
    if (options_.order == Order::blocked && options_.block == 0) {
      throw Error(
          "`rivulet stream` with fill.order=blocked and no fill.block",
          "the first stream's numbers would have to end before the second's begin",
          "Set fill.block to a multiple of streams.count, choose fill.order=interleaved, or "
          "write a file (`rivulet fill fill.to=file`).");
    }
    require_plan(options_.streams, communicator, numbers_per_stream());
  }

  void run(JobContext& context) override {
    context.communicator.together([&] {
      stream(context.communicator, *context.raw);
      context.raw->close();
    });
  }

 private:
  void stream(const io::Communicator& communicator, io::RawOutput& out) {
    const auto plan = options_.streams.plan(communicator, numbers_per_stream());
    for (const std::string& warning : options_.streams.warnings(*plan)) io::warn(warning);
    const Space space;
    const FillOrder order = arrangement();
    const StreamRange range{0, order.streams};  // FillOrder numbers its streams from 0
    const auto source = make_number_source(
        space, *plan, {options_.streams.first, options_.streams.count}, options_.request());
    FillBuffer buffer(space, order, order.streams, FillTarget::pipe,
                      options_.limits(space, *source));
    source->restart();

    FillPieces pieces(order, range, buffer.shape());
    const auto start_piece = [&](const std::optional<NumberPiece>& piece) {
      if (!piece) return;
      for (const FillDraw& draw : draws_of(order, buffer.shape(), *piece)) {
        source->draw(draw.piece, draw.layout, buffer.at(draw));
      }
      buffer.reorder(*piece);
      buffer.begin_copy(*piece);
    };
    std::uint64_t remaining = count();
    const auto write = [&](const NumberPiece& piece, const void* from) {
      const std::uint64_t numbers = std::min(remaining, piece.streams * piece.count);
      remaining -= numbers;
      return out.write({static_cast<const std::byte*>(from), numbers * source->number_bytes()});
    };
    std::optional<NumberPiece> piece = pieces.next();
    start_piece(piece);
    while (piece) {
      const void* const numbers = buffer.on_host();
      const NumberPiece now = *piece;
      piece = pieces.next();
      if (buffer.holds_two()) start_piece(piece);
      if (!write(now, numbers)) return;
      if (!buffer.holds_two()) start_piece(piece);
    }
  }

  /// Returns the options with this run's streams as the whole family, because the job writes only
  /// the numbers of these streams.
  FillOptions as_whole_family() const {
    FillOptions whole_family = options_;
    whole_family.streams.first = 0;
    whole_family.streams.family_streams = 0;
    return whole_family;
  }

  std::uint64_t count() const { return ends_ ? options_.numbers : unlimited; }

  /// Returns an order of whole cycles. If the numbers end within a cycle, the job writes only a
  /// part of this cycle.
  FillOrder arrangement() const {
    FillOrder order = as_whole_family().arrangement();
    const std::uint64_t cycle = order.cycle();
    order.numbers = ends_ ? ceil_divide(count(), cycle) * cycle : unlimited / cycle * cycle;
    return order;
  }

  std::uint64_t numbers_per_stream() const {
    return ends_ ? options_.raw_numbers(arrangement().count(0)) : unlimited;
  }

  bool ends_;
  OutputOptions no_file_;
};

}  // namespace

std::unique_ptr<Job> make_stream_job(const std::string& job, const std::string& place, bool ends) {
  if (job == "fill") return std::make_unique<StreamJob>(ends);
  make_job(job, place);  // throws a better message if there is no such job
  throw Error(place + ": `rivulet stream` with job '" + job + "'",
              "only fill decks draw numbers for a pipe",
              "Use `rivulet stream fill`, or a deck with `job: fill`.");
}

}  // namespace rivulet
