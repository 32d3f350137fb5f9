// The program `optgap` of the Python package: all of it lies in liboptgap_core.so, but RE2.

#include "optgap/rubrics/expressions.hpp"

int optgap_main(int argc, char** argv);  // tools/cli/main.cpp

int main(int argc, char** argv) {
    if (auto const* const linked = optgap::rubrics::linked_expressions(); linked != nullptr) {
        optgap::rubrics::use_expressions(*linked);
    }
    return optgap_main(argc, argv);
}
