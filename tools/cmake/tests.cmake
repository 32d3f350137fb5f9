# The test binaries, their ctest labels, and the checks that are not gtest.
#
#   unit          tests/{core,text,host,bench}/*.cpp and the task folders' *_test.cpp
#   conformance   the laws of every task, over the registry
#   team          solo == thread_team; also what ThreadSanitizer runs
#   cuda          needs a GPU, else skipped
#   cli, compile, binary, layout, new_task      scripts, only in builds without sanitizers
#   oracle        a sample of tools/oracle.sh, skipped where its Python packages are missing
#   fuzz          one libFuzzer target each, only in the fuzz build

find_package(GTest REQUIRED)
include(GoogleTest)
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)

add_library(optgap_test_support INTERFACE)
target_link_libraries(optgap_test_support INTERFACE optgap_core GTest::gmock GTest::gtest_main)
target_include_directories(optgap_test_support SYSTEM INTERFACE "${OPTGAP_XXHASH_INCLUDE}")
target_compile_definitions(optgap_test_support INTERFACE OPTGAP_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    OPTGAP_BINARY="${PROJECT_BINARY_DIR}/optgap")
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.cpp)
if(support_sources)
    add_library(optgap_test_objects STATIC ${support_sources})
    target_link_libraries(optgap_test_objects PUBLIC optgap_test_support)
endif()
add_custom_target(tests)

# optgap_add_test_binary(TARGET LABEL SOURCE...): nothing without sources; each gtest becomes a ctest entry.
function(optgap_add_test_binary target label)
    if(NOT ARGN)
        return()
    endif()
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:optgap_test_objects> optgap_test_support)
    target_precompile_headers(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:<gtest/gtest.h$<ANGLE-R>>" "$<$<COMPILE_LANGUAGE:CXX>:<nlohmann/json.hpp$<ANGLE-R>>")
    target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    optgap_make_portable(${target})
    add_dependencies(tests ${target})
    gtest_discover_tests(${target} TEST_PREFIX "${label}." WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120 PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

# optgap_add_check(NAME LABEL COMMAND...): a script; exit code 77 means skipped.
function(optgap_add_check name label)
    add_test(NAME ${label}.${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 900
        ENVIRONMENT "OPTGAP_BINARY=${PROJECT_BINARY_DIR}/optgap;OPTGAP_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()

if(OPTGAP_FUZZ)
    include(fuzzers)
    return()
endif()

set(task_tests)
foreach(name IN LISTS OPTGAP_TASK_NAMES)
    file(GLOB found CONFIGURE_DEPENDS "${OPTGAP_TASK_DIR_${name}}/*_test.cpp")
    list(APPEND task_tests ${found})
endforeach()
# With other tasks than the tree's, only their own tests and the laws apply.
set(unit_tests)
if(OPTGAP_TASKS_DIR STREQUAL "${PROJECT_SOURCE_DIR}/kernels/tasks")
    file(GLOB unit_tests CONFIGURE_DEPENDS tests/core/*.cpp tests/text/*.cpp tests/host/*.cpp tests/bench/*.cpp)
endif()
file(GLOB conformance_tests CONFIGURE_DEPENDS tests/conformance/*.cpp)
file(GLOB team_tests CONFIGURE_DEPENDS tests/team/*.cpp)
optgap_add_test_binary(optgap_unit_tests unit ${task_tests} ${unit_tests})
if(TARGET optgap_unit_tests)
    target_link_libraries(optgap_unit_tests PRIVATE optgap_bench)
endif()
optgap_add_test_binary(optgap_conformance_tests conformance ${conformance_tests})
optgap_add_test_binary(optgap_team_tests team ${team_tests})
# The CUDA executor over a fake runtime, and the kernels' code with one host thread per lane.
if(OPTGAP_WITH_CUDA)
    file(GLOB fake_cuda_tests CONFIGURE_DEPENDS tests/fake_cuda/*.cpp tests/cuda/*_test.cpp)
    optgap_add_test_binary(optgap_fake_cuda_tests fake_cuda ${fake_cuda_tests})
    target_link_libraries(optgap_fake_cuda_tests PRIVATE optgap_bench)
    target_compile_definitions(optgap_fake_cuda_tests PRIVATE OPTGAP_ISA=isa_fake)
endif()
if(OPTGAP_SANITIZE)
    return()
endif()

file(GLOB cuda_tests CONFIGURE_DEPENDS tests/cuda/*.cpp)
if(OPTGAP_WITH_CUDA)
    file(GLOB found CONFIGURE_DEPENDS tests/cuda/*.cu)
    list(APPEND cuda_tests ${found})
endif()
optgap_add_test_binary(optgap_cuda_tests cuda ${cuda_tests})

find_package(Python3 COMPONENTS Interpreter)
file(GLOB cli_tests CONFIGURE_DEPENDS tests/cli/*_test.py tests/cli/*_test.sh)
foreach(script IN LISTS cli_tests)
    get_filename_component(name "${script}" NAME_WE)
    if(script MATCHES "\\.py$")
        optgap_add_check(${name} cli Python3::Interpreter -B "${script}")
    else()
        optgap_add_check(${name} cli bash "${script}")
    endif()
endforeach()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    optgap_add_check(sample oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --sample)
    optgap_add_check(notices_faults oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --faults)
    optgap_add_check(advantages oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --advantages)
endif()

include(checks)
