# cmake --install BUILD --prefix DIR installs, beside the program, what a C++ project needs: the public headers, one
# archive of everything that a program links, and find_package(optgap). Its test is examples.consumer.

if(NOT TARGET optgap OR OPTGAP_PYTHON)
    return()  # the libraries of another build, or a wheel
endif()
include(CMakePackageConfigHelpers)

install(DIRECTORY include/optgap DESTINATION include COMPONENT development FILES_MATCHING PATTERN "*.hpp")

# The registry names every task and instruction set, so a linker that searches one archive finds them all.
set(installed_parts)
set(installed_links Threads::Threads ${CMAKE_DL_LIBS})
foreach(part IN ITEMS optgap_host optgap_tasks optgap_choices optgap_expressions optgap_kernels optgap_fmt)
    if(TARGET ${part})
        get_target_property(type ${part} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")  # optgap_fmt may be headers alone
            list(APPEND installed_parts "\"$<TARGET_FILE:${part}>\"")
        endif()
    endif()
endforeach()
if(OPTGAP_WITH_SQLITE)
    list(APPEND OPTGAP_TEXT_ARCHIVES "${OPTGAP_SQLITE_LIBRARY}")
    list(APPEND installed_links m)
endif()
foreach(archive IN LISTS OPTGAP_TEXT_ARCHIVES)
    list(APPEND installed_parts "\"${archive}\"")
endforeach()
if(OPTGAP_WITH_CUDA)
    list(APPEND installed_links CUDA::cudart_static)
endif()
list(JOIN installed_parts " " installed_parts)
# Joined during installation, so that other builds do not pay for it.
install(CODE "execute_process(COMMAND bash \"${PROJECT_SOURCE_DIR}/tools/cmake/join_archives.sh\" \"${CMAKE_AR}\"
    \"${PROJECT_BINARY_DIR}/liboptgap.a\" ${installed_parts} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT development)
install(FILES "${PROJECT_BINARY_DIR}/liboptgap.a" DESTINATION lib COMPONENT development)

configure_package_config_file(tools/cmake/optgapConfig.cmake.in "${PROJECT_BINARY_DIR}/generated/optgapConfig.cmake"
    INSTALL_DESTINATION lib/cmake/optgap)
# Before 1.0 a minor version may change the public interface (docs/decisions.md).
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/optgapConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/optgapConfig.cmake"
    "${PROJECT_BINARY_DIR}/generated/optgapConfigVersion.cmake" DESTINATION lib/cmake/optgap COMPONENT development)
