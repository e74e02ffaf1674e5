// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/fill_buffer.hpp"

#include "machine/out_of_memory.hpp"
#include "machine/views.hpp"

namespace rivulet {
namespace {

/// Copies runs of numbers from stream order to cycle order. In stream order, all runs of a stream
/// are contiguous. In cycle order, each cycle has one run of every stream. Each call copies run
/// `index` of the cycle order.
template <class Number>
struct Interleave {
  const Number* from;
  Number* to;
  std::uint64_t streams;
  std::uint64_t runs;
  std::uint64_t run;

  KOKKOS_FUNCTION void operator()(std::uint64_t index) const {
    const std::uint64_t cycle = index / streams;
    const std::uint64_t stream = index % streams;
    for (std::uint64_t i = 0; i < run; ++i) {
      to[index * run + i] = from[(stream * runs + cycle) * run + i];
    }
  }
};

constexpr const char* advice =
    "Lower streams.count or fill.block, or start more ranks on more nodes.";

}  // namespace

std::vector<FillDraw> draws_of(const FillOrder& order, const FillPieceLimits& shape,
                               const NumberPiece& piece) {
  const bool many_runs = has_whole_runs(order, piece) && piece.count > order.run;
  if (order.interleaved()) return {{piece, {1, piece.streams}}};
  if (!many_runs || shape.boundary == 0 || shape.needs_reordering)
    return {{piece, {piece.count, 1}}};

  std::vector<FillDraw> draws;
  for (std::uint64_t done = 0; done < piece.count; done += order.run) {
    draws.push_back({{piece.first, piece.streams, piece.begin + done, order.run},
                     {order.run, 1},
                     done * piece.streams});
  }
  return draws;
}

FillBuffer::FillBuffer(const Space& space, const FillOrder& order, std::uint64_t local_streams,
                       FillTarget target, FillLimits limits, bool copies)
    : space_(space),
      order_(order),
      number_bytes_(limits.number_bytes),
      copies_to_host_(copies && target != FillTarget::memory) {
  const FillBytes bytes = fill_bytes(order, local_streams, target, limits);
  with_available_memory(bytes.most, bytes.least, [&](std::uint64_t limit) {
    limits.memory = limit;
    allocate(fill_shape(order, local_streams, target, limits));
  });
}

void FillBuffer::allocate(const FillPieceLimits& shape) {
  const std::uint64_t bytes = shape.streams * shape.numbers * number_bytes_;
  numbers_ = {};  // frees a larger buffer
  host_ = {};
  require_memory_for(
      "the buffer of numbers", (shape.needs_reordering ? 2 : 1) * bytes, advice, [&] {
        numbers_ = aligned_view("rivulet::numbers", bytes);
        if (shape.needs_reordering) {
          reordered_ =
              Bytes(Kokkos::view_alloc("rivulet::ordered", Kokkos::WithoutInitializing), bytes);
        }
      });
  if (copies_to_host_) {
    require_memory_for("numbers copied from a device", 2 * bytes, "Lower fill.memory.", [&] {
      for (HostBytes& host_bytes : host_) {
        host_bytes = HostBytes(
            Kokkos::view_alloc("rivulet::numbers_on_host", Kokkos::WithoutInitializing), bytes);
      }
    });
  }
  shape_ = shape;
}

void* FillBuffer::at(const FillDraw& draw) const {
  return numbers_.data() + draw.offset * number_bytes_;
}

template <class Number>
void FillBuffer::reorder_as(const NumberPiece& piece) {
  const std::uint64_t runs = piece.count / order_.run;
  const Interleave<Number> body{reinterpret_cast<const Number*>(numbers_.data()),
                                reinterpret_cast<Number*>(reordered_.data()), piece.streams, runs,
                                order_.run};
  Kokkos::parallel_for(
      "rivulet::order",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space_, 0, piece.streams * runs),
      body);
}

void FillBuffer::reorder(const NumberPiece& piece) {
  if (!must_be_reordered(piece)) return;
  number_bytes_ == 4 ? reorder_as<std::uint32_t>(piece) : reorder_as<std::uint64_t>(piece);
}

void FillBuffer::begin_copy(const NumberPiece& piece) {
  const Bytes& source = must_be_reordered(piece) ? reordered_ : numbers_;
  on_host_ = source.data();
  if (!copies_to_host_) return;
  using Unmanaged =
      Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::uint64_t bytes = piece.streams * piece.count * number_bytes_;
  last_host_ = 1 - last_host_;
  on_host_ = host_[last_host_].data();
  Kokkos::deep_copy(space_, Unmanaged(host_[last_host_].data(), bytes),
                    Kokkos::subview(source, Kokkos::make_pair(std::uint64_t{0}, bytes)));
}

const void* FillBuffer::on_host() {
  space_.fence();
  return on_host_;
}

}  // namespace rivulet
