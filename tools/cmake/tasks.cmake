# Turns folders into tasks. A folder NAME with a NAME.cu is a task; no list names it. It is a declarative task when
# NAME.cu uses OPTGAP_DEFINE_DECLARATIVE_TASK, or OPTGAP_DEFINE_DECLARATIVE_TASK_WITH_MOVES, which has its own kernels for its
# search.

# optgap_add_tasks(SOURCES REGISTRY KERNELS DIR...): of the tasks in the folders DIR, the sources for the CPU, those of other
# folders than the first as SOURCES_more, the registry and the sources for nvcc. OPTGAP_TASK_NAMES, OPTGAP_TASK_DIR_<NAME>, OPTGAP_TASK_SEARCHES_<NAME> and
# generated/registry_cuda.cpp, which refers to every task's kernels in a build without CUDA, too, stay behind for the tests;
# generated/registry_device.cpp, which refers to nothing else, for the CUDA library (tools/cmake/cuda_library.cmake).
function(optgap_add_tasks out registry kernels)
    set(generated "${PROJECT_BINARY_DIR}/generated")
    set(names)
    set(more "")  # _more for the folders behind the first
    foreach(dir IN LISTS ARGN)
        # A task includes its own headers as kernels/tasks/NAME/... where dir ends so, as tasks/NAME/... under OPTGAP_EXTENSIONS.
        get_filename_component(root "${dir}/.." ABSOLUTE)
        if(dir MATCHES "kernels/tasks/?$")
            get_filename_component(root "${root}/.." ABSOLUTE)
        endif()
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
            set(more_${name} ${more})
            set(OPTGAP_TASK_DIR_${name} "${folder}" PARENT_SCOPE)
        endforeach()
        set(more "_more")
    endforeach()
    list(SORT names)
    set(OPTGAP_TASK_NAMES ${names} PARENT_SCOPE)

    set(sources)
    set(sources_more)
    set(units)
    set(light_count 0)
    set(definitions)
    set(declarations "")
    set(cuda_declarations "")
    set(tables "")
    set(entries "")
    set(cuda_entries "")
    set(device_entries "")
    foreach(name IN LISTS names)
        # A declarative task is compiled only for the first instruction set, which serves for all.
        file(STRINGS "${dir_${name}}/${name}.cu" light REGEX "^OPTGAP_DEFINE_DECLARATIVE_TASK")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${dir_${name}}/${name}.cu")
        set(compiled ${OPTGAP_ISAS})
        if(light)
            list(GET OPTGAP_ISAS 0 compiled)
        endif()
        set(OPTGAP_TASK_SEARCHES_${name} ON PARENT_SCOPE)
        if(light AND NOT light MATCHES "_WITH_MOVES")
            set(OPTGAP_TASK_SEARCHES_${name} OFF PARENT_SCOPE)
        endif()
        set(builds "")
        foreach(isa IN LISTS compiled)
            if(NOT DEFINED OPTGAP_MARCH_${isa})
                message(FATAL_ERROR "OPTGAP_ISAS: ${isa} is not known to tools/cmake/toolchain.cmake")
            endif()
            string(APPEND declarations "extern optgap::task_kernels const optgap_task_${name}_${isa};\n")
            string(APPEND builds "&optgap_task_${name}_${isa}, ")
            # Declarative tasks are small, so headers are most of a unit: seven tasks are one unit, and so are the texts
            # of ten (tools/cmake/libraries.cmake).
            set(unit ${name}_${isa})
            if(light AND OPTGAP_UNITY AND NOT more_${name})
                math(EXPR number "${light_count} / 7")
                set(unit light_${number}_${isa})
            endif()
            list(APPEND units ${unit})
            set(more_of_${unit} ${more_${name}})
            string(APPEND text_of_${unit} "#include \"${dir_${name}}/${name}.cu\"\n")
            set(isa_of_${unit} ${isa})
        endforeach()
        if(light)
            list(LENGTH OPTGAP_ISAS count)
            string(REPEAT "${builds}" ${count} builds)
        endif()
        file(GLOB host_sources CONFIGURE_DEPENDS "${dir_${name}}/${name}_*.cpp")
        list(FILTER host_sources EXCLUDE REGEX "_test\\.cpp$")
        list(APPEND sources${more_${name}} ${host_sources})
        if(light AND NOT more_${name})
            math(EXPR number "${light_count} / 10")
            set_source_files_properties(${host_sources} PROPERTIES UNITY_GROUP light_${number})
            math(EXPR light_count "${light_count} + 1")
        endif()
        string(APPEND declarations "extern optgap::task_text const optgap_text_${name};\n")
        file(GLOB kernel_parts CONFIGURE_DEPENDS "${dir_${name}}/${name}_*.cu")
        list(APPEND definitions "${dir_${name}}/${name}.cu" ${kernel_parts})
        string(APPEND cuda_declarations "extern optgap::device_table const optgap_cuda_${name};\n")
        string(APPEND tables "constexpr optgap::task_kernels const* builds_${name}[] = {${builds}nullptr};\n")
        set(golden nullptr)
        file(GLOB golden_file CONFIGURE_DEPENDS "${dir_${name}}/golden_hash.json")
        if(golden_file)
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${golden_file}")
            file(READ "${golden_file}" golden)
            set(golden "R\"json(${golden})json\"")
        endif()
        set(certificate nullptr)
        if("${dir_${name}}/${name}_certificate.cpp" IN_LIST host_sources)
            set(certificate "&optgap_certificate_${name}")
            string(APPEND declarations "extern optgap::certificate_form const optgap_certificate_${name};\n")
        endif()
        set(canonical nullptr)
        if("${dir_${name}}/${name}_canonical.cpp" IN_LIST host_sources)
            set(canonical "&optgap_canonical_${name}")
            string(APPEND declarations "extern optgap::canonical_rules const optgap_canonical_${name};\n")
        endif()
        string(APPEND entries "    {\"${name}\", builds_${name}, &optgap_text_${name}, nullptr, ${golden}, ${certificate}, ${canonical}},\n")
        string(APPEND device_entries "    {\"${name}\", nullptr, nullptr, &optgap_cuda_${name}, nullptr},\n")
        string(APPEND cuda_entries
            "    {\"${name}\", builds_${name}, &optgap_text_${name}, &optgap_cuda_${name}, ${golden}, ${certificate}, ${canonical}},\n")
    endforeach()

    list(REMOVE_DUPLICATES units)
    foreach(unit IN LISTS units)
        set(wrapper "${generated}/tasks/${unit}.cpp")
        file(CONFIGURE OUTPUT "${wrapper}" CONTENT "${text_of_${unit}}" @ONLY)
        set_source_files_properties("${wrapper}" PROPERTIES
            COMPILE_OPTIONS "${OPTGAP_MARCH_${isa_of_${unit}}};${OPTGAP_HOT_OPTIONS}"
            COMPILE_DEFINITIONS "OPTGAP_ISA=${isa_of_${unit}}" SKIP_PRECOMPILE_HEADERS ON)
        list(APPEND sources${more_of_${unit}} "${wrapper}")
    endforeach()

    list(LENGTH names count)
    set(isa_names "")
    foreach(isa IN LISTS OPTGAP_ISAS)
        string(APPEND isa_names "\"${isa}\", ")
    endforeach()
    optgap_write_registry("${generated}/registry.cpp" "${declarations}" "${tables}" "${entries}" "${isa_names}")
    optgap_write_registry("${generated}/registry_cuda.cpp" "${declarations}${cuda_declarations}" "${tables}"
        "${cuda_entries}" "${isa_names}")
    optgap_write_registry("${generated}/registry_device.cpp" "${cuda_declarations}" "" "${device_entries}" "${isa_names}")
    if(OPTGAP_WITH_CUDA AND NOT OPTGAP_PYTHON)
        set(${registry} "${generated}/registry_cuda.cpp" PARENT_SCOPE)
    else()
        set(${registry} "${generated}/registry.cpp" PARENT_SCOPE)
    endif()
    set(${out} ${sources} PARENT_SCOPE)
    set(${out}_more ${sources_more} PARENT_SCOPE)
    set(${kernels} ${definitions} PARENT_SCOPE)
endfunction()

function(optgap_write_registry file declarations tables entries isa_names)
    if(entries STREQUAL "")
        set(body "    return {};\n")
    else()
        set(body "    return entries;\n")
        set(entries "constexpr optgap::task_entry entries[] = {\n${entries}};\n")
    endif()
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT
"// Written by tools/cmake/tasks.cmake from the folder names under kernels/tasks.
#include \"kernels/registry/registry.hpp\"

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
endfunction()

# optgap_task_units(OUT TEMPLATE): one source for each task: TEMPLATE with the task's name for @TASK@ and its folder for
# @TASK_DIR@. An edit of one task then compiles one unit of a test over all tasks.
function(optgap_task_units out template)
    get_filename_component(stem "${template}" NAME_WLE)  # NAME.cpp of NAME.cpp.in
    get_filename_component(stem "${stem}" NAME_WE)
    set(units)
    set(names ${ARGN})
    if(NOT names)
        set(names ${OPTGAP_TASK_NAMES})
    endif()
    foreach(TASK IN LISTS names)
        set(TASK_DIR "${OPTGAP_TASK_DIR_${TASK}}")
        set(unit "${PROJECT_BINARY_DIR}/generated/${stem}/${TASK}.cpp")
        configure_file("${template}" "${unit}" @ONLY)
        list(APPEND units "${unit}")
    endforeach()
    set(${out} ${units} PARENT_SCOPE)
endfunction()
