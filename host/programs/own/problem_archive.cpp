#include "host/programs/own/problem_archive.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::size_t tar_block = 512;
constexpr std::size_t tar_name_bytes = 100;

/// Fields of a header: their place and their size.
struct tar_field {
    std::size_t at, size;
};
constexpr tar_field tar_mode{100, 8}, tar_owner{108, 8}, tar_group{116, 8}, tar_size{124, 12}, tar_time{136, 12},
    tar_checksum{148, 8}, tar_magic{257, 8};
constexpr std::size_t tar_type = 156, tar_prefix = 345;

void put_octal(std::string& header, tar_field field, std::uint64_t value) {
    header.replace(field.at, field.size - 1, fmt::format("{:0{}o}", value, field.size - 1));
}

/// The sum of a header's bytes, its checksum read as blanks.
std::uint64_t tar_sum(std::string_view header) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < tar_block; ++k) {
        bool const blank = k >= tar_checksum.at && k < tar_checksum.at + tar_checksum.size;
        sum += blank ? std::uint64_t(' ') : std::uint64_t(static_cast<unsigned char>(header[k]));
    }
    return sum;
}

std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

bool is_inside(std::string_view name) {
    bool inside = !name.empty() && !name.ends_with('/');
    while (inside && !name.empty()) {
        std::size_t const end = name.find('/');
        inside = end != 0 && name.front() != '.';
        name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    }
    return inside;
}

}  // namespace

std::string archive_of(problem_files const& files) {
    std::string out;
    for (auto const& [name, content] : files) {
        if (name.size() > tar_name_bytes) {
            throw field_error("problem",
                              fmt::format("{}: an archive holds names of at most {} bytes", name, tar_name_bytes));
        }
        std::string header(tar_block, '\0');
        header.replace(0, name.size(), name);
        put_octal(header, tar_mode, 0644);
        put_octal(header, tar_owner, 0);
        put_octal(header, tar_group, 0);
        put_octal(header, tar_size, content.size());
        put_octal(header, tar_time, 0);
        header[tar_type] = '0';
        header.replace(tar_magic.at, tar_magic.size, std::string_view("ustar\00000", tar_magic.size));
        header.replace(tar_checksum.at, tar_checksum.size, fmt::format("{:06o}", tar_sum(header)) + '\0' + ' ');
        out += header;
        out += content;
        out.resize((out.size() + tar_block - 1) / tar_block * tar_block, '\0');
    }
    return out.append(2 * tar_block, '\0');
}

problem_files files_in_archive(std::string_view archive, std::string const& path) {
    problem_files out;
    auto const require = [&](bool holds, std::string_view rule) {
        if (!holds) {
            throw field_error("problem",
                              fmt::format("{} is no archive of a problem (`optgap problem pack`): {}", path, rule));
        }
    };
    auto const octal = [&](std::string_view header, tar_field field) {
        std::string_view text = until_nul(header.substr(field.at, field.size));
        text = text.substr(0, text.find_last_not_of(' ') + 1);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        std::uint64_t value = 0;
        auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
        require(problem == std::errc() && end == text.data() + text.size(), "a header has no number where one belongs");
        return value;
    };
    while (true) {
        require(archive.size() >= tar_block, "it is cut off");
        std::string_view const header = archive.substr(0, tar_block);
        if (header.find_first_not_of('\0') == std::string_view::npos) {
            break;
        }
        archive.remove_prefix(tar_block);
        require(header.substr(tar_magic.at, 5) == "ustar" && octal(header, tar_checksum) == tar_sum(header),
                "it is damaged");
        require(header[tar_type] == '0' && header[tar_prefix] == '\0', "it holds more than regular files");
        std::string name(until_nul(header.substr(0, tar_name_bytes)));
        require(is_inside(name), "it holds a name that leaves the problem or begins with a dot");
        std::uint64_t const size = octal(header, tar_size);
        require(size <= archive.size(), "it is cut off");
        require(out.size() < max_problem_files, "it holds too many files");
        require(out.emplace(std::move(name), archive.substr(0, size)).second, "it holds a name twice");
        archive.remove_prefix(std::min<std::size_t>((size + tar_block - 1) / tar_block * tar_block, archive.size()));
    }
    return out;
}

}  // namespace optgap::programs
