// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/hdf5_support.hpp"

#include <string_view>

namespace rivulet::io {
namespace {

herr_t keep_innermost(unsigned depth, const H5E_error2_t* entry, void* reason) {
  if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(reason) = entry->desc;
  return 0;
}

herr_t look_for_mpi_write(unsigned, const H5E_error2_t* entry, void* found) {
  const std::string_view text = entry->desc == nullptr ? "" : entry->desc;
  if (text.find("MPI_File_write") != text.npos) *static_cast<bool*>(found) = true;
  return 0;
}

struct Types {
  hid_t memory;
  hid_t file;
};

Types types_of(ElementType type) {
  const Types all[] = {// in the order of ElementType
                       {H5T_NATIVE_UINT8, H5T_STD_U8LE},   {H5T_NATIVE_UINT16, H5T_STD_U16LE},
                       {H5T_NATIVE_UINT32, H5T_STD_U32LE}, {H5T_NATIVE_UINT64, H5T_STD_U64LE},
                       {H5T_NATIVE_INT64, H5T_STD_I64LE},  {H5T_NATIVE_FLOAT, H5T_IEEE_F32LE},
                       {H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE}};
  return all[static_cast<std::size_t>(type)];
}

}  // namespace

std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  // HDF5's drivers for plain files write "..., errno = 28, error message = 'No space left on
  // device', ...".
  constexpr std::string_view mark = "error message = '";
  const auto begin = reason.find(mark);
  if (begin != std::string::npos) {
    const auto text = begin + mark.size();
    return reason.substr(text, reason.find('\'', text) - text);
  }
  return reason.empty() ? "HDF5 gave no reason" : reason;
}

bool mpi_could_not_write() {
  bool found = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look_for_mpi_write, &found);
  return found;
}

hid_t memory_type(ElementType type) { return types_of(type).memory; }
hid_t file_type(ElementType type) { return types_of(type).file; }
std::size_t size_of(ElementType type) { return H5Tget_size(memory_type(type)); }

Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  if (bytes != H5T_VARIABLE) H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

Handle bool_type() {
  Handle type(H5Tenum_create(H5T_STD_I8LE), H5Tclose);
  for (std::int8_t value = 0; value < 2; ++value) {
    H5Tenum_insert(type.get(), value == 0 ? "FALSE" : "TRUE", &value);
  }
  return type;
}

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
  H5Pset_file_locking(access.get(), false, true);
#endif
  return access;
}

Handle open_to_read(const FileDescriptor& file, const std::string& path) {
  const std::string opened = "/proc/self/fd/" + std::to_string(file.get());  // on Linux
  const bool names_same_file = is_same_file(identity_of(opened), identity_of(file));
  const Handle access = file_access();
  return {H5Fopen((names_same_file ? opened : path).c_str(), H5F_ACC_RDONLY, access.get()),
          H5Fclose};
}

bool link_exists(hid_t file, const std::string& path) {
  for (auto end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return path == "/" || H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0;
}

bool has_external_data(const Handle& dataset) {
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  return H5Pget_layout(properties.get()) == H5D_VIRTUAL ||
         H5Pget_external_count(properties.get()) > 0;
}

void start_hdf5() {
  H5dont_atexit();
  H5open();
}

}  // namespace rivulet::io
