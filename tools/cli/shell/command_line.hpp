#pragma once
// Commands, their options and what a wrong word is answered with. CLI11 is slow to compile: only command_line.cpp and
// command_entries.cpp include it, and this is what the other files see of it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace optgap::cli {

/// An option that was added, for saying more about it. Copies are the same option.
class option_entry {
public:
    explicit option_entry(CLI::Option* made) : made_(made) {}

    option_entry required() const;
    /// The help shows the value that the variable has now.
    option_entry show_default() const;
    /// One word may hold several values of a list.
    option_entry delimiter(char mark) const;
    option_entry excludes(option_entry other) const;
    /// What the help calls its value.
    option_entry value_name(std::string const& name) const;
    /// What the help lists it under.
    option_entry heading(std::string const& text) const;
    /// Of a topic, which `--help TOPIC` shows; `topics` says what such a topic is, for example "a kind of rows".
    option_entry topic(std::string const& topics, std::string const& name) const;
    /// Works, but no help lists it.
    option_entry hide() const;
    /// What the help shows as its default.
    option_entry default_text(std::string const& text) const;
    /// May be given again, with one value each time.
    option_entry one_each() const;
    /// May be given again; the last value counts.
    option_entry last_counts() const;
    /// Takes all values that follow.
    option_entry many() const;
    /// `problem_of` a value is empty where it may be given; `range` tells the help what may.
    option_entry check(std::function<std::string(std::string const&)> problem_of, std::string const& range) const;

    /// The values that may be given; bounds are part of their range.
    option_entry at_least(std::int64_t least) const;
    option_entry between(std::int32_t least, std::int32_t most) const;
    option_entry between(double least, double most) const;
    option_entry not_negative() const;
    option_entry seed() const;  ///< unsigned, 64 bits
    option_entry one_of(std::vector<std::string> const& words) const;

private:
    CLI::Option* made_;
};

/// A command: what it takes and what it does. Copies are the same command.
class command_entry {
public:
    explicit command_entry(CLI::App* made) : made_(made) {}

    /// A subcommand with a description and, below its options, an "Examples:" list of one command a line, then remarks.
    command_entry add_command(std::string const& name, std::string const& description,
                              std::vector<std::string> const& examples,
                              std::vector<std::string> const& remarks = {}) const;
    /// One with this command's examples and remarks.
    command_entry add_command(std::string const& name, std::string const& description) const;
    /// One of the subcommands must be named.
    void require_command() const;
    /// Any further words are accepted and ignored, also those that are common options.
    void accept_anything() const;
    /// Works, but no help lists it.
    void hide() const;
    void on_run(std::function<void()> action) const;

    /// A name without dashes takes the words that no option takes. The variable must live until the command has run.
    option_entry add_option(std::string const& name, std::string& value, std::string const& help) const;
    option_entry add_option(std::string const& name, std::int32_t& value, std::string const& help) const;
    option_entry add_option(std::string const& name, std::int64_t& value, std::string const& help) const;
    option_entry add_option(std::string const& name, std::uint64_t& value, std::string const& help) const;
    option_entry add_option(std::string const& name, double& value, std::string const& help) const;
    option_entry add_option(std::string const& name, std::vector<std::string>& values, std::string const& help) const;
    option_entry add_option(std::string const& name, std::vector<std::int32_t>& values, std::string const& help) const;
    /// `take` is called when the option is there, before the command runs.
    option_entry add_option(std::string const& name, std::function<void(std::string const&)> take,
                            std::string const& help) const;
    option_entry add_option(std::string const& name, std::function<void(std::int64_t)> take,
                            std::string const& help) const;
    option_entry add_option(std::string const& name, std::function<void(std::vector<std::string> const&)> take,
                            std::string const& help) const;
    option_entry add_flag(std::string const& name, std::function<void()> take, std::string const& help) const;
    option_entry add_flag(std::string const& name, bool& value, std::string const& help) const;

private:
    CLI::App* made_;
};

/// What the program says of itself; `closing` ends its help.
struct program_words {
    std::string name, description, version, closing;
};

/// The program: a command must be named, and its own options may stand before or after it. A command may have a second
/// word: `bench trainer`, or an option that makes another command of it: `dataset --from`.
class command_line : public command_entry {
public:
    explicit command_line(program_words const& words);
    ~command_line();

    /// `FIRST SECOND`, where no command is added to `FIRST` itself. A SECOND with dashes may stand anywhere behind
    /// FIRST. The help of FIRST lists it.
    command_entry add_joined(std::string const& first, std::string const& second, std::string const& description,
                             std::vector<std::string> const& examples, std::vector<std::string> const& remarks);
    /// The commands that `add` adds stand under a heading of their own in the help.
    void add_group(std::string const& heading, std::function<void()> const& add) const;

    /// Runs the command that is named, or prints help. Returns exit_done, or exit_usage when the words are wrong, which
    /// stderr was told. What the command throws passes through.
    int run(std::vector<std::string> words) const;
    /// Whether the words call the command. `second` is empty for one of one word.
    [[nodiscard]] bool names(std::vector<std::string> const& words, std::string const& first,
                             std::string const& second) const;
    /// The place of the command's first word; the number of words where there is none.
    [[nodiscard]] std::size_t command_place(std::vector<std::string> const& words) const;

private:
    struct joined {
        std::string first, second;
    };

    explicit command_line(std::unique_ptr<CLI::App> app);
    void join(std::vector<std::string>& words) const;
    [[nodiscard]] std::string help_of(CLI::App const& command, std::string const& topic) const;
    [[nodiscard]] int usage_failure(std::string_view problem, std::string const& first) const;

    std::unique_ptr<CLI::App> app_;
    std::vector<joined> joined_;
};

}  // namespace optgap::cli
