# SQLite for files of rows (host/sqlite): linked statically into programs and the wheel's core, where it takes 1.3 MB (0.6 MB
# packed), so that neither the machine nor Python must have one. Optional: a build without it refuses such files by name.

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

# optgap_take_sqlite(LIST): leaves the sources that use it in a list, or what stands in their place.
function(optgap_take_sqlite list)
    if(OPTGAP_WITH_SQLITE)
        list(FILTER ${list} EXCLUDE REGEX "/sqlite/absent\\.cpp$")
    else()
        list(FILTER ${list} EXCLUDE REGEX "/sqlite/(database|statement)\\.cpp$")
    endif()
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()
