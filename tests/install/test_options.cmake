# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# A script for cmake -P: tests RIVULET_ARCH and RIVULET_GENERATORS. Variables: those of consume.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/consume.cmake)
set(other_processor)

# says(<words of the output> <option>...): configures consumer/options, and requires the words in the output.
function(says words)
  configured(command options -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${ARGN})
  execute_process(COMMAND ${command} COMMAND_ECHO STDOUT OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${output}" "${words}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${output}\ndoes not say '${words}'")
  endif()
endfunction()
function(does_not_take message)
  configured(command options -DRIVULET_SOURCE_DIR=${SOURCE_DIR} ${ARGN})
  refused("${message}" ${command})
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

file(READ ${SOURCE_DIR}/src/generators/list.hpp list)
string(REGEX MATCHALL "\n  GENERATOR\\(" all "${list}")
list(LENGTH all count)
says("arch= flags= units=dcmt521.cpp;")
file(STRINGS ${WORK_DIR}/options/generated/built_generators.hpp lines REGEX "^  GENERATOR\\(")
string(REGEX MATCHALL "GENERATOR\\(" lines "${lines}")
list(LENGTH lines built)
if(count EQUAL 0 OR NOT built EQUAL count)
  message(FATAL_ERROR "${built} generators of ${count} are built by default")
endif()

# A subset of the generators is built in the order of the list. Without dcmt521, the first of them is the default.
says("units=mt19937.cpp;lfsr113.cpp\n" -DNAMES=lfsr113,mt19937)
file(READ ${WORK_DIR}/options/generated/built_generators.hpp header)
if(NOT header MATCHES "  GENERATOR\\(mt19937, [^\n]*\n  GENERATOR\\(lfsr113, [^\\]*\n\n#define RIVULET_DEFAULT_GENERATOR \"mt19937\"\n#define RIVULET_DEFAULT_SEQUENCE_GENERATOR \"mt19937\"")
  message(FATAL_ERROR "${header}")
endif()
says("the default is dcmt521" -DNAMES=lfsr113,dcmt521)
does_not_take("RIVULET_GENERATORS=mt19937;mt19938 cannot be built (the generators are dcmt521, dcmt607"
              -DNAMES=mt19937,mt19938)
does_not_take("RIVULET_GENERATORS= cannot be built" -DNAMES=)

set(all -DNAMES=all)
does_not_take("RIVULET_ARCH=abacus is refused by" -DRIVULET_ARCH=abacus ${all})
if(PROCESSOR STREQUAL "x86_64")
  says("arch=x86-64-v3 flags=-march=x86-64-v3 units" -DRIVULET_ARCH=x86-64-v3 ${all})
  says("arch=x86-64-v4 flags=-march=x86-64-v4;-mprefer-vector-width=512 units" -DRIVULET_ARCH=x86-64-v4
       -DRIVULET_NATIVE=ON ${all})
else()
  message("SKIPPED: names of processors: this is not x86_64")
endif()

# In a build without MPI, the only HDF5 may be a parallel one, whose headers include mpi.h. Rivulet compiles if CMake
# finds MPI's headers; otherwise it refuses this HDF5.
set(without_mpi ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/without_mpi -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DKokkos_DIR=${KOKKOS_DIR} -DRIVULET_ENABLE_MPI=OFF
    -DRIVULET_ENABLE_FORTRAN=OFF -DRIVULET_BUILD_TESTS=OFF -DRIVULET_BUILD_EXAMPLES=OFF
    -DRIVULET_PRECOMPILED_HEADERS=OFF -DRIVULET_UNITY_BUILD=OFF
    -DRIVULET_GENERATORS=philox4x32)
hidden(hides_mpi MPI)
execute_process(COMMAND ${without_mpi} COMMAND_ECHO STDOUT OUTPUT_VARIABLE output
                COMMAND_ERROR_IS_FATAL ANY)
message("${output}")
if(GENERATOR STREQUAL "Ninja")
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/without_mpi --target
      CMakeFiles/rivulet_library.dir/src/io/results/hdf5_support.cpp.o)
else()
  message("SKIPPED: compiling without MPI: ${GENERATOR} names single objects otherwise")
endif()
if(output MATCHES "HDF5: a parallel one, for whose headers MPI [0-9.]* is linked")
  refused("cannot be used without MPI (it is a parallel HDF5, whose headers include mpi.h, and MPI was not found)"
          ${without_mpi} ${hides_mpi})
else()
  message("SKIPPED: a parallel HDF5 whose MPI is missing: there is a serial one")
endif()

# fake_kokkos(<variable> <STATIC|SHARED> <device>...): makes a package configuration of a Kokkos for these devices,
# without libraries, and sets the variable to its folder.
function(fake_kokkos variable type)
  list(JOIN ARGN "_" name)
  set(folder ${WORK_DIR}/kokkos_${type}_${name})
  file(WRITE ${folder}/KokkosConfigVersion.cmake
       "set(PACKAGE_VERSION 4.6.1)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
  file(WRITE ${folder}/KokkosConfig.cmake
       "set(Kokkos_DEVICES ${ARGN})\nadd_library(Kokkos::kokkoscore ${type} IMPORTED)\n"
       "add_library(Kokkos::kokkos INTERFACE IMPORTED)\n")
  set(${variable} ${folder} PARENT_SCOPE)
endfunction()
set(with_fake_kokkos ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/with_fake_kokkos -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER})

# A static Kokkos would be linked into both the shared library and the program, so Rivulet refuses it.
fake_kokkos(folder STATIC SERIAL)
refused("BUILD_SHARED_LIBS=ON cannot be built with the Kokkos in ${folder} (it is a static library"
        ${with_fake_kokkos} -DKokkos_DIR=${folder} -DBUILD_SHARED_LIBS=ON)

# The whole library, the headers alone, and an installation of the headers refuse backends for which Rivulet has no
# kernels.
set(works "Point CMake to one that was built for CUDA, HIP, OpenMP or Serial with -DKokkos_ROOT=PREFIX.")
foreach(backend IN ITEMS SYCL OPENMPTARGET OPENACC THREADS HPX)
  fake_kokkos(folder SHARED SERIAL ${backend})
  foreach(components IN ITEMS all rng)
    refused("The Kokkos in ${folder} cannot be used (its kernels run on ${backend}, for which Rivulet has none). ${works}"
            ${with_fake_kokkos} -DKokkos_DIR=${folder} -DRIVULET_COMPONENTS=${components})
  endforeach()
endforeach()
fake_kokkos(folder SHARED OPENMP SYCL)
refused("(its kernels run on SYCL," ${with_fake_kokkos} -DKokkos_DIR=${folder} -DRIVULET_COMPONENTS=rng)
foreach(devices IN ITEMS SERIAL "OPENMP\;SERIAL" "SERIAL\;THREADS\;CUDA" "OPENMP\;HIP")
  fake_kokkos(folder SHARED ${devices})
  run(${with_fake_kokkos} -DKokkos_DIR=${folder} -DRIVULET_COMPONENTS=rng)
endforeach()
run(${CMAKE_COMMAND} --install ${WORK_DIR}/with_fake_kokkos --prefix ${prefix})
fake_kokkos(folder SHARED SYCL)
configured(command components -DLANGUAGES=CXX -DCOMPONENTS=rng -DKokkos_DIR=${folder})
refused("The Kokkos in ${folder} cannot be used" ${command})
