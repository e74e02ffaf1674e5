// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_writer.hpp"

namespace rivulet::impl {
namespace {

constexpr int width = lanes<Word>;

template <class Format>
struct Writer {
  using Integer = typename Format::Integer;
  using Out = decltype(Format::make(nullptr, 0));

  static void write_lanes(const Integer* raw, int count, int live, const NumberLayout& layout,
                          void* to) {
    Out* const out = static_cast<Out*>(to);
    if (live == width && layout.stream_stride == 1) return write_rows(raw, count, layout, out);
    if (live == width && layout.number_stride == 1) return write_columns(raw, count, layout, out);
    for (int i = 0; i < count; ++i) {
      for (int l = 0; l < live; ++l) {
        out[static_cast<std::uint64_t>(l) * layout.stream_stride +
            static_cast<std::uint64_t>(i) * layout.number_stride] =
            Format::make(raw + i * Format::raw * width + l, width);
      }
    }
  }

  /// A number of all lanes at once.
  static void write_rows(const Integer* raw, int count, const NumberLayout& layout, Out* out) {
    for (int i = 0; i < count; ++i) {
      for (int l = 0; l < width; ++l) out[l] = Format::make(raw + l, width);
      raw += Format::raw * width;
      out += layout.number_stride;
    }
  }

  /// A lane's numbers one after the other: made in rows, then turned.
  static void write_columns(const Integer* raw, int count, const NumberLayout& layout, Out* out) {
    constexpr int at_once = 128;  // more than a round of the longest state that is drawn by rounds
    Out rows[at_once * width];
    for (int done = 0; done < count; done += at_once) {
      const int some = count - done < at_once ? count - done : at_once;
      for (int i = 0; i < some; ++i) {
        for (int l = 0; l < width; ++l) {
          rows[i * width + l] = Format::make(raw + (done + i) * Format::raw * width + l, width);
        }
      }
      for (int l = 0; l < width; ++l) {
        Out* const column = out + static_cast<std::uint64_t>(l) * layout.stream_stride + done;
        for (int i = 0; i < some; ++i) column[i] = rows[i * width + l];
      }
    }
  }

  static void write_one(const Integer* raw, int count, std::uint64_t stride, void* to) {
    Out* const out = static_cast<Out*>(to);
    if (stride == 1) {
      for (int i = 0; i < count; ++i) out[i] = Format::make(raw + i * Format::raw, 1);
    } else {
      for (int i = 0; i < count; ++i) {
        out[static_cast<std::uint64_t>(i) * stride] = Format::make(raw + i * Format::raw, 1);
      }
    }
  }
};

}  // namespace

template <int bits>
NumberWriter<RawInteger<bits>> number_writer(NumberType type, Interval interval) {
  return with_number_format<bits>(type, interval, [type](auto format) {
    using Format = typename decltype(format)::type;
    return NumberWriter<RawInteger<bits>>{Format::raw, number_bytes(type),
                                          Writer<Format>::write_lanes, Writer<Format>::write_one};
  });
}

template NumberWriter<std::uint32_t> number_writer<24>(NumberType, Interval);
template NumberWriter<std::uint32_t> number_writer<32>(NumberType, Interval);
template NumberWriter<std::uint64_t> number_writer<48>(NumberType, Interval);

}  // namespace rivulet::impl
