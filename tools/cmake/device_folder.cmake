# device_folder: build/device/folder contains everything that another x86-64 Linux with an NVIDIA driver needs to check
# its card; nothing is installed there (tools/gpu_check.sh --folder DIR). Packed, folder.tar.xz has at most 50 MB; no
# symbol is above GLIBC_2.35. Tests that do not depend on a GPU are left out. Each program contains every kernel for
# every card.

set(device_folder "${PROJECT_BINARY_DIR}/folder")
set(device_programs)
foreach(program IN ITEMS optgap optgap_cuda_tests)
    if(TARGET ${program})
        list(APPEND device_programs ${program})
    endif()
endforeach()
if(NOT device_programs)
    return()
endif()

list(TRANSFORM device_programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE device_files)
add_custom_target(device_folder
    COMMAND bash "${PROJECT_SOURCE_DIR}/tools/device_folder.sh" "${device_folder}" ${device_files}
    DEPENDS ${device_programs}
    VERBATIM
    COMMENT "Writing ${device_folder}")
