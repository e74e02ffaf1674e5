// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/fill/fill_buffer.hpp"
#include "jobs/fill/fill_options.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

constexpr const char* where = "/results/fill";
constexpr const char* dataset = "/results/fill/numbers";
/// In a checkpoint's group /state.
const std::array<std::string, 2> sum_names{"checksum1", "checksum2"};

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

class FillJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  std::uint64_t iterations() const override { return options_.iterations; }
  std::string why_whole() const override {
    return to_file() ? "" : "numbers that go to memory are drawn for the sake of their time";
  }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return options_.raw_numbers(options_.arrangement().count(0));
  }
  bool to_file() const { return options_.to == FillTarget::file; }

  void check_options() const override {
    options_.check();
    if (to_file()) {
      streams().require_whole("fill.to=file",
                              "the file's numbers are those of all streams, in one order");
    }
    if (own_numbers() == 0) {
      throw Error(fmt::format("fill.numbers={} over a family of {} streams", options_.numbers,
                              streams().family()),
                  fmt::format("streams {} to {} of them would give none", streams().first,
                              streams().first + streams().count - 1),
                  "Ask for more numbers, or give this run other streams.");
    }
    if (to_file() && options_.output.file.empty()) {
      throw Error("fill.to=file without output.file", "the numbers would have nowhere to go",
                  "Name a file with --output, or choose fill.to=memory.");
    }
  }

  void set_up(RunContext& context) override {
    ranks_ = context.communicator;
    order_ = options_.arrangement();
    source_ = make_number_source(Space(), plan(), range(), options_.request());
    checksum_.emplace(range().count);
    FillLimits limits = options_.limits(Space(), *source_);
    if (to_file()) {
      buffer_.emplace(Space(), order_, range().count, options_.to, limits);
      step_ = fill_step(order_, limits);
      return;
    }
    // What is not kept may come in any order: all segments of the streams side by side.
    stages_ = fill_stages(order_, range());
    if (stages_.empty()) stages_.push_back({});
    const NumberSegments all = source_->segments_of(whole(stages_.front()));
    if (device_build) limits.busy_streams = padded_streams(all.total());
    buffer_.emplace(Space(), FillOrder{all.total() * all.length, all.total(), order_.run},
                    all.total(), options_.to, limits);
  }
  static NumberPiece whole(const FillStage& stage) {
    return {0, stage.streams, stage.begin, stage.end - stage.begin};
  }

  void warm_up(RunContext&) override {
    source_->restart();
    if (!to_file()) {
      if (const auto part = parts(source_->segments_of(whole(stages_.front()))).next()) {
        const NumberPiece piece{0, std::min(part->streams, range().count), 0, part->count};
        source_->draw(piece, layout_of(piece), buffer_->start());
      }
    } else if (const auto piece = FillPieces(order_, range(), buffer_->shape()).next()) {
      make(*piece);
      add_to_checksum(*piece);
    }
  }

  void create_datasets(io::ResultsFile& file) override {
    if (!to_file()) return;
    file.group(where, "Random numbers in bulk");
    file.create(dataset, {element_of(options_.type), options_.numbers, 1, false},
                "the numbers, in order");
  }

  void restart() override {
    source_->restart();
    checksum_->reset(Space());
    at_ = 0;
    put_at_ = 0;
    before_.clear();
    if (!to_file()) segments_ = source_->cut(whole(stages_.front()));
  }

  void draw(RunContext& context) override {
    to_file() ? draw_to_file(context) : draw_to_memory(context);
  }

  void draw_to_memory(RunContext& context) {
    io::Progress progress(context.communicator, own_numbers(), "numbers");
    for (const FillStage& stage : stages_) {
      if (&stage != &stages_.front()) segments_ = source_->cut(whole(stage));
      FillPieces of_stage = parts(segments_);
      for (auto part = of_stage.next(); part; part = of_stage.next()) {
        draw_part(context.timer, *part);
        progress.advance(part->streams * part->count * streams().count / range().count);
      }
      checksum_->finish(Space(), segments_);
    }
  }
  /// Of all segments.
  FillPieces parts(const NumberSegments& segments) const {
    std::vector<FillStage> stages;
    if (segments.total() > 0) stages.push_back({segments.total(), 0, segments.length});
    return {std::move(stages), buffer_->shape()};
  }
  NumberLayout layout_of(const NumberPiece& piece) const {
    return order_.interleaved() ? NumberLayout{1, piece.streams} : NumberLayout{piece.count, 1};
  }
  void draw_part(io::PhaseTimer& timer, const NumberPiece& part) {
    const NumberLayout layout = layout_of(part);
    {
      const auto scope = timer.scope(Phase::rng);
      source_->draw_segments(part, layout, buffer_->start());
      Space().fence();
    }
    const auto scope = timer.scope(Phase::compute);
    checksum_->add_segments(Space(), options_.type, part, segments_, layout, buffer_->start());
    Space().fence();
  }

  void draw_to_file(RunContext& context) {
    io::Progress progress(context.communicator, order_.numbers, "numbers");
    draw_to_file(context, FillPieces(order_, range(), buffer_->shape()), progress);
  }
  void draw_to_file(RunContext& context, FillPieces pieces, io::Progress& progress) {
    const io::Communicator& ranks = context.communicator;
    auto piece = pieces.next();
    begin_piece(context.timer, piece);
    while (ranks.max(std::uint64_t{piece.has_value()}) == 1) {
      const void* const numbers = piece ? finish_piece(context.timer) : nullptr;
      const auto now = piece;
      piece = pieces.next();
      // A device draws and copies it while this one is written.
      if (buffer_->holds_two()) begin_piece(context.timer, piece);
      write_piece(context.timer, now, numbers);
      if (now) progress.advance(now->streams * now->count * order_.streams / range().count);
      if (!buffer_->holds_two()) begin_piece(context.timer, piece);
    }
  }

  /// Waits for the kernels only where nothing else can be done meanwhile.
  void begin_piece(io::PhaseTimer& timer, const std::optional<NumberPiece>& piece) {
    if (!piece) return;
    {
      const auto scope = timer.scope(Phase::rng);
      make(*piece);
      if (!buffer_->holds_two()) Space().fence();
    }
    {
      const auto scope = timer.scope(Phase::compute);
      add_to_checksum(*piece);
      if (!buffer_->holds_two()) Space().fence();
    }
    const auto scope = timer.scope(Phase::transfer);
    buffer_->begin_copy(*piece);
  }
  const void* finish_piece(io::PhaseTimer& timer) {
    const auto scope = timer.scope(Phase::transfer);
    return buffer_->on_host();
  }

  void make(const NumberPiece& piece) {
    for (const FillDraw& one : draws_of(order_, buffer_->shape(), piece)) {
      NumberPiece since_put = one.piece;
      since_put.begin -= put_at_;
      source_->draw(since_put, one.layout, buffer_->at(one));
    }
    buffer_->put_in_order(piece);
  }

  void add_to_checksum(const NumberPiece& piece) {
    for (const FillDraw& one : draws_of(order_, buffer_->shape(), piece)) {
      checksum_->add(Space(), options_.type, one.piece, one.layout, buffer_->at(one));
    }
  }

  /// Collective; nothing is a piece too.
  void write_piece(io::PhaseTimer& timer, const std::optional<NumberPiece>& piece,
                   const void* numbers) {
    std::vector<io::Runs> places;
    if (piece) places = places_of(order_, range(), *piece);
    const auto scope = timer.scope(Phase::io);
    file().write_runs(dataset, element_of(options_.type), numbers, places);
  }

  bool writes_as_it_draws() const override { return to_file(); }
  std::uint64_t steps() const override { return (order_.count(0) - at_ + step_ - 1) / step_; }
  std::uint64_t numbers_per_step() const override { return step_ * order_.streams; }

  void draw_steps(RunContext& context, std::uint64_t from, std::uint64_t upto) override {
    if (from == 0) {
      begin_ = at_;
      progress_.emplace(context.communicator, order_.numbers, "numbers");
    }
    const std::uint64_t end = std::min(order_.count(0), begin_ + upto * step_);
    const FillShape shape = with_fewer_numbers(buffer_->shape(), end - at_, range().count);
    draw_to_file(context, {part_of(fill_stages(order_, range()), at_, end), shape}, *progress_);
    at_ = end;
  }

  void save(io::ResultsFile& file) override {
    const std::vector<NumberChecksum::Sums> values = sums_so_far();
    file.attribute(state_group, "numbers_of_each", at_, "numbers");
    for (const std::size_t i : {0U, 1U}) {
      std::vector<std::uint64_t> sums;
      for (const NumberChecksum::Sums& one : values) sums.push_back(one[i]);
      file.dataset(state_group + "/" + sum_names[i], sums, range().first - streams().first,
                   streams().count, "of the numbers of each stream so far");
    }
  }

  void resume(const SavedRun& saved) override {
    at_ = saved.number("numbers_of_each");
    before_.resize(range().count);
    for (const std::size_t i : {0U, 1U}) {
      const std::vector<std::uint64_t> sums = saved.rows(
          sum_names[i], {range().first - streams().first, range().count}, streams().count);
      for (std::size_t s = 0; s < sums.size(); ++s) before_[s][i] = sums[s];
    }
    const std::uint64_t periods = at_ / source_->period();
    put_at_ = periods * source_->period();
    ranks_->together([&] {
      source_->advance(periods);
      Space().fence();
    });
  }

  /// Of each local stream, since the iteration's begin.
  std::vector<NumberChecksum::Sums> sums_so_far() const {
    std::vector<NumberChecksum::Sums> values = checksum_->values(Space());
    for (std::size_t s = 0; s < before_.size(); ++s) {
      for (const std::size_t i : {0U, 1U}) values[s][i] += before_[s][i];
    }
    return values;
  }

  /// Brings the checksums to the host; their digest.
  std::string collect(RunContext& context) override {
    std::vector<NumberChecksum::Sums> values;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      values = sums_so_far();
    }
    const auto scope = context.timer.scope(Phase::reduction);
    sums_ = {};
    std::vector<std::uint64_t> rows;
    rows.reserve(3 * range().count);
    for (std::uint64_t i = 0; i < range().count; ++i) {
      sums_.counts.push_back(order_.count(range().first + i));
      sums_.sums.push_back(values[i][0]);
      sums_.weighted_sums.push_back(values[i][1]);
      rows.insert(rows.end(), {sums_.counts[i], values[i][0], values[i][1]});
    }
    return digest_in_rank_order(context.communicator, rows);
  }

  void write_results(io::ResultsFile& file) override {
    file.group(where, "Random numbers in bulk");
    file.attribute(where, "numbers", own_numbers(), "numbers");
    file.attribute(where, "type", name_of(options_.type));
    file.attribute(where, "interval", name_of(options_.interval));
    file.attribute(where, "order", name_of(options_.order));
    file.attribute(where, "run", order_.in_shares() ? order_.count(0) : order_.run, "numbers");
    const auto along_streams = [&](const char* name, const std::vector<std::uint64_t>& values,
                                   const char* description, const char* unit) {
      file.dataset(std::string(where) + "/" + name, values, range().first - streams().first,
                   streams().count, description, unit);
    };
    along_streams("counts", sums_.counts, "numbers of each stream", "numbers");
    along_streams("checksum1", sums_.sums, "sum of the numbers' bits b_i, modulo 2^64", "");
    along_streams("checksum2", sums_.weighted_sums, "sum of (i + 1) b_i, modulo 2^64", "");
  }

  void report_results(RunContext& context) override {
    io::Report& out = context.report;
    out.result("numbers", own_numbers());
    out.result("checksum", sum_of_sums(context.communicator));
  }

  void report_memory(RunContext& context) override {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(source_->state_bytes()), "B");
    out.result("number buffer", ranks.sum(buffer_->bytes()), "B");
  }

  std::uint64_t sum_of_sums(const io::Communicator& ranks) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : sums_.sums) sum += one;
    return ranks.sum(sum);
  }

  Work work() const override {
    return {static_cast<double>(own_numbers()), "numbers", "made different numbers"};
  }
  /// Into memory numbers are drawn for the sake of their time alone; into a file, all of it counts.
  std::optional<Phase> counted_phase() const override {
    return to_file() ? std::nullopt : std::optional(Phase::rng);
  }

  /// Of all ranks: all of fill.numbers, where the run's streams are the whole family.
  std::uint64_t own_numbers() const {
    return options_.arrangement().count(StreamRange{streams().first, streams().count});
  }

  FillOptions options_;
  io::Schema schema_ = options_.schema();
  std::optional<io::Communicator> ranks_;
  FillOrder order_;
  std::vector<FillStage> stages_;
  NumberSegments segments_;
  std::unique_ptr<NumberSource> source_;
  std::optional<FillBuffer> buffer_;
  std::optional<NumberChecksum> checksum_;
  StreamSums sums_;
  // Numbers of each stream of a run with checkpoints: where it is, where it began, and where the
  // source was put, a multiple of its period. Before begin_, checksums are those of other runs.
  std::uint64_t at_ = 0;
  std::uint64_t begin_ = 0;
  std::uint64_t put_at_ = 0;
  std::uint64_t step_ = 1;
  std::vector<NumberChecksum::Sums> before_;
  std::optional<io::Progress> progress_;
};

}  // namespace

std::unique_ptr<Job> make_fill_job() { return std::make_unique<FillJob>(); }

}  // namespace rivulet
