// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "io/outputs/file_space.hpp"
#include "io/results/hdf5_support.hpp"
#include "io/results/sealed_file.hpp"

namespace rivulet::io {
namespace {

#if H5_VERSION_GE(1, 14, 0)

std::vector<Extent> chunks_of(const Handle& dataset, const std::string&) {
  std::vector<Extent> chunks;
  const auto keep = [](const hsize_t*, unsigned, haddr_t address, hsize_t bytes, void* all) {
    static_cast<std::vector<Extent>*>(all)->push_back({address, bytes});
    return 0;
  };
  if (H5Dchunk_iter(dataset.get(), H5P_DEFAULT, keep, &chunks) < 0) return {};
  return chunks;
}

#elif !H5_VERSION_GE(1, 12, 0)

/// The HDF5 file format of version 1.6 and later, in its earliest form: HDF5 File Format
/// Specification 3.0, III.A.1 (B-trees), IV.A.1.a (object headers), IV.A.2.i (layouts).
class ChunkIndex {
 public:
  explicit ChunkIndex(const std::string& path)
      : file_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}

  std::vector<Extent> chunks_of_object(std::uint64_t header) {
    const std::string prefix = read(header, prefix_bytes);
    if (prefix.empty() || prefix[0] != 1) return {};
    look_for_layout({header + prefix_bytes, number(prefix, 8, 4)}, most_blocks);
    if (dimensions_ != 0 && !walk(root_, most_levels)) chunks_.clear();
    return chunks_;
  }

 private:
  static constexpr std::uint64_t prefix_bytes = 16;
  static constexpr std::uint64_t message_prefix_bytes = 8;
  static constexpr std::uint64_t node_prefix_bytes = 24;
  static constexpr std::uint64_t layout_message = 8;
  static constexpr std::uint64_t continuation_message = 16;
  static constexpr int most_blocks = 100;  // of a header
  static constexpr int most_levels = 20;   // of a tree

  std::string read(std::uint64_t at, std::uint64_t bytes) const {
    const std::string text = read_at(file_, at, bytes);
    return text.size() == bytes ? text : "";
  }
  /// Little-endian; 0 beyond the end.
  static std::uint64_t number(const std::string& from, std::uint64_t at, std::uint64_t bytes) {
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < bytes && at + i < from.size(); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(from[at + i])} << 8 * i;
    }
    return value;
  }

  void look_for_layout(const Extent& block, int most) {
    const std::string messages = read(block.begin, block.bytes);
    for (std::uint64_t at = 0; most > 0 && at + message_prefix_bytes <= messages.size();) {
      const std::uint64_t kind = number(messages, at, 2);
      const std::uint64_t bytes = number(messages, at + 2, 2);
      at += message_prefix_bytes;
      if (kind == continuation_message) {
        look_for_layout({number(messages, at, 8), number(messages, at + 8, 8)}, most - 1);
      } else if (kind == layout_message && number(messages, at, 2) == 0x0203) {  // chunks
        dimensions_ = number(messages, at + 2, 1);
        root_ = number(messages, at + 3, 8);
      }
      at += bytes;
    }
  }

  bool walk(std::uint64_t address, int most) {
    const std::string begin = read(address, node_prefix_bytes);
    const std::uint64_t level = number(begin, 5, 1);
    const std::uint64_t entries = number(begin, 6, 2);
    if (most == 0 || !begin.starts_with("TREE\1")) return false;
    const std::uint64_t key_bytes = 8 + 8 * dimensions_;
    const std::string node = read(address + node_prefix_bytes, entries * (key_bytes + 8));
    if (node.empty() && entries > 0) return false;
    for (std::uint64_t at = 0; at < node.size(); at += key_bytes + 8) {
      const std::uint64_t child = number(node, at + key_bytes, 8);
      if (level == 0) {
        chunks_.push_back({child, number(node, at, 4)});
      } else if (!walk(child, most - 1)) {
        return false;
      }
    }
    return true;
  }

  FileDescriptor file_;
  std::uint64_t dimensions_ = 0;  ///< and one more, of an element's bytes
  std::uint64_t root_ = 0;
  std::vector<Extent> chunks_;
};

std::vector<Extent> chunks_of(const Handle& dataset, const std::string& path) {
  H5O_info_t info{};
  if (H5Oget_info(dataset.get(), &info) < 0) return {};
  return ChunkIndex(path).chunks_of_object(info.addr);
}

#else

/// Then all elements are under the seal, which takes as long as reading them.
std::vector<Extent> chunks_of(const Handle&, const std::string&) { return {}; }

#endif

struct Search {
  const std::string& path;
  std::vector<Extent> found = {};
};

herr_t look_at(hid_t group, const char* name, const H5L_info_t*, void* data) {
  auto& search = *static_cast<Search*>(data);
  const Handle object(H5Oopen(group, name, H5P_DEFAULT), H5Oclose);
  if (H5Iget_type(object.get()) == H5I_GROUP) {
    return H5Literate(object.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, look_at, data);
  }
  if (H5Aexists(object.get(), not_sealed) <= 0) return 0;
  for (const Extent& one : chunks_of(object, search.path)) search.found.push_back(one);
  return 0;
}

/// Joins adjacent extents; nullopt if two overlap, which chunks never do.
std::vector<Extent> joined(std::vector<Extent> extents) {
  std::ranges::sort(extents, {}, &Extent::begin);
  std::vector<Extent> all;
  for (const Extent& one : extents) {
    if (!all.empty() && one.begin < all.back().end()) return {};
    if (!all.empty() && one.begin == all.back().end()) {
      all.back().bytes += one.bytes;
    } else {
      all.push_back(one);
    }
  }
  return all;
}

}  // namespace

std::vector<Extent> places_of_unsealed_elements(const std::string& path) {
  const QuietHdf5 quiet;
  const Handle access = file_access();
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  Search search{path};
  if (!file.valid() ||
      H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, look_at, &search) < 0) {
    throw_cannot_write(path, hdf5_reason());
  }
  return joined(std::move(search.found));
}

}  // namespace rivulet::io
