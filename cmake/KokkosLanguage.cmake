# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A Kokkos built with Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE wants its users' sources compiled as
# CUDA or HIP; every other Kokkos wants C++ (with nvcc_wrapper, hipcc or clang as the C++ compiler).
if(Kokkos_COMPILE_LANGUAGE AND NOT Kokkos_COMPILE_LANGUAGE STREQUAL "CXX")
  if(NOT DEFINED CMAKE_${Kokkos_COMPILE_LANGUAGE}_ARCHITECTURES)
    set(CMAKE_${Kokkos_COMPILE_LANGUAGE}_ARCHITECTURES
        ${Kokkos_${Kokkos_COMPILE_LANGUAGE}_ARCHITECTURES})
  endif()
  enable_language(${Kokkos_COMPILE_LANGUAGE})
  set(CMAKE_${Kokkos_COMPILE_LANGUAGE}_STANDARD 20)
  set(CMAKE_${Kokkos_COMPILE_LANGUAGE}_STANDARD_REQUIRED ON)
  set(CMAKE_${Kokkos_COMPILE_LANGUAGE}_EXTENSIONS OFF)
endif()

# rivulet_kokkos_language(<source>...): compile these in the language that Kokkos asks for. To be
# called in the folder that adds the sources to a target.
function(rivulet_kokkos_language)
  if(ARGN AND Kokkos_COMPILE_LANGUAGE)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${Kokkos_COMPILE_LANGUAGE})
  endif()
endfunction()
