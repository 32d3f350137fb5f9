#pragma once

#include <string>
#include <string_view>

namespace optgap::cli {

/// A file's bytes; "-" is stdin. Throws usage_error when it cannot be read.
std::string read_whole(std::string const& path);

/// A file that appears under its name when it is whole and on the disk; until then the old one stands. What is no file,
/// a pipe or a terminal, is written as it is.
class whole_file {
public:
    /// Throws usage_error where nothing can be written.
    explicit whole_file(std::string const& path);
    ~whole_file();
    whole_file(whole_file const&) = delete;
    whole_file& operator=(whole_file const&) = delete;

    /// Throws io_error; then, and without this call, nothing has happened to the file.
    void write(std::string_view text);

private:
    std::string path_;
    std::string draft_;  ///< of this process alone
    int fd_ = -1;
};

/// Throws io_error.
void write_whole(std::string const& path, std::string_view text);

}  // namespace optgap::cli
