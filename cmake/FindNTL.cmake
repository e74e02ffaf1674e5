# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds NTL (https://libntl.org) and the GMP it is built on. Defines NTL_FOUND, NTL_VERSION and the
# target NTL::NTL.
find_path(NTL_INCLUDE_DIR NTL/version.h)
find_library(NTL_LIBRARY ntl)
find_library(NTL_GMP_LIBRARY gmp)
mark_as_advanced(NTL_INCLUDE_DIR NTL_LIBRARY NTL_GMP_LIBRARY)

if(NTL_INCLUDE_DIR)
  file(STRINGS ${NTL_INCLUDE_DIR}/NTL/version.h ntl_version_line REGEX "define NTL_VERSION ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" NTL_VERSION "${ntl_version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  NTL
  REQUIRED_VARS NTL_LIBRARY NTL_INCLUDE_DIR NTL_GMP_LIBRARY
  VERSION_VAR NTL_VERSION)

if(NTL_FOUND AND NOT TARGET NTL::NTL)
  find_package(Threads QUIET) # NTL keeps thread-local state when built for threads, as Debian's is
  add_library(NTL::NTL UNKNOWN IMPORTED)
  set_target_properties(NTL::NTL PROPERTIES IMPORTED_LOCATION "${NTL_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${NTL_INCLUDE_DIR}")
  target_link_libraries(NTL::NTL INTERFACE "${NTL_GMP_LIBRARY}" Threads::Threads)
endif()
