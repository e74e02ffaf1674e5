// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/lock_reach.hpp"

#include <sys/stat.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace rivulet::io {
namespace {

// As statfs(2) and the file systems' own sources name them.
constexpr std::array<std::uint32_t, 9> of_one_host{
    0xef53,      // ext2, ext3, ext4
    0x58465342,  // xfs
    0x9123683e,  // btrfs
    0x01021994,  // tmpfs
    0x858458f6,  // ramfs
    0x794c7630,  // overlayfs
    0x2fc12fc1,  // zfs
    0xf2f52010,  // f2fs
    0xca451a4e,  // bcachefs
};
constexpr std::array<std::uint32_t, 2> of_many_hosts{
    0x47504653,  // GPFS
    0x00c36400,  // Ceph
};
constexpr std::uint32_t nfs = 0x6969;
constexpr std::uint32_t lustre = 0x0bd00bd0;

bool nfs_reaches(const std::string& options) {
  const auto has = [&](const char* one) { return options.find(one) != std::string::npos; };
  return !options.empty() && !has(",nolock,") && !has(",local_lock=all,") &&
         !has(",local_lock=flock,");
}

#ifdef __linux__
/// The options, those of the file system included, of what is mounted as this device (proc(5),
/// /proc/self/mountinfo), between commas.
std::string mount_options(dev_t device) {
  const std::string wanted = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string number, parent, id, root, place, options, other;
    fields >> number >> parent >> id >> root >> place >> options;
    if (id != wanted) continue;
    while (fields >> other && other != "-") {
    }
    std::string type, source, super;
    fields >> type >> source >> super;
    return "," + options + "," + super + ",";
  }
  return "";
}
#endif

}  // namespace

bool locks_reach(std::uint32_t system, const std::string& options) {
  if (std::ranges::find(of_one_host, system) != of_one_host.end()) return true;
  if (std::ranges::find(of_many_hosts, system) != of_many_hosts.end()) return true;
  if (system == nfs) return nfs_reaches(options);
  // Mounted with localflock, Lustre knows the locks of one host alone.
  return system == lustre && options.find(",flock,") != std::string::npos;
}

bool locks_reach_everybody([[maybe_unused]] int descriptor) {
#ifdef __linux__
  struct statfs system {};
  struct stat file {};
  if (::fstatfs(descriptor, &system) != 0 || ::fstat(descriptor, &file) != 0) return false;
  return locks_reach(static_cast<std::uint32_t>(system.f_type), mount_options(file.st_dev));
#else
  return false;
#endif
}

}  // namespace rivulet::io
