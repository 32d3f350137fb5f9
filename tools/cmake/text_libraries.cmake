# What free text is checked with beside our own code, each linked statically and each optional: utf8proc (normal forms) and RE2
# (expressions). A build without one refuses what needs it by name. RE2 stands behind the small archive optgap_expressions, which
# every build makes for itself: Debian's libre2.a cannot become part of a shared library, so the Python package has the stand-in.

find_path(OPTGAP_UTF8PROC_INCLUDE utf8proc.h)
find_library(OPTGAP_UTF8PROC_LIBRARY NAMES libutf8proc.a)
find_path(OPTGAP_RE2_INCLUDE re2/re2.h)
find_library(OPTGAP_RE2_LIBRARY NAMES libre2.a)
mark_as_advanced(OPTGAP_UTF8PROC_INCLUDE OPTGAP_UTF8PROC_LIBRARY OPTGAP_RE2_INCLUDE OPTGAP_RE2_LIBRARY)

set(OPTGAP_TEXT_ARCHIVES "")
if(OPTGAP_UTF8PROC_INCLUDE AND OPTGAP_UTF8PROC_LIBRARY)
    target_compile_definitions(optgap_usage INTERFACE OPTGAP_WITH_UTF8PROC UTF8PROC_STATIC)
    target_link_libraries(optgap_usage INTERFACE "${OPTGAP_UTF8PROC_LIBRARY}")
    list(APPEND OPTGAP_TEXT_ARCHIVES "${OPTGAP_UTF8PROC_LIBRARY}")
else()
    message(STATUS "optgap: no utf8proc here: texts have no normal forms")
endif()

set(expressions absent)
if(NOT OPTGAP_PYTHON AND OPTGAP_RE2_INCLUDE AND OPTGAP_RE2_LIBRARY)
    set(expressions re2)
    list(APPEND OPTGAP_TEXT_ARCHIVES "${OPTGAP_RE2_LIBRARY}")
elseif(NOT OPTGAP_PYTHON)
    message(STATUS "optgap: no RE2 here: checks have no patterns")
endif()
add_library(optgap_expressions STATIC "host/chain/checks/expression_${expressions}.cpp")
target_link_libraries(optgap_expressions PUBLIC optgap_usage)
if(expressions STREQUAL "re2")
    target_link_libraries(optgap_expressions PUBLIC "${OPTGAP_RE2_LIBRARY}")
endif()
