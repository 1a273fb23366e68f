# SPDX-License-Identifier: Apache-2.0 OR MIT
# Haechi as a component of ESP-IDF, which includes this file through the CMakeLists.txt at the root.
file(GLOB_RECURSE sources ${CMAKE_CURRENT_LIST_DIR}/../src/*.c ${CMAKE_CURRENT_LIST_DIR}/../src/*.S)
idf_component_register(SRCS ${sources} INCLUDE_DIRS ${CMAKE_CURRENT_LIST_DIR}/../src)
