#include "tools/cli/commands.hpp"

#include <charconv>

#include <fmt/format.h>

namespace optgap::cli {
namespace {

/// All of `text` as a decimal number that fits; CLI11 itself would wrap negative ones, cap long ones and read 010 as 8.
template <class Number>
bool is_decimal(std::string const& text, Number& out) {
    std::size_t const first = text.starts_with('-') ? 1 : 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
    return problem == std::errc() && end == text.data() + text.size() &&
           (text[first] != '0' || text.size() == first + 1);
}

}  // namespace

char const* const rows_help =
    "Rows come out in the order they came in, with unknown keys untouched. A row that cannot be done carries\n"
    "error: {row, field, rule}, where row is the 1-based line of its file; blank lines are left out, but counted.\n"
    "Exit codes: 0 done, 1 some rows were rejected, 2 bad usage, 3 device or internal failure.";

CLI::App* add_command(CLI::App& app, std::string const& name, std::string const& description,
                      std::vector<std::string> const& examples, std::vector<std::string> const& remarks) {
    CLI::App* const command = app.add_subcommand(name, description);
    command->footer(fmt::format("Examples:\n  {}{}{}", fmt::join(examples, "\n  "), remarks.empty() ? "" : "\n\n",
                                fmt::join(remarks, "\n")));
    return command;
}

CLI::Validator at_least(std::int64_t least) {
    return {[least](std::string& text) {
                std::int64_t number = 0;
                return is_decimal(text, number) && number >= least
                           ? std::string()
                           : fmt::format("Value {} not in range {} to {}", text, least, INT64_MAX);
            },
            fmt::format(">={}", least)};
}

CLI::Validator seed_number() {
    return {[](std::string& text) {
                std::uint64_t number = 0;
                return is_decimal(text, number) ? std::string()
                                                : fmt::format("Value {} not in range 0 to {}", text, UINT64_MAX);
            },
            "0..2^64-1"};
}

void add_files(CLI::App& command, std::vector<std::string>& files, std::string const& what) {
    command.add_option("FILE", files, what + "; - is stdin")->required();
}

}  // namespace optgap::cli
