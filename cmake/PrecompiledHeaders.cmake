# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Precompiles the headers that most sources include. Every source must still include the headers that it uses; the test
# nightly_kokkos checks this by building without precompiled headers. Device compilers get no precompiled headers: they
# compile each source several times, with different macros each time.
option(RIVULET_PRECOMPILED_HEADERS
       "Parse the headers of Kokkos and the standard library once for the library, as for its tests" ON)

set(rivulet_precompiles OFF)
if(rivulet_language STREQUAL "CXX"
   AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$"
   AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL|OPENMPTARGET|OPENACC")
  set(rivulet_precompiles ON)
endif()

# Silences a warning. If a source has other options, GCC 14 ignores the precompiled headers and parses the original
# headers. GCC 12 uses the precompiled headers even then.
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

# rivulet_precompile(<target> [<header>...]): precompiles the common and the given headers for the target.
function(rivulet_precompile target)
  if(rivulet_precompiles)
    target_precompile_headers(${target} PRIVATE ${rivulet_common_headers} ${ARGN})
  endif()
endfunction()

# rivulet_precompile_as(<target> <other>): reuses the precompiled headers of the other target, which must have the same
# flags.
function(rivulet_precompile_as target other)
  if(rivulet_precompiles)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# rivulet_without_precompiled(<source>...): compiles sources without precompiled headers.
function(rivulet_without_precompiled)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
