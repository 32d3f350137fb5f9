# Flags that every target of the project shares, as the interface library optgap_flags.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release unless told otherwise" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(OPTGAP_CCACHE ccache)
mark_as_advanced(OPTGAP_CCACHE)
if(OPTGAP_CCACHE)
    # The settings that let ccache keep files built with a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
        "${OPTGAP_CCACHE}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${OPTGAP_CCACHE}")
endif()

# tools/ci_times.sh uses it to measure the cost of each compilation and link.
option(OPTGAP_COSTS "Write the processor time of every compilation and link to costs.tsv in the build folder" OFF)
mark_as_advanced(OPTGAP_COSTS)
if(OPTGAP_COSTS)
    set(recorder "bash ${PROJECT_SOURCE_DIR}/tools/cmake/record_cost.sh ${PROJECT_BINARY_DIR}/costs.tsv")
    set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE "${recorder} <OBJECT> ")
    set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${recorder} <TARGET> ")
endif()

# One x86-64 level per instruction set. The first is also the baseline of all other code. Other processors have only the
# first.
set(OPTGAP_MARCH_isa_base -march=x86-64-v2)
set(OPTGAP_MARCH_isa_v3 -march=x86-64-v3)
set(OPTGAP_MARCH_isa_v4 -march=x86-64-v4)
set(every_isa "isa_base;isa_v3")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(OPTGAP_MARCH_isa_base -march=armv8-a)
    set(every_isa isa_base)
    # As on x86-64.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsigned-char> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fsigned-char>)
endif()
set(OPTGAP_ISAS "${every_isa}" CACHE STRING "Instruction sets of the CPU executor, most portable first")

add_library(optgap_flags INTERFACE)
target_include_directories(optgap_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_BINARY_DIR}/generated")
target_compile_definitions(optgap_flags INTERFACE $<$<BOOL:${OPTGAP_CHECKED}>:OPTGAP_CHECKED>)
# The baseline comes first on the command line, so that a source's own -march wins.
add_compile_options(
    $<$<COMPILE_LANGUAGE:CXX>:${OPTGAP_MARCH_isa_base}>
    $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_options(optgap_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Joined sources take a gigabyte; g++ would collect its garbage every few seconds, a sixth of its time.
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=1048576>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 reports overlaps inside of std::string that do not exist (GCC bug 105651).
    target_compile_options(optgap_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# Sanitized builds optimise code that loops long, even where they leave the rest as it is: under AddressSanitizer clang
# takes three times as long to optimise a test as to compile it.
set(OPTGAP_HOT_OPTIONS "")
if(OPTGAP_SANITIZE)
    set(OPTGAP_HOT_OPTIONS -O1)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${OPTGAP_SANITIZE}>
        $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
    add_link_options(-fsanitize=${OPTGAP_SANITIZE})
endif()
# optgap_guide_fuzzers(TARGET): counts branches for the fuzzers. Comparisons, which cost most, are reported only by the
# few sources that optgap_guide_closely names.
function(optgap_guide_fuzzers target)
    if(OPTGAP_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize-coverage=inline-8bit-counters,pc-table)
    endif()
endfunction()
function(optgap_guide_closely)
    if(OPTGAP_FUZZ)
        set_property(SOURCE ${ARGN} APPEND PROPERTY OPTGAP_OPTIONS -fsanitize-coverage=trace-cmp,indirect-calls)
    endif()
endfunction()
# The flags in a source's OPTGAP_OPTIONS belong to an object library that optgap_add_archive makes for all sources with
# the same flags. optgap_optimise_sources(SOURCE...): sources that loop long, in sanitized builds. None includes JSON:
# that takes 8 s instead of 3 under AddressSanitizer, and the linker may choose another file's unoptimised templates
# anyway.
function(optgap_optimise_sources)
    foreach(source IN LISTS ARGN)
        file(STRINGS "${source}" includes REGEX "^#include .*json\\.hpp[>\"]")
        if(includes)
            message(FATAL_ERROR "optgap_optimise_sources: ${source} says ${includes}; read JSON in a file of its own")
        endif()
    endforeach()
    if(OPTGAP_SANITIZE)
        set_property(SOURCE ${ARGN} APPEND PROPERTY OPTGAP_OPTIONS ${OPTGAP_HOT_OPTIONS})
    endif()
endfunction()
if(OPTGAP_PORTABLE)
    add_link_options(-static-libstdc++ -static-libgcc)
endif()
# Applies to every program of a portable build.
function(optgap_make_portable target)
    if(OPTGAP_PORTABLE)
        target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tools/cmake/sources/portable_random.cpp")
    endif()
    if(OPTGAP_GLIBC)
        target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tools/cmake/sources/old_glibc.cpp")
    endif()
endfunction()

# optgap_precompile(TARGET): the headers that nearly every file includes, parsed once for all targets with the same
# optimisation. With g++ that costs 5 s and saves one or two seconds per file.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang|GNU")
    # One precompiled header serves libraries and programs only where both are compiled with the same options.
    set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
endif()
function(optgap_precompile target)
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND count LESS 8)
        return()
    endif()
    get_target_property(options ${target} OPTGAP_OPTIMISATION)
    if(NOT options)
        set(options "")
    endif()
    set(precompiled optgap_precompiled${options})
    if(NOT TARGET ${precompiled})
        set(empty "${PROJECT_BINARY_DIR}/generated/${precompiled}.cpp")
        file(CONFIGURE OUTPUT "${empty}" CONTENT "" @ONLY)
        add_library(${precompiled} OBJECT "${empty}")
        target_link_libraries(${precompiled} PRIVATE optgap_usage)
        target_compile_options(${precompiled} PRIVATE ${options} ${OPTGAP_QUICK${options}})
        set(headers <algorithm> <functional> <map> <memory> <mutex> <optional> <random> <span> <string> <vector>
            <fmt/format.h> <nlohmann/json.hpp>)
        if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
            find_package(GTest REQUIRED)
            target_link_libraries(${precompiled} PRIVATE GTest::gmock)
            list(APPEND headers <atomic> <chrono> <condition_variable> <sstream> <thread> <gtest/gtest.h>)
        endif()
        target_precompile_headers(${precompiled} PRIVATE ${headers})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
endfunction()

# optgap_precompile_tests(TARGET): the same, with gtest; g++ loads a smaller file faster, so many small tests get one of
# their own (docs/develop.md).
function(optgap_precompile_tests target)
    get_target_property(sources ${target} SOURCES)
    list(LENGTH sources count)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        optgap_precompile(${target})
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND count GREATER 8 AND NOT OPTGAP_UNITY)  # 8 s, for a handful of units
        target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <memory> <random> <span> <string>
            <vector> <gtest/gtest.h>)
    endif()
endfunction()

# optgap_optimise(TARGET OPTION): test code is compiled more often than it runs. With g++ -O1 leaves out the passes that
# take longest: a unit of the command line takes 36 instead of 43 CPU s.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(OPTGAP_QUICK-O1 -fno-tree-pta -fno-tree-dominator-opts -fno-ipa-modref -fno-ipa-pure-const -fno-tree-ter
        -fno-shrink-wrap -fno-if-conversion)
endif()
function(optgap_optimise target option)
    foreach(one IN LISTS option OPTGAP_QUICK${option})
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${one}>)
    endforeach()
    set_target_properties(${target} PROPERTIES OPTGAP_OPTIMISATION ${option})
endfunction()
