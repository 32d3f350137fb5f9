#include "host/programs/own/settings_file.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "optgap/status.hpp"

namespace optgap::programs {
namespace {

using settings_json = nlohmann::ordered_json;

constexpr std::string_view setting_blanks = " \t\r";

class settings_reader {
public:
    settings_reader(std::string_view text, std::string_view file) : rest_(text), file_(file) {}

    settings_json made() {
        settings_json out = settings_json::object();
        settings_json* table = &out;
        while (!rest_.empty()) {
            ++line_;
            std::size_t const end = rest_.find('\n');
            at_ = rest_.substr(0, end);
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            skip_blanks();
            if (at_.empty() || at_.front() == '#') {
                continue;
            }
            if (at_.front() == '[') {
                at_.remove_prefix(1);
                std::string const name = take_name();
                require(!name.empty() && take(']'), "expected [name]");
                require(!out.contains(name), "the table is there twice");
                table = &(out[name] = settings_json::object());
            } else {
                std::string const name = take_name();
                require(!name.empty() && take('='), "expected `key = value`");
                require(!table->contains(name), "the key is there twice");
                (*table)[name] = take_value();
            }
            skip_blanks();
            require(at_.empty() || at_.front() == '#', "something follows the value");
        }
        return out;
    }

private:
    void require(bool holds, std::string_view what) const {
        if (!holds) {
            throw field_error("problem", fmt::format("{}, line {}: {}", file_, line_, what));
        }
    }
    void skip_blanks() { at_.remove_prefix(std::min(at_.find_first_not_of(setting_blanks), at_.size())); }
    bool take(char mark) {
        skip_blanks();
        bool const found = !at_.empty() && at_.front() == mark;
        at_.remove_prefix(found ? 1 : 0);
        return found;
    }
    std::string take_name() {
        skip_blanks();
        std::size_t const end = std::min(
            at_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"), at_.size());
        std::string name(at_.substr(0, end));
        at_.remove_prefix(end);
        return name;
    }
    settings_json take_value() {
        skip_blanks();
        if (take('\'')) {
            std::size_t const end = at_.find('\'');
            require(end != std::string_view::npos, "the string has no end");
            std::string value(at_.substr(0, end));
            at_.remove_prefix(end + 1);
            return value;
        }
        if (take('"')) {
            return take_escaped();
        }
        std::string_view const word = at_.substr(0, at_.find_first_of(" \t\r#"));
        at_.remove_prefix(word.size());
        if (word == "true" || word == "false") {
            return word == "true";
        }
        std::int64_t number = 0;
        auto const [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
        require(problem == std::errc() && end == word.data() + word.size(),
                "expected a string in quotes, an integer, true or false");
        return number;
    }
    std::string take_escaped() {
        std::string value;
        for (std::size_t k = 0; k < at_.size(); ++k) {
            if (at_[k] == '"') {
                at_.remove_prefix(k + 1);
                return value;
            }
            if (at_[k] != '\\') {
                value += at_[k];
                continue;
            }
            char const escaped = ++k < at_.size() ? at_[k] : '\0';
            require(escaped == '"' || escaped == '\\' || escaped == 'n' || escaped == 't',
                    R"(expected \", \\, \n or \t behind the backslash)");
            value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
        }
        require(false, "the string has no end");
        return value;
    }

    std::string_view rest_, at_, file_;
    std::int64_t line_ = 0;
};

}  // namespace

nlohmann::ordered_json read_settings(std::string_view text, std::string_view file) {
    return settings_reader(text, file).made();
}

}  // namespace optgap::programs
