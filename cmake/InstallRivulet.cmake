# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)

set(rivulet_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Rivulet)
install(TARGETS rivulet_library EXPORT RivuletTargets)
install(TARGETS rivulet)
install(TARGETS rivulet_corsika EXPORT RivuletTargets)
install(FILES src/capi/rivulet_c.f90 src/capi/rivulet.f90
        DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet/fortran)
if(rivulet_have_fortran)
  install(TARGETS rivulet_fortran EXPORT RivuletTargets)
  install(FILES ${PROJECT_BINARY_DIR}/fortran/rivulet_c.mod ${PROJECT_BINARY_DIR}/fortran/rivulet.mod
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet/fortran)
endif()
install(FILES src/capi/rivulet.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  DIRECTORY src/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet
  FILES_MATCHING
  PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/generated/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet)
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet)

# pkg-config, for programs that use rivulet.h alone; the file finds its prefix from where it lies.
file(RELATIVE_PATH rivulet_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/rivulet.pc.in ${PROJECT_BINARY_DIR}/rivulet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rivulet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(
  EXPORT RivuletTargets
  NAMESPACE Rivulet::
  DESTINATION ${rivulet_cmake_dir})
configure_package_config_file(cmake/RivuletConfig.cmake.in ${PROJECT_BINARY_DIR}/RivuletConfig.cmake
                              INSTALL_DESTINATION ${rivulet_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/RivuletConfig.cmake ${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake
        cmake/RivuletTargetNames.cmake cmake/FindNTL.cmake
        cmake/FindFFTW3.cmake
  DESTINATION ${rivulet_cmake_dir})
