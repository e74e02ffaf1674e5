# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# rivulet_find(<package> DEBIAN <package> SPACK <package> [ARGS <find_package arguments>])
# Calls find_package. If the package is missing, fails with a message that says what to install.
macro(rivulet_find package)
  cmake_parse_arguments(rivulet_find "" "DEBIAN;SPACK" "ARGS" ${ARGN})
  find_package(${package} ${rivulet_find_ARGS})
  if(NOT ${package}_FOUND)
    message(
      FATAL_ERROR
        "${package} was not found (Rivulet cannot be built without it). Install it (Debian: "
        "${rivulet_find_DEBIAN}; Spack: ${rivulet_find_SPACK}) or point CMake to it with "
        "-D${package}_ROOT=PREFIX.")
  endif()
endmacro()

# Rivulet::rng provides the public headers for programs that write kernels. The headers need only Kokkos. An enclosing
# project may already have found Kokkos.
if(NOT TARGET Kokkos::kokkos)
  rivulet_find(Kokkos DEBIAN libtrilinos-kokkos-dev SPACK kokkos ARGS 3.4 QUIET)
endif()
include(RivuletKokkosTarget)
if(rivulet_kokkos_refused)
  message(FATAL_ERROR "${rivulet_kokkos_refused}")
endif()

add_library(rivulet_rng INTERFACE)
add_library(Rivulet::rng ALIAS rivulet_rng)
set_target_properties(rivulet_rng PROPERTIES EXPORT_NAME rng)
target_compile_features(rivulet_rng INTERFACE cxx_std_20)
target_include_directories(
  rivulet_rng
  INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(rivulet_rng INTERFACE Kokkos::kokkos)

# If an enclosing project links Rivulet::rng and installs or exports its own targets, CMake requires rivulet_rng to be
# in an export set, even if the project does not install Rivulet.
set(rivulet_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Rivulet)
install(TARGETS rivulet_rng EXPORT RivuletRngTargets)
if(NOT RIVULET_INSTALL)
  install(
    EXPORT RivuletRngTargets
    NAMESPACE Rivulet::
    DESTINATION ${rivulet_cmake_dir}
    COMPONENT rivulet EXCLUDE_FROM_ALL)
endif()
export(
  EXPORT RivuletRngTargets
  NAMESPACE Rivulet::
  FILE ${PROJECT_BINARY_DIR}/RivuletRngTargets.cmake)
