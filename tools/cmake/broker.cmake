# optgap-broker: the executable that starts programs of others (docs/sandbox.md). It links nothing of the engine, and is static,
# so that it starts anywhere and serves as the self-test of native programs. Without libseccomp it is not built, and `optgap
# sandbox` says so.

find_path(OPTGAP_SECCOMP_INCLUDE seccomp.h)
find_library(OPTGAP_SECCOMP_LIBRARY NAMES libseccomp.a)
mark_as_advanced(OPTGAP_SECCOMP_INCLUDE OPTGAP_SECCOMP_LIBRARY)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT OPTGAP_SECCOMP_INCLUDE OR NOT OPTGAP_SECCOMP_LIBRARY)
    message(STATUS "optgap: no optgap-broker: libseccomp-dev is not installed")
elseif(OPTGAP_GLIBC OR OPTGAP_PREBUILT OR OPTGAP_SANITIZE)
    # An old glibc's build has no libseccomp for it; sanitizers' runtimes are not static; another build has one. That build's
    # optgap-wasm is dynamic and needs its glibc, so an old glibc's build makes its own.
    set(OPTGAP_BROKER_PROGRAM "")
    foreach(program optgap-broker optgap-wasm)
        if(OPTGAP_GLIBC AND program STREQUAL "optgap-wasm")
            continue()
        endif()
        if(OPTGAP_PREBUILT AND EXISTS "${OPTGAP_PREBUILT}/${program}")
            list(APPEND OPTGAP_BROKER_PROGRAM "${OPTGAP_PREBUILT}/${program}")
        endif()
    endforeach()
else()
    file(GLOB broker_sources CONFIGURE_DEPENDS tools/broker/*.cpp tools/broker/held/*.cpp)
    add_executable(optgap-broker ${broker_sources})
    target_link_libraries(optgap-broker PRIVATE optgap_flags "${OPTGAP_SECCOMP_LIBRARY}")
    target_include_directories(optgap-broker SYSTEM PRIVATE "${OPTGAP_SECCOMP_INCLUDE}")
    set_target_properties(optgap-broker PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    target_link_options(optgap-broker PRIVATE -static)
    if(TARGET optgap)
        add_dependencies(optgap optgap-broker)
    endif()
    install(TARGETS optgap-broker RUNTIME DESTINATION bin)
endif()

# optgap-wasm: what the broker runs for modules of WebAssembly. It loads wasmtime at run time, so it is dynamic and needs no
# package to be built; where the broker is another build's, so is this, but for an old glibc.
if(TARGET optgap-broker OR (OPTGAP_GLIBC AND OPTGAP_BROKER_PROGRAM))
    file(GLOB wasm_sources CONFIGURE_DEPENDS tools/wasm/*.cpp)
    add_executable(optgap-wasm ${wasm_sources})
    target_link_libraries(optgap-wasm PRIVATE optgap_flags ${CMAKE_DL_LIBS})
    set_target_properties(optgap-wasm PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    target_link_options(optgap-wasm PRIVATE -static-libstdc++ -static-libgcc)
    optgap_make_portable(optgap-wasm)
    if(TARGET optgap-broker)
        add_dependencies(optgap-broker optgap-wasm)
    endif()
    install(TARGETS optgap-wasm RUNTIME DESTINATION bin)
endif()
