#include "tools/cli/shell/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

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

whole_file::whole_file(std::string const& path) : path_(path) {
    std::error_code unknown;
    std::filesystem::path const target = std::filesystem::weakly_canonical(path, unknown);
    bool const special = std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown);
    if (!special) {
        path_ = unknown ? path : target.string();
        draft_ = fmt::format("{}.{}.unfinished", path_, getpid());
    }
    fd_ = open((special ? path_ : draft_).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) {
        throw usage_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
    }
}

whole_file::~whole_file() {
    if (fd_ >= 0) {
        close(fd_);
        if (!draft_.empty()) {
            unlink(draft_.c_str());
        }
    }
}

void whole_file::write(std::string_view text) {
    auto const require = [&](bool done) {
        if (!done) {
            throw io_error(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
        }
    };
    while (!text.empty()) {
        ssize_t const some = ::write(fd_, text.data(), text.size());
        require(some >= 0 || errno == EINTR);
        text.remove_prefix(std::size_t(std::max<ssize_t>(some, 0)));
    }
    if (!draft_.empty()) {
        require(fsync(fd_) == 0 && rename(draft_.c_str(), path_.c_str()) == 0);
    }
    close(std::exchange(fd_, -1));
}

void write_whole(std::string const& path, std::string_view text) {
    try {
        whole_file(path).write(text);
    } catch (usage_error const& problem) {
        throw io_error(problem.what());
    }
}

}  // namespace optgap::cli
