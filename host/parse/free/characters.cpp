#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/parse/free/spelling.hpp"
#include "host/parse/lexemes.hpp"

namespace optgap::text {
namespace {

struct list_spelling {
    std::string_view written;
    std::string_view plain;
};

/// Longer spellings come before their own prefixes.
constexpr std::array arrows_and_tildes{list_spelling{"~~", "~~"}, list_spelling{"-->", ","}, list_spelling{"->", ","},
                                       list_spelling{"==>", ","}, list_spelling{"=>", ","},  list_spelling{"==", "="},
                                       list_spelling{"~", " "}};
/// HTML tags for a face or a line break.
constexpr std::array html_tags{
    list_spelling{"<b>", ""},     list_spelling{"</b>", ""},     list_spelling{"<i>", ""},
    list_spelling{"</i>", ""},    list_spelling{"<u>", ""},      list_spelling{"</u>", ""},
    list_spelling{"<em>", ""},    list_spelling{"</em>", ""},    list_spelling{"<code>", ""},
    list_spelling{"</code>", ""}, list_spelling{"<strong>", ""}, list_spelling{"</strong>", ""},
    list_spelling{"<p>", ""},     list_spelling{"</p>", ""},     list_spelling{"<br>", "\n"},
    list_spelling{"<br/>", "\n"}};

/// Spellings that begin with a byte from 0xC2 to 0xF4.
constexpr std::array unicode_spellings{
    // arrows
    list_spelling{"\xE2\x86\x92", ","}, list_spelling{"\xE2\x87\x92", ","}, list_spelling{"\xE2\x9F\xB6", ","},
    // blanks: U+00A0, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000
    list_spelling{"\xC2\xA0", " "}, list_spelling{"\xE2\x80\x80", " "}, list_spelling{"\xE2\x80\x81", " "},
    list_spelling{"\xE2\x80\x82", " "}, list_spelling{"\xE2\x80\x83", " "}, list_spelling{"\xE2\x80\x84", " "},
    list_spelling{"\xE2\x80\x85", " "}, list_spelling{"\xE2\x80\x86", " "}, list_spelling{"\xE2\x80\x87", " "},
    list_spelling{"\xE2\x80\x88", " "}, list_spelling{"\xE2\x80\x89", " "}, list_spelling{"\xE2\x80\x8A", " "},
    list_spelling{"\xE2\x80\xA8", "\n"}, list_spelling{"\xE2\x80\xA9", "\n"}, list_spelling{"\xE2\x80\xAF", " "},
    list_spelling{"\xE2\x81\x9F", " "}, list_spelling{"\xE3\x80\x80", " "},
    // of no width: U+00AD, U+200B to U+200F, U+202A to U+202E, U+2060 to U+2064, U+2066 to U+2069, U+FE0F, U+FEFF
    list_spelling{"\xC2\xAD", ""}, list_spelling{"\xE2\x80\x8B", ""}, list_spelling{"\xE2\x80\x8C", ""},
    list_spelling{"\xE2\x80\x8D", ""}, list_spelling{"\xE2\x80\x8E", ""}, list_spelling{"\xE2\x80\x8F", ""},
    list_spelling{"\xE2\x80\xAA", ""}, list_spelling{"\xE2\x80\xAB", ""}, list_spelling{"\xE2\x80\xAC", ""},
    list_spelling{"\xE2\x80\xAD", ""}, list_spelling{"\xE2\x80\xAE", ""}, list_spelling{"\xE2\x81\xA0", ""},
    list_spelling{"\xE2\x81\xA1", ""}, list_spelling{"\xE2\x81\xA2", ""}, list_spelling{"\xE2\x81\xA3", ""},
    list_spelling{"\xE2\x81\xA4", ""}, list_spelling{"\xE2\x81\xA6", ""}, list_spelling{"\xE2\x81\xA7", ""},
    list_spelling{"\xE2\x81\xA8", ""}, list_spelling{"\xE2\x81\xA9", ""}, list_spelling{"\xEF\xB8\x8F", ""},
    list_spelling{"\xEF\xBB\xBF", ""},
    // commas: full-width, ideographic, Arabic, small, half-width ideographic
    list_spelling{"\xEF\xBC\x8C", ","}, list_spelling{"\xE3\x80\x81", ","}, list_spelling{"\xD8\x8C", ","},
    list_spelling{"\xEF\xB9\x90", ","}, list_spelling{"\xEF\xBD\xA4", ","},
    // brackets: full-width, lenticular, tortoise-shell, angle, double angle, white square, mathematical
    list_spelling{"\xEF\xBC\x88", "("}, list_spelling{"\xEF\xBC\x89", ")"}, list_spelling{"\xEF\xBC\xBB", "["},
    list_spelling{"\xEF\xBC\xBD", "]"}, list_spelling{"\xEF\xBD\x9B", "["}, list_spelling{"\xEF\xBD\x9D", "]"},
    list_spelling{"\xE3\x80\x90", "["}, list_spelling{"\xE3\x80\x91", "]"}, list_spelling{"\xE3\x80\x94", "["},
    list_spelling{"\xE3\x80\x95", "]"}, list_spelling{"\xE3\x80\x88", "["}, list_spelling{"\xE3\x80\x89", "]"},
    list_spelling{"\xE3\x80\x8A", "["}, list_spelling{"\xE3\x80\x8B", "]"}, list_spelling{"\xE3\x80\x9A", "["},
    list_spelling{"\xE3\x80\x9B", "]"}, list_spelling{"\xE2\x9F\xA8", "["}, list_spelling{"\xE2\x9F\xA9", "]"},
    list_spelling{"\xE2\x9F\xA6", "["}, list_spelling{"\xE2\x9F\xA7", "]"},
    // full stops, colon, equals, plus, minus, quotes
    list_spelling{"\xE3\x80\x82", "."}, list_spelling{"\xEF\xBC\x8E", "."}, list_spelling{"\xEF\xBD\xA1", "."},
    list_spelling{"\xEF\xBC\x9A", ":"}, list_spelling{"\xEF\xBC\x9D", "="}, list_spelling{"\xEF\xBC\x8B", "+"},
    list_spelling{"\xE2\x88\x92", "-"}, list_spelling{"\xEF\xBC\x8D", "-"}, list_spelling{"\xE2\x80\x91", "-"},
    list_spelling{"\xE2\x80\x9C", "\""}, list_spelling{"\xE2\x80\x9D", "\""},
    // other signs of multiplication and division: U+2715, U+2716, U+2A2F, U+2219, U+2215, U+2044
    list_spelling{"\xE2\x9C\x95", "\xC3\x97"}, list_spelling{"\xE2\x9C\x96", "\xC3\x97"},
    list_spelling{"\xE2\xA8\xAF", "\xC3\x97"}, list_spelling{"\xE2\x88\x99", "\xC2\xB7"},
    list_spelling{"\xE2\x88\x95", "/"}, list_spelling{"\xE2\x81\x84", "/"},
    // full-width digits
    list_spelling{"\xEF\xBC\x90", "0"}, list_spelling{"\xEF\xBC\x91", "1"}, list_spelling{"\xEF\xBC\x92", "2"},
    list_spelling{"\xEF\xBC\x93", "3"}, list_spelling{"\xEF\xBC\x94", "4"}, list_spelling{"\xEF\xBC\x95", "5"},
    list_spelling{"\xEF\xBC\x96", "6"}, list_spelling{"\xEF\xBC\x97", "7"}, list_spelling{"\xEF\xBC\x98", "8"},
    list_spelling{"\xEF\xBC\x99", "9"}};

/// The two or three bytes of a character as one number.
constexpr std::uint32_t packed(std::string_view bytes) {
    std::uint32_t value = 0;
    for (char const c : bytes) {
        value = value << 8 | std::uint8_t(c);
    }
    return value;
}
constexpr auto packed_spelling = [](list_spelling const& one) { return packed(one.written); };
constexpr auto sorted_unicode = [] {
    auto all = unicode_spellings;
    std::ranges::sort(all, {}, packed_spelling);
    return all;
}();

/// LaTeX commands by name. Those that stand for a sign are replaced by it.
constexpr std::array commands{
    list_spelling{"rightarrow", ","}, list_spelling{"longrightarrow", ","}, list_spelling{"Rightarrow", ","},
    list_spelling{"to", ","}, list_spelling{"mapsto", ","},
    // sizes
    list_spelling{"left", ""}, list_spelling{"right", ""}, list_spelling{"big", ""}, list_spelling{"Big", ""},
    list_spelling{"bigg", ""}, list_spelling{"Bigg", ""}, list_spelling{"bigl", ""}, list_spelling{"bigr", ""},
    list_spelling{"Bigl", ""}, list_spelling{"Bigr", ""}, list_spelling{"biggl", ""}, list_spelling{"biggr", ""},
    list_spelling{"Biggl", ""}, list_spelling{"Biggr", ""}, list_spelling{"displaystyle", ""},
    list_spelling{"textstyle", ""}, list_spelling{"scriptstyle", ""}, list_spelling{"normalsize", ""},
    list_spelling{"large", ""}, list_spelling{"Large", ""}, list_spelling{"bf", ""}, list_spelling{"rm", ""},
    list_spelling{"tt", ""}, list_spelling{"it", ""},
    // spaces
    list_spelling{",", ""}, list_spelling{";", ""}, list_spelling{":", ""}, list_spelling{"!", ""},
    list_spelling{" ", " "}, list_spelling{"quad", " "}, list_spelling{"qquad", " "}, list_spelling{"enspace", " "},
    list_spelling{"thinspace", ""}, list_spelling{"space", " "},
    // brackets
    list_spelling{"{", "["}, list_spelling{"}", "]"}, list_spelling{"lbrace", "["}, list_spelling{"rbrace", "]"},
    list_spelling{"lbrack", "["}, list_spelling{"rbrack", "]"}, list_spelling{"langle", "["},
    list_spelling{"rangle", "]"},
    // mathematics in a line, signs that LaTeX and Markdown escape
    list_spelling{"(", ""}, list_spelling{")", ""}, list_spelling{"&", "&"}, list_spelling{"_", "_"},
    list_spelling{"*", "*"}};

/// Commands that only set a face. Their braces are dropped with them.
constexpr std::string_view faces[] = {
    "text",         "texttt",     "textbf", "textit",    "textrm", "textsf",  "textnormal",
    "emph",         "mathrm",     "mathbf", "mathtt",    "mathit", "mathsf",  "mathnormal",
    "boldsymbol",   "bm",         "pmb",    "underline", "uline",  "mbox",    "hbox",
    "operatorname", "ensuremath", "mathop", "mathcal",   "mathbb", "mathscr", "mathfrak"};
/// Commands with an argument of their own that is not text.
constexpr std::string_view colours[] = {"color", "textcolor", "colorbox"};
constexpr std::size_t max_argument = 40;

enum class brace : char { dropped, list, kept };

class rewriter {
public:
    rewriter(std::string_view text, free_reading reading) : text_(text), reading_(reading) {
        out_.reserve(text.size() + 2);
    }

    std::string rewrite() {
        while (at_ < text_.size()) {
            char const c = text_[at_];
            bool const behind_kept = kept_;
            kept_ = false;
            if (c == '\\') {
                read_command();
            } else if (c == '{') {
                open_brace(behind_kept);
            } else if (c == '}') {
                close_brace();
            } else if (c == '~' && out_.find_first_not_of(" \t\r\n") == std::string::npos &&
                       !text_.substr(at_).starts_with("~~")) {
                out_ += text_[at_++];  // "about", where nothing stands before it
            } else if (c == '-' || c == '=' || c == '~') {
                read_one_of(arrows_and_tildes);
            } else if (c == '<') {
                read_one_of(html_tags);
            } else if (std::uint8_t(c) >= 0x80) {
                read_unicode();
            } else {
                out_ += c;
                ++at_;
            }
        }
        return std::move(out_);
    }

private:
    template <class Table>
    void read_one_of(Table const& table) {
        std::string_view const rest = text_.substr(at_);
        for (list_spelling const& one : table) {
            if (rest.starts_with(one.written)) {
                out_ += one.plain;
                at_ += one.written.size();
                return;
            }
        }
        out_ += text_[at_++];
    }

    void read_unicode() {
        std::string_view const character = text_.substr(at_, std::uint8_t(text_[at_]) >= 0xE0 ? 3 : 2);
        auto const found = std::ranges::lower_bound(sorted_unicode, packed(character), {}, packed_spelling);
        bool const known = found != sorted_unicode.end() && found->written == character;
        out_ += known ? found->plain : text_.substr(at_, 1);
        at_ += known ? character.size() : 1;
    }

    /// The first byte from `from` on that is not white space; '\0' at the end.
    [[nodiscard]] char next_sign(std::size_t from) const {
        while (from < text_.size() && is_white(text_[from])) {
            ++from;
        }
        return from < text_.size() ? text_[from] : '\0';
    }
    /// Skips an opening brace and drops its closing one, too. Stays where there is none.
    void drop_brace() {
        std::size_t brace_at = at_;
        while (brace_at < text_.size() && is_white(text_[brace_at])) {
            ++brace_at;
        }
        if (brace_at < text_.size() && text_[brace_at] == '{') {
            at_ = brace_at + 1;
            open_.push_back(brace::dropped);
        }
    }

    /// Reads a LaTeX command, which ends where its letters end: \to is not the beginning of \top.
    void read_command() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && is_letter(text_[end])) {
            ++end;
        }
        if (end == at_ + 1) {
            end += end < text_.size() ? 1 : 0;
        }
        std::string_view const name = text_.substr(at_ + 1, end - at_ - 1);
        for (list_spelling const& one : commands) {
            if (name == one.written) {
                out_ += one.plain;
                at_ = end;
                return;
            }
        }
        if (name == "[" || name == "]") {
            read_display(name[0], end);
            return;
        }
        for (std::string_view const face : faces) {
            if (name == face && next_sign(end) == '{') {
                at_ = end;
                drop_brace();
                return;
            }
        }
        for (std::string_view const colour : colours) {
            std::size_t const close =
                name == colour ? text_.substr(end, max_argument).find('}') : std::string_view::npos;
            if (close != std::string_view::npos && text_[end] == '{') {
                at_ = end + close + 1;
                drop_brace();
                return;
            }
        }
        kept_ = true;
        out_ += text_.substr(at_, end - at_);
        at_ = end;
    }
    /// Reads \[ … \], which sets off mathematics or is a list with escaped brackets: "\[1, 2\]".
    void read_display(char sign, std::size_t end) {
        if (sign == '[') {
            char const next = next_sign(end);
            displayed_list_ = is_digit(next) || next == '-';
        }
        if (displayed_list_) {
            out_ += sign;
        }
        at_ = end;
    }

    void open_brace(bool behind_kept) {
        if (text_.substr(at_, 3) == "{,}") {
            out_ += ',';
            at_ += 3;
            return;
        }
        brace kind = brace::list;
        if (behind_kept || reading_.expressions) {
            kind = brace::kept;
        } else if (char const next = next_sign(at_ + 1); !reading_.lists || !(is_digit(next) || next == '-')) {
            kind = brace::dropped;
        }
        open_.push_back(kind);
        if (kind != brace::dropped) {
            out_ += kind == brace::list ? '[' : '{';
        }
        ++at_;
    }
    void close_brace() {
        brace const kind = open_.empty() ? (reading_.expressions ? brace::kept : brace::dropped) : open_.back();
        if (!open_.empty()) {
            open_.pop_back();
        }
        if (kind != brace::dropped) {
            out_ += kind == brace::list ? ']' : '}';
        }
        kept_ = kind == brace::kept;  // \frac{1}{2}
        ++at_;
    }

    std::string_view text_;
    free_reading reading_;
    std::size_t at_ = 0;
    std::string out_;
    std::vector<brace> open_;
    bool kept_ = false;  // an unknown command stands directly before
    bool displayed_list_ = false;
};

}  // namespace

std::string plain_characters(std::string_view text, free_reading reading) { return rewriter(text, reading).rewrite(); }

}  // namespace optgap::text
