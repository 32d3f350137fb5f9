#include "host/parse/boxes.hpp"

#include <array>

#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

constexpr std::array<std::string_view, 4> box_commands{"\\boxed", "\\fbox", "\\framebox", "\boxed"};
constexpr std::string_view token_open = "<|begin_of_box|>";
constexpr std::string_view token_close = "<|end_of_box|>";

}  // namespace

bool opens_box(std::string_view text, std::size_t at, std::size_t& begin, bool& token) {
    std::string_view const rest = text.substr(at);
    token = rest.starts_with(token_open);
    if (token) {
        begin = at + token_open.size();
        return true;
    }
    for (std::string_view const command : box_commands) {
        if (rest.starts_with(command)) {
            std::size_t brace = command.size();
            while (brace < rest.size() && is_white(rest[brace])) {
                ++brace;
            }
            begin = at + brace + 1;
            return brace < rest.size() && rest[brace] == '{';
        }
    }
    return false;
}

box box_at(std::string_view text, std::size_t at) {
    box found;
    bool token = false;
    if (!opens_box(text, at, found.begin, token)) {
        return found;
    }
    if (token) {
        std::size_t const close = text.find(token_close, found.begin);
        return close == std::string_view::npos ? found : box{found.begin, close, close + token_close.size()};
    }
    std::size_t depth = 1;
    for (std::size_t i = found.begin; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;  // \{ and \} are characters, not braces
        } else if (text[i] == '{') {
            ++depth;
        } else if (text[i] == '}' && --depth == 0) {
            return {found.begin, i, i + 1};
        }
    }
    return found;
}

}  // namespace optgap::text
