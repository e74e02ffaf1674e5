# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Defines the targets that Rivulet links but that some versions or distributions of a package lack. Rivulet's build and
# the installed package include this file.

if(NOT TARGET Kokkos::kokkoskernels)
  add_library(Kokkos::kokkoskernels INTERFACE IMPORTED)
  set_target_properties(
    Kokkos::kokkoskernels
    PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${KokkosKernels_INCLUDE_DIRS}"
               INTERFACE_LINK_LIBRARIES "${KokkosKernels_LIBRARIES};Kokkos::kokkos")
endif()

if(NOT TARGET yaml-cpp::yaml-cpp) # yaml-cpp before 0.8
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED)
  set_target_properties(yaml-cpp::yaml-cpp PROPERTIES INTERFACE_LINK_LIBRARIES yaml-cpp)
endif()
