// Lists as prose and LaTeX write them, put into the grammar's spelling.

#include <array>
#include <string>
#include <string_view>

#include "host/parse/grammar.hpp"
#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

struct spelling {
    std::string_view written;
    std::string_view plain;
};

/// Longer spellings before those that they begin with.
constexpr std::array spellings{
    // arrows
    spelling{"-->", ","}, spelling{"->", ","}, spelling{"==>", ","}, spelling{"=>", ","}, spelling{"\xE2\x86\x92", ","},
    spelling{"\xE2\x87\x92", ","}, spelling{"\xE2\x9F\xB6", ","}, spelling{"\\rightarrow", ","},
    spelling{"\\longrightarrow", ","}, spelling{"\\Rightarrow", ","}, spelling{"\\to", ","},
    // sizes and spaces
    spelling{"\\left", ""}, spelling{"\\right", ""}, spelling{"\\bigl", ""}, spelling{"\\bigr", ""},
    spelling{"\\big", ""}, spelling{"\\,", ""}, spelling{"\\;", ""}, spelling{"\\:", ""}, spelling{"\\!", ""},
    spelling{"\\ ", " "}, spelling{"\\qquad", " "}, spelling{"\\quad", " "},
    // brackets
    spelling{"\\{", "["}, spelling{"\\}", "]"}, spelling{"\\lbrace", "["}, spelling{"\\rbrace", "]"},
    spelling{"\\lbrack", "["}, spelling{"\\rbrack", "]"}, spelling{"\\langle", "["}, spelling{"\\rangle", "]"},
    // what only sets a face; its braces go as all bare braces do
    spelling{"\\text{", ""}, spelling{"\\texttt{", ""}, spelling{"\\textbf{", ""}, spelling{"\\mathrm{", ""},
    spelling{"\\mathbf{", ""}, spelling{"\\mathtt{", ""}, spelling{"\\operatorname{", ""}, spelling{"}", ""}};

/// A command of LaTeX ends where its letters do: \to, not the beginning of \top.
bool stands_at(std::string_view text, std::string_view written) {
    // Two bytes rule nearly all out.
    if (text[0] != written[0] || (written.size() > 1 && (text.size() < 2 || text[1] != written[1])) ||
        text.substr(0, written.size()) != written) {
        return false;
    }
    bool const letters = written.size() > 1 && written[0] == '\\' && is_letter(written.back());
    return !letters || text.size() == written.size() || !is_letter(text[written.size()]);
}

/// Integers, commas and white space alone, with a comma.
bool is_bare_list(std::string_view text) {
    bool comma = false;
    for (char const c : text) {
        if (!is_digit(c) && c != '-' && c != ',' && !is_white(c)) {
            return false;
        }
        comma |= c == ',';
    }
    return comma;
}

}  // namespace

std::string plain_list(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    for (std::size_t i = 0; i < text.size();) {
        std::string_view const rest = text.substr(i);
        std::size_t skip = 0;
        // Every spelling starts with one of these bytes.
        if (char const c = rest[0]; c == '\\' || c == '-' || c == '=' || c == '}' || c == '\xE2') {
            for (spelling const& one : spellings) {
                if (stands_at(rest, one.written)) {
                    out += one.plain;
                    skip = one.written.size();
                    break;
                }
            }
        }
        if (skip == 0) {
            out += rest[0];
            skip = 1;
        }
        i += skip;
    }
    std::size_t const colon = out.find_last_of(":=");
    std::size_t const begin = colon == std::string::npos ? 0 : colon + 1;
    if (is_bare_list(std::string_view(out).substr(begin))) {
        out.insert(begin, 1, '[');
        out += ']';
    }
    return out;
}

}  // namespace optgap::text
