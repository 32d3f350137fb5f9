# Sets OPTGAP_WITH_CUDA and the CUDA flags; adds Philox (cuRAND's header or Random123's) and NVTX to
# optgap_flags.

# Under AUTO the cards of this machine determine the architectures to build, if any.
set(cards)
if(OPTGAP_CUDA STREQUAL "AUTO" AND NOT OPTGAP_CUDA_ARCHS)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE cards RESULT_VARIABLE no_cards ERROR_QUIET)
    if(NOT no_cards EQUAL 0)
        set(cards "")
    endif()
    string(REGEX MATCHALL "[0-9]+\\.[0-9]" cards "${cards}")
    list(TRANSFORM cards REPLACE "\\." "")
    list(REMOVE_DUPLICATES cards)
    list(FILTER cards EXCLUDE REGEX "^[1-7].$")  # the kernels use the warp reductions of sm_80
endif()
set(OPTGAP_WITH_CUDA OFF)
set(why_no_cuda "OPTGAP_CUDA=${OPTGAP_CUDA}")
if(OPTGAP_CUDA STREQUAL "AUTO" AND NOT cards AND NOT OPTGAP_CUDA_ARCHS)
    set(why_no_cuda "no card of compute capability 8.0 or more here; -DOPTGAP_CUDA=ON builds for other machines")
elseif(NOT OPTGAP_CUDA STREQUAL "OFF")
    find_program(OPTGAP_NVCC nvcc HINTS "$ENV{CUDACXX}" "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" /usr/local/cuda/bin)
    mark_as_advanced(OPTGAP_NVCC)
    set(nvcc_version 0)
    if(OPTGAP_NVCC)
        execute_process(COMMAND "${OPTGAP_NVCC}" --version OUTPUT_VARIABLE nvcc_text ERROR_QUIET)
        if(nvcc_text MATCHES "release ([0-9]+\\.[0-9]+)")
            set(nvcc_version ${CMAKE_MATCH_1})
        endif()
    endif()
    set(why_no_cuda "needs a working nvcc >= 12.4, found '${OPTGAP_NVCC}' ${nvcc_version}")
    if(nvcc_version VERSION_GREATER_EQUAL 12.4)
        if(NOT CMAKE_CUDA_COMPILER)
            set(CMAKE_CUDA_COMPILER "${OPTGAP_NVCC}" CACHE FILEPATH "nvcc")
        endif()
        if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
            set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}" CACHE FILEPATH "nvcc's host compiler")
        endif()
        if(NOT DEFINED OPTGAP_NVCC_WORKS)
            file(WRITE "${PROJECT_BINARY_DIR}/generated/nvcc_works.cu" "__global__ void probe() {}\nint main() {}\n")
            execute_process(
                COMMAND "${OPTGAP_NVCC}" -std=c++20 -ccbin "${CMAKE_CXX_COMPILER}" -c -o /dev/null
                    "${PROJECT_BINARY_DIR}/generated/nvcc_works.cu"
                RESULT_VARIABLE nvcc_failed ERROR_VARIABLE nvcc_errors OUTPUT_QUIET)
            if(nvcc_failed)
                message(STATUS "optgap: ${OPTGAP_NVCC} does not compile:\n${nvcc_errors}")
            endif()
            if(nvcc_failed EQUAL 0)
                set(OPTGAP_NVCC_WORKS ON CACHE INTERNAL "")
            endif()
        endif()
        if(OPTGAP_NVCC_WORKS)
            set(OPTGAP_WITH_CUDA ON)
        endif()
    endif()
    if(OPTGAP_CUDA STREQUAL "ON" AND NOT OPTGAP_WITH_CUDA)
        message(FATAL_ERROR "OPTGAP_CUDA=ON ${why_no_cuda}")
    endif()
endif()

if(OPTGAP_WITH_CUDA)
    # Default: the cards here, else Ampere, Hopper and Blackwell, and PTX for other major versions and later ones. It is
    # the oldest Blackwell's PTX, since that of sm_120 does not run on sm_110.
    if(OPTGAP_CUDA_ARCHS)
        set(CMAKE_CUDA_ARCHITECTURES ${OPTGAP_CUDA_ARCHS})
    elseif(cards)
        list(TRANSFORM cards APPEND "-real" OUTPUT_VARIABLE CMAKE_CUDA_ARCHITECTURES)
    elseif(nvcc_version VERSION_GREATER_EQUAL 12.8)
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100 120-real)
    else()
        set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    enable_language(CUDA)
    # CMake 3.25.1 does not know that nvcc has C++20 since 12.0.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    find_package(CUDAToolkit REQUIRED)
    # Relaxed constexpr: kernels call the constexpr members of include/optgap, which does not know OPTGAP_HD. nvcc's
    # build of the host functions is one more instruction set, so its symbols stay separate from g++'s.
    add_compile_options(
        $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>
        $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
        # A fraction of the bytes, for drivers that a build with CUDA 13 needs anyway.
        $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<VERSION_GREATER_EQUAL:${nvcc_version},13.0>>:--compress-mode=size>
        $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${OPTGAP_MARCH_isa_base},-ffp-contract=off,-Wall,-Wno-unknown-pragmas,-Wshadow>)
    add_compile_definitions($<$<COMPILE_LANGUAGE:CUDA>:OPTGAP_ISA=isa_cuda>)
    message(STATUS "optgap: CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${CMAKE_CUDA_ARCHITECTURES}")
else()
    message(STATUS "optgap: no CUDA: ${why_no_cuda}")
endif()

if(OPTGAP_WITH_CUDA)
    target_include_directories(optgap_flags SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS})
endif()
set(toolkit_includes ${CUDAToolkit_INCLUDE_DIRS} "$ENV{CUDA_HOME}/include" "$ENV{CUDA_PATH}/include"
    /usr/local/cuda/include)

# Philox: cuRAND's header wherever the toolkit is, with CUDA or without, so that both builds have the same host code and
# may share its libraries (OPTGAP_PREBUILT). Elsewhere Random123's, which includes half of the standard library (1.6 s a
# file).
find_path(OPTGAP_CURAND_INCLUDE curand_philox4x32_x.h HINTS ${toolkit_includes})
find_path(OPTGAP_RANDOM123_INCLUDE Random123/philox.h)
mark_as_advanced(OPTGAP_CURAND_INCLUDE OPTGAP_RANDOM123_INCLUDE)
if(OPTGAP_CURAND_INCLUDE)
    target_include_directories(optgap_flags SYSTEM INTERFACE "${OPTGAP_CURAND_INCLUDE}")
    target_compile_definitions(optgap_flags INTERFACE OPTGAP_HAVE_CURAND)
elseif(OPTGAP_RANDOM123_INCLUDE)
    target_include_directories(optgap_flags SYSTEM INTERFACE "${OPTGAP_RANDOM123_INCLUDE}")
else()
    message(FATAL_ERROR "Philox needs Random123 (librandom123-dev) or the CUDA toolkit's curand_philox4x32_x.h")
endif()

# NVTX ranges wherever its headers are, which link nothing. The sanitizers do not use them.
find_path(OPTGAP_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${toolkit_includes})
mark_as_advanced(OPTGAP_NVTX_INCLUDE)
if(OPTGAP_NVTX_INCLUDE AND NOT OPTGAP_SANITIZE)
    target_include_directories(optgap_flags SYSTEM INTERFACE "${OPTGAP_NVTX_INCLUDE}")
    target_compile_definitions(optgap_flags INTERFACE OPTGAP_HAVE_NVTX)
endif()

# The runtime's header. Tests use it to compile the CUDA executor as C++ on machines without nvcc or a card.
find_path(OPTGAP_CUDART_INCLUDE cuda_runtime_api.h HINTS ${toolkit_includes})
mark_as_advanced(OPTGAP_CUDART_INCLUDE)

# optgap_keep_resources(TARGET): keeps ptxas' report on each kernel beside its object (tests/compile/kernels.sh).
function(optgap_keep_resources target)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=-v>)
    get_property(recorder GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
    set_property(TARGET ${target} PROPERTY RULE_LAUNCH_COMPILE
        "${recorder}bash ${PROJECT_SOURCE_DIR}/tools/cmake/keep_log.sh <OBJECT>.log ")
endfunction()
