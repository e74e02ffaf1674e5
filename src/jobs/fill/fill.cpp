// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "jobs/common/counting_job.hpp"
#include "jobs/fill/fill_buffer.hpp"
#include "jobs/fill/fill_options.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

constexpr const char* dataset = "/results/fill/numbers";

io::ElementType element_of(NumberType type) {
  constexpr std::array all{io::ElementType::u32, io::ElementType::u64, io::ElementType::f32,
                           io::ElementType::f64};
  return all[static_cast<std::size_t>(type)];
}

struct FillCounts {
  static constexpr const char* message_name = "checksums";
  static constexpr bool is_in_rows = true;

  NumbersById<std::uint64_t> counts;
  NumbersById<std::uint64_t> sums;
  NumbersById<std::uint64_t> weighted_sums;

  template <class Io>
  void fields(Io& io) {
    io.rows("counts", counts, {"numbers of each stream", "numbers"});
    io.rows("checksum1", sums, {"sum of the numbers' bits b_i, modulo 2^64"});
    io.rows("checksum2", weighted_sums, {"sum of (i + 1) b_i, modulo 2^64"});
  }
  FillCounts& operator+=(const FillCounts& other) {
    counts += other.counts;
    sums += other.sums;
    weighted_sums += other.weighted_sums;
    return *this;
  }
  std::vector<std::uint64_t> words() const {
    std::vector<std::uint64_t> words;
    words.reserve(3 * sums.values.size());
    for (std::size_t i = 0; i < sums.values.size(); ++i) {
      words.insert(words.end(), {counts.values[i], sums.values[i], weighted_sums.values[i]});
    }
    return words;
  }
};

struct FillDeck : FillOptions {
  bool to_file() const { return to == FillTarget::file; }
  /// Returns the count of numbers that this run draws: fill.numbers, or the share of its streams if
  /// the run has only a part of the family.
  std::uint64_t own_numbers() const {
    return arrangement().count(StreamRange{streams.first, streams.count});
  }

  RunRequirements requirements() const {
    return {.streams = streams,
            .numbers = raw_numbers(arrangement().count(0)),
            .iterations = iterations,
            .unit = "numbers",
            .mismatch_text = "made different numbers",
            // The time in the figure of merit is Phase::rng for fill.to=memory, and all of draw()
            // for fill.to=file.
            .merit_phase = to_file() ? std::nullopt : std::optional(Phase::rng),
            .why_not_resumable =
                to_file() ? "" : "numbers in memory are drawn only to measure the speed",
            .writes_as_it_draws = to_file()};
  }

  void check() const {
    FillOptions::check();
    if (to_file()) {
      streams.require_whole("fill.to=file", "the file orders the numbers of all streams");
    }
    if (own_numbers() == 0) {
      throw Error(fmt::format("fill.numbers={} for {} streams of all runs together", numbers,
                              streams.family()),
                  fmt::format("streams {} to {} would draw none", streams.first,
                              streams.first + streams.count - 1),
                  "Raise fill.numbers, or lower streams.first.");
    }
    if (to_file() && output.file.empty()) {
      throw Error("fill.to=file without output.file", "no file is named for the numbers",
                  "Add --output FILE, or set fill.to=memory.");
    }
  }

  FillCounts zero_counts(StreamRange ids) const {
    const NumbersById<std::uint64_t> rows(ids);
    return {rows, rows, rows};
  }

  void results(Results& out, const FillCounts& counts, const RunMemory* facts) const {
    const FillOrder arranged = arrangement();
    out.group("Random numbers in bulk");
    out.value("numbers", own_numbers(), "numbers", "all numbers, N", {.unit = ""});
    out.stored("type", name_of(type), "", "as in the deck");
    out.stored("interval", name_of(interval), "", "as in the deck");
    out.stored("law", name_of(law), "", "as in the deck");
    out.stored("order", name_of(order), "", "as in the deck");
    out.stored("run", arranged.in_shares() ? arranged.count(0) : arranged.run, "numbers",
               "successive numbers of one stream: 1 when interleaved");
    declare_numbers(out);
    out.report_line("checksum", out.ranks().sum(counts.sums.total()));
    declare_counts(out, counts);
    out.memory(facts, "number buffer");
  }
  void declare_numbers(Results& out) const {
    out.when(to_file(), "with fill.to=file (u32, u64 or f32 with another fill.type)", [&] {
      out.filled_by_run("numbers", {element_of(type), numbers, 1, false}, "number", "",
                        "the numbers, in order");
    });
  }
};

/// The work of the fill job. A position is the count of numbers drawn from each stream.
class FillWork {
 public:
  FillWork(const FillDeck& deck, RunContext& run) : deck_(deck), run_(run) {
    if (deck_.to_file() && run_.saved == nullptr) {
      Results out(run_.ranks, results_group("fill"));
      deck_.declare_numbers(out);
      out.create(*run_.file);
    }
    set_up();
    warm_up();
  }

  IterationExtent extent() const {
    return {.end = order_.count(0),
            .round = step_,
            .numbers = step_ * order_.streams,
            .amount = deck_.own_numbers(),
            .unit = "numbers"};
  }

  void restart() {
    source_->restart();
    checksum_->reset(Space());
    source_offset_ = 0;
    if (!deck_.to_file()) source_->cut(whole_stage(stages_.front()));
  }

  void draw(std::uint64_t begin, std::uint64_t end) {
    deck_.to_file() ? draw_to_file(begin, end) : draw_to_memory();
  }

  FillCounts count(io::PhaseTimer& timer) const {
    const auto scope = timer.scope(Phase::transfer);
    FillCounts now = deck_.zero_counts(run_.range);
    const std::vector<NumberChecksum::Sums> values = checksum_->values(Space());
    for (std::size_t s = 0; s < values.size(); ++s) {
      now.counts.values[s] = order_.count(run_.range.first + s);
      now.sums.values[s] = values[s][0];
      now.weighted_sums.values[s] = values[s][1];
    }
    return now;
  }

  std::uint64_t resume(std::uint64_t at, FillCounts& before) {
    const std::uint64_t periods = at / source_->period();
    source_offset_ = periods * source_->period();
    run_.ranks.together([&] {
      source_->advance(periods);
      Space().fence();
    });
    before.counts = deck_.zero_counts(run_.range).counts;  // count() returns the final totals
    return at;
  }

  RunMemory facts() const { return {source_->state_bytes(), buffer_->bytes()}; }

 private:
  static NumberPiece whole_stage(const FillRange& stage) {
    return {0, stage.streams, stage.begin, stage.end - stage.begin};
  }

  void set_up() {
    order_ = deck_.arrangement();
    source_ = make_number_source(Space(), *run_.plan, run_.range, deck_.request());
    checksum_.emplace(run_.range.count);
    FillLimits limits = deck_.limits(Space(), *source_);
    if (deck_.to_file()) {
      buffer_.emplace(Space(), order_, run_.range.count, deck_.to, limits);
      step_ = fill_step(order_, limits);
      return;
    }
    // Numbers in memory are discarded, so their order does not matter, and all segments of all
    // streams can be drawn concurrently.
    stages_ = fill_stages(order_, run_.range);
    if (stages_.empty()) stages_.push_back({});
    const Work all = source_->segments_of(whole_stage(stages_.front()));
    const std::uint64_t rows = padded(all.size);
    if (device_build) limits.busy_streams = padded_streams(all.size);
    if (device_build && order_.interleaved() && all.length > 0) {
      const std::uint64_t parts = (rows - 1) / source_->max_useful_streams(all.length) + 1;
      limits.busy_streams = padded(ceil_divide(all.size, parts));
    }
    buffer_.emplace(Space(), FillOrder{rows * all.length, rows, order_.run}, rows, deck_.to,
                    limits);
  }

  /// Runs the kernels once. Does not call restart() first, because moving streams with large states
  /// to their starts takes a long time, and the first iteration moves them anyway.
  void warm_up() {
    if (!deck_.to_file()) {
      if (const auto part = parts(source_->segments_of(whole_stage(stages_.front()))).next()) {
        const NumberPiece piece{0, std::min(part->streams, run_.range.count), 0, part->count};
        source_->draw(piece, layout_of(piece), buffer_->start());
      }
    } else if (const auto piece = FillPieces(order_, run_.range, buffer_->shape()).next()) {
      make(*piece);
      add_to_checksum(*piece);
    }
  }

  void draw_to_memory() {
    for (const FillRange& stage : stages_) {
      if (&stage != &stages_.front()) source_->cut(whole_stage(stage));
      FillPieces of_stage = parts(source_->last_cut());
      for (auto part = of_stage.next(); part; part = of_stage.next()) {
        draw_part(*part);
        run_.progress->advance(part->streams * part->count * deck_.streams.count /
                               run_.range.count);
      }
    }
  }
  FillPieces parts(const Work& segments) const {
    std::vector<FillRange> stages;
    if (segments.size > 0) stages.push_back({segments.size, 0, segments.length});
    return {std::move(stages), buffer_->shape()};
  }
  NumberLayout layout_of(const NumberPiece& piece) const {
    return order_.interleaved()
               ? NumberLayout{1, std::min(padded(piece.streams), buffer_->shape().streams)}
               : NumberLayout{piece.count, 1};
  }
  /// Returns the padded length of a row. A row has one number per segment. Padding aligns rows to
  /// vectors, and lets each lane of a device's warp store 16 bytes. (Measured on an H200,
  /// 2026-11-29: rows of 135136 uint32 of xoshiro256pp or lfsr113 take 1.11 to 1.15 times as long
  /// as rows of 135168.)
  std::uint64_t padded(std::uint64_t segments) const {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    constexpr std::uint64_t row = device_build ? 4 * tile : tile;
    return order_.interleaved() && segments > tile ? ceil_divide(segments, row) * row : segments;
  }
  void draw_part(const NumberPiece& part) {
    const NumberLayout layout = layout_of(part);
    {
      const auto scope = run_.timer.scope(Phase::rng);
      source_->draw_segments(part, layout, buffer_->start());
      Space().fence();
    }
    const auto scope = run_.timer.scope(Phase::compute);
    checksum_->add(Space(), deck_.type, source_->part_of(part), layout, buffer_->start());
    Space().fence();
  }

  void draw_to_file(std::uint64_t begin, std::uint64_t end) {
    const FillPieceLimits shape =
        with_fewer_numbers(buffer_->shape(), end - begin, run_.range.count);
    FillPieces pieces(part_of(fill_stages(order_, run_.range), begin, end), shape);
    auto piece = pieces.next();
    begin_piece(piece);
    while (run_.ranks.max(std::uint64_t{piece.has_value()}) == 1) {
      const auto now = piece;
      const void* numbers = nullptr;
      if (now) {
        const auto scope = run_.timer.scope(Phase::transfer);
        numbers = buffer_->on_host();
      }
      piece = pieces.next();
      // If the buffer holds two pieces, a device draws and copies the next piece during the write.
      if (buffer_->holds_two()) begin_piece(piece);
      std::vector<io::StridedRanges> places;
      if (now) places = file_ranges(order_, run_.range, *now);
      {
        const auto scope = run_.timer.scope(Phase::io);
        run_.file->write_runs(dataset, element_of(deck_.type), numbers, places);
      }
      if (now)
        run_.progress->advance(now->streams * now->count * order_.streams / run_.range.count);
      if (!buffer_->holds_two()) begin_piece(piece);
    }
  }

  /// Draws a piece, adds it to the checksum, and starts the copy to the host. If the buffer holds
  /// two pieces, the whole call is asynchronous. Otherwise, the call fences before the copy.
  void begin_piece(const std::optional<NumberPiece>& piece) {
    if (!piece) return;
    {
      const auto scope = run_.timer.scope(Phase::rng);
      make(*piece);
      if (!buffer_->holds_two()) Space().fence();
    }
    {
      const auto scope = run_.timer.scope(Phase::compute);
      add_to_checksum(*piece);
      if (!buffer_->holds_two()) Space().fence();
    }
    const auto scope = run_.timer.scope(Phase::transfer);
    buffer_->begin_copy(*piece);
  }
  void make(const NumberPiece& piece) {
    for (const FillDraw& draw : draws_of(order_, buffer_->shape(), piece)) {
      NumberPiece from_source = draw.piece;
      from_source.begin -= source_offset_;
      source_->draw(from_source, draw.layout, buffer_->at(draw));
    }
    buffer_->reorder(piece);
  }

  void add_to_checksum(const NumberPiece& piece) {
    for (const FillDraw& draw : draws_of(order_, buffer_->shape(), piece)) {
      checksum_->add(Space(), deck_.type, source_->work_of(draw.piece), draw.layout,
                     buffer_->at(draw));
    }
  }

  const FillDeck& deck_;
  RunContext& run_;
  FillOrder order_;
  std::vector<FillRange> stages_;
  std::unique_ptr<NumberSource> source_;
  std::optional<FillBuffer> buffer_;
  std::optional<NumberChecksum> checksum_;
  std::uint64_t source_offset_ = 0;  ///< numbers per stream that precede the source's number 0
  std::uint64_t step_ = 1;           ///< positions of checkpoints are multiples of this step
};

}  // namespace

std::unique_ptr<Job> make_fill_job() { return std::make_unique<JobOf<FillDeck, FillWork>>(); }

}  // namespace rivulet
