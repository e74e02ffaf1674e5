// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "draw/launches.hpp"
#include "io/inputs/mesh_file.hpp"
#include "io/results/sha256.hpp"
#include "jobs/common/counting_job.hpp"
#include "jobs/occlusion/occlusion_options.hpp"
#include "jobs/occlusion/picture_counts.hpp"
#include "jobs/occlusion/picture_error.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

struct SceneInput : SceneView {
  std::string digest;  ///< on root, SHA-256 of a file's triangles; empty for other scenes
};

Vector3 vector_of(const io::MeshFile::Vertex& vertex) { return {vertex[0], vertex[1], vertex[2]}; }

std::vector<Corners> triangles_of(const std::string& path) {
  const io::MeshFile mesh = io::read_mesh(path);
  if (mesh.triangles.size() > most_triangles) {
    io::throw_bad_mesh(path, fmt::format("it has {} triangles", mesh.triangles.size()),
                       fmt::format("Give a file of {} at most.", most_triangles));
  }
  std::vector<Corners> all;
  all.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    all.push_back(
        {vector_of(mesh.vertices[a]), vector_of(mesh.vertices[b]), vector_of(mesh.vertices[c])});
  }
  return all;
}

SceneInput scene_of_file(const std::string& path, const io::Communicator& communicator) {
  std::vector<Corners> all;
  communicator.on_root([&] { all = triangles_of(path); });
  const std::uint64_t count = communicator.max(static_cast<std::uint64_t>(all.size()));
  communicator.together([&] { all.resize(count); });
  communicator.broadcast(std::as_writable_bytes(std::span(all)));
  io::Sha256 sha;
  if (communicator.is_root()) sha.update(std::as_bytes(std::span(all)));
  SceneInput view;
  communicator.together([&] { view = {triangles_scene(all), sha.hex()}; });
  return view;
}

SceneInput read_scene(const OcclusionOptions& options, const io::Communicator& communicator) {
  SceneInput view;
  switch (options.scene) {
    case OcclusionScene::spheres:
      view = {spheres_scene(), ""};
      break;
    case OcclusionScene::room:
      view = {room_scene(), ""};
      break;
    case OcclusionScene::file:
      view = scene_of_file(options.file, communicator);
      break;
  }
  communicator.together([&] { options.change(view); });
  return view;
}

/// Positions divide a rank's remaining pixels, or a team's work, into this many parts.
constexpr std::uint64_t positions = 1 << 16;

class OcclusionJob final : public CountingJob<OcclusionOptions, PictureCounts> {
  Demand demand() const override {
    const std::uint64_t words = options_.numbers_per_stream();
    return {.streams = options_.streams,
            .planned = options_.all_streams(),
            .numbers = words * options_.streams.numbers_per_word(),
            .unit = "rays",
            .differs = "made different pictures",
            .why_whole = options_.shares_streams()
                             ? "pixels take their numbers from streams that they share"
                             : ""};
  }
  void check_options() const override { options_.check(); }

  void read_input(JobContext& context) override {
    const auto scope = context.timer.scope(Phase::setup);
    view_ = read_scene(options_, context.communicator);
  }

  void set_up(JobContext& context) override {
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
    const SharedChoice choice{static_cast<int>(options_.warps), tiles};
    return make_shared_renderer(Space(), plan(), range(), choice, work);
  }

  void warm_up(JobContext&) override { renderer_->warm_up(); }

  Extent extent() const override {
    // Measured: on a core the two numbers of a ray through the spheres take 0.6 us, not 2 ns.
    constexpr std::uint64_t numbers_in_the_time_of_one = 256;
    return {.end = positions,
            .numbers = pixels().count * options_.numbers_per_pixel() /
                       (positions / numbers_in_the_time_of_one),
            .amount = pixels().count,
            .unit = "pixels",
            .work = static_cast<double>(rays())};
  }

  void restart() override {
    forget_counts();
    renderer_->restart();
    done_.assign(options_.checkpoint.asked() ? range().count : 0, 0);
    find_left();
  }
  /// Finds the pixels still to be rendered: all, unless the run is resumed.
  void find_left() {
    left_.clear();
    for (std::uint64_t i = 0; i < done_.size(); ++i) {
      if (done_[i] == 0) left_.push_back(i);
    }
  }

  void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) override {
    const auto scope = context.timer.scope(Phase::compute);
    if (!options_.checkpoint.asked()) return render(0, renderer_->pieces());
    const std::uint64_t end = left_.size() * upto / positions;
    for (std::uint64_t i = left_.size() * from / positions; i < end;) {
      std::uint64_t length = 1;  // of a series of adjacent pixels
      while (i + length < end && left_[i + length] == left_[i] + length) ++length;
      render(left_[i], left_[i] + length);
      std::fill_n(done_.begin() + static_cast<std::ptrdiff_t>(left_[i]), length, now);
      i += length;
    }
  }
  void render(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    const std::uint64_t at_once = renderer_->pieces_at_once();
    const std::uint64_t all = renderer_->pieces();
    const std::uint64_t own = pixels().count / static_cast<std::uint64_t>(ranks().size());
    const std::uint64_t numbers = at_once * own / all * options_.numbers_per_pixel();
    launches_.run(begin, end, at_once, numbers, [&](std::uint64_t from, std::uint64_t upto) {
      renderer_->render(from, upto);
      progress().advance((upto - from) * pixels().count / all);
    });
  }

  CountedIds ids() const override {
    const StreamRange own = options_.shares_streams() ? StreamRange{} : range();
    if (!options_.has_all_pixels()) return {own, pixels()};
    return {own, pixels(), "height,width", options_.width};
  }
  PictureCounts none(StreamRange ids) const override {
    const NumbersById<std::uint32_t> rows(ids);
    PictureCounts counts{options_.passes, {options_.passes.size(), rows}, rows};
    counts.done = NumbersById<std::uint8_t>(ids);
    counts.is_of_used = options_.shares_streams();
    if (!options_.has_all_pixels()) {
      counts.which = "; of the pixels that are streams first, first + 1, ...";
    }
    return counts;
  }

  /// Gathers the pixels of all ranks on root, in their order.
  PictureCounts count(io::PhaseTimer& timer) override {
    OcclusionCounts own;
    PictureCounts all;
    {
      const auto scope = timer.scope(Phase::transfer);
      ranks().together([&] {
        own = counts_so_far();
        all = none({pixels().first, ranks().is_root() ? pixels().count : 0});
        all.used = renderer_->used_numbers();
      });
    }
    const auto scope = timer.scope(Phase::reduction);
    gather(own, all);
    return all;
  }
  void gather(const OcclusionCounts& own, PictureCounts& all) const {
    const auto open = ranks().gather<std::uint32_t>(own.open);
    all.hits.values = ranks().gather<std::uint32_t>(own.hits);
    if (options_.checkpoint.asked()) all.done.values = ranks().gather<std::uint8_t>(done_);
    const std::size_t kept = options_.passes.size();
    for (std::size_t i = 0; i < all.hits.values.size(); ++i) {
      for (std::size_t k = 0; k < kept; ++k) all.open[k].values[i] = open[i * kept + k];
    }
  }
  /// The counts including those of the resumed run, and 0 for remaining pixels.
  OcclusionCounts counts_so_far() const {
    OcclusionCounts counts = renderer_->counts();
    const std::size_t kept = options_.passes.size();
    for (std::size_t i = 0; i < done_.size(); ++i) {
      if (done_[i] == now) continue;
      counts.hits[i] = before().hits.values[i];
      for (std::size_t k = 0; k < kept; ++k) counts.open[i * kept + k] = before().open[k].values[i];
    }
    return counts;
  }

  /// Starts again with the remaining pixels.
  std::uint64_t go_on(std::uint64_t, PictureCounts& then) override {
    for (std::uint8_t& one : then.done.values) one = one == 0 ? 0 : earlier;
    done_ = then.done.values;
    find_left();
    return 0;
  }

  /// Compares scenes: files of triangles may change between runs.
  void check_part(const MergeInput& part, const io::ReadFile& file, const PictureCounts&) override {
    auto scene = file.attributes(results_group(part.job));
    std::erase_if(scene, [](const auto& one) { return one.first == "rays"; });
    if (first_part_.empty()) {
      first_part_ = part.path;
      scene_ = std::move(scene);
    } else if (scene != scene_) {
      throw Error(fmt::format("'{}' and '{}' are not of the same scene", first_part_, part.path),
                  "the triangles that the deck names were others",
                  "Repeat the run with the scene of the others.");
    }
  }

  void evaluate(JobContext&) override {
    hits_ = ranks().sum(counts().all_hits());
    if (!ranks().is_root()) return;
    errors_ = picture_errors(counts());
    for (std::size_t k = 0; k < options_.passes.size(); ++k) {
      radiances_.push_back(mean_radiance(counts(), k));
    }
  }

  void results(Results& out) override {
    out.group("Ambient occlusion of a scene");
    declare_scene(out);
    out.told("pixels", pixels().count);
    out.value("rays", rays(), "rays", "camera and occlusion rays of all passes", {.unit = ""});
    out.told("camera rays that met something", hits_);
    if (options_.shares_streams()) {
      out.told("numbers taken", ranks().sum(std::accumulate(
                                    counts().used.begin(), counts().used.end(), std::uint64_t{0})));
    }
    declare_pictures(out);
    if (options_.shares_streams()) {
      out.told("digest of",
               "how many numbers of each stream were used, its first ones; not of "
               "the picture: both depend on who asked first");
    }
    if (options_.numbers == OcclusionNumbers::hash) {
      out.told("warning", "numbers of a hash, for measurements alone: no picture to trust");
    }
    if (!renderer_) return;  // parts are merged
    out.memory("state", renderer_->state_bytes());
    out.memory("scene and pictures", renderer_->picture_bytes());
  }

  /// Declares the scene; in a merge, the attributes are those of the first part.
  void declare_scene(Results& out) const {
    out.when(renderer_ != nullptr, "", [&] {
      out.stored("scene", name_of(options_.scene), "", "as in the deck");
      out.stored("numbers", name_of(options_.numbers), "", "as in the deck");
      out.stored("width", options_.width, "pixels", "W");
      out.stored("height", options_.height, "pixels", "H");
      out.stored("occlusion_rays", std::uint64_t{occlusion_rays}, "rays of a camera ray",
                 "occlusion rays of a camera ray that hits a surface");
      out.stored("distance", view_.distance, "lengths", "distance of occlusion");
      out.stored("eye", numbers_of(view_.view.eye), "lengths", "position of the camera", "xyz");
      out.stored("target", numbers_of(view_.view.target), "lengths", "its target", "xyz");
      out.stored("zoom", view_.view.zoom, "",
                 "distance of the picture's plane, divided by half of its height");
    });
    out.when(!view_.digest.empty(), "with occlusion.scene=file", [&] {
      out.stored("scene_digest", view_.digest, "",
                 "SHA-256 of its triangles' corners x, y, z in single precision");
    });
    out.when(renderer_ && options_.shares_streams(), "with occlusion.numbers=on_demand", [&] {
      out.stored("warps", options_.warps, "warps of a team", "as in the deck");
      out.rows<std::uint64_t>("used", {counts().used, range().first, options_.streams.count},
                              "stream", "numbers", "numbers that were taken of each stream");
    });
  }
  static std::vector<double> numbers_of(const Vector3& a) { return {a.x, a.y, a.z}; }

  void declare_pictures(Results& out) {
    const std::vector<std::uint64_t>& passes = options_.passes;
    declare_counts(out);
    out.dataset("passes", passes, "picture", "passes", "passes of each picture");
    out.dataset("mean", on_all_ranks(radiances_, passes.size()), "picture", "1",
                "mean radiance of each picture");
    out.dataset("error", on_all_ranks(errors_, passes.size() > 1 ? passes.size() : 0), "picture",
                "1", "standard error of each picture's radiance, root mean square over pixels");
    if (!ranks().is_root() || out.describes()) return;
    for (std::size_t k = 0; k < passes.size(); ++k) {
      const std::string after = " after " + std::to_string(passes[k]);
      out.told("mean radiance" + after, radiances_[k]);
      if (!errors_.empty()) out.told("error" + after, errors_[k], "", 4);
    }
    // With two pictures both errors follow from the same difference. Pictures without any
    // difference between passes have no error.
    const bool all_differ = std::ranges::all_of(errors_, [](double error) { return error > 0; });
    if (errors_.size() > 2 && all_differ) {
      out.told("slope of the error", error_slope(passes, errors_), "", 4);
    }
  }
  /// Root's values on root, elsewhere a vector of this size.
  static std::vector<double> on_all_ranks(std::vector<double> values, std::size_t size) {
    values.resize(size);
    return values;
  }

  std::uint64_t rays() const {
    return pixels().count * options_.most_passes() + occlusion_rays * hits_;
  }
  PictureSize size() const { return options_.size(); }
  StreamRange pixels() const { return options_.pixels(); }

  SceneInput view_;
  std::unique_ptr<OcclusionRenderer> renderer_;
  Launches launches_;
  static constexpr std::uint8_t earlier = 1;  ///< done by the resumed run
  static constexpr std::uint8_t now = 2;      ///< done by this run
  std::vector<std::uint8_t> done_;            ///< of each local pixel, 0 for those that are left
  std::vector<std::uint64_t> left_;           ///< local pixels when this run began
  std::uint64_t hits_ = 0;
  // On root.
  std::vector<double> radiances_;
  std::vector<double> errors_;
  // From the first merged part.
  std::string first_part_;
  std::vector<std::pair<std::string, io::AttributeValue>> scene_;
};

}  // namespace

std::unique_ptr<Job> make_occlusion_job() { return std::make_unique<OcclusionJob>(); }

}  // namespace rivulet
