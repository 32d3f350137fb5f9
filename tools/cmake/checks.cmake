# Checks that read the tree or the build, rather than run the library.

optgap_add_check(layout layout Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/check_layout.py")

# optgap_header_units(OUT FOLDER HEADER...): one source for each header, which includes it twice: a missing guard shows.
function(optgap_header_units out folder)
    set(units)
    foreach(header IN LISTS ARGN)
        string(REGEX REPLACE "[/.]" "_" name "${header}")
        string(REGEX REPLACE "^include/" "" spelled "${header}")
        set(unit "${PROJECT_BINARY_DIR}/generated/${folder}/${name}.cpp")
        file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${spelled}\"\n#include \"${spelled}\"\n" @ONLY)
        list(APPEND units "${unit}")
    endforeach()
    set(${out} ${units} PARENT_SCOPE)
endfunction()

# Every header compiles alone; the public ones and the kernels' also where there is no toolkit.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" include/optgap/*.hpp kernels/*.hpp host/*.hpp)
if(NOT OPTGAP_WITH_CUDA)
    list(FILTER headers EXCLUDE REGEX "/cuda[a-z_]*\\.hpp$")
endif()
optgap_header_units(header_units headers ${headers})
add_library(optgap_headers OBJECT EXCLUDE_FROM_ALL ${header_units})
target_link_libraries(optgap_headers PRIVATE optgap_core)
target_include_directories(optgap_headers SYSTEM PRIVATE "${OPTGAP_XXHASH_INCLUDE}")
target_compile_options(optgap_headers PRIVATE -O0 -Wno-unused-function)
set(header_targets optgap_headers)
if(OPTGAP_WITH_CUDA AND OPTGAP_RANDOM123_INCLUDE)
    list(FILTER headers EXCLUDE REGEX "^host/|/cuda[a-z_]*\\.hpp$")
    optgap_header_units(header_units headers_without_toolkit ${headers})
    add_library(optgap_headers_without_toolkit OBJECT EXCLUDE_FROM_ALL ${header_units})
    target_include_directories(optgap_headers_without_toolkit PRIVATE "${PROJECT_SOURCE_DIR}"
        "${PROJECT_SOURCE_DIR}/include")
    target_include_directories(optgap_headers_without_toolkit SYSTEM PRIVATE "${OPTGAP_RANDOM123_INCLUDE}"
        "${OPTGAP_XXHASH_INCLUDE}")
    target_compile_options(optgap_headers_without_toolkit PRIVATE -O0)
    list(APPEND header_targets optgap_headers_without_toolkit)
endif()
optgap_add_check(headers compile "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target ${header_targets})
set_tests_properties(compile.headers PROPERTIES RUN_SERIAL ON)

# optgap_kernel_check(NAME KERNELS FILE): they compile for each data-centre generation, and none of them spills. All
# together write the table of what each needs.
function(optgap_kernel_check name kernels file)
    optgap_add_check(kernels_${name} compile bash "${PROJECT_SOURCE_DIR}/tests/compile/kernels.sh"
        "${CMAKE_CUDA_COMPILER}" "${PROJECT_SOURCE_DIR}:${PROJECT_SOURCE_DIR}/include"
        "${PROJECT_BINARY_DIR}/kernel_resources.txt" "${kernels}" "${file}")
endfunction()

if(OPTGAP_WITH_CUDA)
    foreach(name IN LISTS OPTGAP_TASK_NAMES)
        optgap_kernel_check(${name} measure,generate,verify,floor,construct,improve,improve_block "${OPTGAP_TASK_DIR_${name}}/${name}.cu")
    endforeach()
    optgap_kernel_check(loops product,stream "${PROJECT_SOURCE_DIR}/bench/loops.cu")
    optgap_kernel_check(ceilings shared_load,integer_add "${PROJECT_SOURCE_DIR}/bench/ceilings.cu")
    optgap_kernel_check(ranks ranks "${PROJECT_SOURCE_DIR}/kernels/reward/ranks.cu")
    optgap_kernel_check(reward reward,number_rows,group "${PROJECT_SOURCE_DIR}/kernels/reward/reward.cu")
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    optgap_add_check(isa_symbols binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" symbols "${PROJECT_BINARY_DIR}")
    if(TARGET optgap)
        optgap_add_check(portability binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" portable
            "$<TARGET_FILE:optgap>")
    endif()
    optgap_add_check(adds_no_edit new_task bash "${PROJECT_SOURCE_DIR}/tests/compile/new_task.sh" "${PROJECT_BINARY_DIR}")
    set_tests_properties(new_task.adds_no_edit PROPERTIES RUN_SERIAL ON TIMEOUT 1200)
endif()
