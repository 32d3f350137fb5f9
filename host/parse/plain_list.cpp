// Lists as prose and LaTeX write them, put into the grammar's spelling.

#include <array>
#include <string>
#include <string_view>

#include "host/parse/grammar.hpp"
#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

struct list_spelling {
    std::string_view written;
    std::string_view plain;
};

/// Longer spellings before those that they begin with.
constexpr std::array list_spellings{
    // arrows
    list_spelling{"-->", ","}, list_spelling{"->", ","}, list_spelling{"==>", ","}, list_spelling{"=>", ","},
    list_spelling{"\xE2\x86\x92", ","}, list_spelling{"\xE2\x87\x92", ","}, list_spelling{"\xE2\x9F\xB6", ","},
    list_spelling{"\\rightarrow", ","}, list_spelling{"\\longrightarrow", ","}, list_spelling{"\\Rightarrow", ","},
    list_spelling{"\\to", ","},
    // sizes and spaces
    list_spelling{"\\left", ""}, list_spelling{"\\right", ""}, list_spelling{"\\bigl", ""}, list_spelling{"\\bigr", ""},
    list_spelling{"\\big", ""}, list_spelling{"\\,", ""}, list_spelling{"\\;", ""}, list_spelling{"\\:", ""},
    list_spelling{"\\!", ""}, list_spelling{"\\ ", " "}, list_spelling{"\\qquad", " "}, list_spelling{"\\quad", " "},
    // brackets
    list_spelling{"\\{", "["}, list_spelling{"\\}", "]"}, list_spelling{"\\lbrace", "["},
    list_spelling{"\\rbrace", "]"}, list_spelling{"\\lbrack", "["}, list_spelling{"\\rbrack", "]"},
    list_spelling{"\\langle", "["}, list_spelling{"\\rangle", "]"},
    // what only sets a face; its braces go as all bare braces do
    list_spelling{"\\text{", ""}, list_spelling{"\\texttt{", ""}, list_spelling{"\\textbf{", ""},
    list_spelling{"\\mathrm{", ""}, list_spelling{"\\mathbf{", ""}, list_spelling{"\\mathtt{", ""},
    list_spelling{"\\operatorname{", ""}, list_spelling{"}", ""}};

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
            for (list_spelling const& one : list_spellings) {
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
