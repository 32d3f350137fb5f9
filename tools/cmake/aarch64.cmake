# CMAKE_TOOLCHAIN_FILE for aarch64 on another machine: Debian's g++-aarch64-linux-gnu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
foreach(language IN ITEMS C CXX)
    set(name gcc)
    if(language STREQUAL "CXX")
        set(name g++)
    endif()
    find_program(CMAKE_${language}_COMPILER NAMES aarch64-linux-gnu-${name} aarch64-linux-gnu-${name}-12 REQUIRED)
endforeach()
find_program(CMAKE_STRIP aarch64-linux-gnu-strip REQUIRED)
# Only headers of fmt are used (tools/cmake/fmt.cmake).
set(fmt_DIR "/usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake/fmt" CACHE PATH "")
