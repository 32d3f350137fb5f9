# One executable for each tests/fuzz/fuzz_NAME.cpp, as the ctest entry fuzz.NAME. It reads tests/fuzz/corpus/NAME and
# writes its findings to the build folder. Environment: OPTGAP_FUZZ_SECONDS for each target (default 60).

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "OPTGAP_FUZZ needs clang++")
endif()
add_custom_target(fuzzers)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.cpp)
foreach(source IN LISTS fuzz_sources)
    get_filename_component(target "${source}" NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" name "${target}")
    add_executable(${target} "${source}")
    target_link_libraries(${target} PRIVATE optgap_oracles optgap_cli optgap_bench optgap_core)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    add_dependencies(fuzzers ${target})
    optgap_add_check(${name} fuzz bash "${PROJECT_SOURCE_DIR}/tests/fuzz/run.sh" "$<TARGET_FILE:${target}>"
        "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}" "${PROJECT_BINARY_DIR}/fuzz/${name}")
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 3600)
endforeach()
