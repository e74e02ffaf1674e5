# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Makes Kokkos::kokkos, just found, what other packages mean by it. Used by the build and by the
# installed package.

# Trilinos builds of Kokkos (Debian) name include folders in variables; the target's own do not exist.
get_target_property(rivulet_kokkos_alias Kokkos::kokkos ALIASED_TARGET)
if(Kokkos_INCLUDE_DIRS AND NOT rivulet_kokkos_alias)
  set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                  "${Kokkos_INCLUDE_DIRS}")
endif()
