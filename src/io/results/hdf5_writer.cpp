// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/hdf5_writer.hpp"

#include <algorithm>
#include <array>

#include "io/files/file_space.hpp"
#include "io/files/sealed_file.hpp"
#include "io/words/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// Maximum number of ranges per chunk that bypass the chunk cache. One write takes a few
/// microseconds, and reading and writing a whole chunk takes a few hundred. Writing this many
/// ranges thus takes about as long as reading and writing one chunk.
constexpr std::uint64_t max_direct_ranges = 64;
/// Generous upper bound, in bytes, on a dataset's metadata: name, attributes and the root of the
/// B-tree that indexes its chunks.
constexpr std::uint64_t metadata_bytes = std::uint64_t{16} << 10;
/// Size, in bytes, of the block for metadata. The metadata of most files fit in this block, and
/// HDF5 then writes them in one piece.
constexpr std::uint64_t metadata_block = std::uint64_t{48} << 10;
constexpr std::uint64_t index_bytes_per_chunk = 128;
/// Least number of chunks per B-tree node (HDF5's default for H5Pset_istore_k). The chunk after
/// each node must be aligned again.
constexpr std::uint64_t chunks_per_node = 32;

/// True while HDF5 writes elements. HDF5 then returns on all ranks even if MPI-IO fails on one
/// rank, so the program need not abort.
bool is_writing_elements = false;

#if RIVULET_ENABLE_MPI && RIVULET_HDF5_IS_PARALLEL
// This is a function because GCC 12 cannot convert a lambda with an ellipsis to a function pointer.
void abort_on_failure(MPI_File*, int*, ...) { abort_unless_hdf5_returns("MPI-IO failed"); }
#endif

std::vector<hsize_t> extents(const TableExtents& shape) {
  if (shape.columns == 1) return {shape.rows};
  return {shape.rows, shape.columns};
}

TableExtents chunk_shape(const TableExtents& shape, const ChunkLayout& layout) {
  const std::uint64_t max_elements = layout.chunk / size_of(shape.type);
  const std::uint64_t columns = std::clamp<std::uint64_t>(shape.columns, 1, max_elements);
  const std::uint64_t rows = std::clamp<std::uint64_t>(shape.rows, 1, max_elements / columns);
  return {shape.type, rows, columns};
}

/// Returns the least size, in bytes, of aligned objects. A chunk that is not a whole dataset is
/// larger than half of layout.chunk, and therefore aligned.
std::uint64_t min_aligned_bytes(const ChunkLayout& layout) {
  return std::max(layout.alignment / 2, min_chunk_bytes);
}

Handle space_of(const std::vector<hsize_t>& dimensions) {
  return {H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
          H5Sclose};
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose}; }

/// Returns properties that make HDF5 allocate all chunks at once. HDF5 does not fill the chunks,
/// because every element gets written.
Handle creation_properties(const TableExtents& shape, const ChunkLayout& layout) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (shape.rows == 0 || shape.columns == 0) return properties;  // chunks must not exceed the rows
  H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
  H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
  const std::vector<hsize_t> dimensions = extents(chunk_shape(shape, layout));
  H5Pset_chunk(properties.get(), static_cast<int>(dimensions.size()), dimensions.data());
  return properties;
}

Handle link_properties() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(properties.get(), 1);
  H5Pset_char_encoding(properties.get(), H5T_CSET_UTF8);
  return properties;
}

/// Throws Error for rows outside the dataset, because HDF5's own message would be less clear.
void check_rows(const Handle& space, const std::string& path, const Hyperslab& hyperslab) {
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  const std::uint64_t end =
      hyperslab.stride == 0 || hyperslab.rows == 0
          ? hyperslab.offset + hyperslab.rows
          : hyperslab.offset + (hyperslab.rows - 1) * hyperslab.stride + hyperslab.columns;
  if (hyperslab.offset <= end && end <= extents[0]) return;
  throw Error("rows " + std::to_string(hyperslab.offset) + " to " + std::to_string(end - 1) +
                  " are not among the " + std::to_string(extents[0]) + " of '" + path + "'",
              "a mistake in Rivulet", "Please report it.");
}

/// Selects the hyperslab's elements in `space`, the dataspace of the dataset. Returns the dataspace
/// of the elements in memory, where they are contiguous, or an invalid handle on failure.
Handle select(const Handle& space, const Hyperslab& hyperslab) {
  const bool is_strided = hyperslab.stride != 0;
  const auto extent = is_strided ? std::vector<hsize_t>{hyperslab.rows * hyperslab.columns}
                                 : extents({hyperslab.type, hyperslab.rows, hyperslab.columns});
  Handle memory = space_of(extent);
  if (hyperslab.rows == 0) {
    H5Sselect_none(space.get());
    H5Sselect_none(memory.get());
    return memory;
  }
  std::vector<hsize_t> start(extent.size(), 0);
  start[0] = hyperslab.offset;
  const hsize_t stride = hyperslab.stride;
  const hsize_t count = hyperslab.rows;
  const hsize_t length = hyperslab.columns;
  const herr_t result = is_strided ? H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(),
                                                         &stride, &count, &length)
                                   : H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(),
                                                         nullptr, extent.data(), nullptr);
  return result < 0 ? Handle() : std::move(memory);
}

/// Returns access properties. If ranges are long, or few per chunk, the properties disable the
/// chunk cache, so HDF5 writes the ranges directly. For many short ranges, the cache is faster,
/// because it reads and writes whole chunks.
Handle access_properties(const Hyperslab& hyperslab, const ChunkLayout& layout) {
  Handle properties(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  const std::uint64_t run =
      hyperslab.stride == 0 ? hyperslab.rows * hyperslab.columns : hyperslab.columns;
  const std::uint64_t period = std::max(run, hyperslab.stride);
  if (period * size_of(hyperslab.type) * max_direct_ranges >= layout.chunk) {
    H5Pset_chunk_cache(properties.get(), H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0,
                       H5D_CHUNK_CACHE_W0_DEFAULT);
  }
  return properties;
}

}  // namespace

void abort_unless_hdf5_returns(const std::string& why) {
  if (is_writing_elements) return;
  Communicator::world().abort(
      failure_text(failure_of([&] { throw_cannot_write(current_file_name, why); })));
}

TextTable table_of(const std::vector<std::string>& values, bool scalar) {
  TextTable table{1, values.size(), scalar};
  for (const auto& value : values) table.width = std::max<std::uint64_t>(table.width, value.size());
  for (auto value : values) {
    value.resize(table.width, '\0');
    table.bytes += value;
  }
  return table;
}

void Hdf5Writer::check(herr_t result, const std::string& object) const {
  if (result >= 0) return;
  throw_cannot_write(object.empty() ? display_name_ : display_name_ + ":" + object, hdf5_reason());
}

Handle Hdf5Writer::check(Handle handle, const std::string& object) const {
  check(handle.valid() ? 0 : -1, object);
  return handle;
}

Handle Hdf5Writer::access_to([[maybe_unused]] const Communicator& communicator) const {
  Handle access = file_access();
  check(H5Pset_meta_block_size(access.get(), metadata_block));
#if RIVULET_ENABLE_MPI && RIVULET_HDF5_IS_PARALLEL
  if (parallel_) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_File_create_errhandler(abort_on_failure, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);  // becomes the default for files opened later
    MPI_Errhandler_free(&handler);
    check(H5Pset_fapl_mpio(access.get(), communicator.handle(), MPI_INFO_NULL));
    check(H5Pset_all_coll_metadata_ops(access.get(), true));
  }
#endif
  if (layout_.alignment != 0) {
    check(H5Pset_alignment(access.get(), min_aligned_bytes(layout_), layout_.alignment));
  }
  return access;
}

void Hdf5Writer::open(const std::string& path, const std::string& display_name,
                      const Communicator& communicator, bool parallel, FileForm form,
                      const ChunkLayout& layout, OpenMode mode) {
  display_name_ = display_name;
  parallel_ = parallel;
  form_ = form;
  layout_ = layout;
  const Handle access = access_to(communicator);
  if (mode == OpenMode::reopen) {
    file_ = check({H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose});
    return;
  }
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_userblock(creation.get(), user_block_bytes(layout)));
  if (form == FileForm::checksummed) {
    check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110));
  }
  file_ = check({H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose});
}

void Hdf5Writer::flush() { check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL)); }

void Hdf5Writer::close() { check(file_.close()); }

void Hdf5Writer::group(const std::string& path) {
  if (link_exists(file_.get(), path)) return;
  const Handle links = link_properties();
  check({H5Gcreate2(file_.get(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose},
        path);
}

void Hdf5Writer::attribute(const std::string& object, const std::string& name,
                           const AttributeValue& value) {
  const Handle target =
      check({H5Oopen(file_.get(), object.c_str(), H5P_DEFAULT), H5Oclose}, object);
  if (H5Aexists(target.get(), name.c_str()) > 0) {
    check(H5Adelete(target.get(), name.c_str()), object);
  }
  const auto put = [&](const Handle& space, hid_t file_type_id, hid_t memory_type_id,
                       const void* data) {
    const Handle created = check({H5Acreate2(target.get(), name.c_str(), file_type_id, space.get(),
                                             H5P_DEFAULT, H5P_DEFAULT),
                                  H5Aclose},
                                 object);
    if (H5Sget_simple_extent_npoints(space.get()) == 0) return;
    check(H5Awrite(created.get(), memory_type_id, data), object);
  };
  const auto put_texts = [&](const Handle& space, const std::vector<std::string>& texts) {
    if (form_ == FileForm::checksummed) {
      const TextTable table = table_of(texts, false);
      const Handle type = text_type(table.width);
      return put(space, type.get(), type.get(), table.bytes.data());
    }
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const Handle type = text_type();
    put(space, type.get(), type.get(), pointers.data());
  };
  const auto put_numbers = [&]<class T>(const Handle& space, const T* numbers) {
    constexpr ElementType type = element_type<T>();
    put(space, file_type(type), memory_type(type), numbers);
  };
  const auto put_value = [&]<class T>(const T& content) {
    if constexpr (std::same_as<T, bool>) {
      const Handle type = bool_type();
      const std::int8_t byte = content;
      put(scalar_space(), type.get(), type.get(), &byte);
    } else if constexpr (std::same_as<T, std::string>) {
      put_texts(scalar_space(), {content});
    } else if constexpr (std::same_as<T, std::vector<std::string>>) {
      put_texts(space_of({content.size()}), content);
    } else if constexpr (std::is_arithmetic_v<T>) {
      put_numbers(scalar_space(), &content);
    } else {
      put_numbers(space_of({content.size()}), content.data());
    }
  };
  std::visit(put_value, value);
}

void Hdf5Writer::create(const std::string& path, const TableExtents& shape) {
  create_dataset(path, shape, space_of(extents(shape)));
}

void Hdf5Writer::create_empty(const std::string& path, const TableExtents& shape) {
  const std::vector<hsize_t> max_extents = extents(shape);
  std::vector<hsize_t> initial_extents = max_extents;
  initial_extents.front() = 0;
  create_dataset(path, shape,
                 {H5Screate_simple(static_cast<int>(max_extents.size()), initial_extents.data(),
                                   max_extents.data()),
                  H5Sclose});
}

void Hdf5Writer::extend(const std::string& path, const TableExtents& shape) {
  const Handle dataset = check({H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose}, path);
  check(H5Dset_extent(dataset.get(), extents(shape).data()), path);
}

void Hdf5Writer::remove(const std::string& path) {
  check(H5Ldelete(file_.get(), path.c_str(), H5P_DEFAULT), path);
}

void Hdf5Writer::create_dataset(const std::string& path, const TableExtents& shape,
                                const Handle& space) {
  const Handle links = link_properties();
  const Handle properties = creation_properties(shape, layout_);
  check({H5Dcreate2(file_.get(), path.c_str(), file_type(shape.type), space.get(), links.get(),
                    properties.get(), H5P_DEFAULT),
         H5Dclose},
        path);
}

Handle Hdf5Writer::transfer_properties() const {
  Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
#if RIVULET_ENABLE_MPI && RIVULET_HDF5_IS_PARALLEL
  if (parallel_) {
    // Within the collective write, each rank writes its hyperslabs individually, because the
    // aggregated MPI_File_write_at_all of Open MPI 4.1 loses errors and may hang afterwards.
    H5Pset_dxpl_mpio(properties.get(), H5FD_MPIO_COLLECTIVE);
    H5Pset_dxpl_mpio_collective_opt(properties.get(), H5FD_MPIO_INDIVIDUAL_IO);
  }
#endif
  return properties;
}

void Hdf5Writer::transfer(const std::string& path, const Handle& dataset, hid_t type,
                          const Handle& memory, const Handle& space, const void* data) const {
  const Handle properties = transfer_properties();
  is_writing_elements = true;
  const herr_t result =
      H5Dwrite(dataset.get(), type, memory.get(), space.get(), properties.get(), data);
  is_writing_elements = false;
  if (result >= 0) return;
  const std::string reason = hdf5_reason();
  if (parallel_ && mpi_could_not_write()) reset_view();
  throw_cannot_write(display_name_ + ":" + path, reason);
}

/// Resets the file's view after this rank's write failed. HDF5 returns from a failed write at once,
/// but resets the view on ranks whose writes succeeded. In that reset, Open MPI 5 waits for all
/// ranks (seen in H5FD__mpio_write_selection of HDF5 1.14.5).
void Hdf5Writer::reset_view() const {
#if RIVULET_ENABLE_MPI && RIVULET_HDF5_IS_PARALLEL
  void* file = nullptr;
  if (H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &file) < 0) return;
  MPI_File_set_view(*static_cast<MPI_File*>(file), 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
#endif
}

void Hdf5Writer::write(const std::string& path, const Hyperslab& hyperslab) {
  const Handle access = access_properties(hyperslab, layout_);
  const Handle dataset = check({H5Dopen2(file_.get(), path.c_str(), access.get()), H5Dclose}, path);
  const Handle space = check({H5Dget_space(dataset.get()), H5Sclose}, path);
  check_rows(space, path, hyperslab);
  const Handle memory = check(select(space, hyperslab), path);
  transfer(path, dataset, memory_type(hyperslab.type), memory, space, hyperslab.data);
}

void Hdf5Writer::texts(const std::string& path, const TextTable& table) {
  const Handle links = link_properties();
  const Handle type = text_type(table.width);
  const Handle space = table.scalar ? scalar_space() : space_of({table.count});
  const Handle memory(H5Scopy(space.get()), H5Sclose);
  const Handle dataset = check({H5Dcreate2(file_.get(), path.c_str(), type.get(), space.get(),
                                           links.get(), H5P_DEFAULT, H5P_DEFAULT),
                                H5Dclose},
                               path);
  if (table.count == 0) return;
  if (table.bytes.empty()) {
    H5Sselect_none(space.get());
    H5Sselect_none(memory.get());
  }
  transfer(path, dataset, type.get(), memory, space, table.bytes.data());
}

std::uint64_t Hdf5Writer::user_block_bytes(const ChunkLayout& layout) {
  constexpr std::uint64_t page = std::uint64_t{4} << 10;
  static_assert(page >= seal_bytes);
  return std::max(page, layout.alignment);
}

std::uint64_t Hdf5Writer::bytes_needed(const TableExtents& shape, const ChunkLayout& layout) {
  const auto chunk = chunk_shape(shape, layout);
  const std::uint64_t chunks_down = shape.rows / chunk.rows + 1;
  const std::uint64_t chunks_across = (shape.columns + chunk.columns - 1) / chunk.columns;
  const std::uint64_t chunks = chunks_down * chunks_across;
  const std::uint64_t bytes = chunk.rows * chunk.columns * size_of(shape.type);
  const std::uint64_t unaligned = chunks * (bytes + index_bytes_per_chunk) + metadata_bytes;
  if (layout.alignment == 0 || bytes < min_aligned_bytes(layout)) return unaligned;
  const std::uint64_t gap = (layout.alignment - bytes % layout.alignment) % layout.alignment;
  return unaligned + chunks * gap + (chunks / chunks_per_node + 1) * layout.alignment;
}

}  // namespace rivulet::io
