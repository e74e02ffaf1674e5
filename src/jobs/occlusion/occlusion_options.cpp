// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/occlusion_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/picture_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Maximum number of passes. A pixel's count of open rays, up to 4 per pass, then fits in 32 bits.
constexpr std::uint64_t max_allowed_passes = std::uint64_t{1} << 29;
constexpr std::uint64_t longest_side = 65536;

template <class E>
using Choices = io::Binder::Choices<E>;

const Choices<OcclusionScene>& scenes() {
  static const Choices<OcclusionScene> all{
      {"spheres", OcclusionScene::spheres, "nine spheres on a plane"},
      {"room", OcclusionScene::room, "a room with boxes, of triangles"},
      {"file", OcclusionScene::file, "the triangles of occlusion.file"}};
  return all;
}

const Choices<OcclusionNumbers>& number_choices() {
  static const Choices<OcclusionNumbers> all{
      {"pixel", OcclusionNumbers::pixel, "a stream per pixel; streams.count counts only in parts"},
      {"on_demand", OcclusionNumbers::on_demand,
       "a stream per team of warps: the picture differs from run to run"},
      {"hash", OcclusionNumbers::hash, "a hash, to measure what numbers cost"}};
  return all;
}

/// Reads a vector from three numbers, separated by blanks or commas, with magnitudes below 1e12.
/// Returns nullopt for any other text.
std::optional<Vector3> vector_from(std::string_view text) {
  std::array<float, 3> numbers{};
  constexpr std::string_view separators = " ,\t";
  for (float& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || !(std::abs(number) < 1e12F)) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (text.find_first_not_of(separators) != std::string_view::npos) return {};
  return Vector3{numbers[0], numbers[1], numbers[2]};
}

void require_vector(const char* key, const std::string& text) {
  if (text.empty() || vector_from(text)) return;
  throw Error(fmt::format("occlusion.{}={}", key, text), "a position has three numbers: x, y and z",
              fmt::format("Write occlusion.{}=\"1, 2.5, -3\", or omit it.", key));
}

}  // namespace

io::Schema OcclusionOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    binder.choice("scene", scene, scenes(), "the scene; z points up");
    binder.file("file", file, io::FileUse::read, "a file of triangles: Wavefront OBJ (.obj)");
    binder.text("eye", eye, "the camera's position, \"x, y, z\"; empty: one that sees the scene");
    binder.text("target", target, "the point it looks at, \"x, y, z\"; empty: the scene's middle");
    binder.real(
        "zoom", zoom, {0, 1000},
        "distance of the picture's plane, divided by half of its height; 0: the scene's value");
    binder.real("distance", distance, {0, 1e12},
                "distance within which surfaces occlude each other; 0: the scene's value");
    binder.integer("width", width, {1, longest_side}, "width of the picture", "pixels");
    binder.integer("height", height, {1, longest_side}, "height of the picture", "pixels");
    binder.integers("passes", passes, {1, max_allowed_passes},
                    "passes after which pictures are kept, ascending");
    binder.choice("numbers", numbers, number_choices(), "where the numbers of a pixel come from");
    binder.integer("warps", warps, {1, max_warps}, "warps that share a team's stream", "warps");
  };
  return {
      "occlusion",
      "Ambient occlusion: the cosine-weighted fraction of open directions at each visible point.",
      {streams.schema(),
       {"occlusion",
        "The picture.",
        bind,
        {{"picture", "", "Run `scripts/plot RESULTS.h5` for a picture."},
         {"numbers", "reserved",
          "Use occlusion.numbers=pixel for the same picture on any machine, or "
          "occlusion.numbers=on_demand for teams that share streams."}}},
       checkpoint.schema(),
       output.schema()}};
}

void OcclusionOptions::check() const {
  if (scene == OcclusionScene::file && file.empty()) {
    throw Error("occlusion.scene=file without occlusion.file", "no file is named for the triangles",
                "Set occlusion.file=FILE, or choose another occlusion.scene.");
  }
  if (scene != OcclusionScene::file && !file.empty()) {
    throw Error(fmt::format("occlusion.file={} with occlusion.scene={}", file, name_of(scene)),
                "the file would not be read", "Set occlusion.scene=file, or omit occlusion.file.");
  }
  require_vector("eye", eye);
  require_vector("target", target);
  if (std::ranges::adjacent_find(passes, std::greater_equal<>()) != passes.end()) {
    throw Error("occlusion.passes do not ascend", "each picture adds passes to the one before",
                "Write them in ascending order, each once.");
  }
  if (passes.size() > PictureMemory::max_pictures) {
    throw Error(fmt::format("occlusion.passes names {} pictures", passes.size()),
                fmt::format("a run makes at most {}", PictureMemory::max_pictures),
                fmt::format("Set occlusion.passes to {} or fewer.", PictureMemory::max_pictures));
  }
  check_streams();
}

/// Throws Error if this run has only a part of a family's streams, and the deck does not allow a
/// part. With one stream per pixel, a part is allowed if the family has as many streams as the
/// picture has pixels.
void OcclusionOptions::check_part() const {
  if (shares_streams()) {
    streams.require_whole(
        "occlusion.numbers=on_demand",
        "the order of threads decides which pixels use which numbers of a stream");
    return;
  }
  if (!selects_pixels()) return;
  if (streams.family() != size().pixels()) {
    throw Error(fmt::format("streams.first={} and streams.count={} of {} in a picture of {} x {}",
                            streams.first, streams.count, streams.family(), width, height),
                fmt::format("each pixel has a stream, {} in all", size().pixels()),
                fmt::format("Set streams.of={}, and streams.first and streams.count to this run's "
                            "pixels; or omit all three.",
                            size().pixels()));
  }
}

void OcclusionOptions::check_streams() const {
  check_part();
  if (streams.segments > 1) {
    throw Error(fmt::format("streams.segments={} in an occlusion deck", streams.segments),
                "pixels or teams open whole streams", "Omit streams.segments.");
  }
  const std::string kind = name_of(numbers);
  if (!shares_streams()) {
    if (!streams.requested_mapping || streams.mapping() == StreamMapping::lane) return;
    throw Error(fmt::format("streams.mapping by teams with occlusion.numbers={}", kind),
                "one thread draws each pixel, from the pixel's own stream",
                "Omit streams.mapping, or set occlusion.numbers=on_demand.");
  }
  if (!output.expect.empty()) {
    throw Error(fmt::format("output.expect with occlusion.numbers={}", kind),
                "its picture differs from run to run", "Omit output.expect.");
  }
  if (!streams.generator_facts().teams_share) {
    throw Error(fmt::format("occlusion.numbers={} with streams.generator={}", kind,
                            streams.generator_facts().name),
                "this generator's state is too small for a team to share",
                "Set occlusion.numbers=pixel, or, for example, streams.generator=dcmt521, ranmar48 "
                "or philox4x32.");
  }
  if (streams.requested_mapping && streams.mapping() == StreamMapping::lane) {
    throw Error(fmt::format("streams.mapping=lane with occlusion.numbers={}", kind),
                "a team shares each stream", "Omit streams.mapping, or set it to team.");
  }
  if (streams.seeding == Seeding::published) {
    throw Error(fmt::format("streams.seeding=published with occlusion.numbers={}", kind),
                "streams that teams share have native seeding only",
                "Set streams.seeding=native, or occlusion.numbers=pixel.");
  }
  for (const GeneratorOption* option : generator_options()) {
    if (streams.option_values.of(*option) == option->fallback) continue;
    throw Error(fmt::format("streams.{}={} with occlusion.numbers={}", option->name,
                            streams.option_values.of(*option), kind),
                fmt::format("streams that teams share always have {}", option->fallback),
                fmt::format("Omit streams.{}, or set occlusion.numbers=pixel.", option->name));
  }
}

StreamOptions OcclusionOptions::all_streams() const {
  StreamOptions all = streams;
  if (!shares_streams() && !selects_pixels()) {
    all.first = 0;
    all.count = size().pixels();
    all.family_streams = 0;
  }
  return all;
}

StreamRange OcclusionOptions::pixels() const {
  if (!selects_pixels()) return {0, size().pixels()};
  return {streams.first, streams.count};
}

std::uint64_t OcclusionOptions::numbers_per_pixel() const {
  return max_passes() * (camera_numbers + direction_numbers);
}

std::uint64_t OcclusionOptions::numbers_per_stream() const {
  if (!shares_streams()) return numbers_per_pixel();
  // In the worst case, a single team renders all tiles of a queue.
  return tiles_of(size().pixels()) * 32 * numbers_per_pixel();
}

void OcclusionOptions::apply_to(SceneView& view) const {
  if (!eye.empty()) view.view.eye = *vector_from(eye);
  if (!target.empty()) view.view.target = *vector_from(target);
  if (zoom > 0) view.view.zoom = static_cast<float>(zoom);
  if (distance > 0) view.distance = static_cast<float>(distance);
  const Vector3 along = view.view.target - view.view.eye;
  const float square = dot(along, along);
  if (!(square > 1e-24F && square < 1e30F)) {
    throw Error("the camera is at its target, or much too far from it",
                "its direction is undefined in single precision",
                "Change occlusion.eye or occlusion.target.");
  }
}

std::string name_of(OcclusionScene scene) { return io::Binder::name_in(scenes(), scene); }
std::string name_of(OcclusionNumbers numbers) {
  return io::Binder::name_in(number_choices(), numbers);
}

}  // namespace rivulet
