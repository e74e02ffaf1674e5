// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/stream.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "error.hpp"
#include "io/raw_output.hpp"
#include "jobs/fill_buffer.hpp"
#include "jobs/fill_options.hpp"

namespace rivulet {
namespace {

static_assert(std::endian::native == std::endian::little, "byte order to be swapped here");

class StreamJob final : public Job {
 public:
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
      throw Error("`rivulet stream` with fill.order=blocked and no fill.block",
                  "a stream without end has no shares",
                  "Set fill.block to a multiple of streams.count, or choose "
                  "fill.order=interleaved.");
    }
    order_ = options_.arrangement();
    order_.numbers = std::numeric_limits<std::uint64_t>::max() / order_.cycle() * order_.cycle();
    if (options_.streams.names_a_file()) return;  // what it holds is seen, and proved, in the run
    make_plan(communicator);
  }

  void run(RunContext& context) override {
    context.communicator.together([&] { stream(context.communicator, *context.raw); });
  }

 private:
  void stream(const io::Communicator& communicator, io::RawOutput& out) {
    if (options_.streams.names_a_file()) make_plan(communicator);
    const Space space;
    const StreamBlock block{0, order_.streams};
    const auto source =
        make_number_source(space, options_.streams.engine(), *plan_, block, options_.request());
    FillBuffer buffer(space, order_, order_.streams, FillTarget::pipe,
                      options_.limits(space, *source));
    source->restart();

    FillPieces pieces(order_, block, buffer.shape());
    for (auto piece = pieces.next(); piece; piece = pieces.next()) {
      for (const FillDraw& one : draws_of(order_, buffer.shape(), *piece)) {
        source->draw(one.piece, one.layout, buffer.at(one));
      }
      buffer.put_in_order(*piece);
      const auto* bytes = static_cast<const std::byte*>(buffer.on_host(*piece));
      if (!out.write({bytes, piece->streams * piece->count * source->number_bytes()})) return;
    }
  }

  void make_plan(const io::Communicator& communicator) {
    plan_ = options_.streams.plan(communicator, std::numeric_limits<std::uint64_t>::max());
  }

  FillOptions options_;
  io::Schema schema_ = options_.schema();
  std::string no_file_;
  FillOrder order_;
  std::unique_ptr<StreamPlan> plan_;
};

}  // namespace

std::unique_ptr<Job> make_stream_job(const std::string& job, const std::string& place) {
  if (job == "fill") return std::make_unique<StreamJob>();
  make_job(job, place);  // a better message if there is no such job
  throw Error(place + ": `rivulet stream` with job '" + job + "'", "only fill decks make streams",
              "Use `rivulet stream fill`, or a deck with `job: fill`.");
}

}  // namespace rivulet
