#include "tools/cli/shell/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "tools/cli/shell/context.hpp"

namespace optgap::cli {

std::string read_whole(std::string const& path) {
    if (path == "-") {
        return {std::istreambuf_iterator<char>(std::cin), {}};
    }
    std::ifstream in(path, std::ios::binary);
    in.peek();  // a folder opens, and fails when it is read
    if (!in.is_open() || in.bad()) {
        throw usage_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    }
    in.clear();
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_whole(std::string const& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
        throw io_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
    }
}

}  // namespace optgap::cli
