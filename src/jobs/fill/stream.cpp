// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>

#include "error.hpp"
#include "io/raw_output.hpp"
#include "jobs/fill/fill_buffer.hpp"
#include "jobs/fill/fill_options.hpp"

namespace rivulet {
namespace {

static_assert(std::endian::native == std::endian::little, "byte order to be swapped here");

constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();

class StreamJob final : public Job {
 public:
  explicit StreamJob(bool ends) : ends_(ends) {}

  const io::Schema& schema() override { return schema_; }
  const std::string& output() const override { return no_file_; }

  void check(const io::Communicator& communicator) override {
    if (communicator.size() > 1) {
      throw Error(fmt::format("`rivulet stream` on {} MPI ranks", communicator.size()),
                  "one process writes to standard output",
                  "Start it without mpiexec; it uses all threads, or the GPU.");
    }
    options_.streams.require_streams_for(communicator);
    options_.check();
    if (options_.order == Order::blocked && options_.block == 0) {
      throw Error(
          "`rivulet stream` with fill.order=blocked and no fill.block",
          "the first stream's share of the whole would have to end before the second's "
          "begins",
          "Set fill.block to a multiple of streams.count, choose fill.order=interleaved, or "
          "write a file (`rivulet fill fill.to=file`).");
    }
    count_ = ends_ ? options_.numbers : without_end;
    order_ = options_.arrangement();
    order_.numbers = whole_cycles(count_, order_.cycle());
    if (options_.streams.names_a_file()) return;  // what it holds is seen, and proved, in the run
    make_plan(communicator);
  }

  void run(RunContext& context) override {
    context.communicator.together([&] { stream(context.communicator, *context.raw); });
  }

 private:
  void stream(const io::Communicator& communicator, io::RawOutput& out) {
    if (options_.streams.names_a_file()) make_plan(communicator);
    for (const std::string& warning : plan_->warnings()) {
      fmt::print(stderr, "rivulet: warning: {}\n", warning);
    }
    const Space space;
    const StreamRange range{0, order_.streams};
    const auto source = make_number_source(space, *plan_, range, options_.request());
    FillBuffer buffer(space, order_, order_.streams, FillTarget::pipe,
                      options_.limits(space, *source));
    source->restart();

    std::uint64_t left = count_;
    FillPieces pieces(order_, range, buffer.shape());
    for (auto piece = pieces.next(); piece; piece = pieces.next()) {
      for (const FillDraw& one : draws_of(order_, buffer.shape(), *piece)) {
        source->draw(one.piece, one.layout, buffer.at(one));
      }
      buffer.put_in_order(*piece);
      const auto* bytes = static_cast<const std::byte*>(buffer.on_host(*piece));
      const std::uint64_t numbers = std::min(left, piece->streams * piece->count);
      if (!out.write({bytes, numbers * source->number_bytes()})) return;
      left -= numbers;
    }
  }

  /// Numbers are drawn in whole cycles, in which their order is the array's; the last is cut.
  static std::uint64_t whole_cycles(std::uint64_t count, std::uint64_t cycle) {
    return count == without_end ? count / cycle * cycle : (count + cycle - 1) / cycle * cycle;
  }

  void make_plan(const io::Communicator& communicator) {
    const std::uint64_t of_a_stream =
        ends_ ? options_.raw_numbers(order_.count(0)) : std::numeric_limits<std::uint64_t>::max();
    plan_ = options_.streams.plan(communicator, of_a_stream);
  }

  bool ends_;
  FillOptions options_;
  io::Schema schema_ = options_.schema();
  std::uint64_t count_ = 0;  ///< of the numbers to write
  std::string no_file_;
  FillOrder order_;
  std::unique_ptr<StreamPlan> plan_;
};

}  // namespace

std::unique_ptr<Job> make_stream_job(const std::string& job, const std::string& place, bool ends) {
  if (job == "fill") return std::make_unique<StreamJob>(ends);
  make_job(job, place);  // a better message if there is no such job
  throw Error(place + ": `rivulet stream` with job '" + job + "'", "only fill decks make streams",
              "Use `rivulet stream fill`, or a deck with `job: fill`.");
}

}  // namespace rivulet
