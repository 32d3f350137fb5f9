# Lists of what users extend, each a file or a folder that nothing else names: estimators of advantages, reward shapes, kinds of
# rows and formats of files that hold instances. Tasks: tools/cmake/tasks.cmake.

# optgap_list_declarations(OUT WHAT ID EXTENSIONS): each kernels/reward/WHAT/NAME.hpp and EXTENSIONS/WHAT/NAME.hpp declares
# optgap::WHAT::NAME. generated/WHAT.hpp lists them as types, for kernels and tests; OUT is a source with their registry, whose
# entries are named by the enumeration ID. OPTGAP_<WHAT> is the names.
function(optgap_list_declarations out what id extensions)
    file(GLOB found RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/kernels/reward/${what}/*.hpp")
    set(more)
    if(extensions)
        file(GLOB more RELATIVE "${extensions}" CONFIGURE_DEPENDS "${extensions}/${what}/*.hpp")
        target_include_directories(optgap_usage INTERFACE "${extensions}")
    endif()
    string(REGEX REPLACE "s$" "" one "${what}")
    set(names)
    set(includes "")
    foreach(file IN LISTS found more)
        get_filename_component(name "${file}" NAME_WE)
        if(name IN_LIST names)
            message(FATAL_ERROR "two files declare ${what}::${name}: kernels/reward/${what} and ${extensions}/${what}")
        endif()
        list(APPEND names ${name})
        string(APPEND includes "#include \"${file}\"\n")
    endforeach()
    list(TRANSFORM names PREPEND "${what}::" OUTPUT_VARIABLE types)
    list(JOIN types ",\n    " types)
    set(made "${PROJECT_BINARY_DIR}/generated/${what}")
    file(CONFIGURE OUTPUT "${made}.hpp" @ONLY CONTENT "#pragma once
// Written by tools/cmake/declarations.cmake from the files' names.

${includes}#include \"kernels/reward/declarations.hpp\"

OPTGAP_KERNELS_BEGIN
using listed_${one}_types = declarations<${id},
    ${types}>;
OPTGAP_KERNELS_END
")
    file(CONFIGURE OUTPUT "${made}.cpp" @ONLY CONTENT "// Written by tools/cmake/declarations.cmake from the files' names.
#include \"generated/${what}.hpp\"
#include \"kernels/reward/${one}_entry.hpp\"

std::span<optgap::${one}_entry const> optgap::listed_${what}() {
    static std::vector<${one}_entry> const entries = ${one}_entries<listed_${one}_types>();
    return entries;
}
")
    string(TOUPPER "OPTGAP_${what}" list)
    set(${list} ${names} PARENT_SCOPE)
    set(${out} "${made}.cpp" PARENT_SCOPE)
endfunction()

# optgap_add_kinds(OUT EXTENSIONS): the kinds of rows, a folder NAME each with a NAME.cpp (host/rows/row_kind.hpp), and those of
# EXTENSIONS/kinds. OUT is the source that lists them and those of EXTENSIONS.
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
    file(CONFIGURE OUTPUT "${made}" @ONLY CONTENT "// Written by tools/cmake/declarations.cmake.
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

# optgap_add_files(OUT EXTENSIONS): the formats of files that hold instances, each a NAME.cpp of host/files or of EXTENSIONS/files
# (host/files/instance_format.hpp). OUT is the source that lists them and those of EXTENSIONS.
function(optgap_add_files out extensions)
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/host/files/*.cpp")
    set(more)
    if(extensions)
        file(GLOB more CONFIGURE_DEPENDS "${extensions}/files/*.cpp")
        list(FILTER more EXCLUDE REGEX "_test\\.cpp$")
    endif()
    set(declared "")
    set(joined "")
    foreach(file IN LISTS found more)
        get_filename_component(name "${file}" NAME_WE)
        string(APPEND declared "instance_formats_of ${name}_files();\n")
        string(APPEND joined "${name}_files(), ")
    endforeach()
    set(made "${PROJECT_BINARY_DIR}/generated/instance_formats.cpp")
    file(CONFIGURE OUTPUT "${made}" @ONLY CONTENT "// Written by tools/cmake/declarations.cmake.
#include \"host/files/instance_format.hpp\"

namespace optgap::files {

${declared}
std::span<instance_format const> instance_formats() {
    static instance_formats_of const all = [] {
        instance_formats_of out;
        for (instance_formats_of const& one : {${joined}}) {
            out.insert(out.end(), one.begin(), one.end());
        }
        return out;
    }();
    return all;
}

}  // namespace optgap::files
")
    set(${out} "${made}" ${more} PARENT_SCOPE)
endfunction()
