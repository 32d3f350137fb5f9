#include "tools/cli/shell/command_line.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/cli/shell/context.hpp"
#include "tools/cli/shell/decimal.hpp"
#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
namespace {

std::unique_ptr<CLI::App> app_of(program_words const& words) {
    auto app = std::make_unique<CLI::App>(words.description, words.name);
    app->set_version_flag("--version", words.version);
    app->footer(words.closing);
    app->fallthrough();
    app->require_subcommand(1);
    return app;
}

/// What CLI11 says, and the commands that help lists, the closest first, when the first word is none.
int usage_failure(CLI::App const& app, CLI::ParseError const& problem, std::string const& first) {
    std::vector<std::string> listed;
    bool is_command = false;
    for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; })) {
        is_command |= command->get_name() == first;
        if (!command->get_group().empty()) {  // command_entry::hide
            listed.push_back(command->get_name());
        }
    }
    std::string const& program = app.get_name();
    if (!first.empty() && first[0] != '-' && !is_command) {
        say(fmt::format("{}: no command is named '{}'; there are: {}\n", program, first, closest_first(first, listed)));
    } else {
        std::string const command = is_command ? program + " " + first : program;
        say(fmt::format("{}: {}\nSee: {} --help\n", command, problem.what(), command));
    }
    return exit_usage;
}

}  // namespace

option_entry option_entry::required() const { return option_entry(made_->required()); }
option_entry option_entry::show_default() const { return option_entry(made_->capture_default_str()); }
option_entry option_entry::delimiter(char mark) const { return option_entry(made_->delimiter(mark)); }
option_entry option_entry::excludes(option_entry other) const { return option_entry(made_->excludes(other.made_)); }

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
    return option_entry(made_->check(CLI::Range(least, most)));
}
option_entry option_entry::between(double least, double most) const {
    return option_entry(made_->check(CLI::Range(least, most)));
}
option_entry option_entry::not_negative() const { return option_entry(made_->check(CLI::NonNegativeNumber)); }
option_entry option_entry::one_of(std::vector<std::string> const& words) const {
    return option_entry(made_->check(CLI::IsMember(words)));
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
option_entry command_entry::add_flag(std::string const& name, bool& value, std::string const& help) const {
    return option_entry(made_->add_flag(name, value, help));
}

command_line::command_line(program_words const& words) : command_line(app_of(words)) {}
command_line::command_line(std::unique_ptr<CLI::App> app) : command_entry(app.get()), app_(std::move(app)) {}
command_line::~command_line() = default;

void command_line::add_group(std::string const& heading, std::function<void()> const& add) const {
    std::size_t const before = app_->get_subcommands({}).size();
    add();
    std::vector<CLI::App*> const commands = app_->get_subcommands({});
    for (std::size_t k = before; k < commands.size(); ++k) {
        if (!commands[k]->get_group().empty()) {  // else hidden
            commands[k]->group(heading);
        }
    }
}

int command_line::run(int argc, char** argv) const {
    try {
        app_->parse(argc, argv);
        return exit_done;
    } catch (CLI::ParseError const& problem) {
        return problem.get_exit_code() == 0 ? app_->exit(problem)
                                            : usage_failure(*app_, problem, argc > 1 ? argv[1] : "");
    }
}

}  // namespace optgap::cli
