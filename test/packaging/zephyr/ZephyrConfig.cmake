# SPDX-License-Identifier: Apache-2.0 OR MIT
# Stands in for Zephyr's build: the functions that a module and an application call, as Zephyr's documentation describes them.
# A module comes by ZEPHYR_EXTRA_MODULES. configured.py reads its module.yml, and its Kconfig with the application's prj.conf.
project(Zephyr-Kernel LANGUAGES C ASM)

set(configured ${CMAKE_CURRENT_BINARY_DIR}/configured.cmake)
execute_process(
    COMMAND ${STAND_IN_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/configured.py
        ${ZEPHYR_EXTRA_MODULES} ${CMAKE_CURRENT_SOURCE_DIR}/prj.conf ${configured}
    COMMAND_ERROR_IS_FATAL ANY)
include(${configured})

add_library(zephyr_interface INTERFACE)

function(zephyr_include_directories)
    target_include_directories(zephyr_interface INTERFACE ${ARGV})
endfunction()

macro(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${name})
    add_library(${name} STATIC "")
    target_link_libraries(${name} PUBLIC zephyr_interface)
    set_property(GLOBAL APPEND PROPERTY ZEPHYR_LIBS ${name})
endmacro()

function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()

function(zephyr_library_compile_definitions)
    target_compile_definitions(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()

add_subdirectory(${MODULE_CMAKE} modules/module)
add_library(app STATIC "")
target_link_libraries(app PUBLIC zephyr_interface)
add_executable(zephyr.elf ${STAND_IN_SOURCES})
get_property(libraries GLOBAL PROPERTY ZEPHYR_LIBS)
target_link_libraries(zephyr.elf PRIVATE -Wl,--whole-archive app ${libraries} -Wl,--no-whole-archive -lgcc)
