// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/sweep/sweep_options.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"
#include "rng/ranmar_sequential.hpp"
#include "sequences/sequence.hpp"
#include "streams/stream_defaults.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// A way to draw the numbers.
struct SweepCase {
  std::uint64_t fetch = 0;  ///< asked for
  std::uint64_t instances = 1;
  std::uint64_t per_team = 1;
  bool buffered = false;

  /// Numbers drawn at a time: fetch, rounded up to a multiple of the instances.
  std::uint64_t drawn() const { return (fetch + instances - 1) / instances * instances; }
};

/// The result of a measurement.
struct Measurement {
  SweepCase what;
  double seconds = 0;  ///< of the numbers asked for
  SequenceSeconds parts = {};
  std::vector<double> last = {};  ///< the last numbers of the last call

  double other() const { return std::max(0.0, seconds - parts.kernel - parts.transfer); }
};

/// Numbers at the end of a measurement that are compared and go into the digest.
constexpr std::size_t kept = 10;

class SweepJob final : public JobWithDeck<SweepOptions, Job> {
 public:
  void check(const io::Communicator& communicator) const override {
    check_checkpoint(options_.checkpoint, "");
    options_.output.check();
    if (communicator.size() > 1) {
      throw Error(fmt::format("a sweep on {} MPI ranks", communicator.size()),
                  "it measures what one host program gets from the library",
                  "Start it on one rank; its threads and its device are the library's.");
    }
    options_.check();
  }

  void run(JobContext& context) override {
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
    const std::string digest = digest_in_rank_order(context.communicator, words_of_expected());
    if (file) {
      write_config(*file, context);
      Results out(context.communicator, *file, results_group(schema().job()));
      results(out);
    }
    const Ending end{total_.seconds(), figure_of_merit(), "numbers/s", digest};
    complete(context, end, file);
    if (checkpoints_) checkpoints_->end();
    context.report.section("Result");
    Results out(context.communicator, context.report);
    results(out);
    end_report(context, end);
  }

 private:
  /// Draws as CORSIKA does: some numbers a call, call after call. Then skips to the position at
  /// which the measurements with one instance will end.
  void measure_sequential() {
    RanmarSequential generator({static_cast<std::int64_t>(options_.own.of(ij_option)),
                                static_cast<std::int64_t>(options_.own.of(kl_option))});
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
  /// The position at which the numbers of all cases are compared, after timing.
  std::uint64_t end_of(const SweepCase& what) const {
    return drawn_in_all(what) + 2 * what.drawn();
  }

  /// Keeps compilers from removing unused numbers.
  static void keep(const void* numbers) { asm volatile("" : : "r"(numbers) : "memory"); }

  /// The cases in the order of measurement: buffered and unbuffered alternately.
  std::vector<SweepCase> cases() const {
    std::vector<SweepCase> all;
    for (const std::uint64_t per_team : options_.per_team) {
      for (const std::uint64_t fetch : options_.fetch) {
        for (const std::uint64_t instances : options_.instances) {
          for (const bool buffered : {true, false}) {
            all.push_back({fetch, instances, per_team, buffered});
          }
        }
      }
    }
    return all;
  }

  /// Measures the cases that a resumed run has not measured yet.
  void measure_cases(JobContext& context) {
    const std::vector<SweepCase> all = cases();
    io::Progress progress(context.communicator, all.size(), "measurements",
                          {.shown = !context.report.quiet()});
    while (rows_.size() < all.size()) {
      const io::Stopwatch watch;
      rows_.push_back(measured(all[rows_.size()]));
      require_same(rows_.back());
      context.timer.add(Phase::rng, rows_.back().parts.kernel);
      context.timer.add(Phase::transfer, rows_.back().parts.transfer);
      progress.advance(1);
      if (!checkpoints_ || rows_.size() == all.size()) continue;
      checkpoints_->after_piece(watch.seconds(),
                                static_cast<double>(rows_.size()) / static_cast<double>(all.size()),
                                [this](io::ResultsFile& saved) { save(saved); });
    }
  }

  static constexpr std::size_t row_words = 3 + kept;       ///< in checkpoints
  static constexpr std::size_t expected_words = 2 + kept;  ///< and in the digest

  static void append(std::vector<std::uint64_t>& words, std::span<const double> numbers) {
    for (const double one : numbers) words.push_back(std::bit_cast<std::uint64_t>(one));
  }
  static std::vector<double> numbers_in(std::span<const std::uint64_t> words) {
    std::vector<double> numbers;
    for (const std::uint64_t one : words) numbers.push_back(std::bit_cast<double>(one));
    return numbers;
  }
  /// (fetch, instances, the bits of the numbers compared) in order of fetch and instances.
  std::vector<std::uint64_t> words_of_expected() const {
    std::vector<std::uint64_t> words;
    for (const auto& [key, numbers] : expected_) {
      words.insert(words.end(), {key.first, key.second});
      append(words, numbers);
    }
    return words;
  }

  void save(io::ResultsFile& file) const {
    std::vector<std::uint64_t> rows;
    for (const Measurement& row : rows_) {
      append(rows, std::array{row.seconds, row.parts.kernel, row.parts.transfer});
      append(rows, row.last);
    }
    const std::vector<std::uint64_t> expected = words_of_expected();
    file.attribute(state_group, "sequential_seconds", sequential_seconds_, "s");
    file.dataset(state_group + "/rows", rows, 0, rows.size(),
                 "of each measurement seconds, kernel, transfer and the last numbers, as bits");
    file.dataset(state_group + "/expected", expected, 0, expected.size(),
                 "of each fetch and number of instances these and the last numbers, as bits");
  }

  void resume(const CheckpointReader& saved) {
    sequential_seconds_ = saved.real("sequential_seconds");
    const std::vector<SweepCase> all = cases();
    const std::vector<std::uint64_t> rows = saved.all("rows");
    saved.require(rows.size() < all.size() * row_words,
                  fmt::format("it has {} measurements of {}", rows.size() / row_words, all.size()));
    for (std::size_t i = 0; i + row_words <= rows.size(); i += row_words) {
      const std::vector<double> row = numbers_in(std::span(rows).subspan(i, row_words));
      rows_.push_back({all[i / row_words], row[0], {row[1], row[2]}, {row.begin() + 3, row.end()}});
    }
    const std::vector<std::uint64_t> last = saved.all("expected");
    for (std::size_t i = 0; i + expected_words <= last.size(); i += expected_words) {
      expected_[{last[i], last[i + 1]}] = numbers_in(std::span(last).subspan(i + 2, kept));
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

  Measurement measured(const SweepCase& what) const {
    Measurement row{what};
    const std::uint64_t total = drawn_in_all(what);
    Sequence sequence(sequence_options(what));
    std::vector<double> numbers(what.buffered ? options_.call : what.drawn());
    sequence.get(numbers.size(), numbers.data());  // excludes first-call costs
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

  /// Throws Error unless the same instances and fetch give the same numbers in every team and
  /// through both interfaces, and one instance gives those of the sequential generator.
  void require_same(const Measurement& row) {
    const auto [expected, is_new] =
        expected_.try_emplace({row.what.fetch, row.what.instances}, row.last);
    if (is_new || expected->second == row.last) return;
    throw Error(fmt::format("{} instances with fetch {} gave different numbers than before",
                            row.what.instances, row.what.fetch),
                "how numbers are drawn may not change them, so this machine or build computes "
                "wrongly",
                "Test the memory and the compiler; do not trust this run.");
  }

  const Measurement& best(bool buffered) const {
    return *std::ranges::min_element(rows_, {}, [buffered](const Measurement& row) {
      return std::pair(row.what.buffered != buffered, row.seconds);
    });
  }

  void results(Results& out) const {
    out.group("Seconds to draw the numbers, one row per way of drawing them");
    out.stored("numbers", options_.numbers, "numbers");
    out.stored("call", options_.call, "numbers");
    using Row = const Measurement&;
    const auto column = [&](const std::string& name, const std::string& text,
                            const std::string& unit, const auto& value_of) {
      std::vector<std::decay_t<decltype(value_of(rows_[0]))>> values;
      for (Row row : rows_) values.push_back(value_of(row));
      out.dataset(name, values, text, unit);
    };
    column("fetch", "numbers drawn at a time", "", [](Row row) { return row.what.fetch; });
    column("instances", "streams", "", [](Row row) { return row.what.instances; });
    column("per_team", "streams per team", "", [](Row row) { return row.what.per_team; });
    column("buffered", "1 through the buffer, 0 straight into the caller's array", "",
           [](Row row) { return std::uint64_t{row.what.buffered}; });
    column("seconds", "all", "s", [](Row row) { return row.seconds; });
    column("kernel", "drawing", "s", [](Row row) { return row.parts.kernel; });
    column("transfer", "copying from device to host", "s",
           [](Row row) { return row.parts.transfer; });
    column("other", "the rest, such as calls and copies out of the buffer", "s",
           [](Row row) { return row.other(); });
    if (out.report() != nullptr) out.report()->text(table());
    out.value("sequential_seconds", sequential_seconds_, "s", {.name = "sequential", .digits = 4});
    tell_best("best unbuffered", best(false), out);
    tell_best("best buffered", best(true), out);
  }

  void tell_best(const std::string& name, const Measurement& row, Results& out) const {
    out.told(name, sequential_seconds_ / row.seconds, "x sequential", 4);
    const auto part = [&](double seconds, const char* what) {
      return fmt::format("{:.4f} s {} ({:.0f} %)", seconds, what, 100 * seconds / row.seconds);
    };
    out.told(name + ", profile",
             fmt::format("{}, {}, {}; fetch {}, {} instances, {} a team",
                         part(row.parts.kernel, "kernel"), part(row.parts.transfer, "transfer"),
                         part(row.other(), "other"), row.what.fetch, row.what.instances,
                         row.what.per_team));
  }

  /// A table of seconds, and of the speed-up over the sequential generator.
  std::string table() const {
    std::string text = fmt::format("{:>8} {:>10} {:>9}   {:>20}   {:>20}\n", "per team", "fetch",
                                   "instances", "buffered", "unbuffered");
    for (std::size_t i = 0; i + 1 < rows_.size(); i += 2) {
      const Measurement& row = rows_[i];
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

  std::optional<Checkpoints> checkpoints_;
  double sequential_seconds_ = 0;
  std::vector<Measurement> rows_;  ///< buffered and unbuffered alternately
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> expected_;
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_sweep_job() { return std::make_unique<SweepJob>(); }

}  // namespace rivulet
