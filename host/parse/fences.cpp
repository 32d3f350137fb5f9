#include "host/parse/fences.hpp"

#include <algorithm>

#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

constexpr std::size_t min_signs = 3;
constexpr std::size_t max_indent = 3;

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_white(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_white(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

}  // namespace

std::string_view fence_reader::next_line() {
    std::size_t const end = std::min(text_.find('\n', at_), text_.size());
    std::string_view const line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    return line;
}

fence_reader::fence fence_reader::fence_of(std::string_view line) const {
    fence found;
    while (found.indent < line.size() && line[found.indent] == ' ') {
        ++found.indent;
    }
    if (found.indent > max_indent || found.indent == line.size()) {
        return {};
    }
    char const sign = line[found.indent];
    if (sign != '`' && sign != '~') {
        return {};
    }
    std::size_t const end = std::min(line.find_first_not_of(sign, found.indent), line.size());
    found.length = end - found.indent;
    found.rest = line.substr(end);
    found.sign = found.length >= min_signs ? sign : '\0';
    return found;
}

bool fence_reader::next(fenced_block& block) {
    fence opening;
    while (at_ < text_.size()) {
        std::size_t const begin = at_;
        std::string_view const line = next_line();
        fence const here = fence_of(line);
        if (here.sign == 0) {
            continue;
        }
        if (opening.sign == 0) {
            if (here.sign == '~' || here.rest.find('`') == std::string_view::npos) {
                opening = here;
                block.info = without_blanks(here.rest);
                block.content.begin = std::int64_t(at_);
                block.indent = std::int32_t(here.indent);
            }
        } else if (here.sign == opening.sign && here.length >= opening.length && nothing_follows(here.rest, ends_)) {
            block.content.end = std::int64_t(begin);
            block.behind = begin + here.indent + here.length;
            return true;
        }
    }
    open_ = opening.sign != 0;
    open_info_ = open_ ? block.info : std::string_view();
    return false;
}

}  // namespace optgap::text
