# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)

if(RIVULET_COMPONENTS STREQUAL "all")
  # `cmake --install` copies these targets. scripts/run builds them all.
  set(rivulet_installed_targets rivulet_library rivulet rivulet_corsika)
  if(rivulet_have_fortran)
    list(APPEND rivulet_installed_targets rivulet_fortran)
  endif()
  add_custom_target(rivulet_installable DEPENDS ${rivulet_installed_targets})

  # Stops `cmake --install` before it copies anything if a target has not been built.
  foreach(target IN LISTS rivulet_installed_targets)
    install(
      CODE "if(NOT EXISTS [[$<TARGET_FILE:${target}>]])
      message(FATAL_ERROR [[Rivulet cannot be installed ($<TARGET_FILE:${target}> is not there). ]]
        [[Run: cmake --build ${CMAKE_BINARY_DIR} --target rivulet_installable]])
    endif()")
  endforeach()
endif()

# Installs the public headers and the package's configuration.
set(rivulet_left_out)
set(rivulet_version_arguments)
if(RIVULET_COMPONENTS STREQUAL "rng")
  set(rivulet_version_arguments ARCH_INDEPENDENT)
  set(rivulet_left_out PATTERN create.hpp EXCLUDE PATTERN battery.hpp EXCLUDE) # their functions are in the library
endif()

install(DIRECTORY include/rivulet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${rivulet_left_out})
install(FILES ${rivulet_version_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet)
install(
  EXPORT RivuletRngTargets
  NAMESPACE Rivulet::
  DESTINATION ${rivulet_cmake_dir})

configure_package_config_file(cmake/RivuletConfig.cmake.in ${PROJECT_BINARY_DIR}/RivuletConfig.cmake
                              INSTALL_DESTINATION ${rivulet_cmake_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                                 ${rivulet_version_arguments})
install(
  FILES ${PROJECT_BINARY_DIR}/RivuletConfig.cmake ${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake
        cmake/RivuletKokkosTarget.cmake
  DESTINATION ${rivulet_cmake_dir})
if(RIVULET_COMPONENTS STREQUAL "rng")
  return()
endif()

# For shared libraries, RivuletConfig.cmake defines the targets itself. Static libraries need CMake's exported targets.
set(rivulet_export)
if(NOT BUILD_SHARED_LIBS)
  set(rivulet_export EXPORT RivuletTargets)
endif()
install(TARGETS rivulet)
install(TARGETS rivulet_library rivulet_corsika ${rivulet_export})
install(FILES src/capi/rivulet_c.f90 src/capi/rivulet.f90
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/fortran)
if(rivulet_have_fortran)
  install(TARGETS rivulet_fortran ${rivulet_export})
  install(FILES ${PROJECT_BINARY_DIR}/fortran/rivulet_c.mod ${PROJECT_BINARY_DIR}/fortran/rivulet.mod
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet/fortran)
endif()
install(FILES src/capi/rivulet.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Users add this folder to PYTHONPATH. The package loads the shared library in the same prefix.
if(BUILD_SHARED_LIBS)
  install(DIRECTORY python/rivulet DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/python
          PATTERN __pycache__ EXCLUDE)
else() # scripts/common/files.py needs this file
  install(FILES python/rivulet/_files.py DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/python/rivulet)
endif()
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet)
# scripts/benchmark reads from the installed cache how the program was built.
set(RIVULET_COMPILER "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" CACHE INTERNAL "")
install(FILES ${CMAKE_BINARY_DIR}/CMakeCache.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet)
# These scripts need no source tree. scripts/common/program.py finds the program in the same prefix.
install(PROGRAMS scripts/batch scripts/battery scripts/benchmark scripts/plot scripts/scaling scripts/make_neutron_table
                 scripts/mpi-environment
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/scripts)
install(DIRECTORY scripts/batching scripts/benchmarking scripts/common scripts/plotting scripts/studying
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/scripts FILES_MATCHING PATTERN *.py)

# Builds without CMake use these pkg-config files. Each file derives the prefix from its own location.
file(RELATIVE_PATH rivulet_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
# rivulet_pc(<library> <folder> <packages>): writes and installs a pkg-config file. The folder contains the library's
# headers or Fortran modules; its path is relative to the include folder. The library requires the packages.
function(rivulet_pc rivulet_pc_name rivulet_pc_include rivulet_pc_requires)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${rivulet_pc_name}.pc @ONLY CONTENT [[
# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
prefix=${pcfiledir}/@rivulet_pc_to_prefix@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@@rivulet_pc_include@
arch=@rivulet_arch@

Name: @rivulet_pc_name@
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Requires: @rivulet_pc_requires@
Libs: -L${libdir} -l@rivulet_pc_name@
Cflags: -I${includedir}
]])
  install(FILES ${PROJECT_BINARY_DIR}/${rivulet_pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
rivulet_pc(rivulet "" "")
rivulet_pc(rivulet_corsika "" "")
if(rivulet_have_fortran)
  rivulet_pc(rivulet_fortran /rivulet/fortran rivulet)
endif()

# The module file (Lmod, Environment Modules) also derives the prefix from its own location.
set(rivulet_module_dir ${CMAKE_INSTALL_FULL_DATADIR}/modulefiles/rivulet)
file(RELATIVE_PATH rivulet_module_to_prefix ${rivulet_module_dir} ${CMAKE_INSTALL_PREFIX})
set(rivulet_module_python "")
if(BUILD_SHARED_LIBS)
  set(rivulet_module_python
      "prepend-path PYTHONPATH $prefix/${CMAKE_INSTALL_DATADIR}/rivulet/python\n")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/modulefiles/${PROJECT_VERSION} @ONLY CONTENT [[
#%Module1.0
# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For Lmod and Environment Modules 4. The prefix is derived from the location of this file.
module-whatis "Rivulet @PROJECT_VERSION@: @PROJECT_DESCRIPTION@"
conflict rivulet
set prefix [file normalize [file dirname $ModulesCurrentModulefile]/@rivulet_module_to_prefix@]
prepend-path PATH $prefix/@CMAKE_INSTALL_BINDIR@
prepend-path PKG_CONFIG_PATH $prefix/@CMAKE_INSTALL_LIBDIR@/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
@rivulet_module_python@setenv RIVULET_SHARE $prefix/@CMAKE_INSTALL_DATADIR@/rivulet
]])
install(FILES ${PROJECT_BINARY_DIR}/modulefiles/${PROJECT_VERSION}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/rivulet)

if(NOT BUILD_SHARED_LIBS)
  install(
    EXPORT RivuletTargets
    NAMESPACE Rivulet::
    DESTINATION ${rivulet_cmake_dir})
  configure_file(cmake/RivuletStatic.cmake.in ${PROJECT_BINARY_DIR}/RivuletStatic.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/RivuletStatic.cmake cmake/RivuletTargetNames.cmake
                cmake/FindFFTW3.cmake DESTINATION ${rivulet_cmake_dir})
endif()
