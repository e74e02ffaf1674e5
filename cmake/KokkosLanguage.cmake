# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

# If Kokkos was built with Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE, sources that use Kokkos are compiled as CUDA or HIP.
# Otherwise they are compiled as C++. For GPUs, the C++ compiler is then nvcc_wrapper, hipcc or clang.
set(rivulet_language CXX)
if(Kokkos_COMPILE_LANGUAGE)
  set(rivulet_language ${Kokkos_COMPILE_LANGUAGE})
endif()

if(NOT rivulet_language STREQUAL "CXX")
  if(NOT DEFINED CMAKE_${rivulet_language}_ARCHITECTURES)
    set(CMAKE_${rivulet_language}_ARCHITECTURES ${Kokkos_${rivulet_language}_ARCHITECTURES})
  endif()
  enable_language(${rivulet_language})
  string(TOLOWER ${rivulet_language}_std_20 rivulet_standard)
  if(NOT rivulet_standard IN_LIST CMAKE_${rivulet_language}_COMPILE_FEATURES)
    message(
      FATAL_ERROR
        "CMake ${CMAKE_VERSION} cannot compile C++20 as ${rivulet_language} with "
        "${CMAKE_${rivulet_language}_COMPILER} (the Kokkos in ${Kokkos_DIR} wants its users' sources "
        "compiled so). Use a newer CMake, for CUDA 3.26 or later, or a Kokkos built without "
        "Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE.")
  endif()
  set(CMAKE_${rivulet_language}_STANDARD 20)
  set(CMAKE_${rivulet_language}_STANDARD_REQUIRED ON)
  set(CMAKE_${rivulet_language}_EXTENSIONS OFF)
elseif(HIP IN_LIST Kokkos_DEVICES)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_LIBRARIES Kokkos::kokkos)
  check_cxx_source_compiles("#ifndef __HIP__\n#error no HIP\n#endif\nint main() {}"
                            RIVULET_COMPILER_KNOWS_HIP)
  cmake_pop_check_state()
  if(NOT RIVULET_COMPILER_KNOWS_HIP)
    message(
      FATAL_ERROR
        "${CMAKE_CXX_COMPILER} does not compile for AMD GPUs (the Kokkos in ${Kokkos_DIR} was built "
        "for HIP with ${Kokkos_CXX_COMPILER}). Configure a new folder with "
        "-DCMAKE_CXX_COMPILER=${Kokkos_CXX_COMPILER}.")
  endif()
endif()

# rivulet_kokkos_language(<source>...): compiles sources in the language that Kokkos requires. Call it in the folder
# that adds the sources to a target. For C++ the property LANGUAGE stays unset. If it were set, CMake would pass "-x
# c++" to hipcc, which would then drop the device code.
function(rivulet_kokkos_language)
  if(ARGN AND NOT rivulet_language STREQUAL "CXX")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${rivulet_language})
  endif()
endfunction()

# rivulet_host_language(<source>...): compiles sources as plain C++ for the host. The sources must not use Kokkos.
function(rivulet_host_language)
  if(ARGN AND (NOT rivulet_language STREQUAL "CXX" OR HIP IN_LIST Kokkos_DEVICES))
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
  elseif(ARGN AND CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS --host-only)
  endif()
endfunction()
