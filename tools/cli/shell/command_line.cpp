#include "tools/cli/shell/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "host/specs/nearest.hpp"
#include "tools/cli/shell/context.hpp"
#include "tools/cli/shell/help.hpp"
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

/// Of a command with a second word, what CLI11 knows it by. No command has a dot in its name.
std::string joined_name(std::string const& first, std::string second) {
    std::ranges::replace(second, '=', '.');
    return first + '.' + second;
}

/// Whether the words behind the first one name the command.
bool names_second(std::string const& second, std::span<std::string const> behind) {
    if (!second.starts_with('-')) {
        return !behind.empty() && behind[0] == second;
    }
    std::string const name = second.substr(0, second.find('='));
    std::string const value = name.size() == second.size() ? "" : second.substr(name.size() + 1);
    for (std::size_t k = 0; k < behind.size(); ++k) {
        bool const apart = behind[k] == name && (value.empty() || (k + 1 < behind.size() && behind[k + 1] == value));
        bool const together = behind[k].starts_with(name + '=' + value);
        if (apart || together) {
            return true;
        }
    }
    return false;
}

/// "optgap bench trainer": the words that call a command.
std::string words_of(CLI::App const& command) {
    std::string name = command.get_name();
    if (std::size_t const dot = name.find('.'); dot != std::string::npos) {
        name = name.compare(dot + 1, 2, "--") == 0 ? name.substr(0, dot) : name.replace(dot, 1, " ");
    }
    CLI::App const* const parent = command.get_parent();
    return parent == nullptr ? name : words_of(*parent) + ' ' + name;
}

/// The command that was named, and under it.
CLI::App const& innermost(CLI::App const& app) {
    std::vector<CLI::App*> const named = app.get_subcommands();
    return named.empty() ? app : innermost(*named.back());
}

std::vector<std::string> listed_commands(CLI::App const& app) {
    std::vector<std::string> out;
    for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; })) {
        if (!command->get_group().empty()) {  // else hidden
            out.push_back(command->get_name());
        }
    }
    return out;
}

std::vector<std::string> option_names(CLI::App const& app) {
    std::vector<std::string> out;
    for (CLI::Option const* const option : app.get_options()) {
        for (std::string const& name : option->get_lnames()) {
            out.push_back("--" + name);
        }
    }
    if (app.get_parent() != nullptr) {
        std::vector<std::string> const outer = option_names(*app.get_parent());
        out.insert(out.end(), outer.begin(), outer.end());
    }
    return out;
}

/// "Text (range; default 4)".
std::string meaning_of(CLI::Option const& option, std::string_view range) {
    std::string more;
    auto const add = [&](std::string const& word) { more += (more.empty() ? "" : "; ") + word; };
    if (!range.empty()) {
        add(std::string(range));
    }
    if (!option.get_default_str().empty()) {
        add("default " + option.get_default_str());
    }
    if (option.get_required()) {
        add("required");
    }
    return more.empty() ? option.get_description() : fmt::format("{} ({})", option.get_description(), more);
}

/// In the group of an option that stands under a topic (option_entry::topic).
constexpr std::string_view topic_mark = ": ";

help_line line_of(CLI::Option const& option) {
    std::string const type = option.get_type_name();
    std::size_t const colon = type.find(':');
    help_line line;
    line.text = meaning_of(option, colon == std::string::npos ? "" : std::string_view(type).substr(colon + 1));
    bool const many = option.get_items_expected_max() > 1;
    if (option.get_positional()) {
        line.label = option.get_name(true) + (many ? "..." : "");
        line.heading = "Arguments";
        return line;
    }
    for (std::string const& name : option.get_snames()) {
        line.label += (line.label.empty() ? "-" : ", -") + name;
    }
    for (std::string const& name : option.get_lnames()) {
        line.label += (line.label.empty() ? "--" : ", --") + name;
    }
    if (option.get_items_expected_max() > 0) {
        line.label += ' ' + type.substr(0, colon) + (many ? "..." : "");
    }
    line.heading = option.get_group();
    if (std::size_t const mark = line.heading.find(topic_mark); mark != std::string::npos) {
        line.topic = line.heading.substr(mark + topic_mark.size());
        line.heading = fmt::format("Options of {}", line.topic);
    }
    return line;
}

/// Everything but the commands with a second word.
help_page page_of(CLI::App const& app) {
    help_page page{words_of(app), app.get_description(), "", {}, app.get_footer(), ""};
    for (CLI::Option const* const option : app.get_options()) {
        if (!option->get_positional()) {
            page.usage = " [OPTIONS]";
        }
    }
    for (CLI::Option const* const option : app.get_options()) {
        if (option->get_positional()) {
            page.lines.push_back(line_of(*option));
            page.usage +=
                option->get_required() ? ' ' + page.lines.back().label : fmt::format(" [{}]", page.lines.back().label);
        }
    }
    for (CLI::Option const* const option : app.get_options()) {
        if (!option->get_positional() && !option->get_group().empty()) {
            page.lines.push_back(line_of(*option));
            if (!page.lines.back().topic.empty()) {
                page.topics = option->get_group().substr(0, option->get_group().find(topic_mark));
            }
        }
    }
    for (CLI::App const* const command : app.get_subcommands([](CLI::App const*) { return true; })) {
        if (!command->get_group().empty()) {
            page.lines.push_back({command->get_name(), command->get_description(),
                                  command->get_group() == "Subcommands" ? "Commands" : command->get_group(), ""});
        }
    }
    return page;
}

}  // namespace

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

command_entry command_line::add_joined(std::string const& first, std::string const& second,
                                       std::string const& description, std::vector<std::string> const& examples,
                                       std::vector<std::string> const& remarks) {
    joined_.push_back({first, second});
    command_entry const made = add_command(joined_name(first, second), description, examples, remarks);
    made.hide();
    return made;
}

std::size_t command_line::command_place(std::vector<std::string> const& words) const {
    std::size_t place = 0;
    while (place < words.size() && words[place].starts_with('-')) {
        CLI::Option const* const option = app_->get_option_no_throw(words[place]);
        place += option != nullptr && option->get_items_expected_max() > 0 ? 2 : 1;
    }
    return std::min(place, words.size());
}

bool command_line::names(std::vector<std::string> const& words, std::string const& first,
                         std::string const& second) const {
    std::size_t const place = command_place(words);
    return place < words.size() && words[place] == first &&
           (second.empty() || names_second(second, std::span(words).subspan(place + 1)));
}

/// Makes one word of two that name a command.
void command_line::join(std::vector<std::string>& words) const {
    std::size_t const place = command_place(words);
    for (joined const& one : joined_) {
        if (!names(words, one.first, one.second)) {
            continue;
        }
        if (!one.second.starts_with('-')) {
            words.erase(words.begin() + std::ptrdiff_t(place) + 1);
        }
        words[place] = joined_name(one.first, one.second);
        return;
    }
}

std::string command_line::help_of(CLI::App const& command, std::string const& topic) const {
    help_page page = page_of(command);
    for (joined const& one : joined_) {
        if (one.first == command.get_name()) {
            bool const is_option = one.second.starts_with('-');
            page.lines.push_back(
                {one.second, app_->get_subcommand(joined_name(one.first, one.second))->get_description(),
                 is_option ? fmt::format("Another command ({} {} --help)", page.command, one.second) : "Commands", ""});
        }
    }
    bool const is_whole = &command == app_.get();
    if (is_whole || std::ranges::any_of(page.lines, [](help_line const& line) { return line.heading == "Commands"; })) {
        page.usage += " COMMAND";
    }
    std::vector<std::string> topics = topics_of(page);
    if (topic.empty() || topics.empty()) {
        return help_text(page);
    }
    topics.emplace_back("all");
    if (std::ranges::find(topics, topic) == topics.end()) {
        throw usage_error(fmt::format("{} --help knows {} and all, not '{}'{}", page.command,
                                      closest_first(topic, topics_of(page)), topic, did_you_mean(topic, topics)));
    }
    return help_of_topic(page, topic);
}

/// What CLI11 says, or a better word for one that was mistyped.
int command_line::usage_failure(std::string_view problem, std::string const& first) const {
    CLI::App const& command = innermost(*app_);
    std::string const called = words_of(command);
    std::vector<std::string> const known = listed_commands(command);
    std::vector<std::string> const left = app_->remaining(true);
    bool const misses_command = &command == app_.get() ? !first.empty() : !known.empty() && !left.empty();
    std::string const word = &command == app_.get() ? first : left.empty() ? "" : left[0];
    if (misses_command && !word.starts_with('-')) {
        say(fmt::format("{}: no command is named '{}'{} there are: {}\n", called, word,
                        nearest(word, known).empty() ? ";" : did_you_mean(word, known), closest_first(word, known)));
        return exit_usage;
    }
    for (std::string const& one : left) {
        std::string const name = one.substr(0, one.find('='));
        if (name.starts_with("--") && name.size() > 2) {
            say(fmt::format("{}: no option is named {}{}\nSee: {} --help\n", called, name,
                            did_you_mean(name, option_names(command)), called));
            return exit_usage;
        }
    }
    say(fmt::format("{}: {}\nSee: {} --help\n", called, problem, called));
    return exit_usage;
}

int command_line::run(std::vector<std::string> words) const {
    std::size_t const place = command_place(words);
    std::string const first = place < words.size() ? words[place] : "";
    auto const asking = std::ranges::find_if(words, [](auto const& word) { return word == "--help" || word == "-h"; });
    bool const has_topic =
        asking != words.end() && asking + 1 != words.end() && !(asking + 1)->starts_with('-') && asking > words.begin();
    std::string const topic = has_topic ? *(asking + 1) : "";
    join(words);
    std::ranges::reverse(words);
    try {
        app_->parse(std::move(words));
        return exit_done;
    } catch (CLI::CallForHelp const&) {
        std::string const text = help_of(innermost(*app_), topic);
        std::fwrite(text.data(), 1, text.size(), stdout);
        return exit_done;
    } catch (CLI::ParseError const& problem) {
        return problem.get_exit_code() == 0 ? app_->exit(problem) : usage_failure(problem.what(), first);
    }
}

}  // namespace optgap::cli
