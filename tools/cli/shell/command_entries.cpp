// Commands and their options as CLI11 has them.

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "host/specs/nearest.hpp"
#include "tools/cli/shell/command_line.hpp"
#include "tools/cli/shell/decimal.hpp"

namespace optgap::cli {

option_entry option_entry::required() const { return option_entry(made_->required()); }
option_entry option_entry::show_default() const { return option_entry(made_->capture_default_str()); }
option_entry option_entry::delimiter(char mark) const { return option_entry(made_->delimiter(mark)); }
option_entry option_entry::excludes(option_entry other) const { return option_entry(made_->excludes(other.made_)); }

option_entry option_entry::value_name(std::string const& name) const { return option_entry(made_->type_name(name)); }
option_entry option_entry::heading(std::string const& text) const { return option_entry(made_->group(text)); }
option_entry option_entry::topic(std::string const& topics, std::string const& name) const {
    return heading(topics + ": " + name);
}
option_entry option_entry::default_text(std::string const& text) const {
    return option_entry(made_->default_str(text));
}
option_entry option_entry::one_each() const {
    return option_entry(
        made_->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}
option_entry option_entry::last_counts() const {
    return option_entry(made_->multi_option_policy(CLI::MultiOptionPolicy::TakeLast));
}
option_entry option_entry::many() const { return option_entry(made_->expected(-1)); }
option_entry option_entry::check(std::function<std::string(std::string const&)> problem_of,
                                 std::string const& range) const {
    return option_entry(made_->check(problem_of, range));
}
option_entry option_entry::hide() const { return heading(""); }

// CLI11 itself would wrap negative numbers, cap long ones and read 010 as 8.

option_entry option_entry::at_least(std::int64_t least) const {
    auto const problem_of = [least](std::string const& text) {
        std::int64_t number = 0;
        return is_decimal(text, number) && number >= least
                   ? std::string()
                   : fmt::format("Value {} not in range {} to {}", text, least, INT64_MAX);
    };
    return option_entry(made_->check(problem_of, fmt::format(">={}", least)));
}

option_entry option_entry::seed() const {
    auto const problem_of = [](std::string const& text) {
        std::uint64_t number = 0;
        return is_decimal(text, number) ? std::string()
                                        : fmt::format("Value {} not in range 0 to {}", text, UINT64_MAX);
    };
    return option_entry(made_->check(problem_of, "0..2^64-1"));
}

option_entry option_entry::between(std::int32_t least, std::int32_t most) const {
    return option_entry(made_->check(CLI::Range(least, most).description(fmt::format("{} to {}", least, most))));
}
option_entry option_entry::between(double least, double most) const {
    return option_entry(made_->check(CLI::Range(least, most).description(fmt::format("{} to {}", least, most))));
}
option_entry option_entry::not_negative() const {
    return option_entry(made_->check(CLI::Validator(CLI::NonNegativeNumber).description("0 or more")));
}
option_entry option_entry::one_of(std::vector<std::string> const& words) const {
    auto const problem_of = [words](std::string const& text) {
        return std::ranges::find(words, text) != words.end()
                   ? std::string()
                   : fmt::format("is '{}', expected one of: {}{}", text, fmt::join(words, ", "),
                                 did_you_mean(text, words));
    };
    return option_entry(made_->check(problem_of, fmt::format("{}", fmt::join(words, ", "))));
}

command_entry command_entry::add_command(std::string const& name, std::string const& description,
                                         std::vector<std::string> const& examples,
                                         std::vector<std::string> const& remarks) const {
    CLI::App* const command = made_->add_subcommand(name, description);
    command->footer(fmt::format("Examples:\n  {}{}{}", fmt::join(examples, "\n  "), remarks.empty() ? "" : "\n\n",
                                fmt::join(remarks, "\n")));
    return command_entry(command);
}

command_entry command_entry::add_command(std::string const& name, std::string const& description) const {
    return command_entry(made_->add_subcommand(name, description));  // CLI11 hands the footer down
}

void command_entry::require_command() const { made_->require_subcommand(1); }
void command_entry::accept_anything() const { made_->allow_extras()->fallthrough(false); }
void command_entry::hide() const { made_->group(""); }
void command_entry::on_run(std::function<void()> action) const { made_->callback(std::move(action)); }

option_entry command_entry::add_option(std::string const& name, std::string& value, std::string const& help) const {
    return option_entry(made_->add_option(name, value, help));
}
option_entry command_entry::add_option(std::string const& name, std::int32_t& value, std::string const& help) const {
    return option_entry(made_->add_option(name, value, help));
}
option_entry command_entry::add_option(std::string const& name, std::int64_t& value, std::string const& help) const {
    return option_entry(made_->add_option(name, value, help));
}
option_entry command_entry::add_option(std::string const& name, std::uint64_t& value, std::string const& help) const {
    return option_entry(made_->add_option(name, value, help));
}
option_entry command_entry::add_option(std::string const& name, double& value, std::string const& help) const {
    return option_entry(made_->add_option(name, value, help));
}
option_entry command_entry::add_option(std::string const& name, std::vector<std::string>& values,
                                       std::string const& help) const {
    return option_entry(made_->add_option(name, values, help));
}
option_entry command_entry::add_option(std::string const& name, std::vector<std::int32_t>& values,
                                       std::string const& help) const {
    return option_entry(made_->add_option(name, values, help));
}
option_entry command_entry::add_option(std::string const& name, std::function<void(std::string const&)> take,
                                       std::string const& help) const {
    return option_entry(made_->add_option_function<std::string>(name, take, help));
}
option_entry command_entry::add_option(std::string const& name, std::function<void(std::int64_t)> take,
                                       std::string const& help) const {
    return option_entry(made_->add_option_function<std::int64_t>(name, take, help));
}
option_entry command_entry::add_option(std::string const& name,
                                       std::function<void(std::vector<std::string> const&)> take,
                                       std::string const& help) const {
    return option_entry(made_->add_option_function<std::vector<std::string>>(name, take, help));
}
option_entry command_entry::add_flag(std::string const& name, std::function<void()> take,
                                     std::string const& help) const {
    return option_entry(made_->add_flag_callback(name, std::move(take), help));
}
option_entry command_entry::add_flag(std::string const& name, bool& value, std::string const& help) const {
    return option_entry(made_->add_flag(name, value, help));
}

}  // namespace optgap::cli
