# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(CMakePackageConfigHelpers)

set(rivulet_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Rivulet)
install(TARGETS rivulet_library EXPORT RivuletTargets)
install(TARGETS rivulet)
install(
  DIRECTORY src/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet
  FILES_MATCHING
  PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/generated/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet)
install(DIRECTORY inputs DESTINATION ${CMAKE_INSTALL_DATADIR}/rivulet)

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
  DESTINATION ${rivulet_cmake_dir})
