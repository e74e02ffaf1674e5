// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/saved_run.hpp"
#include "jobs/sweep/sweep_options.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"
#include "rng/ranmar_sequential.hpp"
#include "sequences/sequence.hpp"
#include "streams/ranmar_plan.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// What a measurement found.
struct SweepRow {
  SweepCase what;
  double seconds = 0;  ///< of the numbers asked for
  SequenceSeconds parts = {};
  std::vector<double> last = {};  ///< the last numbers of the last call

  double other() const { return std::max(0.0, seconds - parts.kernel - parts.transfer); }
};

/// Numbers at the end of a measurement that are compared and go into the digest.
constexpr std::size_t kept = 10;

void require_distinct(const char* key, std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  const auto twice = std::ranges::adjacent_find(values);
  if (twice == values.end()) return;
  throw Error(fmt::format("sweep.{} names {} more than once", key, *twice),
              "the same case would be measured twice and reported as two", "Name each value once.");
}

class SweepJob final : public Job {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

  void check(const io::Communicator& communicator) const override {
    check_checkpoint(options_.checkpoint, "");
    options_.output.check();
    if (communicator.size() > 1) {
      throw Error(fmt::format("a sweep on {} MPI ranks", communicator.size()),
                  "it measures what one host program gets from the library",
                  "Start it on one rank; its threads and its device are the library's.");
    }
    require_distinct("fetch", options_.fetch);
    require_distinct("instances", options_.instances);
    require_distinct("per_team", options_.per_team);
    const std::uint64_t most_instances = *std::ranges::max_element(options_.instances);
    for (const std::uint64_t fetch : options_.fetch) {
      if (fetch < most_instances) {
        throw Error(fmt::format("sweep.fetch={} for {} instances", fetch, most_instances),
                    "each instance makes its share of a fetch, which would be less than one number",
                    "Give a larger fetch or fewer instances.");
      }
      if (fetch < options_.call) {
        throw Error(fmt::format("sweep.fetch={} for calls of {} numbers", fetch, options_.call),
                    "a buffered call would ask for more than the buffer holds",
                    "Give a larger fetch or a smaller sweep.call.");
      }
    }
  }

  void run(RunContext& context) override {
    std::optional<io::ResultsFile> file;
    if (options_.checkpoint.asked()) checkpoints_.emplace(options_.checkpoint, context);
    if (!context.output.empty()) {
      file.emplace(context.communicator, context.output, "results", version, io::FileForm::plain,
                   options_.output.layout);
      if (checkpoints_) file->made_by(checkpoints_->run());
    }
    if (checkpoints_) checkpoints_->begin();
    context.saved != nullptr ? resume(*context.saved) : measure_sequential();
    measure_cases(context);
    const std::string digest = digest_of(context.communicator);
    if (file) write(context, *file);
    const RunEnd end{total_.seconds(), figure_of_merit(), "numbers/s", digest};
    complete(context, end, file);
    if (checkpoints_) checkpoints_->end();
    report(context, end);
  }

 private:
  RanmarSeed seed() const {
    return {static_cast<std::int64_t>(options_.own.of(ij_option)),
            static_cast<std::int64_t>(options_.own.of(kl_option))};
  }

  /// As CORSIKA draws: some numbers a call, one after the other. Then goes on to where the
  /// measurements with one instance will end.
  void measure_sequential() {
    RanmarSequential generator(seed());
    std::vector<double> numbers(options_.call);
    std::uint64_t position = 0;
    const io::Stopwatch watch;
    for (; position < options_.numbers; position += options_.call) {
      generator.fill(numbers.data(), numbers.size());
      keep(numbers.data());
    }
    sequential_seconds_ =
        watch.seconds() * static_cast<double>(options_.numbers) / static_cast<double>(position);
    std::map<std::uint64_t, std::uint64_t> fetch_at;
    for (const std::uint64_t fetch : options_.fetch) fetch_at[end_of({fetch})] = fetch;
    for (const auto& [end, fetch] : fetch_at) {
      numbers.resize(end - position);
      generator.fill(numbers.data(), numbers.size());
      numbers.resize(kept);
      generator.fill(numbers.data(), numbers.size());
      position = end + kept;
      expected_[{fetch, 1}] = numbers;
    }
  }

  /// Numbers that a measurement draws under the watch: whole fetches, at least as many as asked
  /// for.
  std::uint64_t drawn_in_all(const SweepCase& what) const {
    return (options_.numbers + what.drawn() - 1) / what.drawn() * what.drawn();
  }
  /// Where the numbers are that all ways of drawing are compared at, in all cases after the watch.
  std::uint64_t end_of(const SweepCase& what) const {
    return drawn_in_all(what) + 2 * what.drawn();
  }

  /// Makes compilers believe that the numbers are looked at.
  static void keep(const void* numbers) { asm volatile("" : : "r"(numbers) : "memory"); }

  void measure_cases(RunContext& context) {
    const std::uint64_t cases =
        2 * options_.fetch.size() * options_.instances.size() * options_.per_team.size();
    io::Progress progress(context.communicator, cases, "measurements");
    std::uint64_t before = rows_.size();  // measured by the run that this one continues
    for (const std::uint64_t per_team : options_.per_team) {
      for (const std::uint64_t fetch : options_.fetch) {
        for (const std::uint64_t instances : options_.instances) {
          for (const bool buffered : {true, false}) {
            if (before > 0) {
              rows_[rows_.size() - before--].what = {fetch, instances, per_team, buffered};
              continue;
            }
            const io::Stopwatch watch;
            rows_.push_back(measured({fetch, instances, per_team, buffered}));
            require_same(rows_.back());
            context.timer.add(Phase::rng, rows_.back().parts.kernel);
            context.timer.add(Phase::transfer, rows_.back().parts.transfer);
            progress.advance(1);
            if (checkpoints_ && rows_.size() < cases) {
              checkpoints_->after_piece(
                  watch.seconds(), static_cast<double>(rows_.size()) / static_cast<double>(cases),
                  [this](io::ResultsFile& saved) { save(saved); });
            }
          }
        }
      }
    }
  }

  static constexpr std::size_t row_words = 3 + kept;
  static constexpr std::size_t expected_words = 2 + kept;

  /// Doubles by their bits.
  void save(io::ResultsFile& file) const {
    std::vector<std::uint64_t> rows;
    const auto put = [&rows](double value) { rows.push_back(std::bit_cast<std::uint64_t>(value)); };
    for (const SweepRow& row : rows_) {
      put(row.seconds);
      put(row.parts.kernel);
      put(row.parts.transfer);
      for (const double number : row.last) put(number);
    }
    file.attribute(state_group, "sequential_seconds", sequential_seconds_, "s");
    file.dataset(state_group + "/rows", rows, 0, rows.size(),
                 "of each measurement seconds, kernel, transfer and the last numbers, as bits");
    rows.clear();
    for (const auto& [key, numbers] : expected_) {
      rows.push_back(key.first);
      rows.push_back(key.second);
      for (const double number : numbers) put(number);
    }
    file.dataset(state_group + "/expected", rows, 0, rows.size(),
                 "of each fetch and number of instances these and the last numbers, as bits");
  }

  void resume(const SavedRun& saved) {
    sequential_seconds_ = saved.real("sequential_seconds");
    const std::vector<std::uint64_t> rows = saved.all("rows");
    const auto real = [](std::uint64_t bits) { return std::bit_cast<double>(bits); };
    for (std::size_t i = 0; i + row_words <= rows.size(); i += row_words) {
      SweepRow row{{}, real(rows[i]), {}, {}};
      row.parts.kernel = real(rows[i + 1]);
      row.parts.transfer = real(rows[i + 2]);
      for (std::size_t k = 3; k < row_words; ++k) row.last.push_back(real(rows[i + k]));
      rows_.push_back(row);
    }
    const std::vector<std::uint64_t> all = saved.all("expected");
    for (std::size_t i = 0; i + expected_words <= all.size(); i += expected_words) {
      std::vector<double>& numbers = expected_[{all[i], all[i + 1]}];
      for (std::size_t k = 2; k < expected_words; ++k) numbers.push_back(real(all[i + k]));
    }
  }

  SequenceOptions sequence_options(const SweepCase& what) const {
    SequenceOptions options;
    options.generator = "ranmar48";
    options.seeding = Seeding::published;
    options.own = options_.own;
    options.instances = what.instances;
    options.order = Order::blocked;
    options.block_length = what.drawn();
    options.buffer_numbers = what.buffered ? what.drawn() : 0;
    options.streams_per_team = static_cast<int>(what.per_team);
    options.profiled = true;
    return options;
  }

  SweepRow measured(const SweepCase& what) const {
    SweepRow row{what};
    const std::uint64_t total = drawn_in_all(what);
    Sequence sequence(sequence_options(what));
    std::vector<double> numbers(what.buffered ? options_.call : what.drawn());
    sequence.get(numbers.size(), numbers.data());  // what happens only the first time
    const SequenceSeconds before = sequence.seconds();
    const io::Stopwatch watch;
    for (std::uint64_t left = total; left > 0;) {
      const std::uint64_t some = std::min<std::uint64_t>(numbers.size(), left);
      sequence.get(some, numbers.data());
      keep(numbers.data());
      left -= some;
    }
    const double share = static_cast<double>(options_.numbers) / static_cast<double>(total);
    row.seconds = watch.seconds() * share;
    row.parts.kernel = (sequence.seconds().kernel - before.kernel) * share;
    row.parts.transfer = (sequence.seconds().transfer - before.transfer) * share;
    if (const auto rest = end_of(what) - static_cast<std::uint64_t>(sequence.position());
        rest > 0) {
      numbers.resize(rest);
      sequence.get(rest, numbers.data());
    }
    row.last.resize(kept);
    sequence.get(kept, row.last.data());
    return row;
  }

  /// The same instances and fetch give the same numbers in every team and through both interfaces,
  /// and one instance those of the sequential generator.
  void require_same(const SweepRow& row) {
    const auto [expected, is_new] =
        expected_.try_emplace({row.what.fetch, row.what.instances}, row.last);
    if (is_new || expected->second == row.last) return;
    throw Error(fmt::format("{} instances with fetch {} gave different numbers than before",
                            row.what.instances, row.what.fetch),
                "how numbers are drawn may not change them, so this machine or build computes "
                "wrongly",
                "Test the memory and the compiler; do not trust this run.");
  }

  /// Over (fetch, instances, the bits of the numbers compared), 64-bit little-endian, in order of
  /// fetch and instances.
  std::string digest_of(const io::Communicator& communicator) const {
    std::vector<std::uint64_t> words;
    for (const auto& [key, numbers] : expected_) {
      words.push_back(key.first);
      words.push_back(key.second);
      for (const double number : numbers) words.push_back(std::bit_cast<std::uint64_t>(number));
    }
    return digest_in_rank_order(communicator, words);
  }

  const SweepRow& best(bool buffered) const {
    return *std::ranges::min_element(rows_, {}, [buffered](const SweepRow& row) {
      return std::pair(row.what.buffered != buffered, row.seconds);
    });
  }

  void write(const RunContext& context, io::ResultsFile& file) {
    const std::string where = "/results/sweep";
    write_config(file, context);
    file.group(where, "Seconds to draw the numbers, one row per way of drawing them");
    file.attribute(where, "numbers", options_.numbers, "numbers");
    file.attribute(where, "call", options_.call, "numbers");
    file.attribute(where, "sequential_seconds", sequential_seconds_, "s");
    const auto integers = [&](const std::string& name, auto value_of, const std::string& text) {
      write_column<std::uint64_t>(file, where + "/" + name, value_of, text, "");
    };
    const auto times = [&](const std::string& name, auto value_of, const std::string& text) {
      write_column<double>(file, where + "/" + name, value_of, text, "s");
    };
    integers(
        "fetch", [](const SweepRow& row) { return row.what.fetch; }, "numbers drawn at a time");
    integers(
        "instances", [](const SweepRow& row) { return row.what.instances; }, "streams");
    integers(
        "per_team", [](const SweepRow& row) { return row.what.per_team; }, "streams per team");
    integers(
        "buffered", [](const SweepRow& row) { return std::uint64_t{row.what.buffered}; },
        "1 through the buffer, 0 straight into the caller's array");
    times(
        "seconds", [](const SweepRow& row) { return row.seconds; }, "all");
    times(
        "kernel", [](const SweepRow& row) { return row.parts.kernel; }, "drawing");
    times(
        "transfer", [](const SweepRow& row) { return row.parts.transfer; },
        "copying from device to host");
    times(
        "other", [](const SweepRow& row) { return row.other(); },
        "the rest, such as calls and copies out of the buffer");
  }

  template <class T, class ValueOf>
  void write_column(io::ResultsFile& file, const std::string& path, const ValueOf& value_of,
                    const std::string& text, const std::string& unit) const {
    std::vector<T> values;
    for (const SweepRow& row : rows_) values.push_back(static_cast<T>(value_of(row)));
    file.dataset(path, values, 0, values.size(), text, unit);
  }

  void report(RunContext& context, const RunEnd& end) {
    io::Report& out = context.report;
    out.section("Result");
    out.text(table());
    out.result("sequential", sequential_seconds_, "s", 4);
    report_best("best unbuffered", best(false), out);
    report_best("best buffered", best(true), out);
    end_report(context, end);
  }

  void report_best(const std::string& name, const SweepRow& row, io::Report& out) const {
    out.result(name, sequential_seconds_ / row.seconds, "x sequential", 4);
    const auto part = [&](double seconds, const char* what) {
      return fmt::format("{:.4f} s {} ({:.0f} %)", seconds, what, 100 * seconds / row.seconds);
    };
    out.result(name + ", profile",
               fmt::format("{}, {}, {}; fetch {}, {} instances, {} a team",
                           part(row.parts.kernel, "kernel"), part(row.parts.transfer, "transfer"),
                           part(row.other(), "other"), row.what.fetch, row.what.instances,
                           row.what.per_team));
  }

  /// Seconds, and how many times faster than the sequential generator.
  std::string table() const {
    std::string text = fmt::format("{:>8} {:>10} {:>9}   {:>20}   {:>20}\n", "per team", "fetch",
                                   "instances", "buffered", "unbuffered");
    for (std::size_t i = 0; i + 1 < rows_.size(); i += 2) {
      const SweepRow& row = rows_[i];
      text +=
          fmt::format("{:>8} {:>10} {:>9}", row.what.per_team, row.what.fetch, row.what.instances);
      for (const double seconds : {row.seconds, rows_[i + 1].seconds}) {
        text += fmt::format("   {:>10.4f} s {:>6.2f} x", seconds, sequential_seconds_ / seconds);
      }
      text += "\n";
    }
    return text;
  }

  double figure_of_merit() const {
    return static_cast<double>(options_.numbers) / best(false).seconds;
  }

  SweepOptions options_;
  io::Schema schema_ = options_.schema();
  std::optional<Checkpoints> checkpoints_;
  double sequential_seconds_ = 0;
  std::vector<SweepRow> rows_;  ///< buffered and unbuffered in turn
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> expected_;
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_sweep_job() { return std::make_unique<SweepJob>(); }

}  // namespace rivulet
