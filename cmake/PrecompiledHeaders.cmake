# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The headers that most sources include, parsed once. Every source still includes the headers that it uses; the test
# nightly_kokkos checks it by building without precompiled headers. Compilers for devices get none: they compile a
# source more than once, with different macros each time.
option(RIVULET_PRECOMPILED_HEADERS
       "Parse the headers of Kokkos and the standard library once for the library, as for its tests" ON)

set(rivulet_precompiles OFF)
if(rivulet_language STREQUAL "CXX"
   AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$"
   AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL|OPENMPTARGET|OPENACC")
  set(rivulet_precompiles ON)
endif()

# GCC 12 accepts precompiled headers in sources with other options; GCC 14 ignores them there and parses the headers.
set(CMAKE_PCH_WARN_INVALID OFF)

set(rivulet_common_headers
    algorithm
    array
    bit
    cmath
    cstddef
    cstdint
    cstring
    exception
    functional
    limits
    map
    memory
    mutex
    numeric
    optional
    span
    string
    string_view
    type_traits
    utility
    vector
    fmt/format.h
    Kokkos_Core.hpp)
if(RIVULET_ENABLE_MPI)
  list(APPEND rivulet_common_headers mpi.h)
endif()
list(TRANSFORM rivulet_common_headers REPLACE "(.+)" "<\\1>")

# rivulet_precompile(<target> [<header>...]): precompiles the common headers and these.
function(rivulet_precompile target)
  if(rivulet_precompiles)
    target_precompile_headers(${target} PRIVATE ${rivulet_common_headers} ${ARGN})
  endif()
endfunction()

# rivulet_precompile_as(<target> <other>): reuses the precompiled headers of a target with the same flags.
function(rivulet_precompile_as target other)
  if(rivulet_precompiles)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# rivulet_without_precompiled(<source>...): compiles sources without precompiled headers.
function(rivulet_without_precompiled)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
