// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "draw/launches.hpp"
#include "io/files/sha256.hpp"
#include "io/inputs/mesh_file.hpp"
#include "jobs/common/counting_job.hpp"
#include "jobs/occlusion/occlusion_options.hpp"
#include "jobs/occlusion/picture_counts.hpp"
#include "jobs/occlusion/picture_error.hpp"
#include "jobs/occlusion/pixel_shares.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

struct SceneInput : SceneView {
  std::string digest;  ///< SHA-256 of a file's triangles, valid on root; empty for no file
};

Vector3 vector_of(const io::MeshFile::Vertex& vertex) { return {vertex[0], vertex[1], vertex[2]}; }

std::vector<Corners> triangles_of(const std::string& path) {
  const io::MeshFile mesh = io::read_mesh(path);
  if (mesh.triangles.size() > max_mesh_triangles) {
    io::throw_bad_mesh(path, fmt::format("it has {} triangles", mesh.triangles.size()),
                       fmt::format("Give a file of {} at most.", max_mesh_triangles));
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
  if (options.scene == OcclusionScene::file) {
    view = scene_of_file(options.file, communicator);
  } else {
    view = {options.scene == OcclusionScene::room ? room_scene() : spheres_scene(), ""};
  }
  communicator.together([&] { options.apply_to(view); });
  return view;
}

/// Number of positions, the units of progress of an iteration. With checkpoints, positions divide a
/// rank's remaining pixels into equal parts.
constexpr std::uint64_t positions = 1 << 16;

/// Facts that only a run knows.
struct OcclusionFacts : RunMemory {
  SceneInput view = {};
};

std::vector<double> numbers_of(const Vector3& a) { return {a.x, a.y, a.z}; }

/// Returns the attributes that describe a part's scene: all attributes of the results except
/// "rays".
auto scene_of(const MergeInput& part) {
  auto scene = part.open().attributes(results_group(part.job));
  std::erase_if(scene, [](const auto& one) { return one.first == "rays"; });
  return scene;
}

struct OcclusionDeck : OcclusionOptions {
  RunRequirements requirements() const {
    return {.streams = streams,
            .planned = all_streams(),
            .numbers = numbers_per_stream() * streams.numbers_per_word(),
            .unit = "rays",
            .mismatch_text = "made different pictures",
            .why_not_resumable =
                shares_streams()
                    ? "pixels share streams, so the picture depends on the order of threads"
                    : ""};
  }

  PictureCounts zero_counts(StreamRange ids) const {
    const NumbersById<std::uint32_t> rows(ids);
    PictureCounts counts{passes, {passes.size(), rows}, rows};
    counts.done = NumbersById<std::uint8_t>(ids);
    counts.digest_covers_used = shares_streams();
    if (has_all_pixels()) {
      counts.axes = "height,width";
      counts.columns = width;
    } else {
      counts.pixel_description = "; of the pixels that are streams first, first + 1, ...";
    }
    return counts;
  }

  /// Adds a part's counts. Throws Error if the scenes differ, which happens if a file of triangles
  /// changed between the runs.
  void add(PictureCounts& all, const PictureCounts& own, const MergeInput& part,
           const MergeInput& first) const {
    if (scene_of(part) != scene_of(first)) {
      throw Error(fmt::format("'{}' and '{}' are not of the same scene", first.path, part.path),
                  "their runs read different triangles",
                  "Repeat one of the runs with the scene of the other.");
    }
    all += own;
  }

  void results(Results& out, const PictureCounts& counts, const OcclusionFacts* facts) const {
    const io::Communicator& ranks = out.ranks();
    const std::uint64_t hits = ranks.sum(counts.hits.total());
    const std::uint64_t rays = pixels().count * max_passes() + occlusion_rays * hits;
    out.group("Ambient occlusion of a scene");
    out.when(facts != nullptr, "",
             [&] { declare_scene(out, facts != nullptr ? facts->view : SceneInput()); });
    out.report_line("pixels", pixels().count);
    out.value("rays", rays, "rays", "camera and occlusion rays of all passes", {.unit = ""});
    out.work(static_cast<double>(rays));
    out.report_line("camera rays that met something", hits);
    out.when(shares_streams(), "with occlusion.numbers=on_demand",
             [&] { declare_used(out, counts.used); });
    declare_pictures(out, counts);
    if (shares_streams()) {
      out.report_line(
          "digest of",
          "the count of numbers used of each stream, and these numbers; not of the picture: both "
          "depend on the order of threads");
    }
    if (numbers == OcclusionNumbers::hash) {
      out.report_line("warning",
                      "hashed numbers are for measurements only: do not trust the picture");
    }
    out.memory(facts, "scene and pictures");
  }

 private:
  void declare_scene(Results& out, const SceneInput& view) const {
    out.stored("scene", name_of(scene), "", "as in the deck");
    out.stored("numbers", name_of(numbers), "", "as in the deck");
    out.stored("width", width, "pixels", "W");
    out.stored("height", height, "pixels", "H");
    out.stored("occlusion_rays", std::uint64_t{occlusion_rays}, "rays of a camera ray",
               "occlusion rays of a camera ray that hits a surface");
    out.stored("distance", view.distance, "lengths", "distance of occlusion");
    out.stored("eye", numbers_of(view.view.eye), "lengths", "position of the camera", "xyz");
    out.stored("target", numbers_of(view.view.target), "lengths", "its target", "xyz");
    out.stored("zoom", view.view.zoom, "",
               "distance of the picture's plane, divided by half of its height");
    out.when(!view.digest.empty(), "with occlusion.scene=file", [&] {
      out.stored("scene_digest", view.digest, "",
                 "SHA-256 of its triangles' corners x, y, z in single precision");
    });
  }

  /// Declares the numbers used per stream.
  void declare_used(Results& out, const std::vector<std::uint64_t>& used) const {
    out.stored("warps", warps, "warps of a team", "as in the deck");
    out.report_line("numbers taken", out.ranks().sum(std::reduce(used.begin(), used.end())));
    out.rows<std::uint64_t>("used", {used, streams.range_on(out.ranks()).first, streams.count},
                            "stream", "numbers", "numbers that were taken of each stream");
  }

  void declare_pictures(Results& out, const PictureCounts& counts) const {
    declare_counts(out, counts);
    // Only root has all pixels, so the values that other ranks compute here are ignored.
    std::vector<double> radiances = mean_radiances(counts);
    std::vector<double> errors = picture_errors(counts);
    out.dataset("passes", passes, "picture", "passes", "passes of each picture");
    out.dataset("mean", radiances, "picture", "1", "mean radiance of each picture");
    out.dataset("error", errors, "picture", "1",
                "standard error of each picture's radiance, root mean square over pixels");
    if (out.is_description()) return;
    for (std::size_t k = 0; k < passes.size(); ++k) {
      const std::string after = " after " + std::to_string(passes[k]);
      out.report_line("mean radiance" + after, radiances[k]);
      if (!errors.empty()) out.report_line("error" + after, errors[k], "", 4);
    }
    // A slope needs at least three pictures: with two, both errors follow from the same difference.
    // The errors must be positive, because the slope is computed from their logarithms. An error is
    // 0 if all passes are equal.
    const bool all_differ = std::ranges::all_of(errors, [](double error) { return error > 0; });
    if (errors.size() > 2 && all_differ) {
      out.report_line("slope of the error", error_slope(passes, errors), "", 4);
    }
  }
};

/// The work of the occlusion job: renders this rank's pixels. The counts have one row per pixel,
/// and root gathers all rows.
class PictureWork {
 public:
  PictureWork(const OcclusionDeck& deck, RunContext& run)
      : deck_(deck), run_(run), view_(read_scene(deck, run.ranks)) {
    OcclusionWork work{
        view_.scene, Camera(view_.view, deck_.size()), deck_.size(), view_.distance, {}};
    for (const std::uint64_t passes : deck_.passes) {
      work.passes.push_back(static_cast<std::uint32_t>(passes));
    }
    choose_pixels(work);
    renderer_ = renderer(work);
    renderer_->warm_up();
  }

  IterationExtent extent() const {
    // Measured on a core: a ray through the scene of spheres takes 0.6 us, and its two numbers take
    // 2 ns. A number and its half of a ray therefore take as long as about 256 numbers alone.
    constexpr std::uint64_t numbers_in_the_time_of_one = 256;
    const std::uint64_t pixels = deck_.pixels().count;
    return {
        .end = positions,
        .numbers = pixels * deck_.numbers_per_pixel() / (positions / numbers_in_the_time_of_one),
        .amount = pixels,
        .unit = "pixels"};
  }

  void restart() {
    renderer_->restart();
    done_.assign(deck_.checkpoint.enabled() ? run_.range.count : 0, 0);
    remaining_.resize(done_.size());
    std::iota(remaining_.begin(), remaining_.end(), std::uint64_t{0});
  }

  void draw(std::uint64_t begin, std::uint64_t end) {
    const auto scope = run_.timer.scope(Phase::compute);
    if (!deck_.checkpoint.enabled()) return render(0, renderer_->pieces());
    const std::uint64_t end_index = remaining_.size() * end / positions;
    for (std::uint64_t i = remaining_.size() * begin / positions; i < end_index;) {
      std::uint64_t length = 1;  // number of adjacent pixels from remaining_[i]
      while (i + length < end_index && remaining_[i + length] == remaining_[i] + length) ++length;
      render(remaining_[i], remaining_[i] + length);
      std::fill_n(done_.begin() + static_cast<std::ptrdiff_t>(remaining_[i]), length, 1);
      i += length;
    }
  }

  PictureCounts count(io::PhaseTimer& timer) const {
    const auto scope = timer.scope(Phase::transfer);
    PictureCounts now;
    run_.ranks.together([&] {
      const OcclusionCounts own = renderer_->counts();
      now = deck_.zero_counts({run_.range.first, own.hits.size()});
      now.used = renderer_->used_numbers();
      now.done.values = done_;
      const std::size_t pictures = deck_.passes.size();
      for (std::size_t i = 0; i < own.hits.size(); ++i) {
        if (!done_.empty() && done_[i] == 0) continue;
        now.hits.values[i] = own.hits[i];
        for (std::size_t k = 0; k < pictures; ++k)
          now.open[k].values[i] = own.open[i * pictures + k];
      }
    });
    return now;
  }

  /// Excludes the pixels that the interrupted run has rendered. Returns position 0, because
  /// positions divide only the remaining pixels.
  std::uint64_t resume(std::uint64_t, PictureCounts& before) {
    std::erase_if(remaining_, [&](std::uint64_t pixel) { return before.done.values[pixel] != 0; });
    return 0;
  }

  OcclusionFacts facts() const {
    return {{renderer_->state_bytes(), renderer_->picture_bytes()}, view_};
  }

 private:
  /// Chooses this rank's pixels or, if teams share streams, its tiles.
  void choose_pixels(const OcclusionWork& work) {
    tiles_ = {0, tiles_of(deck_.size().pixels())};
    const auto ranks = static_cast<std::uint64_t>(run_.ranks.size());
    if (ranks == 1) return;
    const auto rank = static_cast<std::uint64_t>(run_.ranks.rank());
    const PixelShares shares(work, view_.view, deck_.pixels(), run_.ranks);
    if (deck_.shares_streams()) {
      tiles_ = shares.share(tile_pixels, rank, ranks);
    } else {
      run_.range = shares.share(1, rank, ranks);
    }
  }

  std::unique_ptr<OcclusionRenderer> renderer(const OcclusionWork& work) const {
    if (deck_.numbers == OcclusionNumbers::hash) {
      return make_hash_renderer(Space(), run_.range, work);
    }
    if (!deck_.shares_streams()) {
      return make_pixel_renderer(Space(), *run_.plan, run_.range, work);
    }
    const SharedChoice choice{static_cast<int>(deck_.warps), tiles_};
    return make_shared_renderer(Space(), *run_.plan, run_.range, choice, work);
  }

  void render(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    const std::uint64_t pixels = deck_.pixels().count;
    const std::uint64_t at_once = renderer_->pieces_at_once();
    const std::uint64_t all = renderer_->pieces();
    const std::uint64_t own = pixels / static_cast<std::uint64_t>(run_.ranks.size());
    const std::uint64_t numbers = at_once * own / all * deck_.numbers_per_pixel();
    launches_.run(begin, end, at_once, numbers,
                  [&](std::uint64_t first_piece, std::uint64_t end_piece) {
                    renderer_->render(first_piece, end_piece);
                    run_.progress->advance((end_piece - first_piece) * pixels / all);
                  });
  }

  const OcclusionDeck& deck_;
  RunContext& run_;
  SceneInput view_;
  StreamRange tiles_;  ///< this rank's tiles, if teams share streams
  std::unique_ptr<OcclusionRenderer> renderer_;
  Launches launches_;
  std::vector<std::uint8_t> done_;        ///< with checkpoints: 1 for local pixels already rendered
  std::vector<std::uint64_t> remaining_;  ///< local pixels that this run has to render
};

}  // namespace

std::unique_ptr<Job> make_occlusion_job() {
  return std::make_unique<JobOf<OcclusionDeck, PictureWork>>();
}

}  // namespace rivulet
