// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "io/results/png_file.hpp"
#include "io/terminal/progress.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/rank_range.hpp"
#include "jobs/common/slices.hpp"
#include "jobs/occlusion/occlusion_options.hpp"
#include "jobs/occlusion/occlusion_report.hpp"
#include "jobs/occlusion/picture_error.hpp"
#include "jobs/occlusion/scene_input.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"

namespace rivulet {
namespace {

using io::Phase;

const std::string where = occlusion_group;

class OcclusionJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  StreamOptions planned_streams() const override { return options_.all_streams(); }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return options_.numbers_per_stream() * streams().numbers_per_word();
  }
  void check_options() const override { options_.check(); }

  void read_input(RunContext& context) override {
    const auto scope = context.timer.scope(Phase::setup);
    view_ = read_scene(options_, context.communicator);
    if (!options_.picture.empty()) {
      context.communicator.together([&] { png_.emplace(context.communicator, options_.picture); });
    }
  }

  void set_up(RunContext& context) override {
    OcclusionWork work{view_.scene, Camera(view_.view, size()), size(), view_.distance, {}};
    for (const std::uint64_t passes : options_.passes) {
      work.passes.push_back(static_cast<std::uint32_t>(passes));
    }
    renderer_ = renderer(work, context.communicator);
  }
  std::unique_ptr<OcclusionRenderer> renderer(const OcclusionWork& work,
                                              const io::Communicator& ranks) const {
    if (options_.numbers == OcclusionNumbers::hash) {
      return make_hash_renderer(Space(), range(), work);
    }
    if (!options_.shares_streams()) return make_pixel_renderer(Space(), plan(), range(), work);
    const StreamRange tiles = range_on(ranks, tiles_of(size().pixels()));
    return make_shared_renderer(Space(), plan(), range(), options_.shared_choice(tiles), work);
  }

  void warm_up(RunContext&) override { renderer_->warm_up(); }

  void restart() override {
    renderer_->restart();
    done_.assign(options_.checkpoint.asked() ? range().count : 0, 0);
    before_ = {};
  }

  void draw(RunContext& context) override {
    io::Progress progress(context.communicator, pixels().count, "pixels");
    const auto scope = context.timer.scope(Phase::compute);
    const std::uint64_t pieces = renderer_->pieces();
    if (pieces == 0) return;
    const std::uint64_t at_once = renderer_->pieces_at_once();
    const std::uint64_t own = pixels().count / ranks_of(context);
    const std::uint64_t numbers = at_once * own / pieces * options_.numbers_per_pixel();
    slices_.run(0, pieces, at_once, numbers, [&](std::uint64_t from, std::uint64_t upto) {
      renderer_->render(from, upto);
      progress.advance((upto - from) * pixels().count / pieces);
    });
  }

  /// Over the open rays of all pictures and the hits of all pixels, row by row. Where who asks
  /// first decides on the picture, over how many numbers of each stream were used.
  std::string collect(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    OcclusionCounts counts;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      ranks.together([&] {
        counts = counts_so_far();
        used_ = renderer_->used_numbers();
      });
    }
    const auto scope = context.timer.scope(Phase::reduction);
    gather(ranks, counts);
    std::vector<std::uint64_t> words;
    for (const auto& open : pictures_.open) words.insert(words.end(), open.begin(), open.end());
    words.insert(words.end(), pictures_.hits.begin(), pictures_.hits.end());
    hits_ =
        ranks.sum(std::accumulate(pictures_.hits.begin(), pictures_.hits.end(), std::uint64_t{0}));
    if (options_.numbers == OcclusionNumbers::on_demand) words = used_;
    return digest_in_rank_order(ranks, words);
  }

  std::string why_whole() const override {
    return options_.shares_streams() ? "pixels take their numbers from streams that they share"
                                     : "";
  }
  /// Of this rank's pixels, which come in equal parts.
  std::uint64_t steps() const override { return piece_steps; }
  std::uint64_t numbers_per_step() const override {
    // Measured: on a core the two numbers of a ray through the spheres take 0.6 us, not 2 ns.
    constexpr std::uint64_t numbers_in_the_time_of_one = 256;
    return pixels().count * options_.numbers_per_pixel() /
           (piece_steps / numbers_in_the_time_of_one);
  }

  void draw_steps(RunContext& context, std::uint64_t from, std::uint64_t upto) override {
    if (from == 0) {
      left_.clear();
      for (std::uint64_t i = 0; i < done_.size(); ++i) {
        if (done_[i] == 0) left_.push_back(i);
      }
      progress_.emplace(context.communicator, pixels().count, "pixels");
    }
    const auto scope = context.timer.scope(Phase::compute);
    const std::uint64_t end = left_.size() * upto / piece_steps;
    for (std::uint64_t i = left_.size() * from / piece_steps; i < end;) {
      std::uint64_t run = 1;  // of neighbours
      while (i + run < end && left_[i + run] == left_[i] + run) ++run;
      renderer_->render(left_[i], left_[i] + run);
      std::fill_n(done_.begin() + static_cast<std::ptrdiff_t>(left_[i]), run, now);
      i += run;
    }
    progress_->advance((upto - from) * pixels().count / piece_steps);
  }

  /// With those of the run that this one continues, and 0 of pixels that are left.
  OcclusionCounts counts_so_far() const {
    OcclusionCounts counts = renderer_->counts();
    const std::size_t kept = options_.passes.size();
    for (std::size_t i = 0; i < done_.size(); ++i) {
      if (done_[i] == now) continue;
      const bool was_done = done_[i] == earlier;
      counts.hits[i] = was_done ? before_.hits[i] : 0;
      for (std::size_t k = i * kept; k < (i + 1) * kept; ++k) {
        counts.open[k] = was_done ? before_.open[k] : 0;
      }
    }
    return counts;
  }

  void save(io::ResultsFile& file) override {
    const OcclusionCounts counts = counts_so_far();
    const std::uint64_t kept = options_.passes.size();
    const std::uint64_t all = pixels().count;
    const std::uint64_t first = rows().first;
    file.dataset(state_group + "/done", done_, first, all, "not 0 for pixels that are done");
    file.dataset(state_group + "/hits", counts.hits, first, all, "camera rays that met something");
    file.dataset(state_group + "/open", counts.open, first * kept, all * kept,
                 "open rays of all pictures, pixel by pixel");
  }

  void resume(const SavedRun& saved) override {
    const std::uint64_t kept = options_.passes.size();
    const std::uint64_t all = pixels().count;
    const auto done = saved.rows("done", rows(), all);
    const auto hits = saved.rows("hits", rows(), all);
    const auto open = saved.rows("open", {rows().first * kept, rows().count * kept}, all * kept);
    for (std::size_t i = 0; i < done.size(); ++i) done_[i] = done[i] == 0 ? 0 : earlier;
    before_ = {{open.begin(), open.end()}, {hits.begin(), hits.end()}};
  }

  /// To root, in the order of the pixels.
  void gather(const io::Communicator& ranks, const OcclusionCounts& counts) {
    const auto places = ranks.gather<std::uint64_t>(renderer_->pixels());
    const auto open = ranks.gather<std::uint32_t>(counts.open);
    const auto hits = ranks.gather<std::uint32_t>(counts.hits);
    const std::uint64_t all = ranks.is_root() ? pixels().count : 0;
    pictures_ = {options_.passes, {}, std::vector<std::uint32_t>(all)};
    const std::size_t kept = options_.passes.size();
    pictures_.open.assign(kept, pictures_.hits);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == no_pixel) continue;
      const std::uint64_t row = places[i] - pixels().first;
      pictures_.hits[row] = hits[i];
      for (std::size_t k = 0; k < kept; ++k) pictures_.open[k][row] = open[i * kept + k];
    }
  }

  void evaluate(RunContext& context) override {
    write_png(context);  // a disk that is full is found before the results have their name
    if (context.communicator.is_root()) statistics_ = statistics_of(pictures_);
  }

  void write_results(io::ResultsFile& file) override {
    file.group(where, "Ambient occlusion of a scene");
    file.attribute(where, "scene", name_of(options_.scene));
    file.attribute(where, "numbers", name_of(options_.numbers));
    file.attribute(where, "width", options_.width, "pixels");
    file.attribute(where, "height", options_.height, "pixels");
    file.attribute(where, "occlusion_rays", std::uint64_t{occlusion_rays}, "rays of a camera ray");
    file.attribute(where, "rays", rays(), "rays");
    file.attribute(where, "distance", view_.distance, "lengths");
    file.attribute(where, "eye", numbers_of(view_.view.eye), "lengths");
    file.attribute(where, "target", numbers_of(view_.view.target), "lengths");
    file.attribute(where, "zoom", view_.view.zoom);
    if (!view_.digest.empty()) file.attribute(where, "scene_digest", view_.digest);
    write_pictures(file, options_, pictures_, statistics_);
    if (options_.shares_streams()) {
      file.attribute(where, "warps", options_.warps, "warps of a team");
      file.dataset(where + "/used", used_, range().first, options_.streams.count,
                   "numbers that were taken of each stream", "numbers");
    }
  }
  static std::vector<double> numbers_of(const Vector3& a) { return {a.x, a.y, a.z}; }

  void report_results(RunContext& context) override {
    if (png_) png_->complete();
    io::Report& out = context.report;
    out.result("pixels", pixels().count);
    out.result("rays", rays());
    out.result("camera rays that met something", hits_);
    if (options_.shares_streams()) {
      out.result("numbers taken", context.communicator.sum(std::accumulate(
                                      used_.begin(), used_.end(), std::uint64_t{0})));
    }
    if (!context.communicator.is_root()) return;
    report_pictures(out, options_, statistics_);
    if (options_.numbers == OcclusionNumbers::on_demand) {
      out.result("digest of",
                 "how many numbers of each stream were used, its first ones; not of "
                 "the picture: both depend on who asked first");
    }
    if (options_.numbers == OcclusionNumbers::hash) {
      out.result("warning", "numbers of a hash, for measurements alone: no picture to trust");
    }
  }

  /// 0 for what sees nothing of the sky, 255 for what sees all.
  void write_png(RunContext& context) {
    if (options_.picture.empty()) return;
    const auto scope = context.timer.scope(Phase::io);
    context.communicator.on_root([&] {
      const std::uint64_t all = occlusion_rays * options_.most_passes();
      std::vector<std::uint8_t> grey;
      grey.reserve(pictures_.hits.size());
      for (const std::uint64_t open : pictures_.open.back()) {
        grey.push_back(static_cast<std::uint8_t>((255 * open + all / 2) / all));
      }
      png_->write(grey, size().width, size().height);
    });
  }

  void report_memory(RunContext& context) override {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(renderer_->state_bytes()), "B");
    out.result("scene and pictures", ranks.sum(renderer_->picture_bytes()), "B");
  }

  Work work() const override {
    return {static_cast<double>(rays()), "rays", "made different pictures"};
  }
  /// Camera rays and occlusion rays.
  std::uint64_t rays() const {
    return pixels().count * options_.most_passes() + occlusion_rays * hits_;
  }
  PictureSize size() const { return options_.size(); }
  StreamRange pixels() const { return options_.pixels(); }
  /// Of this rank, counted from the run's first; where each pixel has a stream.
  StreamRange rows() const { return {range().first - pixels().first, range().count}; }

  static std::uint64_t ranks_of(const RunContext& context) {
    return static_cast<std::uint64_t>(context.communicator.size());
  }

  OcclusionOptions options_;
  io::Schema schema_ = options_.schema();
  SceneInput view_;
  std::optional<io::PngFile> png_;
  std::unique_ptr<OcclusionRenderer> renderer_;
  Slices slices_;
  static constexpr std::uint64_t piece_steps = 1 << 16;
  static constexpr std::uint8_t earlier = 1;  ///< pixels done by the run that this one continues
  static constexpr std::uint8_t now = 2;      ///< or by this one
  std::vector<std::uint8_t> done_;            ///< of each local pixel, 0 for those that are left
  std::vector<std::uint64_t> left_;           ///< local pixels when this run began
  OcclusionCounts before_;                    ///< of pixels that were done earlier
  std::optional<io::Progress> progress_;
  Pictures pictures_;  ///< of root; other ranks have none
  std::uint64_t hits_ = 0;
  std::vector<std::uint64_t> used_;  ///< of each local stream that teams share
  PictureStatistics statistics_;     ///< of root
};

}  // namespace

std::unique_ptr<Job> make_occlusion_job() { return std::make_unique<OcclusionJob>(); }

}  // namespace rivulet
