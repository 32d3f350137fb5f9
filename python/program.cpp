// The program `optgap` of the Python package: all of it lies in liboptgap_core.so.

int optgap_main(int argc, char** argv);  // tools/cli/main.cpp

int main(int argc, char** argv) { return optgap_main(argc, argv); }
