# The test binaries, their ctest labels, and the checks that are not gtest.
#
#   unit          tests/{core,text,host,bench}/*.cpp and the task folders' *_test.cpp; tests/faulty_tasks/*.cpp, which have
#                 a registry of their own
#   conformance   the property tests of every task, over the registry
#   team          solo == thread_team; also what ThreadSanitizer runs
#   fake_cuda     the CUDA executor over a stand-in runtime and the kernels by host threads; needs the toolkit's headers
#   cuda          needs a GPU, else skipped; has the property tests of tests/resident, as fake_cuda does, in builds with
#                 CUDA
#   cli, compile, binary, layout, new_task, examples      scripts, only in builds without sanitizers
#                 (long_checks_test.py also runs build/release/optgap_long_checks, a program of its own)
#   oracle        a sample of tools/oracle.sh, skipped where its Python packages are missing
#   fuzz          one libFuzzer target each, in the AddressSanitizer build

find_package(GTest REQUIRED)
include(GoogleTest)
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)

# Tests that only call the library need no optimisation; those that compute long themselves get some.
set(asking -O1)
set(looping -O1)
if(OPTGAP_SANITIZE)
    set(asking -O0)
    set_source_files_properties(tests/text/scanner_test.cpp PROPERTIES COMPILE_OPTIONS "${OPTGAP_HOT_OPTIONS}"
        SKIP_PRECOMPILE_HEADERS ON)
endif()

# optgap_take_sample(LIST): with OPTGAP_SAMPLE=K/N keeps every Nth of it, from place K: a sample where the whole is too
# expensive.
function(optgap_take_sample list)
    if(OPTGAP_SAMPLE STREQUAL "")
        return()
    endif()
    if(NOT OPTGAP_SAMPLE MATCHES "^([0-9]+)/([1-9][0-9]*)$" OR NOT CMAKE_MATCH_1 LESS CMAKE_MATCH_2)
        message(FATAL_ERROR "OPTGAP_SAMPLE is '${OPTGAP_SAMPLE}': expected K/N with K below N, such as 0/6")
    endif()
    set(place "${CMAKE_MATCH_1}")
    set(step "${CMAKE_MATCH_2}")
    set(taken)
    set(number 0)
    foreach(entry IN LISTS ${list})
        math(EXPR remainder "${number} % ${step}")
        if(remainder EQUAL place)
            list(APPEND taken "${entry}")
        endif()
        math(EXPR number "${number} + 1")
    endforeach()
    set(${list} ${taken} PARENT_SCOPE)
endfunction()

# The tasks whose tests are built.
set(tested_tasks ${OPTGAP_TASK_NAMES})
if(OPTGAP_SANITIZE MATCHES "address")
    optgap_take_sample(tested_tasks)
endif()

# optgap_add_test_archive(NAME SOURCE...): test code that does not depend on the tasks' folders, so that OPTGAP_PREBUILT
# has it.
function(optgap_add_test_archive name)
    optgap_add_archive(${name} OPTIMISE ${asking} ${ARGN})
    if(NOT OPTGAP_PREBUILT)
        target_link_libraries(${name} PRIVATE GTest::gmock)
    endif()
endfunction()

# The one file that knows where the sources are.
set_source_files_properties(tests/support/source_folder.cpp PROPERTIES COMPILE_DEFINITIONS
    "OPTGAP_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
# Random123 and cuRAND define the same names.
set_source_files_properties(tests/support/philox_twin.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.cpp)
optgap_add_test_archive(optgap_test_objects ${support_sources})
file(GLOB conformance_tests CONFIGURE_DEPENDS tests/conformance/*.cpp)
optgap_add_test_archive(optgap_properties ${conformance_tests})

# The oracles of the tasks, and their list.
set(declarations "")
set(entries "")
foreach(name IN LISTS OPTGAP_TASK_NAMES)
    string(APPEND declarations "extern optgap::testing::oracle const optgap_oracle_${name};\n")
    string(APPEND entries "&optgap_oracle_${name}, ")
endforeach()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/oracles.cpp" @ONLY CONTENT
"// Written by tools/cmake/tests.cmake.
#include \"tests/support/oracles.hpp\"

${declarations}
namespace optgap::testing {

std::span<oracle const* const> oracles() {
    static constexpr oracle const* all[] = {${entries}nullptr};
    return std::span(all).first(std::size(all) - 1);
}

}  // namespace optgap::testing
")
# The programs link it directly, beside the archive.
set_source_files_properties("${PROJECT_BINARY_DIR}/generated/oracles.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
optgap_task_units(oracle_units "${PROJECT_SOURCE_DIR}/tests/support/oracle.cpp.in")
add_library(optgap_oracles STATIC ${oracle_units} "${PROJECT_BINARY_DIR}/generated/oracles.cpp")
target_link_libraries(optgap_oracles PUBLIC optgap_usage)
optgap_optimise(optgap_oracles ${looping})
optgap_precompile(optgap_oracles)
optgap_join_units(optgap_oracles)

add_custom_target(tests)
# All tests except the property tests of tasks, which run on one thread; teams of threads have a binary of their own. CI
# runs these under ThreadSanitizer (docs/develop.md).
add_custom_target(threaded_tests)

# optgap_add_test_binary(TARGET LABEL [BY_TASK] [ARCHIVE NAME] [PARTS N] SOURCE...): each gtest of the sources and the
# archive becomes a ctest entry. Under a sanitizer, which takes a tenth of a second to start a process, one entry has many:
# BY_TASK, for property tests, means all of a task; without it PARTS entries, default 12, share the tests.
function(optgap_add_test_binary target label)
    cmake_parse_arguments(PARSE_ARGV 2 test "BY_TASK" "ARCHIVE;PARTS" "")
    add_executable(${target} ${test_UNPARSED_ARGUMENTS})
    if(test_ARCHIVE)
        target_link_libraries(${target} PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${test_ARCHIVE}>")
    endif()
    target_link_libraries(${target} PRIVATE optgap_bench "$<LINK_GROUP:RESCAN,optgap_test_objects,optgap_oracles>" optgap_core
        GTest::gmock GTest::gtest_main)
    optgap_optimise(${target} ${asking})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    optgap_make_portable(${target})
    optgap_precompile_tests(${target})
    optgap_join_units(${target})
    add_dependencies(tests ${target})
    if(NOT test_BY_TASK)
        add_dependencies(threaded_tests ${target})
    endif()
    if(test_BY_TASK AND OPTGAP_SANITIZE)
        foreach(name IN LISTS tested_tasks)
            add_test(NAME ${label}.${name} COMMAND ${target} --gtest_brief=1 "--gtest_filter=*/${name}"
                WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
            # COST: the longest entries start first. In the long form one may take half an hour.
            set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} TIMEOUT 3600 COST 10)
        endforeach()
        return()
    endif()
    if(OPTGAP_SANITIZE)
        if(NOT test_PARTS)
            set(test_PARTS 12)
        endif()
        string(REPLACE optgap_ "" tests "${target}")
        foreach(part RANGE 1 ${test_PARTS})
            math(EXPR index "${part} - 1")
            add_test(NAME ${tests}.${part}_of_${test_PARTS} COMMAND ${target} --gtest_brief=1
                WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
            set_tests_properties(${tests}.${part}_of_${test_PARTS} PROPERTIES LABELS ${label} TIMEOUT 1800
                ENVIRONMENT "GTEST_TOTAL_SHARDS=${test_PARTS};GTEST_SHARD_INDEX=${index}")
        endforeach()
        return()
    endif()
    gtest_discover_tests(${target} TEST_PREFIX "${label}." WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120 PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()

# optgap_add_check(NAME LABEL COMMAND...): a script; exit code 77 means skipped. COST: scripts take seconds and start first, so
# that gtests, which take milliseconds, keep both processors busy to the end.
function(optgap_add_check name label)
    add_test(NAME ${label}.${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 900 COST 10
        ENVIRONMENT "OPTGAP_BINARY=${PROJECT_BINARY_DIR}/optgap;OPTGAP_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
endfunction()

# With other tasks than the tree's, only their own tests and the property tests apply.
set(unit_tests)
set(task_tests)
set(team_tests)
foreach(name IN LISTS tested_tasks)
    file(GLOB found CONFIGURE_DEPENDS "${OPTGAP_TASK_DIR_${name}}/*_test.cpp")
    list(APPEND task_tests ${found})
endforeach()
if(OPTGAP_TASKS_DIR STREQUAL "${PROJECT_SOURCE_DIR}/kernels/tasks")
    file(GLOB found CONFIGURE_DEPENDS tests/core/*.cpp tests/text/*.cpp tests/host/*.cpp tests/bench/*.cpp)
    list(APPEND unit_tests ${found})
    if(NOT OPTGAP_WITH_SQLITE)
        list(FILTER unit_tests EXCLUDE REGEX "store_counts_test\\.cpp$")
    endif()
    file(GLOB team_tests CONFIGURE_DEPENDS tests/team/*.cpp)
endif()
# Declarative tasks have no tests of their own, but a library needs a source.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/task_tests.cpp" CONTENT "" @ONLY)
add_library(optgap_task_tests STATIC ${task_tests} "${PROJECT_BINARY_DIR}/generated/task_tests.cpp")
target_link_libraries(optgap_task_tests PRIVATE optgap_usage GTest::gmock)
optgap_optimise(optgap_task_tests ${looping})
optgap_precompile_tests(optgap_task_tests)
optgap_join_units(optgap_task_tests FOLDERS)
# Tests of a task, of texts and of the core run on one thread, so ThreadSanitizer has nothing to check in them.
set(tests_of_tasks ARCHIVE optgap_task_tests)
if(OPTGAP_SANITIZE STREQUAL "thread")
    set(tests_of_tasks "")
    list(FILTER unit_tests EXCLUDE REGEX "/tests/(core|text)/")
endif()
optgap_add_test_binary(optgap_unit_tests unit ${tests_of_tasks} ${unit_tests}
    "${PROJECT_BINARY_DIR}/generated/oracles.cpp")
optgap_add_test_binary(optgap_conformance_tests conformance BY_TASK ARCHIVE optgap_properties
    "${PROJECT_BINARY_DIR}/generated/oracles.cpp")
optgap_task_units(team_units "${PROJECT_SOURCE_DIR}/tests/team/task_team.cpp.in" ${tested_tasks})
optgap_add_test_binary(optgap_team_tests team PARTS 4 ${team_tests} ${team_units})
if(NOT OPTGAP_SANITIZE)
    # 42 tasks' code for teams of threads takes longer to compile than to run.
    target_compile_options(optgap_team_tests PRIVATE -O0)
endif()

if(OPTGAP_OWN_TASKS)
    file(GLOB faulty_tests CONFIGURE_DEPENDS tests/faulty_tasks/*.cpp)
    optgap_add_test_binary(optgap_faulty_task_tests unit PARTS 1 ${faulty_tests})
endif()

# Property tests of the verbs over columns in device memory, for the stand-in and a card's own runtime.
file(GLOB resident_properties CONFIGURE_DEPENDS tests/resident/*.cpp)

# The CUDA executor itself, over a fake runtime, and the kernels' code with one host thread per lane.
if(OPTGAP_CUDART_INCLUDE)
    file(GLOB fake_cuda_tests CONFIGURE_DEPENDS tests/fake_cuda/*.cpp tests/cuda/*_test.cpp)
    set(fake_cuda_parts ${fake_cuda_tests} ${resident_properties} ${cuda_host_sources} ${bench_on_device})
    list(FILTER fake_cuda_parts EXCLUDE REGEX "device_code_test\\.cpp$")
    # The stand-in is separate from its tests, since the library below uses it alone.
    set(stand_ins ${fake_cuda_parts})
    list(FILTER stand_ins EXCLUDE REGEX "_test\\.cpp$")
    set_source_files_properties(${stand_ins} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    optgap_add_test_archive(optgap_fake_cuda ${fake_cuda_parts})
    optgap_task_units(fake_tables "${PROJECT_SOURCE_DIR}/tests/fake_cuda/fake_table.cpp.in")
    optgap_task_units(row_kernels "${PROJECT_SOURCE_DIR}/tests/fake_cuda/row_kernels.cpp.in")
    add_library(optgap_fake_tables STATIC ${fake_tables})
    target_link_libraries(optgap_fake_tables PRIVATE optgap_usage)
    optgap_optimise(optgap_fake_tables ${asking})
    optgap_precompile_tests(optgap_fake_tables)
    optgap_join_units(optgap_fake_tables)
    optgap_add_test_binary(optgap_fake_cuda_tests fake_cuda ARCHIVE optgap_fake_cuda
        tests/fake_cuda/device_code_test.cpp ${row_kernels} "${PROJECT_BINARY_DIR}/generated/registry_cuda.cpp")
    target_link_libraries(optgap_fake_cuda_tests PRIVATE optgap_fake_tables)
    # The same executor as a library that the Python package's core finds (tests/python/cuda_library_test.py).
    optgap_add_cuda_library(optgap_fake_cuda_library tests/fake_cuda/library/faults.cpp)
    set_target_properties(optgap_fake_cuda_library PROPERTIES OUTPUT_NAME optgap_fake_cuda PREFIX lib)
    target_link_libraries(optgap_fake_cuda_library PRIVATE
        "$<LINK_GROUP:RESCAN,optgap_fake_cuda,optgap_fake_tables>" optgap_tasks)
    add_dependencies(tests optgap_fake_cuda_library)
    add_dependencies(threaded_tests optgap_fake_cuda_library)
    foreach(target IN ITEMS optgap_fake_cuda optgap_fake_tables optgap_fake_cuda_library optgap_fake_cuda_tests)
        if(TARGET ${target} AND NOT (OPTGAP_PREBUILT AND target STREQUAL "optgap_fake_cuda"))
            target_compile_definitions(${target} PRIVATE OPTGAP_ISA=isa_cuda)
            target_include_directories(${target} SYSTEM PRIVATE "${OPTGAP_CUDART_INCLUDE}")
        endif()
    endforeach()
endif()
if(OPTGAP_FUZZ)
    include(fuzzers)
endif()
if(OPTGAP_SANITIZE)
    return()
endif()

file(GLOB cuda_tests CONFIGURE_DEPENDS tests/cuda/*.cpp)
if(OPTGAP_WITH_CUDA)
    file(GLOB found CONFIGURE_DEPENDS tests/cuda/*.cu)
    list(APPEND cuda_tests ${found} ${resident_properties})
endif()
optgap_add_test_binary(optgap_cuda_tests cuda ${cuda_tests})
# Its own main fails where no test ran, which reveals a wrong filter on rented machines.
optgap_add_check(nothing_ran cuda $<TARGET_FILE:optgap_cuda_tests> --gtest_filter=-*)
set_tests_properties(cuda.nothing_ran PROPERTIES WILL_FAIL ON)

# Verifies millions of rows against every task's reference (tests/long/run.py, tools/oracle.sh --long);
# tests/cli/long_checks_test.py runs a sample.
file(GLOB long_checks CONFIGURE_DEPENDS tests/long/*.cpp)
add_executable(optgap_long_checks ${long_checks} "${PROJECT_BINARY_DIR}/generated/oracles.cpp")
target_link_libraries(optgap_long_checks PRIVATE optgap_bench "$<LINK_GROUP:RESCAN,optgap_test_objects,optgap_oracles>"
    optgap_core GTest::gmock)
optgap_optimise(optgap_long_checks ${looping})
set_target_properties(optgap_long_checks PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
optgap_make_portable(optgap_long_checks)
optgap_precompile_tests(optgap_long_checks)
optgap_join_units(optgap_long_checks)
add_dependencies(tests optgap_long_checks)

# Rows of checks and texts for comparisons (tests/oracle/checks).
add_executable(optgap_check_rows tests/checks/check_rows.cpp)
target_link_libraries(optgap_check_rows PRIVATE optgap_core)
set_target_properties(optgap_check_rows PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
optgap_make_portable(optgap_check_rows)
optgap_optimise(optgap_check_rows ${asking})
add_dependencies(tests optgap_check_rows)

# Canonical keys and structures of instances for comparisons (tests/oracle/canonical).
add_executable(optgap_canonical_rows tests/canonical/canonical_rows.cpp)
target_link_libraries(optgap_canonical_rows PRIVATE optgap_test_objects optgap_core GTest::gmock)
set_target_properties(optgap_canonical_rows PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
optgap_make_portable(optgap_canonical_rows)
optgap_optimise(optgap_canonical_rows ${asking})
add_dependencies(tests optgap_canonical_rows)

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
    optgap_add_check(rubrics oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --rubrics)
    optgap_add_check(logarithms oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --logarithms 3000)
    optgap_add_check(canonical oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --canonical)
    optgap_add_check(peers oracle bash "${PROJECT_SOURCE_DIR}/tools/oracle.sh" --peers)
endif()

include(checks)
