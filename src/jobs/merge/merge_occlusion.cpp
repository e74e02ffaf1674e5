// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <numeric>
#include <span>

#include "io/results/sha256.hpp"
#include "jobs/merge/merged_file.hpp"
#include "jobs/merge/merging.hpp"
#include "jobs/occlusion/occlusion_options.hpp"
#include "jobs/occlusion/occlusion_report.hpp"
#include "jobs/occlusion/picture_error.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

const std::string where = occlusion_group;

/// The digest of a run: over the open rays of all pictures and the hits, pixel by pixel.
std::string digest_of(const Pictures& pictures) {
  io::Sha256 sha;
  const auto add = [&sha](const std::vector<std::uint32_t>& values) {
    const std::vector<std::uint64_t> words(values.begin(), values.end());
    sha.update(std::span<const std::uint64_t>(words));
  };
  for (const auto& open : pictures.open) add(open);
  add(pictures.hits);
  return sha.hex();
}

/// Pictures of which each pixel has a stream of its own. Those of teams are whole: two of them have
/// the same streams.
class OcclusionMerging final : public Merging {
 public:
  explicit OcclusionMerging(const io::Deck& deck) {
    deck.read_into(options_.schema());
    all_.passes = options_.passes;
    all_.open.resize(options_.passes.size());
  }

  void add(const ResultsPart& part, const io::ReadFile& file) override {
    const auto read = [&](const std::string& name) {
      auto values = file.dataset<std::uint32_t>(where + "/" + name);
      if (values.size() != part.count) {
        part.fail_damaged(fmt::format("its {} are not those of its pixels", name));
      }
      return values;
    };
    Pictures own{options_.passes, {}, read("hits")};
    for (const std::uint64_t passes : options_.passes) own.open.push_back(read(open_name(passes)));
    if (digest_of(own) != part.digest) part.fail_damaged("its pixels do not give its digest");
    require_same_scene(part, file);
    all_.hits.insert(all_.hits.end(), own.hits.begin(), own.hits.end());
    for (std::size_t k = 0; k < own.open.size(); ++k) {
      all_.open[k].insert(all_.open[k].end(), own.open[k].begin(), own.open[k].end());
    }
  }

  std::string digest() const override { return digest_of(all_); }

  void write(io::ResultsFile& file, const std::vector<ResultsPart>& parts) const override {
    file.group(where);
    copy_attributes(file, parts.front(), where, {"rays", "rays_unit"});
    file.attribute(where, "rays", rays(), "rays");
    write_pictures(file, options_, all_, statistics_of(all_));
  }

  void report(io::Report& report) const override {
    report.result("pixels", all_.hits.size());
    report.result("rays", rays());
    report.result("camera rays that met something", hits());
    report_pictures(report, options_, statistics_of(all_));
  }

 private:
  using Attributes = std::vector<std::pair<std::string, io::AttributeValue>>;

  /// Files of triangles may have changed from one run to the next.
  void require_same_scene(const ResultsPart& part, const io::ReadFile& file) {
    Attributes scene = file.attributes(where);
    std::erase_if(scene, [](const auto& one) { return one.first == "rays"; });
    if (first_.empty()) {
      first_ = part.path;
      scene_ = std::move(scene);
    } else if (scene != scene_) {
      throw Error(fmt::format("'{}' and '{}' are not of the same scene", first_, part.path),
                  "the triangles that the deck names were others",
                  "Repeat the run with the scene of the others.");
    }
  }
  std::uint64_t hits() const {
    return std::accumulate(all_.hits.begin(), all_.hits.end(), std::uint64_t{0});
  }
  std::uint64_t rays() const {
    return all_.hits.size() * options_.most_passes() + occlusion_rays * hits();
  }

  OcclusionOptions options_;
  std::string first_;  ///< path of the first part
  Attributes scene_;
  Pictures all_;
};

}  // namespace

std::unique_ptr<Merging> make_occlusion_merging(const io::Deck& deck) {
  return std::make_unique<OcclusionMerging>(deck);
}

}  // namespace rivulet
