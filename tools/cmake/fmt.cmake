# optgap_fmt: fmt linked statically. Debian ships it as a shared library, which a copied program cannot use on another
# machine, or as headers alone, which cost each formatting file some two seconds to compile.

find_package(fmt REQUIRED)
if(fmt_VERSION VERSION_LESS 9 OR fmt_VERSION VERSION_GREATER_EQUAL 10)
    # Tried with 9.1. Other versions may need other templates instantiated in fmt_library.cpp.
    add_library(optgap_fmt INTERFACE)
    target_link_libraries(optgap_fmt INTERFACE fmt::fmt-header-only)
    return()
endif()
if(OPTGAP_PREBUILT)
    add_library(optgap_fmt STATIC IMPORTED GLOBAL)
    set_target_properties(optgap_fmt PROPERTIES IMPORTED_LOCATION "${OPTGAP_PREBUILT}/liboptgap_fmt.a")
    set(usage INTERFACE)
else()
    add_library(optgap_fmt STATIC "${PROJECT_SOURCE_DIR}/tools/cmake/sources/fmt_library.cpp")
    set(usage PUBLIC)
endif()
target_include_directories(optgap_fmt SYSTEM ${usage} $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_features(optgap_fmt ${usage} cxx_std_20)
