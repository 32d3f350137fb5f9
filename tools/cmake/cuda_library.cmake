# optgap_cuda: liboptgap_cuda.so, the CUDA executor as a library that the Python package's core finds at run time
# (host/cuda/cuda_library.hpp), with one exported function and no part of the core. It is built beside the package's
# core, or alone for the packages optgap-cuda12 and optgap-cuda13 (python/cuda).

# generated/build_id.cpp: a hash of the sources that both sides are compiled from. Written when they change, not when
# CMake runs.
file(GLOB_RECURSE shared_sources CONFIGURE_DEPENDS include/*.hpp kernels/*.hpp kernels/*.cuh kernels/*.cu host/*.hpp host/*.cuh
    host/cuda/*.cpp)
foreach(name IN LISTS OPTGAP_TASK_NAMES)
    file(GLOB found CONFIGURE_DEPENDS "${OPTGAP_TASK_DIR_${name}}/*.hpp" "${OPTGAP_TASK_DIR_${name}}/*.cu")
    list(APPEND shared_sources ${found})
endforeach()
list(REMOVE_DUPLICATES shared_sources)
list(FILTER shared_sources EXCLUDE REGEX "_(test|reference)\\.[a-z]+$")
list(JOIN shared_sources "\n" lines)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/build_id.txt" CONTENT "${lines}" @ONLY)
set(build_id "${PROJECT_BINARY_DIR}/generated/build_id.cpp")
add_custom_command(OUTPUT "${build_id}"
    COMMAND "${CMAKE_COMMAND}" -D "FILES=${PROJECT_BINARY_DIR}/generated/build_id.txt" -D "OUT=${build_id}"
        -D "ALSO=${PROJECT_VERSION} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${OPTGAP_CHECKED}"
        -P "${PROJECT_SOURCE_DIR}/tools/cmake/build_id.cmake"
    DEPENDS ${shared_sources} "${PROJECT_BINARY_DIR}/generated/build_id.txt" "${PROJECT_SOURCE_DIR}/tools/cmake/build_id.cmake"
    VERBATIM)

if(OPTGAP_PYTHON)
    target_sources(optgap_choices PRIVATE "${build_id}")
endif()

# optgap_add_cuda_library(TARGET SOURCE...): builds an executor's sources as such a library.
function(optgap_add_cuda_library target)
    # What else it calls is compiled once more: the archives' members would bring the rest of the core with them.
    file(GLOB host_parts CONFIGURE_DEPENDS host/cuda/device_*.cpp host/cuda/launch_*.cpp host/cuda/resident/device_*.cpp host/reward/ranking.cpp host/reward/estimators.cpp host/reward/shapes.cpp
        host/reward/advantage_groups.cpp host/executor/call_rows.cpp host/engine/key.cpp host/specs/nearest.cpp python/cuda/*.cpp)
    add_library(${target} SHARED ${ARGN} ${host_parts} "${build_id}" "${PROJECT_BINARY_DIR}/generated/registry_device.cpp" "${estimator_registry}" "${shape_registry}")
    target_link_libraries(${target} PRIVATE optgap_usage)
    target_link_options(${target} PRIVATE "-Wl,--version-script=${PROJECT_SOURCE_DIR}/python/cuda/exports.map")
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    optgap_make_portable(${target})
endfunction()

if(OPTGAP_WITH_CUDA)
    optgap_add_cuda_library(optgap_cuda ${cuda_host_sources})
    target_link_libraries(optgap_cuda PRIVATE optgap_kernels CUDA::cudart_static)
    set_target_properties(optgap_cuda PROPERTIES EXCLUDE_FROM_ALL ON)
    install(TARGETS optgap_cuda LIBRARY DESTINATION . COMPONENT cuda OPTIONAL)
endif()
