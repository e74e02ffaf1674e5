# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Completes the target Kokkos::kokkos. Rivulet's build and the installed package include this file.

# Debian's Kokkos (from Trilinos) lists its include folders in a variable; the include folders of its target do not
# exist.
get_target_property(rivulet_kokkos_alias Kokkos::kokkos ALIASED_TARGET)
if(Kokkos_INCLUDE_DIRS AND NOT rivulet_kokkos_alias)
  set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                  "${Kokkos_INCLUDE_DIRS}")
endif()

# Kernels run on the first of these backends for which Kokkos was built (the order is Kokkos'), or else on Serial. If
# Rivulet has no kernels for that backend, rivulet_kokkos_refused is an error message; otherwise it is empty.
set(rivulet_kokkos_refused "")
foreach(rivulet_backend IN ITEMS CUDA HIP SYCL OPENMPTARGET OPENACC OPENMP THREADS HPX)
  if(rivulet_backend IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_${rivulet_backend})
    if(NOT rivulet_backend MATCHES "^(CUDA|HIP|OPENMP)$")
      set(rivulet_kokkos_refused
          "The Kokkos in ${Kokkos_DIR} cannot be used (its kernels run on ${rivulet_backend}, for which Rivulet has none). Point CMake to one that was built for CUDA, HIP, OpenMP or Serial with -DKokkos_ROOT=PREFIX."
      )
    endif()
    break()
  endif()
endforeach()
