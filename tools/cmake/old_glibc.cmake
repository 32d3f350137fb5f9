# OPTGAP_GLIBC=2.28: objects come from the usual compiler and are linked against that version of glibc by ziglang (PyPI;
# OPTGAP_ZIG names its program). The C++ runtime is the compiler's own, static. portable_random.cpp and old_glibc.cpp
# contain the few functions of newer glibcs that it calls. Any other missing function is an error of the linker.

if(NOT OPTGAP_GLIBC)
    return()
endif()
find_program(OPTGAP_ZIG zig)
if(NOT OPTGAP_ZIG)
    message(FATAL_ERROR "OPTGAP_GLIBC=${OPTGAP_GLIBC} needs OPTGAP_ZIG, the program of PyPI's ziglang (tools/wheels.sh)")
endif()
if(NOT OPTGAP_PORTABLE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "OPTGAP_GLIBC needs OPTGAP_PORTABLE=ON and g++")
endif()
set(runtime)
foreach(archive IN ITEMS libstdc++.a libgcc_eh.a libgcc.a)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=${archive} OUTPUT_VARIABLE found
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND runtime " \"${found}\"")
endforeach()
# -s: zig's linker would otherwise add the paths of this machine.
set(link "\"${OPTGAP_ZIG}\" cc -target ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu.${OPTGAP_GLIBC} -s")
set(CMAKE_CXX_LINK_EXECUTABLE
    "${link} <OBJECTS> -o <TARGET> <LINK_LIBRARIES>${runtime} -lm -lpthread -ldl")
set(CMAKE_CXX_CREATE_SHARED_LIBRARY
    "${link} -shared <SONAME_FLAG><TARGET_SONAME> <LINK_FLAGS> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>${runtime} -lm -lpthread -ldl")
# A module takes the C++ runtime from the core. zig puts archives before libraries, and would take it from both.
string(REGEX REPLACE " \"[^\"]*libstdc\\+\\+\\.a\"" "" runtime "${runtime}")
set(CMAKE_CXX_CREATE_SHARED_MODULE
    "${link} -shared <LINK_FLAGS> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>${runtime} -lm -lpthread -ldl")
