#include "host/programs/wrapper/template.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

constexpr std::string_view known[] = {"{program}", "{folder}", "{cpu_ms}", "{memory_mb}"};

/// A word in braces that is not a placeholder; empty when there is none.
std::string unknown_in(std::string const& word) {
    for (std::size_t open = word.find('{'); open != word.npos; open = word.find('{', open + 1)) {
        std::size_t const close = word.find('}', open);
        std::string const name = close == word.npos ? std::string() : word.substr(open, close - open + 1);
        bool const is_name = name.size() > 2 && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_{}") == name.npos;
        if (is_name && std::ranges::find(known, name) == std::end(known)) {
            return name;
        }
    }
    return {};
}

[[noreturn]] void refuse(std::string const& why) {
    misuse(
        fmt::format("OPTGAP_SANDBOX_COMMAND {}; expected a JSON array of words such as "
                    R"(["wrapper", "--memory={{memory_mb}}M", "{{program}}"])",
                    why));
}

}  // namespace

std::vector<std::string> wrapper_template(std::string_view text) {
    nlohmann::json const read = nlohmann::json::parse(text, nullptr, false);
    if (!read.is_array() || !std::ranges::all_of(read, [](auto const& word) { return word.is_string(); })) {
        refuse("is no JSON array of strings");
    }
    auto words = read.get<std::vector<std::string>>();
    if (words.empty() || words[0].empty() || words[0].find('{') != std::string::npos) {
        refuse("begins with no wrapper");
    }
    std::int64_t programs = 0;
    for (std::string const& word : words) {
        std::string const unknown = unknown_in(word);
        if (!unknown.empty()) {
            refuse(fmt::format("has {}, which stands for nothing (there are {})", unknown, fmt::join(known, " ")));
        }
        if (word.find('\0') != std::string::npos) {
            refuse("has a word with a NUL byte");
        }
        if (word != "{program}" && word.find("{program}") != std::string::npos) {
            refuse(fmt::format("has {{program}} within '{}', but it is words of its own", word));
        }
        programs += word == "{program}" ? 1 : 0;
    }
    if (programs != 1) {
        refuse(fmt::format("has the word {{program}} {} times", programs));
    }
    return words;
}

}  // namespace optgap::programs
