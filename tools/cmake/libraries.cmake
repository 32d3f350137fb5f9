# optgap_core: the libraries that a program links. They are archives that call each other: optgap_host (which names no
# task), optgap_tasks, the small optgap_choices (the decisions of this build: the registry of its tasks and instruction
# sets, and the CUDA executor or its stand-in) and optgap_kernels, compiled by nvcc. With OPTGAP_PREBUILT the first two
# are taken from that build, with CUDA or without, which must have the same sources and settings. Tasks of another
# folder are always built.

find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(OPTGAP_XXHASH_INCLUDE xxhash.h REQUIRED)

add_library(optgap_usage INTERFACE)
target_link_libraries(optgap_usage INTERFACE optgap_flags optgap_fmt nlohmann_json::nlohmann_json Threads::Threads
    ${CMAKE_DL_LIBS})
target_include_directories(optgap_usage SYSTEM INTERFACE "${OPTGAP_XXHASH_INCLUDE}")
target_compile_definitions(optgap_usage INTERFACE XXH_INLINE_ALL OPTGAP_VERSION="${PROJECT_VERSION}")
include(optional_libraries)

# optgap_add_archive(NAME [OPTIMISE OPTION] [SELDOM SOURCE...] SOURCE...): built, or taken from OPTGAP_PREBUILT. Code
# that runs seldom (specs as JSON, reports, pages) is part of the archive and compiled with -O1 in release, in two
# thirds of -O3's time.
function(optgap_add_archive name)
    cmake_parse_arguments(PARSE_ARGV 1 archive "" "OPTIMISE" "SELDOM")
    if(OPTGAP_PREBUILT)
        add_library(${name} STATIC IMPORTED GLOBAL)
        set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${OPTGAP_PREBUILT}/lib${name}.a"
            INTERFACE_LINK_LIBRARIES optgap_usage)
        return()
    endif()
    set(parts)
    if(archive_SELDOM)
        set(parts ${name}_seldom)
        optgap_set_apart(seldom_apart archive_SELDOM ${parts})
        add_library(${parts} OBJECT ${archive_SELDOM})
        target_link_libraries(${parts} PRIVATE optgap_usage)
        if(CMAKE_BUILD_TYPE STREQUAL "Release")
            optgap_optimise(${parts} -O1)
        endif()
        optgap_guide_fuzzers(${parts})
        optgap_precompile(${parts})
        optgap_join_units(${parts})
        set(archive_SELDOM "$<TARGET_OBJECTS:${parts}>" ${seldom_apart})
    endif()
    optgap_set_apart(apart archive_UNPARSED_ARGUMENTS ${name})
    add_library(${name} STATIC ${archive_UNPARSED_ARGUMENTS} ${archive_SELDOM} ${apart})
    target_link_libraries(${name} PUBLIC optgap_usage)
    if(archive_OPTIMISE)
        optgap_optimise(${name} ${archive_OPTIMISE})
    else()
        optgap_guide_fuzzers(${name})
    endif()
    optgap_precompile(${name})
    optgap_join_units(${name})
endfunction()

# optgap_set_apart(OUT LIST NAME): moves the sources with flags of their own (OPTGAP_OPTIONS) from a list to object libraries, one
# for each set of flags, whose sources can be joined. OUT is their objects.
function(optgap_set_apart out list name)
    set(rest)
    set(kinds)
    foreach(source IN LISTS ${list})
        get_source_file_property(options "${source}" OPTGAP_OPTIONS)
        if(options)
            string(MAKE_C_IDENTIFIER "${options}" kind)
            list(APPEND kinds ${kind})
            set(options_${kind} ${options})
            list(APPEND sources_${kind} "${source}")
        else()
            list(APPEND rest "${source}")
        endif()
    endforeach()
    set(objects)
    list(REMOVE_DUPLICATES kinds)
    foreach(kind IN LISTS kinds)
        set(part ${name}_${kind})
        add_library(${part} OBJECT ${sources_${kind}})
        target_link_libraries(${part} PRIVATE optgap_usage)
        target_compile_options(${part} PRIVATE ${options_${kind}})
        optgap_guide_fuzzers(${part})
        if(NOT OPTGAP_HOT_OPTIONS IN_LIST options_${kind})  # another optimisation than the precompiled header's
            optgap_precompile(${part})
        endif()
        optgap_join_units(${part})
        list(APPEND objects "$<TARGET_OBJECTS:${part}>")
    endforeach()
    set(${list} ${rest} PARENT_SCOPE)
    set(${out} ${objects} PARENT_SCOPE)
endfunction()

# optgap_join_units(NAME [FOLDERS]): under OPTGAP_UNITY, joins 24 sources of a target into one unit, in the order of its
# list. The standard library and JSON are then read, and their templates made, once for all of them (host: 266 instead
# of 457 CPU seconds, six at a time), but an edit takes up to half a minute. With FOLDERS, joins those of a folder,
# where their property UNITY_GROUP names no other group. Sources with flags of their own stay apart. One unit joins the
# anonymous namespaces of its files, so a name in one must not hide another's.
function(optgap_join_units name)
    cmake_parse_arguments(PARSE_ARGV 1 join "FOLDERS" "" "")
    if(NOT OPTGAP_UNITY)
        return()
    endif()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
    # Kernels stay separate, since ptxas' report on each is kept, and older CMake cannot join them.
    get_target_property(kernels ${name} SOURCES)
    list(FILTER kernels INCLUDE REGEX "\\.cu$")
    set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    if(join_FOLDERS)
        set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
        get_target_property(sources ${name} SOURCES)
        foreach(source IN LISTS sources)
            get_filename_component(folder "${source}" DIRECTORY)
            get_source_file_property(group "${source}" UNITY_GROUP)
            if(NOT group AND NOT folder MATCHES "/generated/")
                get_filename_component(folder "${folder}" NAME)
                set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder})
            endif()
        endforeach()
    endif()
endfunction()

# optgap_take_choices(OUT LIST [CUDA_SOURCE...]): moves the CUDA sources of a list, or without CUDA their stand-ins,
# X_absent.cpp for X, to OUT. The Python package's core has stand-ins, too; where an X_found.cpp exists, it finds a
# library at run time.
function(optgap_take_choices out list)
    set(absent ${${list}})
    list(FILTER absent INCLUDE REGEX "_absent\\.cpp$")
    set(found ${${list}})
    list(FILTER found INCLUDE REGEX "_found\\.cpp$")
    list(REMOVE_ITEM ${list} ${absent} ${found} ${ARGN})
    if(OPTGAP_PYTHON)
        list(TRANSFORM found REPLACE "_found\\.cpp$" "_absent.cpp" OUTPUT_VARIABLE replaced)
        list(REMOVE_ITEM absent ${replaced})
        set(${out} ${absent} ${found} PARENT_SCOPE)
    elseif(OPTGAP_WITH_CUDA)
        set(${out} ${ARGN} PARENT_SCOPE)
    else()
        set(${out} ${absent} PARENT_SCOPE)
    endif()
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE host_sources CONFIGURE_DEPENDS host/*.cpp)
list(FILTER host_sources EXCLUDE REGEX "/expressions_(absent|re2)\\.cpp$")
optgap_take_sqlite(host_sources)
file(GLOB kernel_sources CONFIGURE_DEPENDS kernels/canonical/*.cpp kernels/families/*.cpp kernels/registry/*.cpp kernels/reward/*.cpp
    kernels/search/*.cpp kernels/text/*.cpp kernels/text/files/*.cpp kernels/text/flat/*.cpp)
file(GLOB cuda_host_sources CONFIGURE_DEPENDS host/cuda/cuda_*.cpp host/cuda/resident/cuda_*.cpp)
list(FILTER cuda_host_sources EXCLUDE REGEX "_(absent|found)\\.cpp$")
set_source_files_properties(${cuda_host_sources} PROPERTIES COMPILE_DEFINITIONS OPTGAP_ISA=isa_cuda)
optgap_take_choices(host_choices host_sources ${cuda_host_sources})
file(GLOB scanner_sources CONFIGURE_DEPENDS host/parse/*.cpp host/parse/free/*.cpp)
list(FILTER scanner_sources EXCLUDE REGEX "_json\\.cpp$")
optgap_optimise_sources(${scanner_sources})
file(GLOB text_sources CONFIGURE_DEPENDS host/chain/bytes.cpp host/chain/text.cpp host/chain/sentences.cpp host/chain/prepare.cpp host/chain/unicode.cpp
    host/chain/checks/forms.cpp host/chain/checks/tally.cpp host/chain/checks/python_text.cpp host/chain/checks/json_text.cpp host/chain/checks/splits.cpp
    host/chain/checks/measures/*.cpp host/chain/checks/instructions/*.cpp)
optgap_optimise_sources(${text_sources})
file(GLOB wire_sources CONFIGURE_DEPENDS host/remote/*.cpp host/serve/*.cpp)
optgap_guide_closely(${scanner_sources} ${wire_sources})
file(GLOB suite_files CONFIGURE_DEPENDS host/suites/*.json)
optgap_embed_files("${PROJECT_BINARY_DIR}/generated/suite_files.cpp" host/suites/suite_files.hpp
    optgap::suite_files optgap::suite_file "${PROJECT_SOURCE_DIR}/host/suites" ${suite_files})
set(seldom_sources ${host_sources})
list(FILTER seldom_sources INCLUDE REGEX "_json\\.cpp$|/host/(chain/json|pay|programs|report|rows|serve|specs|store|suites)/")
list(FILTER seldom_sources EXCLUDE REGEX "/host/rows/(json/jsonl|scorer|answer/answer|read/instances)[a-z_]*\\.cpp$")
list(REMOVE_ITEM host_sources ${seldom_sources})
optgap_add_archive(optgap_host ${host_sources} ${kernel_sources}
    SELDOM ${seldom_sources} "${PROJECT_BINARY_DIR}/generated/suite_files.cpp")

# optgap_add_kinds(OUT EXTENSIONS): finds the kinds of rows, each a folder NAME with a NAME.cpp
# (host/rows/row_kind.hpp), and those of EXTENSIONS/kinds. OUT is the source that lists them and those of EXTENSIONS.
function(optgap_add_kinds out extensions)
    file(GLOB found CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/host/rows/*")
    set(sources)
    if(extensions)
        file(GLOB more CONFIGURE_DEPENDS LIST_DIRECTORIES true "${extensions}/kinds/*")
        list(APPEND found ${more})
        file(GLOB sources CONFIGURE_DEPENDS "${extensions}/kinds/*/*.cpp")
        list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    endif()
    set(declared)
    set(listed)
    foreach(folder IN LISTS found)
        get_filename_component(name "${folder}" NAME)
        if(EXISTS "${folder}/${name}.cpp")
            string(APPEND declared "kind_entry ${name}_rows();\n")
            string(APPEND listed "        ${name}_rows(),\n")
        endif()
    endforeach()
    set(made "${PROJECT_BINARY_DIR}/generated/row_kinds.cpp")
    file(CONFIGURE OUTPUT "${made}" @ONLY CONTENT "// Made by tools/cmake/libraries.cmake.
#include \"host/rows/row_kind.hpp\"

namespace optgap::rows {

${declared}
std::vector<kind_entry> listed_kinds() {
    return {
${listed}    };
}

}  // namespace optgap::rows
")
    set(${out} "${made}" ${sources} PARENT_SCOPE)
endfunction()

optgap_add_tasks(task_sources registry kernel_definitions "${OPTGAP_TASKS_DIR}" "${OPTGAP_EXTRA_TASKS_DIR}")
set(OPTGAP_OWN_TASKS OFF)
if(OPTGAP_TASKS_DIR STREQUAL "${PROJECT_SOURCE_DIR}/kernels/tasks" AND NOT OPTGAP_EXTRA_TASKS_DIR)
    set(OPTGAP_OWN_TASKS ON)
endif()
if(OPTGAP_OWN_TASKS)
    set(task_texts ${task_sources})
    list(FILTER task_texts EXCLUDE REGEX "/generated/")
    list(REMOVE_ITEM task_sources ${task_texts})
    optgap_add_archive(optgap_tasks ${task_sources} SELDOM ${task_texts})
    if(TARGET optgap_tasks_seldom)
        optgap_join_units(optgap_tasks_seldom FOLDERS)
    endif()
else()
    add_library(optgap_tasks STATIC ${task_sources})
    target_link_libraries(optgap_tasks PUBLIC optgap_usage)
endif()

optgap_add_kinds(row_kinds "${OPTGAP_EXTENSIONS}")
add_library(optgap_choices STATIC ${host_choices} "${registry}" ${row_kinds})
target_link_libraries(optgap_choices PUBLIC optgap_usage)
optgap_precompile(optgap_choices)

add_library(optgap_core INTERFACE)
set(archives optgap_host optgap_tasks optgap_choices optgap_expressions)
if(OPTGAP_WITH_CUDA AND NOT OPTGAP_PYTHON)
    list(APPEND archives optgap_kernels)
endif()
if(OPTGAP_WITH_CUDA)
    file(GLOB shared_kernels CONFIGURE_DEPENDS kernels/launch/*.cu kernels/reward/*.cu)
    add_library(optgap_kernels STATIC ${kernel_definitions} ${shared_kernels})
    target_link_libraries(optgap_kernels PUBLIC optgap_usage)
    optgap_keep_resources(optgap_kernels)
endif()
list(JOIN archives "," archives)
target_link_libraries(optgap_core INTERFACE optgap_usage "$<LINK_GROUP:RESCAN,${archives}>")

file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.cpp bench/chains/*.cpp bench/device/*.cpp bench/store/*.cpp bench/pool/*.cpp
     bench/programs/*.cpp)
file(GLOB bench_kernels CONFIGURE_DEPENDS bench/*.cu)
file(GLOB bench_on_device CONFIGURE_DEPENDS bench/device/*.cpp)
list(FILTER bench_on_device EXCLUDE REGEX "_absent\\.cpp$")
set_source_files_properties(${bench_on_device} PROPERTIES COMPILE_DEFINITIONS OPTGAP_ISA=isa_cuda)
optgap_take_choices(bench_choices bench_sources ${bench_kernels} ${bench_on_device})
optgap_add_archive(optgap_bench ${bench_sources})
add_library(optgap_bench_choices STATIC ${bench_choices})
target_link_libraries(optgap_bench_choices PUBLIC optgap_bench)
target_link_libraries(optgap_bench INTERFACE optgap_bench_choices)
if(OPTGAP_WITH_CUDA)
    optgap_keep_resources(optgap_bench_choices)
endif()
optgap_precompile(optgap_bench_choices)

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS tools/cli/*.cpp)
list(REMOVE_ITEM cli_sources "${PROJECT_SOURCE_DIR}/tools/cli/main.cpp")
file(GLOB_RECURSE demo_files CONFIGURE_DEPENDS tools/demo/*)
list(FILTER demo_files EXCLUDE REGEX "\\.py$")
optgap_embed_files("${PROJECT_BINARY_DIR}/generated/demo_files.cpp" tools/cli/look/demo_files.hpp
    optgap::cli::demo_files optgap::cli::demo_file "${PROJECT_SOURCE_DIR}/tools/demo" ${demo_files})
file(GLOB python_commands CONFIGURE_DEPENDS python/optgap/commands/*.json)
optgap_embed_files("${PROJECT_BINARY_DIR}/generated/python_command_files.cpp" tools/cli/shell/python/python_command_files.hpp
    optgap::cli::python_command_files optgap::cli::python_command_file "${PROJECT_SOURCE_DIR}/python/optgap/commands" ${python_commands})
list(APPEND cli_sources "${PROJECT_BINARY_DIR}/generated/demo_files.cpp" "${PROJECT_BINARY_DIR}/generated/python_command_files.cpp")
# This code is not time-critical.
set(cli_options "")
if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(cli_options OPTIMISE -O1)
endif()
optgap_add_archive(optgap_cli ${cli_options} ${cli_sources})
optgap_link_zlib(optgap_cli tools/cli/rows/files/packed_file.cpp)
if(NOT OPTGAP_PREBUILT)
    find_package(CLI11 REQUIRED)
    target_link_libraries(optgap_cli PRIVATE CLI11::CLI11)
endif()
