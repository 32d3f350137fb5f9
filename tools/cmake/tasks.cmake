# Turns folders into tasks. A folder NAME holding NAME.cu is a task; nothing else lists it.

# optgap_add_tasks(OUT DIR...): OUT is the list of sources, registry included, of the tasks in the folders DIR.
# OPTGAP_TASK_NAMES and OPTGAP_TASK_DIR_<NAME> stay behind for the tests.
function(optgap_add_tasks out)
    set(generated "${PROJECT_BINARY_DIR}/generated")
    set(names)
    foreach(dir IN LISTS ARGN)
        if(NOT dir)
            continue()
        endif()
        # A task includes its own headers as kernels/tasks/NAME/...; dir ends in kernels/tasks.
        get_filename_component(root "${dir}/../.." ABSOLUTE)
        target_include_directories(optgap_flags INTERFACE "${root}")
        file(GLOB definitions CONFIGURE_DEPENDS "${dir}/*/*.cu")
        foreach(definition IN LISTS definitions)
            get_filename_component(folder "${definition}" DIRECTORY)
            get_filename_component(name "${folder}" NAME)
            get_filename_component(stem "${definition}" NAME_WE)
            if(NOT stem STREQUAL name)
                continue()
            endif()
            if(name IN_LIST names)
                message(FATAL_ERROR "two folders define the task ${name}: ${folder} and ${dir_${name}}")
            endif()
            list(APPEND names ${name})
            set(dir_${name} "${folder}")
            set(OPTGAP_TASK_DIR_${name} "${folder}" PARENT_SCOPE)
        endforeach()
    endforeach()
    list(SORT names)
    set(OPTGAP_TASK_NAMES ${names} PARENT_SCOPE)

    set(sources)
    set(declarations "")
    set(tables "")
    set(entries "")
    set(listing "")
    foreach(name IN LISTS names)
        set(builds "")
        foreach(isa IN LISTS OPTGAP_ISAS)
            if(NOT DEFINED OPTGAP_MARCH_${isa})
                message(FATAL_ERROR "OPTGAP_ISAS: ${isa} is not known to tools/cmake/toolchain.cmake")
            endif()
            set(wrapper "${generated}/tasks/${name}_${isa}.cpp")
            file(CONFIGURE OUTPUT "${wrapper}" CONTENT "#include \"${dir_${name}}/${name}.cu\"\n" @ONLY)
            set_source_files_properties("${wrapper}" PROPERTIES
                COMPILE_OPTIONS "${OPTGAP_MARCH_${isa}}" COMPILE_DEFINITIONS "OPTGAP_ISA=${isa}"
                SKIP_UNITY_BUILD_INCLUSION ON)
            list(APPEND sources "${wrapper}")
            string(APPEND declarations "extern optgap::task_kernels const optgap_task_${name}_${isa};\n")
            string(APPEND builds "&optgap_task_${name}_${isa}, ")
        endforeach()
        file(GLOB host_sources CONFIGURE_DEPENDS "${dir_${name}}/${name}_*.cpp")
        list(FILTER host_sources EXCLUDE REGEX "_test\\.cpp$")
        list(APPEND sources ${host_sources})
        string(APPEND declarations "extern optgap::task_text const optgap_text_${name};\n")
        set(cuda nullptr)
        if(OPTGAP_WITH_CUDA)
            list(APPEND sources "${dir_${name}}/${name}.cu")
            string(APPEND declarations "extern optgap::device_table const optgap_cuda_${name};\n")
            set(cuda "&optgap_cuda_${name}")
        endif()
        string(APPEND tables "constexpr optgap::task_kernels const* builds_${name}[] = {${builds}nullptr};\n")
        string(APPEND entries "    {\"${name}\", builds_${name}, &optgap_text_${name}, ${cuda}},\n")
        string(APPEND listing "#include \"${dir_${name}}/${name}.hpp\"\n")
    endforeach()

    list(LENGTH names count)
    set(isa_names "")
    foreach(isa IN LISTS OPTGAP_ISAS)
        string(APPEND isa_names "\"${isa}\", ")
    endforeach()
    if(count EQUAL 0)
        set(body "    return {};\n")
    else()
        set(body "    return entries;\n")
        set(entries "constexpr optgap::task_entry entries[] = {\n${entries}};\n")
    endif()
    file(CONFIGURE OUTPUT "${generated}/registry.cpp" @ONLY CONTENT
"// Written by tools/cmake/tasks.cmake from the folder names under kernels/tasks.
#include \"host/registry.hpp\"

${declarations}
namespace {
${tables}
${entries}
constexpr char const* isa_names[] = {${isa_names}};
}  // namespace

namespace optgap {

std::span<task_entry const> registry() {
${body}}

std::span<char const* const> instruction_sets() {
    return isa_names;
}

}  // namespace optgap
")
    list(JOIN names ") X(" listed)
    if(count GREATER 0)
        set(listed "X(${listed})")
    endif()
    set(references "")
    foreach(name IN LISTS names)
        if(EXISTS "${dir_${name}}/${name}_reference.hpp")
            string(APPEND references "#include \"${dir_${name}}/${name}_reference.hpp\"\n")
        endif()
    endforeach()
    file(CONFIGURE OUTPUT "${generated}/task_list.hpp" @ONLY CONTENT
"#pragma once\n// X(name) for every task.\n#define OPTGAP_FOR_EACH_TASK(X) ${listed}\n")
    file(CONFIGURE OUTPUT "${generated}/task_headers.hpp" @ONLY CONTENT
"#pragma once\n#include \"task_list.hpp\"\n${listing}")
    file(CONFIGURE OUTPUT "${generated}/task_references.hpp" @ONLY CONTENT
"#pragma once\n#include \"task_list.hpp\"\n${references}")
    list(APPEND sources "${generated}/registry.cpp")
    set(${out} ${sources} PARENT_SCOPE)
endfunction()
