#pragma once
// The slow, simple reference for the free spelling: prose, LaTeX and other keyboards' characters in the grammar's
// spelling.

#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "optgap/format.hpp"
#include "tests/text/reference_words.hpp"

namespace optgap::text_reference {

/// [begin, end) of a box's content and the first byte after the box; `behind` 0: none.
struct box_part {
    std::size_t begin = 0, end = 0, behind = 0;
};

/// The places where boxes of a text open, and where their contents begin.
inline std::vector<std::pair<std::size_t, std::size_t>> boxes_of(std::string const& text) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (starts_with(text, i, "<|begin_of_box|>")) {
            found.push_back({i, i + 16});
        }
        for (std::string const command : {"\\boxed", "\\fbox", "\\framebox", "\boxed"}) {
            std::size_t const brace = text.find_first_not_of(" \t\r\n", i + command.size());
            if (starts_with(text, i, command) && brace != std::string::npos && text[brace] == '{') {
                found.push_back({i, brace + 1});
            }
        }
    }
    return found;
}

inline box_part box_from(std::string const& text, std::size_t at, std::size_t begin) {
    if (text[at] == '<') {
        std::size_t const close = text.find("<|end_of_box|>", begin);
        return close == std::string::npos ? box_part{} : box_part{begin, close, close + 14};
    }
    int depth = 1;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
            continue;
        }
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0) {
            return {begin, i, i + 1};
        }
    }
    return {};
}

inline bool has_one_of(std::string const& text, std::string const& words) {
    std::set<std::string> known;
    for (std::string const& word : split(words, " ")) {
        known.insert(word);
    }
    std::string word;
    for (char const c : lowered(text) + " ") {
        if (one_of(c, letters)) {
            word += c;
            continue;
        }
        if (!word.empty() && known.count(word) > 0) {
            return true;
        }
        word.clear();
    }
    return false;
}

inline bool is_hedged(std::string const& text) {
    return has_one_of(text,
                      "alternatively although attempt but can could draft either else example except fail fails false "
                      "first guess if incorrect infeasible instead invalid isn likely may maybe might never no nor not "
                      "or otherwise perhaps possibly probably should suboptimal try unless unsure versus vs without "
                      "wrong");
}

inline bool names_a_value(std::string const& text) {
    return has_one_of(text,
                      "answer answers assignment choice colouring count cover cut cycle equation expression "
                      "grid items length list matching maximum minimum moves order ordering output path "
                      "permutation plan product quotient result route schedule selection sequence set solution subset "
                      "sum tour value");
}

inline bool is_harmless(std::string const& text) {
    return text.size() <= 200 && text.find_first_not_of(letters + " \t\r\n.,:;!$*_`'\"-#\\()") == std::string::npos &&
           !is_hedged(text);
}

inline std::string without_boxes(std::string text) {
    for (int wraps = 0; wraps < 3; ++wraps) {
        auto const boxes = boxes_of(text);
        std::size_t at = boxes.empty() ? 0 : boxes[0].first;
        box_part found = boxes.size() == 1 ? box_from(text, at, boxes[0].second) : box_part{};
        if (found.behind == 0) {
            at = text.find("<answer>");
            std::size_t const close = text.find("</answer>");
            bool const one = at != std::string::npos && close != std::string::npos && at < close &&
                             text.rfind("<answer>") == at && text.rfind("</answer>") == close;
            found = one ? box_part{at + 8, close, close + 9} : box_part{};
        }
        if (found.behind == 0 || !is_harmless(text.substr(0, at)) || !is_harmless(text.substr(found.behind))) {
            return text;
        }
        text = text.substr(found.begin, found.end - found.begin);
    }
    return text;
}

/// The replacement of a character beyond ASCII; nullopt where it stays.
inline std::optional<std::string> plain_character(std::uint32_t c) {
    auto const within = [c](std::uint32_t low, std::uint32_t high) { return c >= low && c <= high; };
    if (c == 0x2028 || c == 0x2029) {
        return "\n";
    }
    if (c == 0xA0 || within(0x2000, 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000) {
        return " ";
    }
    if (c == 0xAD || within(0x200B, 0x200F) || within(0x202A, 0x202E) || within(0x2060, 0x2064) ||
        within(0x2066, 0x2069) || c == 0xFE0F || c == 0xFEFF) {
        return "";
    }
    if (within(0xFF10, 0xFF19)) {
        return std::string(1, char('0' + (c - 0xFF10)));
    }
    static std::map<std::uint32_t, std::string> const others{
        {0x2192, ","},      {0x21D2, ","},  {0x27F6, ","},  {0xFF0C, ","},      {0x3001, ","},      {0x060C, ","},
        {0xFE50, ","},      {0xFF64, ","},  {0xFF08, "("},  {0xFF09, ")"},      {0xFF3B, "["},      {0xFF3D, "]"},
        {0xFF5B, "["},      {0xFF5D, "]"},  {0x3010, "["},  {0x3011, "]"},      {0x3014, "["},      {0x3015, "]"},
        {0x3008, "["},      {0x3009, "]"},  {0x300A, "["},  {0x300B, "]"},      {0x301A, "["},      {0x301B, "]"},
        {0x27E8, "["},      {0x27E9, "]"},  {0x27E6, "["},  {0x27E7, "]"},      {0x3002, "."},      {0xFF0E, "."},
        {0xFF61, "."},      {0xFF1A, ":"},  {0xFF1D, "="},  {0xFF0B, "+"},      {0x2212, "-"},      {0xFF0D, "-"},
        {0x2011, "-"},      {0x201C, "\""}, {0x201D, "\""}, {0x2715, "\u00D7"}, {0x2716, "\u00D7"}, {0x2A2F, "\u00D7"},
        {0x2219, "\u00B7"}, {0x2215, "/"},  {0x2044, "/"}};
    auto const found = others.find(c);
    return found == others.end() ? std::nullopt : std::optional(found->second);
}

/// The characters of a text, and LaTeX's commands, in the grammar's spelling. A stack holds what closes each brace.
inline std::string free_characters(std::string const& text, bool lists, bool expressions) {
    static std::map<std::string, std::string> const commands{
        {"rightarrow", ","}, {"longrightarrow", ","}, {"Rightarrow", ","}, {"to", ","},     {"mapsto", ","},
        {"{", "["},          {"lbrace", "["},         {"lbrack", "["},     {"langle", "["}, {"}", "]"},
        {"rbrace", "]"},     {"rbrack", "]"},         {"rangle", "]"},     {" ", " "},      {"quad", " "},
        {"qquad", " "},      {"enspace", " "},        {"space", " "},      {"&", "&"},      {"_", "_"},
        {"*", "*"}};
    static std::set<std::string> const nothing{
        "left",  "right",     "big",   "Big",   "bigg",  "Bigg",         "bigl",      "bigr",        "Bigl",
        "Bigr",  "biggl",     "biggr", "Biggl", "Biggr", "displaystyle", "textstyle", "scriptstyle", "normalsize",
        "large", "Large",     "bf",    "rm",    "tt",    "it",           ",",         ";",           ":",
        "!",     "thinspace", "(",     ")"};
    static std::set<std::string> const faces{
        "text",         "texttt",     "textbf", "textit",    "textrm", "textsf",  "textnormal",
        "emph",         "mathrm",     "mathbf", "mathtt",    "mathit", "mathsf",  "mathnormal",
        "boldsymbol",   "bm",         "pmb",    "underline", "uline",  "mbox",    "hbox",
        "operatorname", "ensuremath", "mathop", "mathcal",   "mathbb", "mathscr", "mathfrak"};
    static std::regex const html(R"(^(?:</?(?:b|i|u|em|code|strong|p)>|<br/?>))");
    std::string out;
    std::vector<std::string> closing;
    bool behind_kept = false, displayed = false;
    std::size_t i = 0;
    auto const sign_from = [&](std::size_t from) {
        std::size_t const at = from < text.size() ? text.find_first_not_of(" \t\r\n", from) : std::string::npos;
        return at == std::string::npos ? '\0' : text[at];
    };
    auto const skip_brace = [&] {
        if (sign_from(i) == '{') {
            i = text.find('{', i) + 1;
            closing.push_back("");
        }
    };
    while (i < text.size()) {
        bool const kept = behind_kept;
        behind_kept = false;
        if (starts_with(text, i, "{,}")) {
            out += ",";
            i += 3;
        } else if (text[i] == '{') {
            char const next = sign_from(i + 1);
            std::string close = next != '\0' && one_of(next, digits + "-") && lists ? "]" : "";
            close = kept || expressions ? "}" : close;
            out += close == "}" ? "{" : close == "]" ? "[" : "";
            closing.push_back(close);
            ++i;
        } else if (text[i] == '}') {
            std::string const close = closing.empty() ? (expressions ? "}" : "") : closing.back();
            closing.resize(closing.empty() ? 0 : closing.size() - 1);
            out += close;
            behind_kept = close == "}";
            ++i;
        } else if (text[i] == '\\') {
            std::string name;
            for (std::size_t k = i + 1; k < text.size() && one_of(text[k], letters); ++k) {
                name += text[k];
            }
            name = name.empty() ? text.substr(i + 1, 1) : name;
            std::size_t const end = i + 1 + name.size();
            std::string const argument = text.substr(std::min(end, text.size()), 40);
            bool const colour = name == "color" || name == "textcolor" || name == "colorbox";
            if (auto const known = commands.find(name); !name.empty() && known != commands.end()) {
                out += known->second;
                i = end;
            } else if (nothing.count(name) > 0) {
                i = end;
            } else if (name == "[" || name == "]") {
                char const next = sign_from(end);
                displayed = name == "[" ? next != '\0' && one_of(next, digits + "-") : displayed;
                out += displayed ? name : "";
                i = end;
            } else if (faces.count(name) > 0 && sign_from(end) == '{') {
                i = end;
                skip_brace();
            } else if (colour && starts_with(argument, 0, "{") && argument.find('}') != std::string::npos) {
                i = end + argument.find('}') + 1;
                skip_brace();
            } else {
                out += "\\" + name;
                behind_kept = true;
                i = end;
            }
        } else if (std::smatch tag; text[i] == '<' && [&] {
                       std::string const here = text.substr(i, 10);
                       bool const found = std::regex_search(here, tag, html);
                       out += found && tag.str()[1] == 'b' && tag.str()[2] == 'r' ? "\n" : "";
                       i += found ? std::size_t(tag.length()) : 0;
                       return found;
                   }()) {
        } else if (text[i] == '~' && !starts_with(text, i, "~~") && trim(out).empty()) {
            out += text[i++];
        } else if (std::string arrow; one_of(text[i], "-=~") && [&] {
                       for (std::string const each : {"~~", "-->", "->", "==>", "=>", "==", "~"}) {
                           arrow = arrow.empty() && starts_with(text, i, each) ? each : arrow;
                       }
                       return !arrow.empty();
                   }()) {
            out += arrow == "~~" ? "~~" : arrow == "~" ? " " : arrow == "==" ? "=" : ",";
            i += arrow.size();
        } else {
            std::size_t const size = (text[i] & 0xE0) == 0xC0 ? 2 : (text[i] & 0xF0) == 0xE0 ? 3 : 1;
            std::uint32_t c = size == 2 ? text[i] & 0x1F : text[i] & 0x0F;
            bool whole = size > 1 && i + size <= text.size();
            for (std::size_t k = 1; k < size && whole; ++k) {
                whole = (text[i + k] & 0xC0) == 0x80;
                c = c << 6 | (text[i + k] & 0x3F);
            }
            std::optional<std::string> const plain = whole ? plain_character(c) : std::nullopt;
            out += plain ? *plain : text.substr(i, 1);
            i += plain ? size : 1;
        }
    }
    return out;
}

inline std::string free_phrase(std::string const& text) {
    std::string const head = text.substr(0, 96);
    std::string word;
    for (std::size_t i = 0; i <= head.size(); ++i) {
        char const c = i < head.size() ? head[i] : '\0';
        if (one_of(c, letters) && c != '\0') {
            word += c;
            continue;
        }
        if (lowered(word) == "is" || lowered(word) == "are") {
            std::string const before = head.substr(0, i - word.size());
            std::string rest = trim(text.substr(i));
            rest = starts_with(rest, 0, ":") ? rest.substr(1) : rest;
            return names_a_value(before) && !is_hedged(before) ? trim(rest) : text;
        }
        word.clear();
        if (c != ' ' && c != ',') {
            break;
        }
    }
    return text;
}

/// "Items 1, 2", "I choose [1, 2]".
inline std::string free_lead(std::string const& text) {
    std::string word;
    for (std::size_t i = 0, begin = 0; i < text.size(); ++i) {
        if (one_of(text[i], letters)) {
            begin = word.empty() ? i : begin;
            word += text[i];
        } else if (white(text[i]) && i > 0) {
            if (!word.empty() &&
                (begin >= 96 || (!names_a_value(word) &&
                                 !has_one_of(word,
                                             "a best both choose chose chosen final have i item my of optimal our "
                                             "pick picked select selected take takes the these we")))) {
                return text;
            }
            word.clear();
        } else {
            return word.empty() && i > 0 && one_of(text[i], digits + "[(-") ? text.substr(i) : text;
        }
    }
    return text;
}

inline std::string free_remark(std::string const& text) {
    static std::regex const remark(R"(\(([A-Za-z \t\r\n,'\-:=.0-9]*)\)$)");
    std::string const tail = text.size() > 64 ? text.substr(text.size() - 64) : text;
    std::smatch found;
    if (!std::regex_search(tail, found, remark) || found[1].str().find_first_of(letters) == std::string::npos ||
        is_hedged(found[1])) {
        return text;
    }
    if (found[1].str().find_first_of(":=.0123456789") != std::string::npos &&
        (!has_one_of(found[1], "cost count distance length objective profit score size sum total value weight") ||
         has_one_of(found[1], "also and plus then with"))) {
        return text;
    }
    std::string const before = trim(text.substr(0, text.size() - std::size_t(found.length())));
    return !before.empty() && one_of(before.back(), digits + "])") ? before : text;
}

inline std::string free_marks(std::string const& text) {
    if (text.size() > 1 && text.front() == text.back() && one_of(text[0], "*_\"'")) {
        return trim(text.substr(1, text.size() - 2));
    }
    return text.size() > 1 && one_of(text[0], "*_") && white(text[1]) ? trim(text.substr(1)) : text;
}

/// Lists, numbers and expressions in the grammar's spelling.
inline std::string free_spelling(std::string const& text, answer_syntax const& syntax) {
    bool const lists = syntax.numbers == bare_number::none && !syntax.expressions;
    std::string out = trim(free_characters(without_boxes(text), lists, syntax.expressions));
    if (syntax.alphabet != nullptr) {
        out = free_phrase(out);
    } else {
        for (std::string before; before != out;) {
            before = out;
            out = free_lead(free_phrase(free_marks(out)));
            out = syntax.expressions && starts_with(out, 0, "=") ? trim(out.substr(1)) : out;
            out = ends_with(out, ".") ? out.substr(0, out.size() - 1) : out;
            out = syntax.expressions ? out : free_remark(trim(out));
        }
        if (lists) {
            static std::regex const joined(R"((?:([0-9\])])(?:[ \t\r\n]*&[ \t\r\n]*|[ \t\r\n]+and[ \t\r\n]+))"
                                           R"(|,[ \t\r\n]*(?:&[ \t\r\n]*|and[ \t\r\n]+))(?=[0-9\[(\-]))");
            out = std::regex_replace(out, joined, "$1, ");
        }
    }
    std::size_t const sign = out.find_last_of(":=");
    std::string const label = sign == std::string::npos ? "" : out.substr(0, sign + 1);
    std::string const list = out.substr(label.size());
    bool const bare =
        list.find_first_not_of(digits + "-, \t\r\n") == std::string::npos && list.find(',') != std::string::npos;
    static std::regex const groups("[0-9]{1,3}(,[0-9]{3})+");
    bool const number = syntax.numbers != bare_number::none && std::regex_match(trim(list), groups);
    return bare && !number ? label + "[" + list + "]" : out;
}

}  // namespace optgap::text_reference
