# Builds the native library for this machine and, where there is a cross compiler, for the other one, and puts both where
# Maven packs them: cmake -DOUT=target -DJAVA=/usr/lib/jvm/... -P natives.cmake
# SPDX-License-Identifier: Apache-2.0 OR MIT
cmake_host_system_information(RESULT here QUERY OS_PLATFORM)
foreach(machine x86_64 aarch64)
    set(options -DCMAKE_BUILD_TYPE=Release -DJAVA=${JAVA})
    if(NOT machine STREQUAL here)
        find_program(compiler_${machine} ${machine}-linux-gnu-gcc)
        if(NOT compiler_${machine})
            message(STATUS "${machine}-linux-gnu-gcc is missing: the jar will have no library for ${machine}")
            continue()
        endif()
        list(APPEND options -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${machine} -DCMAKE_C_COMPILER=${compiler_${machine}})
    endif()
    set(build ${OUT}/cmake/${machine})
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${build} ${options} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --parallel --target haechi_java COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
    file(COPY ${build}/libhaechi_java.so DESTINATION ${OUT}/classes/haechi/native/linux-${machine})
endforeach()
