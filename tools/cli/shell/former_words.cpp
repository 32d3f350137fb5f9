#include "tools/cli/shell/former_words.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "host/specs/renamed.hpp"
#include "tools/cli/shell/say.hpp"

namespace optgap::cli {
namespace {

/// A value of an option.
struct renamed_value {
    std::string_view option, former, current;
};
constexpr renamed_value renamed_values[] = {{"--keep", "dear", "expensive"}};
/// Flags of one command, without dashes.
constexpr renamed renamed_flags[] = {{"pays", "rewards"}};
constexpr renamed renamed_commands[] = {{"chain", "rubric"}};
/// A command of a command: `optgap store take-outbox`.
constexpr renamed_value renamed_subcommands[] = {{"store", "take-outbox", "take-improved"}};

void warn(std::string_view former, std::string_view current) {
    say(fmt::format("optgap: '{}' is called '{}' now; the former name goes with the next version\n", former, current));
}

/// Whether the option takes the next word as its value, of those that may stand before a command.
bool takes_a_value(std::string_view option) {
    return option == "--device" || option == "--threads" || option == "--server";
}

/// --outbox and --outbox=FILE.
std::string current_flag(std::string const& word) {
    std::size_t const end = std::min(word.find('='), word.size());
    std::string const name = word.substr(2, end - 2);
    std::string now = current_option(name);
    for (renamed const& one : renamed_flags) {
        if (name == one.former) {
            now = one.current;
        }
    }
    if (now == name) {
        return word;
    }
    warn("--" + name, "--" + now);
    return "--" + now + word.substr(end);
}

}  // namespace

std::vector<std::string> current_words(int argc, char const* const* argv) {
    std::vector<std::string> words(argv, argv + argc);
    std::string command;
    bool is_first = true;
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::string& word = words[i];
        if (word == "--") {
            break;
        }
        if (word.starts_with("--")) {
            word = current_flag(word);
            continue;
        }
        for (renamed_value const& one : renamed_values) {
            if (words[i - 1] == one.option && word == one.former) {
                warn(fmt::format("{} {}", one.option, one.former), fmt::format("{} {}", one.option, one.current));
                word = one.current;
            }
        }
        if (is_first && !takes_a_value(words[i - 1])) {
            is_first = false;
            for (renamed const& one : renamed_commands) {
                if (word == one.former) {
                    warn(one.former, one.current);
                    word = one.current;
                }
            }
            command = word;
            continue;
        }
        for (renamed_value const& one : renamed_subcommands) {
            if (command == one.option && words[i - 1] == command && word == one.former) {
                warn(fmt::format("{} {}", one.option, one.former), fmt::format("{} {}", one.option, one.current));
                word = one.current;
            }
        }
    }
    return words;
}

}  // namespace optgap::cli
