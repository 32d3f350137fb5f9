# Checks that read the tree or the build instead of running the library.

optgap_add_check(layout layout Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/check_layout.py")
optgap_add_check(arrows layout Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tools/check_arrows.py")

# optgap_header_units(OUT FOLDER HEADER...): one source for each header, which includes it twice to detect a missing
# guard.
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

# Every header compiles alone. A header that a source includes first is checked there; the others get a unit. Headers
# that need the toolkit are left to builds with CUDA, which in turn leave the others to builds without.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" include/optgap/*.hpp kernels/*.hpp host/*.hpp)
if(OPTGAP_WITH_CUDA)
    list(FILTER headers INCLUDE REGEX "/cuda[a-z_]*\\.hpp$")
else()
    list(FILTER headers EXCLUDE REGEX "/cuda[a-z_]*\\.hpp$")
endif()
file(GLOB_RECURSE sources CONFIGURE_DEPENDS host/*.cpp kernels/*.cpp)
foreach(source IN LISTS sources)
    file(STRINGS "${source}" first REGEX "^#include" LIMIT_COUNT 1)
    if(first MATCHES "^#include \"(.+)\"")
        list(REMOVE_ITEM headers "${CMAKE_MATCH_1}" "include/${CMAKE_MATCH_1}")
    endif()
endforeach()
optgap_take_sample(headers)
optgap_header_units(header_units headers ${headers})
add_library(optgap_headers OBJECT EXCLUDE_FROM_ALL ${header_units})
target_link_libraries(optgap_headers PRIVATE optgap_usage)
target_compile_options(optgap_headers PRIVATE -O0 -Wno-unused-function)
optgap_add_check(headers compile "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target optgap_headers)
set_tests_properties(compile.headers PROPERTIES RUN_SERIAL ON)

# optgap_kernel_check(NAME KERNELS TARGET SOURCE...): the build had no warning for the sources, and none of their
# kernels spills. Together the checks write the table of each kernel's resources.
function(optgap_kernel_check name kernels target)
    set(kept)
    foreach(source IN LISTS ARGN)
        file(RELATIVE_PATH object "${PROJECT_SOURCE_DIR}" "${source}")
        list(APPEND kept "${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir/${object}.o.log")
    endforeach()
    list(JOIN CMAKE_CUDA_ARCHITECTURES "," archs)
    optgap_add_check(kernels_${name} compile bash "${PROJECT_SOURCE_DIR}/tests/compile/kernels.sh" "${name}"
        "${kernels}" "${archs}" "${PROJECT_BINARY_DIR}/kernel_resources.txt" ${kept})
endfunction()

if(OPTGAP_WITH_CUDA AND OPTGAP_OWN_TASKS)
    foreach(name IN LISTS OPTGAP_TASK_NAMES)
        file(GLOB kernel_parts "${OPTGAP_TASK_DIR_${name}}/${name}.cu" "${OPTGAP_TASK_DIR_${name}}/${name}_*.cu")
        set(kernels generate,verify,floor,greedy)
        if(OPTGAP_TASK_SEARCHES_${name})
            string(APPEND kernels ,improve,improve_block)
        endif()
        optgap_kernel_check(${name} ${kernels} optgap_kernels ${kernel_parts})
    endforeach()
    optgap_add_check(sass compile Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/compile/sass.py" "${PROJECT_BINARY_DIR}")
    optgap_add_check(newer_cards compile Python3::Interpreter -B
        "${PROJECT_SOURCE_DIR}/tests/compile/newer_cards.py" "${PROJECT_BINARY_DIR}")
    list(GET CUDAToolkit_INCLUDE_DIRS 0 toolkit)
    optgap_add_check(older_cuda compile Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/compile/older_cuda.py"
        "${toolkit}")
    optgap_kernel_check(no_search improve,improve_block optgap_kernels
        "${PROJECT_SOURCE_DIR}/kernels/launch/no_search.cu")
    optgap_kernel_check(row_lists row_check,row_bounds,end_note optgap_kernels
        "${PROJECT_SOURCE_DIR}/kernels/launch/row_lists.cu")
    optgap_kernel_check(found_answers found_results,found_answers optgap_kernels
        "${PROJECT_SOURCE_DIR}/kernels/launch/found_answers.cu")
    optgap_kernel_check(ranks ranks optgap_kernels "${PROJECT_SOURCE_DIR}/kernels/reward/ranks.cu")
    optgap_kernel_check(reward reward,number_rows,group optgap_kernels "${PROJECT_SOURCE_DIR}/kernels/reward/reward.cu")
    optgap_kernel_check(loops product,stream optgap_bench_choices "${PROJECT_SOURCE_DIR}/bench/loops.cu")
    optgap_kernel_check(ceilings shared_load,integer_add optgap_bench_choices "${PROJECT_SOURCE_DIR}/bench/ceilings.cu")
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
    optgap_add_check(isa_symbols binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" symbols "${PROJECT_BINARY_DIR}")
    if(TARGET optgap)
        optgap_add_check(portability binary bash "${PROJECT_SOURCE_DIR}/tools/check_binary.sh" portable
            "$<TARGET_FILE:optgap>")
        optgap_add_check(consumer examples bash "${PROJECT_SOURCE_DIR}/tests/examples/consumer.sh" "${PROJECT_BINARY_DIR}"
            "${CMAKE_CXX_COMPILER}")
    endif()
    optgap_add_check(adds_no_edit new_task bash "${PROJECT_SOURCE_DIR}/tests/compile/new_task.sh" "${PROJECT_BINARY_DIR}")
    set_tests_properties(new_task.adds_no_edit PROPERTIES RUN_SERIAL ON TIMEOUT 1200)
    optgap_add_check(work extensions Python3::Interpreter -B "${PROJECT_SOURCE_DIR}/tests/compile/extensions.py"
        "${PROJECT_BINARY_DIR}")
    set_tests_properties(extensions.work PROPERTIES TIMEOUT 600)
endif()
