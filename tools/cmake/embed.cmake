# optgap_embed_files(OUT HEADER FUNCTION TYPE ROOT FILE...): writes OUT, which defines FUNCTION() of HEADER. The
# function returns a span of TYPE {name, text} with the bytes of the files and their names below ROOT, so that an
# installed program needs no folder beside it. FUNCTION and TYPE include their namespace.
function(optgap_embed_files out header function type root)
    set(arrays "")
    set(entries "")
    set(number 0)
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        file(READ "${file}" bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
        file(RELATIVE_PATH name "${root}" "${file}")
        string(APPEND arrays "constexpr unsigned char file_${number}[] = {${bytes}0};\n")
        string(APPEND entries "        {\"${name}\", carried_text(file_${number})},\n")
        math(EXPR number "${number} + 1")
    endforeach()
    get_filename_component(inner "${out}" NAME_WE)  # one unit may join several of these sources
    file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT
"// Written by tools/cmake/embed.cmake.
#include \"${header}\"

#include <cstddef>

namespace {
namespace ${inner} {

${arrays}
template <std::size_t Size>
std::string_view carried_text(unsigned char const (&bytes)[Size]) {
    return {reinterpret_cast<char const*>(bytes), Size - 1};
}

}  // namespace ${inner}
}  // namespace

std::span<${type} const> ${function}() {
    using namespace ${inner};
    static ${type} const files[] = {
${entries}    };
    return files;
}
")
endfunction()
