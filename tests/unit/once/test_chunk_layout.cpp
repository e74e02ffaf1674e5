// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/deck/deck.hpp"
#include "io/results/hdf5_writer.hpp"
#include "io_test_support.hpp"
#include "jobs/common/run_options.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t anywhere = 0;

/// Writes a small dataset, then a large one; returns the path.
std::string written(const TemporaryFolder& folder, const ChunkLayout& layout) {
  std::string path = folder / "a.h5";
  ResultsFile file(Communicator::self(), path, "results", "1", FileForm::plain, layout);
  file.dataset("/small", std::vector<std::uint64_t>(100), 0, 100);
  file.dataset("/large", std::vector<std::uint64_t>(100'000), 0, 100'000);
  file.commit();
  return path;
}

#if H5_VERSION_GE(1, 10, 5)
/// Offsets of the chunks of a one-dimensional dataset in the file, modulo `alignment`.
std::vector<std::uint64_t> places(const std::string& path, std::uint64_t alignment) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
  const Handle dataset(H5Dopen2(file.get(), "/large", H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  hsize_t count = 0;
  H5Dget_num_chunks(dataset.get(), space.get(), &count);
  std::vector<std::uint64_t> found;
  for (hsize_t i = 0; i < count; ++i) {
    hsize_t offset = 0;
    unsigned filters = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    H5Dget_chunk_info(dataset.get(), space.get(), i, &offset, &filters, &address, &bytes);
    EXPECT_EQ(bytes, 64 * kib);
    found.push_back(address % alignment);
  }
  return found;
}

TEST(ChunkLayout, ChunksBeginAtMultiplesOfTheAlignment) {
  const TemporaryFolder folder;
  const auto aligned = places(written(folder, {64 * kib, 64 * kib}), 64 * kib);
  EXPECT_EQ(aligned.size(), 13U);  // 800 000 bytes
  EXPECT_THAT(aligned, Each(0U));
  EXPECT_THAT(places(written(folder, {64 * kib, 4 * kib}), 4 * kib), Each(0U));
  EXPECT_THAT(places(written(folder, {64 * kib, anywhere}), 4 * kib), Not(Each(0U)));
}
#endif

std::uintmax_t size_with(const std::vector<std::uint64_t>& values, const ChunkLayout& layout) {
  const TemporaryFolder folder;
  ResultsFile file(Communicator::self(), folder / "a.h5", "results", "1", FileForm::plain, layout);
  for (int i = 0; i < 10; ++i) {
    file.dataset("/" + std::to_string(i), values, 0, values.size());
    file.text("/text" + std::to_string(i), std::string(values.size(), 'a'));
  }
  file.commit();
  return std::filesystem::file_size(folder / "a.h5");
}

TEST(ChunkLayout, WhatIsSmallTakesNoMoreRoom) {
  const std::vector<std::uint64_t> small(8000);  // 64 000 bytes, less than min_chunk_bytes
  const auto plain = size_with(small, {mib, anywhere});
  EXPECT_EQ(size_with(small, {mib, mib}), plain + mib - 4 * kib);  // the user block grows
  EXPECT_EQ(size_with(small, {}), plain);
  EXPECT_LE(size_with(small, {}), 10 * 9 * 8000 + 100 * kib);
}

/// Returns the growth of a file, in bytes, when a dataset is created but not written.
std::uint64_t growth(const TableExtents& shape, const ChunkLayout& layout) {
  const TemporaryFolder folder;
  Hdf5Writer file;
  file.open(folder / "a.h5", "a.h5", Communicator::self(), false, FileForm::plain, layout);
  file.create("/v", shape);
  file.close();
  return std::filesystem::file_size(folder / "a.h5") - Hdf5Writer::user_block_bytes(layout);
}

TEST(ChunkLayout, GapsAreCountedInTheSpaceThatIsReserved) {
  const ChunkLayout aligned{mib, mib};
  const TableExtents short_rows{ElementType::u8, 20,
                                600'000};  // each row occupies a chunk and a gap of 0.4 MiB
  EXPECT_LE(growth(short_rows, aligned), Hdf5Writer::bytes_needed(short_rows, aligned));
  EXPECT_GT(growth(short_rows, aligned), Hdf5Writer::bytes_needed(short_rows, {mib, anywhere}));
  for (const std::uint64_t chunk : {64 * kib, mib, 4 * mib}) {
    for (const std::uint64_t alignment : {anywhere, 4 * kib, 64 * kib, chunk}) {
      for (const std::uint64_t rows :
           {std::uint64_t{100'000}, std::uint64_t{1'000'000}, std::uint64_t{50'000'001}}) {
        const TableExtents shape{ElementType::u64, rows, 1};
        const std::uint64_t needed = Hdf5Writer::bytes_needed(shape, {chunk, alignment});
        constexpr std::uint64_t of_the_file = 48 * kib;  // metadata
        EXPECT_LE(growth(shape, {chunk, alignment}), needed + of_the_file) << rows << " " << chunk;
        EXPECT_LE(needed, shape.rows * 8 * 21 / 20 + 3 * chunk + 2 * mib) << rows << " " << chunk;
      }
    }
  }
}

std::string refusal(const std::string& keys) {
  OutputOptions output{"a.h5"};
  const Schema schema("pi", "", {output.schema()});
  return message_of([&] {
    Deck::parse("job: pi\noutput: {" + keys + "}\n", "a.yaml").read_into(schema);
    output.check();
  });
}

TEST(ChunkLayout, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal("chunk: 64 KiB, alignment: 64 KiB"), "nothing was thrown");
  EXPECT_EQ(refusal("chunk: 2 GiB, alignment: 0"), "nothing was thrown");
  EXPECT_THAT(refusal("chunk: 63 KiB"), HasSubstr("size such as 256 MiB from 64 KiB to 2 GiB"));
  EXPECT_THAT(refusal("chunk: 4 GiB"), HasSubstr("(4 GiB is out of range)"));
  EXPECT_THAT(refusal("alignment: -1"), HasSubstr("('-1' is negative)"));
  EXPECT_EQ(refusal("alignment: 3 KiB"),
            "output.alignment=3 KiB (alignments of disks and file systems are powers of two). Set "
            "output.alignment to 2 KiB or 4 KiB.");
  EXPECT_EQ(refusal("alignment: 2 MiB"),
            "output.alignment=2 MiB with output.chunk=1 MiB (a gap would follow each chunk). "
            "Lower output.alignment to output.chunk, or raise output.chunk.");
}

}  // namespace
}  // namespace rivulet::io
