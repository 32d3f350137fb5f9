# cmake -D FILES=LIST -D OUT=FILE.cpp -D ALSO=TEXT -P build_id.cmake: writes a source with a 16-digit hash of files and
# a text.
file(STRINGS "${FILES}" files)
set(all "${ALSO}")
foreach(file IN LISTS files)
    file(SHA256 "${file}" digits)
    string(APPEND all " ${digits}")
endforeach()
string(SHA256 digits "${all}")
string(SUBSTRING "${digits}" 0 16 digits)
file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT
"// Written by tools/cmake/build_id.cmake.
#include \"host/cuda/cuda_library.hpp\"

char const* optgap::build_id() { return \"@digits@\"; }
")
file(TOUCH "${OUT}")
