# SPDX-License-Identifier: Apache-2.0 OR MIT
# haechi_harden(target) asks for the protections against memory errors that compilers and linkers have.  Binding all
# symbols at the start also keeps keys off the stack: binding at the first call saves the vector registers there, and
# with them pieces of keys.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

set(haechi_hardening "")
set(wanted -fcf-protection=full -mbranch-protection=standard)
if(NOT WIN32) # where MinGW may lack the library of the stack protector
    list(APPEND wanted -fstack-protector-strong)
endif()
foreach(flag ${wanted})
    string(MAKE_C_IDENTIFIER "HAECHI_HAS${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
        list(APPEND haechi_hardening ${flag})
    endif()
endforeach()

set(haechi_hardening_links "")
set(wanted -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
# Control-flow enforcement of x86 is marked in a program only if all its objects are.  The linker is told to mark it, because
# the assembly for other machines makes objects here that hold nothing, not even that mark.
if("-fcf-protection=full" IN_LIST haechi_hardening)
    list(APPEND wanted -Wl,-z,ibt,-z,shstk)
endif()
foreach(flag ${wanted})
    string(MAKE_C_IDENTIFIER "HAECHI_LINKS${flag}" has)
    set(CMAKE_REQUIRED_LINK_OPTIONS ${flag} -Wl,--fatal-warnings)
    check_c_source_compiles("int main(void) { return 0; }" ${has})
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(${has})
        list(APPEND haechi_hardening_links ${flag})
    endif()
endforeach()

function(haechi_harden target)
    target_compile_options(${target} PRIVATE ${haechi_hardening})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" OR type STREQUAL "SHARED_LIBRARY")
        target_link_options(${target} PRIVATE ${haechi_hardening_links})
    endif()
endfunction()
