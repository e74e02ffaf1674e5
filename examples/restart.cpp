// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Saves a run's streams to a file, and continues with them as another process would (here, with
// another object). The numbers equal those of an uninterrupted run. Usage: restart [FILE]

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <rivulet/rivulet.hpp>
#include <vector>

namespace {

using Streams = rivulet::Streams<rivulet::Ranmar48x>;
const rivulet::StreamsOptions options{.count = 1000, .seed = 42};

/// Draws 1000 numbers from each stream. Returns a checksum that depends on the order of the
/// numbers.
std::uint64_t work(const Streams& streams) {
  std::uint64_t checksum = 0;
  Kokkos::parallel_reduce(
      "work", streams.count(),
      KOKKOS_LAMBDA(const std::uint64_t stream, std::uint64_t& sum) {
        auto rng = streams.open(stream);
        for (std::uint64_t i = 1; i <= 1000; ++i) sum += i * rng();
        streams.close(stream, rng);
      },
      checksum);
  return checksum;
}

void write(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) {
    throw rivulet::Error("Cannot write " + path.string(), "the disk may be full",
                         "Name another file.");
  }
}

std::vector<std::byte> read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// Does half of the work, saves the streams to a file, restores them, and does the other half.
/// Returns the checksum of the second half.
std::uint64_t interrupted(const Kokkos::DefaultExecutionSpace& exec,
                          const std::filesystem::path& path) {
  {
    const Streams streams(exec, options);
    work(streams);
    write(path, streams.save(exec));
  }
  // The saved bytes identify their streams. If the streams differ, restore() throws rivulet::Error.
  const Streams streams(exec, options);
  streams.restore(exec, read(path));
  return work(streams);
}

/// Returns true if a Stream restored from its bytes continues with the same number. The bytes are
/// the stream's whole checkpoint.
bool resumes_from_bytes() {
  using Rng = rivulet::Stream<rivulet::Philox4x32>;
  Rng rng(42, 0);
  rng.discard(1000);
  const auto bytes = rng.to_bytes();
  Rng restored = Rng::from_bytes(bytes);
  return restored() == rng();
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const std::filesystem::path path = argc > 1 ? argv[1] : "restart.streams";

  const Streams streams(exec, options);
  work(streams);
  const std::uint64_t expected = work(streams);
  streams.restart(exec);  // repeats the work, which must yield the same checksum
  work(streams);
  if (work(streams) != expected) return 1;
  const std::uint64_t restarted = interrupted(exec, path);
  std::filesystem::remove(path);

  std::printf("uninterrupted %016llx\n", static_cast<unsigned long long>(expected));
  std::printf("restarted     %016llx\n", static_cast<unsigned long long>(restarted));
  return restarted == expected && resumes_from_bytes() ? 0 : 1;
}
