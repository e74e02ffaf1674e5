// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "io/progress.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/fill/fill_buffer.hpp"
#include "jobs/fill/fill_options.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "version.hpp"

namespace rivulet {
namespace {

using io::Phase;

constexpr const char* where = "/results/fill";
constexpr const char* dataset = "/results/fill/numbers";

io::ElementType element_of(NumberType type) {
  switch (type) {
    case NumberType::uint32:
      return io::ElementType::u32;
    case NumberType::uint64:
      return io::ElementType::u64;
    case NumberType::float32:
      return io::ElementType::f32;
    case NumberType::float64:
      break;
  }
  return io::ElementType::f64;
}

/// Of each local stream.
struct StreamSums {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> sums;
  std::vector<std::uint64_t> weighted_sums;
};

class FillJob final : public Job {
 public:
  const io::Schema& schema() override { return schema_; }
  const std::string& output() const override { return options_.output; }

  void check(const io::Communicator& communicator) override {
    const StreamOptions& streams = options_.streams;
    streams.require_streams_for(communicator);
    options_.check();
    if (to_file() && options_.output.empty()) {
      throw Error("fill.to=file without output.file", "the numbers would have nowhere to go",
                  "Name a file with --output, or choose fill.to=memory.");
    }
    order_ = options_.arrangement();
    if (streams.names_a_file()) return;  // what it holds is seen, and proved, in the run
    plan_ = streams.plan(communicator, numbers_per_stream());
  }

  void run(RunContext& context) override {
    set_up(context);
    open_output(context);
    std::string digest;
    for (std::uint64_t i = 0; i < options_.iterations; ++i) {
      iterate(context);
      const std::string one = collect(context);
      if (i == 0) digest = one;
      require_same(context.communicator, one, digest, "made other numbers");
    }
    if (file_) write(context);
    const RunEnd end{total_.seconds(), figure_of_merit(), "numbers/s", digest};
    complete(context, end, file_);
    report(context, end);
  }

 private:
  bool to_file() const { return options_.to == FillTarget::file; }

  std::uint64_t numbers_per_stream() const { return options_.raw_numbers(order_.count(0)); }

  void set_up(RunContext& context) {
    const auto scope = context.timer.scope(Phase::setup);
    const StreamOptions& streams = options_.streams;
    const io::Communicator& ranks = context.communicator;
    range_ = stream_range(streams.count, static_cast<std::uint64_t>(ranks.rank()),
                          static_cast<std::uint64_t>(ranks.size()));
    ranks.together([&] {
      if (streams.names_a_file()) plan_ = streams.plan(ranks, numbers_per_stream());
      source_ = make_number_source(Space(), *plan_, range_, options_.request());
      checksum_.emplace(range_.count);
      buffer_.emplace(Space(), order_, range_.count, options_.to,
                      options_.limits(Space(), *source_));
      warm_up();
    });
  }

  /// For the sake of what happens only the first time.
  void warm_up() {
    source_->restart();
    if (const auto piece = FillPieces(order_, range_, buffer_->shape()).next()) {
      draw(*piece);
      add_to_checksum(*piece);
    }
    Space().fence();
  }

  /// Before the work, so that a path that cannot be written, or has no room, costs no time.
  void open_output(RunContext& context) {
    if (context.output.empty()) return;
    const auto scope = context.timer.scope(Phase::io);
    file_.emplace(context.communicator, context.output, "results", version);
    if (!to_file()) return;
    file_->group(where, "Random numbers in bulk");
    file_->create(dataset, {element_of(options_.type), options_.numbers}, "the numbers, in order");
  }

  void iterate(RunContext& context) {
    {
      const auto scope = context.timer.scope(Phase::setup);
      source_->restart();
      checksum_->reset(Space());
      Space().fence();
    }
    const io::Communicator& ranks = context.communicator;
    ranks.barrier();
    const io::Stopwatch watch;
    const double made_before = context.timer.seconds(Phase::rng);
    io::Progress progress(ranks, order_.numbers, "numbers");
    FillPieces pieces(order_, range_, buffer_->shape());
    auto piece = pieces.next();
    while (to_file() ? ranks.max(std::uint64_t{piece.has_value()}) == 1 : piece.has_value()) {
      if (piece) make(context.timer, *piece);
      if (to_file()) write_piece(context.timer, piece);
      if (piece) progress.advance(piece->streams * piece->count * order_.streams / range_.count);
      piece = pieces.next();
    }
    const double made = context.timer.seconds(Phase::rng) - made_before;
    seconds_ += ranks.max(to_file() ? watch.seconds() : made);
  }

  void make(io::PhaseTimer& timer, const NumberPiece& piece) {
    {
      const auto scope = timer.scope(Phase::rng);
      draw(piece);
      Space().fence();
    }
    const auto scope = timer.scope(Phase::compute);
    add_to_checksum(piece);
    Space().fence();
  }

  void draw(const NumberPiece& piece) {
    for (const FillDraw& one : draws_of(order_, buffer_->shape(), piece)) {
      source_->draw(one.piece, one.layout, buffer_->at(one));
    }
    buffer_->put_in_order(piece);
  }

  void add_to_checksum(const NumberPiece& piece) {
    for (const FillDraw& one : draws_of(order_, buffer_->shape(), piece)) {
      checksum_->add(Space(), options_.type, one.piece, one.layout, buffer_->at(one));
    }
  }

  /// Collective; nothing is a piece too.
  void write_piece(io::PhaseTimer& timer, const std::optional<NumberPiece>& piece) {
    const void* numbers = nullptr;
    std::vector<io::Runs> places;
    if (piece) {
      const auto scope = timer.scope(Phase::transfer);
      numbers = buffer_->on_host(*piece);
      places = places_of(order_, range_, *piece);
    }
    const auto scope = timer.scope(Phase::io);
    file_->write_runs(dataset, element_of(options_.type), numbers, places);
  }

  /// Brings the checksums to the host; their digest.
  std::string collect(RunContext& context) {
    std::vector<NumberChecksum::Sums> values;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      values = checksum_->values(Space());
    }
    const auto scope = context.timer.scope(Phase::reduction);
    sums_ = {};
    std::vector<std::uint64_t> rows;
    rows.reserve(3 * range_.count);
    for (std::uint64_t i = 0; i < range_.count; ++i) {
      sums_.counts.push_back(order_.count(range_.first + i));
      sums_.sums.push_back(values[i][0]);
      sums_.weighted_sums.push_back(values[i][1]);
      rows.insert(rows.end(), {sums_.counts[i], values[i][0], values[i][1]});
    }
    return digest_in_rank_order(context.communicator, rows);
  }

  void write(RunContext& context) {
    const auto started = io::Stopwatch();
    write_config(*file_, context);
    write_streams(*file_, options_.streams, *plan_, range_);
    write_results();
    context.timer.add(Phase::io, started.seconds());
  }

  void write_results() {
    io::ResultsFile& file = *file_;
    file.group(where, "Random numbers in bulk");
    file.attribute(where, "numbers", options_.numbers, "numbers");
    file.attribute(where, "type", name_of(options_.type));
    file.attribute(where, "interval", name_of(options_.interval));
    file.attribute(where, "order", name_of(options_.order));
    file.attribute(where, "run", order_.in_shares() ? order_.count(0) : order_.run, "numbers");
    const auto along_streams = [&](const char* name, const std::vector<std::uint64_t>& values,
                                   const char* description, const char* unit) {
      file.dataset(std::string(where) + "/" + name, values, range_.first, order_.streams,
                   description, unit);
    };
    along_streams("counts", sums_.counts, "numbers of each stream", "numbers");
    along_streams("checksum1", sums_.sums, "sum of the numbers' bits b_i, modulo 2^64", "");
    along_streams("checksum2", sums_.weighted_sums, "sum of (i + 1) b_i, modulo 2^64", "");
  }

  void report(RunContext& context, const RunEnd& end) {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.section("Result");
    out.result("numbers", options_.numbers);
    out.result("checksum", sum_of_sums(ranks));
    report_streams(out, *plan_);
    out.result("state", ranks.sum(source_->state_bytes()), "B");
    out.result("number buffer", ranks.sum(buffer_->bytes()), "B");
    end_report(context, end);
  }

  std::uint64_t sum_of_sums(const io::Communicator& ranks) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : sums_.sums) sum += one;
    return ranks.sum(sum);
  }

  double figure_of_merit() const {
    return static_cast<double>(options_.numbers) * static_cast<double>(options_.iterations) /
           seconds_;
  }

  FillOptions options_;
  io::Schema schema_ = options_.schema();
  FillOrder order_;
  std::unique_ptr<StreamPlan> plan_;
  StreamRange range_;
  std::unique_ptr<NumberSource> source_;
  std::optional<FillBuffer> buffer_;
  std::optional<NumberChecksum> checksum_;
  StreamSums sums_;
  std::optional<io::ResultsFile> file_;
  double seconds_ = 0;  ///< that the figure of merit counts, all iterations
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_fill_job() { return std::make_unique<FillJob>(); }

}  // namespace rivulet
