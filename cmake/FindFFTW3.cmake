# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds FFTW 3 (https://www.fftw.org) in double precision. Defines FFTW3_FOUND, FFTW3_VERSION (empty if fftw3.pc is
# missing) and the target FFTW3::fftw3. FFTW's own CMake package is broken in many distributions.
find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_LIBRARY fftw3)
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_LIBRARY)
set(FFTW3_VERSION "")
get_filename_component(rivulet_fftw_folder "${FFTW3_LIBRARY}" DIRECTORY)
if(EXISTS ${rivulet_fftw_folder}/pkgconfig/fftw3.pc)
  file(STRINGS ${rivulet_fftw_folder}/pkgconfig/fftw3.pc FFTW3_VERSION REGEX "^Version: ")
  string(REPLACE "Version: " "" FFTW3_VERSION "${FFTW3_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_LIBRARY FFTW3_INCLUDE_DIR)

if(FFTW3_FOUND AND NOT TARGET FFTW3::fftw3)
  add_library(FFTW3::fftw3 UNKNOWN IMPORTED)
  set_target_properties(FFTW3::fftw3 PROPERTIES IMPORTED_LOCATION "${FFTW3_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${FFTW3_INCLUDE_DIR}")
endif()
