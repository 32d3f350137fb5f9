# Checks that read the tree or the build, rather than run the library.

optgap_add_check(layout layout Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/check_layout.py")

# Every header compiles alone, with and without the toolkit's headers.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" include/optgap/*.hpp kernels/*.hpp host/*.hpp)
list(FILTER headers EXCLUDE REGEX "^include/optgap/cuda\\.hpp$")
foreach(header IN LISTS headers)
    string(REGEX REPLACE "[/.]" "_" name "${header}")
    set(unit "${PROJECT_BINARY_DIR}/generated/headers/${name}.cpp")
    string(REGEX REPLACE "^include/" "" spelled "${header}")
    # Twice: a missing include guard shows.
    file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${spelled}\"\n#include \"${spelled}\"\n" @ONLY)
    list(APPEND header_units "${unit}")
endforeach()
add_library(optgap_headers OBJECT EXCLUDE_FROM_ALL ${header_units})
target_link_libraries(optgap_headers PRIVATE optgap_core)
target_include_directories(optgap_headers SYSTEM PRIVATE "${OPTGAP_XXHASH_INCLUDE}")
target_compile_options(optgap_headers PRIVATE -O0 -Wno-unused-function)
optgap_add_check(headers compile "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target optgap_headers)
set_tests_properties(compile.headers PROPERTIES RUN_SERIAL ON)

file(GLOB compile_tests CONFIGURE_DEPENDS tests/compile/*_test.sh)
foreach(script IN LISTS compile_tests)
    get_filename_component(name "${script}" NAME_WE)
    optgap_add_check(${name} compile bash "${script}" "${PROJECT_BINARY_DIR}")
endforeach()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    optgap_add_check(isa_symbols binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" symbols "${PROJECT_BINARY_DIR}")
    if(TARGET optgap)
        optgap_add_check(portability binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" portable
            "$<TARGET_FILE:optgap>")
    endif()
    optgap_add_check(adds_no_edit new_task bash "${PROJECT_SOURCE_DIR}/tests/compile/new_task.sh" "${PROJECT_BINARY_DIR}")
    set_tests_properties(new_task.adds_no_edit PROPERTIES RUN_SERIAL ON TIMEOUT 1200)
endif()
