# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The public headers and the package's configuration.
include(CMakePackageConfigHelpers)

set(rivulet_left_out)
set(rivulet_version_arguments ARCH_INDEPENDENT)
if(RIVULET_COMPONENTS STREQUAL "all")
  set(rivulet_version_arguments)
else()
  set(rivulet_left_out PATTERN create.hpp EXCLUDE PATTERN battery.hpp EXCLUDE) # their functions are in the library
endif()

install(DIRECTORY include/rivulet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${rivulet_left_out})
install(FILES ${rivulet_version_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rivulet)
# After the check of what was built, before which nothing is copied.
install(
  EXPORT RivuletRngTargets
  NAMESPACE Rivulet::
  DESTINATION ${rivulet_cmake_dir})

configure_package_config_file(cmake/RivuletConfig.cmake.in ${PROJECT_BINARY_DIR}/RivuletConfig.cmake
                              INSTALL_DESTINATION ${rivulet_cmake_dir})
configure_file(cmake/RivuletRng.cmake.in ${PROJECT_BINARY_DIR}/RivuletRng.cmake @ONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                                 ${rivulet_version_arguments})
install(
  FILES ${PROJECT_BINARY_DIR}/RivuletConfig.cmake ${PROJECT_BINARY_DIR}/RivuletConfigVersion.cmake
        ${PROJECT_BINARY_DIR}/RivuletRng.cmake cmake/RivuletKokkosTarget.cmake
  DESTINATION ${rivulet_cmake_dir})
