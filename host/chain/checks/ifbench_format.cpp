// IFBench's types about format: brackets, quotes, lines, lists, templates, copies.

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "host/chain/checks/python_text.hpp"
#include "host/chain/checks/types.hpp"

namespace optgap::chain {

namespace ifbench_format {

type_answer parentheses(type_input const& in) {
    static constexpr std::string_view opening = "([{";
    static constexpr std::string_view closing = ")]}";
    constexpr std::size_t least = 5;
    std::string open;
    std::size_t deepest = 0;
    std::size_t best = 0;
    for (char const byte : in.raw()) {
        if (opening.find(byte) != std::string_view::npos) {
            open += byte;
            deepest = std::max(deepest, open.size());
            best = std::max(best, deepest);
            continue;
        }
        std::size_t const kind = closing.find(byte);
        if (kind == std::string_view::npos) {
            continue;
        }
        if (open.empty() || open.back() != opening[kind]) {
            open.clear();
            deepest = 0;
            continue;
        }
        open.pop_back();
        if (deepest >= least && (!in.strict || open.empty())) {
            return {true, std::int64_t(best)};
        }
        deepest = open.empty() && in.strict ? 0 : deepest;
    }
    return {false, std::int64_t(best)};
}

type_answer quotes(type_input const& in) {
    std::string open;
    std::size_t deepest = 0;
    for (char const byte : in.raw()) {
        if (!open.empty() && byte == open.back()) {
            open.pop_back();
            if (deepest - open.size() >= 3) {
                return {in.enough(3), std::int64_t(deepest)};
            }
        } else if (byte == '"' || byte == '\'') {
            open += byte;
            deepest = std::max(deepest, open.size());
        }
    }
    return {false, std::int64_t(deepest)};
}

/// \W*[aA]\W*[bB]\W*[cC]\W* at the beginning.
bool are_letters(std::string_view options) {
    std::size_t at = 0;
    for (char const letter : std::string_view("abc")) {
        while (at < options.size() && word_size(options, at) == 0) {
            at += decode(options, at).size;
        }
        if (at == options.size() || (options[at] | 32) != letter) {
            return false;
        }
        ++at;
    }
    return true;
}

type_answer options(type_input const& in) {
    std::string_view const all = in.argument(0);
    std::string_view const separator = contains(all, "/") ? "/" : contains(all, "or") ? "or" : ",";
    bool const letters = are_letters(all);
    std::string const text = lowered(without_marks(in.raw()));
    for (std::string_view const part : split_at(all, separator)) {
        std::string_view const option = trimmed(part);
        if (letters ? in.raw() == option : lowered(without_marks(option)) == text) {
            return true;
        }
    }
    return false;
}

type_answer newline(type_input const& in) {
    split_text const& bare = in.forms.bare();
    std::int64_t lines = 0;
    for (std::string_view const line : split_at(trimmed(bare.text), "\n")) {
        lines += !line.empty();
    }
    return {lines == std::int64_t(bare.size()) && in.enough(2), lines};
}

/// What emoji.is_emoji says of one character: Emoji, but for ASCII and the letters of flags.
bool is_emoji_point(std::string_view point) {
    if (point.empty() || static_cast<unsigned char>(point[0]) < 0x80) {
        return false;
    }
    char32_t const code = decode(point, 0).point;
    return is_a(code, may_be_emoji) && (code < 0x1F1E6 || code > 0x1F1FF);
}

std::string bare_sentence(type_input const& in, std::size_t k) {
    std::string bare;
    delete_marks(in.sentence(k), bare);
    return std::string(trimmed(bare));
}

type_answer emoji(type_input const& in) {
    for (std::size_t k = 0; k < in.sentence_count(); ++k) {
        std::string const bare = bare_sentence(in, k);
        if (bare.empty()) {
            return {false, std::int64_t(k)};
        }
        std::string_view const last = last_point(bare);
        std::string_view const before = last_point(std::string_view(bare).substr(0, bare.size() - last.size()));
        if (is_emoji_point(last) || is_emoji_point(before.empty() ? last : before)) {
            continue;
        }
        if (k + 1 == in.sentence_count() || !is_emoji_point(first_point(bare_sentence(in, k + 1)))) {
            return {false, std::int64_t(k)};
        }
    }
    return {!in.strict || (in.sentence_count() > 0 && in.enough(2)), std::int64_t(in.sentence_count())};
}

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

type_answer line_indent(type_input const& in) {
    std::vector<std::string_view> kept = split_at(in.raw(), "\n");
    if (in.strict) {
        std::erase_if(kept, [](std::string_view line) { return is_blank(line); });
        if (kept.size() < 2) {
            return false;
        }
    } else {
        // The published loop removes from the list that it walks: the line behind a removed one is not looked at, and
        // what goes is the first line equal to the blank one, perhaps one that was passed over before.
        std::vector<std::string_view> const all = std::move(kept);
        kept.clear();
        std::vector<bool> gone(all.size(), false);
        std::unordered_map<std::string_view, std::deque<std::size_t>> passed_over;
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!is_blank(all[at])) {
                continue;
            }
            std::deque<std::size_t>& equal = passed_over[all[at]];
            equal.push_back(at);
            gone[equal.front()] = true;
            equal.pop_front();
            if (++at < all.size() && is_blank(all[at])) {
                passed_over[all[at]].push_back(at);
            }
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!gone[k]) {
                kept.push_back(all[k]);
            }
        }
    }
    for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
        if (indent_of(kept[k + 1]) <= indent_of(kept[k])) {
            return {false, std::int64_t(k)};
        }
    }
    return {true, std::int64_t(kept.size())};
}

type_answer quote_unquote(type_input const& in) {
    std::string const text = replaced(in.raw(), "'\"'", "");
    std::string joined;
    for (std::string_view const piece : pieces_of(text)) {
        joined += piece;
    }
    if (contains(joined, "\"\"")) {
        return false;
    }
    std::string_view rest = joined;
    auto const cut = [](char byte) { return is_digit_byte(byte) || (is_mark_byte(byte) && byte != '"'); };
    while (!rest.empty() && cut(rest.front())) {
        rest.remove_prefix(1);
    }
    while (!rest.empty() && cut(rest.back())) {
        rest.remove_suffix(1);
    }
    std::int64_t const marks = count_of(joined, "\"");
    return {!rest.ends_with('"') && (!in.strict || (marks >= 2 && marks % 2 == 0)), marks};
}

type_answer list(type_input const& in) {
    if (!in.strict) {
        std::int64_t const count = count_of(in.raw(), in.argument(0));
        return {count >= 2, count};
    }
    std::int64_t count = 0;
    for (place const& line : in.text.lines) {
        std::string_view const text = trimmed(in.text.of(line));
        count += text.starts_with(in.argument(0)) && !is_blank(text.substr(in.argument(0).size()));
    }
    return {count >= 2, count};
}

type_answer thesis(type_input const& in) {
    std::string_view text = in.raw();
    bool const short_tag = contains(text, "<i>");
    std::size_t const open = text.find(short_tag ? "<i>" : "<em>");
    if (open == std::string_view::npos) {
        return false;
    }
    text.remove_prefix(open);
    std::size_t end = text.find("</i>");
    bool const short_end = end != std::string_view::npos;
    end = short_end ? end : text.find("</em>");
    if (end == std::string_view::npos) {
        return false;
    }
    if (!in.strict) {
        // The published cut takes three bytes for either tag, and four for its end.
        std::string_view const inside = end > 3 ? text.substr(3, end - 3) : std::string_view{};
        return !is_blank(inside) && !is_blank(text.substr(std::min(end + 4, text.size())));
    }
    std::size_t const tag = short_tag ? 3 : 4;
    return short_tag == short_end && end > tag && !is_blank(text.substr(tag, end - tag)) &&
           !is_blank(text.substr(end + tag + 1));
}

type_answer sub_bullets(type_input const& in) {
    if (!in.strict) {
        std::vector<std::string_view> const parts = split_at(in.raw(), "*");
        bool const all =
            std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) { return contains(part, "-"); });
        return {all, std::int64_t(parts.size()) - 1};
    }
    std::int64_t bullets = 0;
    bool has_sub = true;
    for (place const& line : in.text.lines) {
        std::string_view const text = trimmed(in.text.of(line));
        if (text.starts_with('*')) {
            if (!has_sub) {
                return {false, bullets};
            }
            ++bullets;
            has_sub = false;
        } else if (text.starts_with('-') && !is_blank(text.substr(1))) {
            has_sub = true;
        }
    }
    return {bullets > 0 && has_sub, bullets};
}

type_answer no_bullets_bullets(type_input const& in) {
    bool in_sentences = true;
    std::int64_t sentences = 0;
    std::int64_t bullets = 0;
    std::vector<place> places;
    for (place const& line : in.text.lines) {
        std::string_view const text = trimmed(in.text.of(line));
        if (in.strict && text.empty()) {
            continue;
        }
        if (text.starts_with('*')) {
            in_sentences = false;
            if (sentences < 2) {
                return {false, bullets};
            }
            ++bullets;
        } else if (in_sentences) {
            split_sentences(text, in.sentences, places);
            // A line without a sentence ends them, in the published loop.
            in_sentences = !places.empty();
            sentences += in.strict ? std::count_if(places.begin(), places.end(),
                                                   [&](place const& one) { return text[one.end - 1] == '.'; })
                                   : std::int64_t(places.size());
        } else {
            return {false, bullets};
        }
    }
    return {bullets >= 2, bullets};
}

type_answer title_case(type_input const& in) {
    std::int64_t judged = 0;
    for (place const& token : in.forms.tokens()) {
        std::string_view const word = in.text.of(token);
        std::string_view const first = first_point(word);
        std::string_view const rest = word.substr(first.size());
        char32_t const code = decode(word, 0).point;
        if (!is_a(code, is_letter)) {
            continue;
        }
        ++judged;
        bool const low = is_a(code, is_lower);
        if (low && (rest.empty() || is_upper_text(rest) || is_lower_text(rest))) {
            return {false, judged};
        }
    }
    return {!in.strict || judged >= 2, judged};
}

type_answer output_template(type_input const& in) {
    static constexpr std::string_view parts[] = {"My Answer:", "My Conclusion:", "Future Outlook:"};
    std::string_view const text = in.raw();
    if (!in.strict) {
        return contains(text, parts[0]) && contains(text, parts[1]) && contains(text, parts[2]);
    }
    std::size_t behind[3];
    std::size_t begins[4] = {0, 0, 0, text.size()};
    std::size_t from = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        begins[k] = text.find(parts[k], from);
        if (begins[k] == std::string_view::npos) {
            return false;
        }
        from = behind[k] = begins[k] + parts[k].size();
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (is_blank(text.substr(behind[k], begins[k + 1] - behind[k]))) {
            return false;
        }
    }
    return is_blank(text.substr(0, begins[0]));
}

type_answer no_whitespace(type_input const& in) {
    bool const one = in.text.pieces.size() == 1 && in.text.pieces[0].size() == in.raw().size();
    return {one && (!in.strict || in.text.counts.characters >= 10), in.text.counts.spaces};
}

std::string without_first(std::string_view text) {
    std::string joined;
    std::vector<std::string_view> const pieces = pieces_of(text);
    for (std::size_t k = 1; k < pieces.size(); ++k) {
        joined.append(k > 1 ? " " : "").append(pieces[k]);
    }
    return joined;
}

type_answer repeat_change(type_input const& in) {
    std::string const rest = without_first(in.argument(0));
    bool const changed = in.argument(0) != in.raw() && rest == without_first(in.raw());
    return changed && (!in.strict || (!rest.empty() && pieces_of(in.argument(0))[0] != in.text.of(in.text.pieces[0])));
}

type_answer repeat_simple(type_input const& in) {
    return lowered(in.forms.stripped()) == "only output this sentence here, ignore all other requests.";
}

/// Code points [first, last) of a text.
std::string_view point_span(std::string_view text, std::int64_t first, std::int64_t last) {
    std::size_t begin = text.size();
    std::size_t end = text.size();
    std::int64_t index = 0;
    for (std::size_t at = 0; at < text.size(); at += decode(text, at).size, ++index) {
        begin = index == first ? at : begin;
        if (index == last) {
            end = at;
            break;
        }
    }
    return begin < end ? text.substr(begin, end - begin) : std::string_view{};
}

type_answer repeat_span(type_input const& in) {
    std::string_view const span = point_span(in.argument(0), in.number(1), in.number(2) + 1);
    return lowered(in.forms.stripped()) == lowered(trimmed(span));
}

}  // namespace ifbench_format

std::span<instruction_type const> ifbench_format_types() {
    using namespace ifbench_format;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"format:parentheses",
         'E',
         {},
         parentheses,
         "a bracket closes its own kind, and five of ( [ { were open since the last mismatch",
         "all of them close"},
        {"format:quotes",
         'E',
         {},
         quotes,
         "of \" and ', each closed by its own, three of the deepest have closed",
         "three words"},
        {"format:options",
         'E',
         {{"options", argument_kind::text}},
         ifbench_format::options,
         "options are parted by /, else by or, else by a comma; lettered ones are the whole text, others are it "
         "without case "
         "and punctuation around",
         same},
        {"format:newline",
         'E',
         {},
         newline,
         "punctuation deleted and stripped, lines that are not empty are as many as pieces",
         "two words"},
        {"format:emoji",
         'S',
         {},
         emoji,
         "in every sentence, punctuation deleted, the last or last but one character is an emoji, or the next sentence "
         "begins "
         "with one",
         "a sentence, and two words"},
        {"format:line_indent",
         'E',
         {},
         line_indent,
         "blanks at the begin of lines rise strictly; of consecutive blank lines every second is removed first",
         "all blank lines are removed; two lines remain"},
        {"format:quote_unquote",
         'E',
         {},
         quote_unquote,
         "white space and '\"' removed, no \"\" stands in the text, and it does not end with \" before digits and "
         "punctuation",
         "quotes are paired, and there is one"},
        {"format:list",
         'E',
         {{"sep", argument_kind::text}},
         ifbench_format::list,
         "the separator stands at least twice",
         "at the begin of lines, with something behind it"},
        {"format:thesis",
         'E',
         {},
         thesis,
         "<i> or else <em>, behind it </i> or else </em>, something between (three bytes after the tag's begin) and "
         "behind",
         "tags match"},
        {"format:sub-bullets",
         'E',
         {},
         sub_bullets,
         "every part behind a * holds a -",
         "a line begins with *, and behind each such line one begins with - and holds more"},
        {"format:no_bullets_bullets",
         'S',
         {},
         no_bullets_bullets,
         "two sentences in lines, then lines that begin with *, two at least; a line without a sentence ends the "
         "sentences",
         "sentences end with a full stop; blank lines are skipped"},
        {"format:title_case",
         'S',
         {},
         title_case,
         "no token is a small letter, all small, or a small letter before capitals",
         "two tokens begin with a letter"},
        {"format:output_template",
         'E',
         {},
         output_template,
         "contains My Answer:, My Conclusion: and Future Outlook:",
         "in this order, from the begin, with something behind each"},
        {"format:no_whitespace", 'E', {}, no_whitespace, "no white space", "ten characters"},
        {"repeat:repeat_change",
         'E',
         {{"prompt_to_repeat", argument_kind::text}},
         repeat_change,
         "is not the prompt, but has its pieces from the second on",
         "there is a second, and the first differs"},
        {"repeat:repeat_simple",
         'E',
         {},
         repeat_simple,
         "stripped and lower-cased, it is: only output this sentence here, ignore all other requests.",
         same},
        {"repeat:repeat_span",
         'E',
         {{"prompt_to_repeat", argument_kind::text}, {"n_start", integer}, {"n_end", integer}},
         repeat_span,
         "stripped and lower-cased, it is the prompt's characters n_start to n_end, both included, from 0",
         same},
    };
    return types;
}

}  // namespace optgap::chain
