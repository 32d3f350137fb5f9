# Optional libraries for checks of free text, each linked statically: utf8proc (normal forms) and RE2 (expressions). A
# build without one refuses the features that need it, by name. RE2 is behind the small archive optgap_expressions,
# which every build makes for itself. Debian's libre2.a cannot become part of a shared library. So in the Python package
# the core has the stand-in, the program links optgap_program_expressions and the module asks google-re2.

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

# optgap_add_expressions(NAME absent|re2)
function(optgap_add_expressions name which)
    add_library(${name} STATIC "${PROJECT_SOURCE_DIR}/host/rubric/checks/expressions_${which}.cpp")
    target_link_libraries(${name} PUBLIC optgap_usage)
    if(which STREQUAL "re2")
        target_link_libraries(${name} PUBLIC "${OPTGAP_RE2_LIBRARY}")
    endif()
endfunction()

# ICU, which breaks words, is opened when the first text needs it (host/rubric/words/dictionary.cpp). Debian's static
# library cannot become part of a shared one, and its data take 30 MB.
target_link_libraries(optgap_usage INTERFACE ${CMAKE_DL_LIBS})

set(expressions absent)
if(OPTGAP_RE2_INCLUDE AND OPTGAP_RE2_LIBRARY)
    set(expressions re2)
    list(APPEND OPTGAP_TEXT_ARCHIVES "${OPTGAP_RE2_LIBRARY}")
else()
    message(STATUS "optgap: no RE2 here: checks have no patterns")
endif()
if(OPTGAP_PYTHON)
    optgap_add_expressions(optgap_expressions absent)
    optgap_add_expressions(optgap_program_expressions ${expressions})
else()
    optgap_add_expressions(optgap_expressions ${expressions})
endif()

# SQLite for files of rows (host/sqlite): linked statically into programs and the wheel's core, where it takes 1.3 MB
# (0.6 MB packed), so that neither the machine nor Python must have it. Optional: a build without it refuses such files
# by name.

find_path(OPTGAP_SQLITE_INCLUDE sqlite3.h)
find_library(OPTGAP_SQLITE_LIBRARY NAMES libsqlite3.a)
mark_as_advanced(OPTGAP_SQLITE_INCLUDE OPTGAP_SQLITE_LIBRARY)

set(OPTGAP_WITH_SQLITE OFF)
if(OPTGAP_SQLITE_INCLUDE AND OPTGAP_SQLITE_LIBRARY)
    set(OPTGAP_WITH_SQLITE ON)
    target_link_libraries(optgap_usage INTERFACE "${OPTGAP_SQLITE_LIBRARY}" ${CMAKE_DL_LIBS} m)
else()
    message(STATUS "optgap: no SQLite here: no stores of baselines (libsqlite3-dev)")
endif()

# optgap_take_sqlite(LIST): keeps the sources that use it in a list, or their stand-ins.
function(optgap_take_sqlite list)
    if(OPTGAP_WITH_SQLITE)
        list(FILTER ${list} EXCLUDE REGEX "/sqlite/absent\\.cpp$")
    else()
        list(FILTER ${list} EXCLUDE REGEX "/sqlite/(database|statement)\\.cpp$")
    endif()
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# zlib for packed files of instances (tools/cli/rows/files): linked statically into the programs. Optional: a build
# without it refuses such files by name. Only one source uses it.
find_path(OPTGAP_ZLIB_INCLUDE zlib.h)
find_library(OPTGAP_ZLIB_LIBRARY NAMES libz.a)
mark_as_advanced(OPTGAP_ZLIB_INCLUDE OPTGAP_ZLIB_LIBRARY)

# optgap_link_zlib(TARGET SOURCE)
function(optgap_link_zlib target source)
    if(OPTGAP_ZLIB_INCLUDE AND OPTGAP_ZLIB_LIBRARY)
        set_source_files_properties("${source}" PROPERTIES COMPILE_DEFINITIONS OPTGAP_WITH_ZLIB
            SKIP_UNITY_BUILD_INCLUSION ON)
        target_link_libraries(${target} INTERFACE "${OPTGAP_ZLIB_LIBRARY}")
    else()
        message(STATUS "optgap: no zlib here: packed files are not read (zlib1g-dev)")
    endif()
endfunction()
