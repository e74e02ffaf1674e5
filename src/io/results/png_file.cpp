// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/png_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "io/outputs/file_space.hpp"
#include "io/outputs/replaced_file.hpp"
#include "rivulet/error.hpp"

#if RIVULET_HAVE_PNG
#include <png.h>
#endif

namespace rivulet::io {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, Close>;

/// A file is a PNG by its first eight bytes (PNG specification, 5.2).
bool is_png(const std::string& path) {
  constexpr std::array<unsigned char, 8> signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::array<unsigned char, 8> first{};
  const Stream file(std::fopen(path.c_str(), "rb"));
  return file && std::fread(first.data(), 1, first.size(), file.get()) == first.size() &&
         first == signature;
}

std::string replaced_picture(const std::string& path) {
  return replaced_file(path, [&](const std::string& end) {
    if (is_png(end)) return;
    throw Error("cannot write '" + path + "'", "it exists and is not a PNG file",
                "Choose another path, or remove it first.");
  });
}

#if RIVULET_HAVE_PNG
/// libpng's simplified interface, which leaves no jumps to catch.
void encode(std::FILE* file, std::span<const std::uint8_t> grey, std::uint32_t width,
            std::uint32_t height, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_GRAY;
  const bool written = png_image_write_to_stdio(&image, file, 0, grey.data(),
                                                static_cast<png_int_32>(width), nullptr) != 0;
  const std::string reason = image.message;
  png_image_free(&image);
  if (!written) throw_cannot_write(path, "libpng: " + reason);
}
#else
void encode(std::FILE*, std::span<const std::uint8_t>, std::uint32_t, std::uint32_t,
            const std::string&) {}
#endif

}  // namespace

const bool have_png = RIVULET_HAVE_PNG;

PngFile::PngFile(const Communicator& communicator, const std::string& path) : path_(path) {
  if (!have_png) {
    throw Error("a PNG file in a build without libpng", "libpng was not found, or was turned off",
                "Name no picture, or build with libpng (docs/install.md).");
  }
  std::string end;
  communicator.on_root([&] { end = replaced_picture(path); });
  claim_.emplace(communicator, end, path);
}

void PngFile::write(std::span<const std::uint8_t> grey, std::uint32_t width, std::uint32_t height) {
  std::FILE* const file = std::fopen(claim_->temporary().c_str(), "wb");
  if (file == nullptr) throw_cannot_write(path_, errno);
  const Stream stream(file);
  encode(file, grey, width, height, path_);
  if (std::fflush(file) != 0 || std::ferror(file) != 0) throw_cannot_write(path_, errno);
}

void PngFile::complete() { claim_->complete(Unnamed::goes); }

}  // namespace rivulet::io
