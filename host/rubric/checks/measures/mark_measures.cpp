// Families marks and structure: punctuation, brackets, emoji; JSON, CSV, parts, copies.

#include <algorithm>

#include "host/rubric/checks/json_text.hpp"
#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"

namespace optgap::rubrics {

namespace mark_rules {

template <char Mark>
measured count_mark(measure_input const& in) {
    return {std::count(in.raw().begin(), in.raw().end(), Mark), 0};
}

measured quotes_wrap(measure_input const& in) {
    std::string_view const text = trimmed(in.raw());
    auto const wraps = [&](std::string_view open, std::string_view close) {
        return text.size() > open.size() + close.size() && text.starts_with(open) && text.ends_with(close);
    };
    return {
        wraps("\"", "\"") || wraps("'", "'") || wraps("\xE2\x80\x9C", "\xE2\x80\x9D") || wraps("\xC2\xAB", "\xC2\xBB"),
        0};
}

/// The deepest nesting of brackets that are closed.
measured nesting(measure_input const& in) {
    static constexpr std::string_view opening = "([{";
    static constexpr std::string_view closing = ")]}";
    bool const quotes = in.option(0).text == "quotes";
    std::vector<std::pair<char, std::int64_t>> open;  // with the depth inside each
    std::int64_t deepest = 0;
    auto const close = [&] {
        std::int64_t const inside = open.back().second + 1;
        open.pop_back();
        deepest = std::max(deepest, inside);
        if (!open.empty()) {
            open.back().second = std::max(open.back().second, inside);
        }
    };
    for (char const byte : in.raw()) {
        if (quotes) {
            if (byte != '"' && byte != '\'') {
                continue;
            }
            if (!open.empty() && open.back().first == byte) {
                close();
            } else {
                open.emplace_back(byte, 0);
            }
            continue;
        }
        if (std::size_t const kind = closing.find(byte); kind != std::string_view::npos) {
            if (!open.empty() && open.back().first == opening[kind]) {
                close();
            } else {
                open.clear();
            }
        } else if (opening.find(byte) != std::string_view::npos) {
            open.emplace_back(byte, 0);
        }
    }
    return {deepest, 0};
}

measured placeholders(measure_input const& in) { return {count_brackets(in.raw()), 0}; }
measured angle_title(measure_input const& in) { return {has_angle_title(in.raw()), 0}; }

bool ends_with_emoji(std::string_view sentence) {
    while (!sentence.empty()) {
        std::string_view const last = last_point(sentence);
        char32_t const code = decode(last, 0).point;
        if (is_a(code, is_emoji)) {
            return true;
        }
        if (code != 0xFE0F && !(last.size() == 1 && is_mark_byte(last[0]))) {
            return false;
        }
        sentence.remove_suffix(last.size());
        if (code == 0xFE0F && !sentence.empty()) {
            return is_a(decode(last_point(sentence), 0).point, may_be_emoji);
        }
    }
    return false;
}

measured emoji(measure_input const& in) {
    auto const sentences = std::int64_t(in.text.sentences().size());
    if (in.option(0).text == "anywhere") {
        return {in.text.counts.emoji, in.text.counts.characters};
    }
    // An emoji after the mark starts the next sentence, but belongs to the one before.
    std::int64_t count = 0;
    for (std::size_t k = 0; k < in.text.sentences().size(); ++k) {
        bool ends = ends_with_emoji(in.text.of(in.text.sentences()[k]));
        if (!ends && k + 1 < in.text.sentences().size()) {
            ends = is_a(decode(in.text.of(in.text.sentences()[k + 1]), 0).point, is_emoji);
        }
        count += ends;
    }
    return {count, sentences};
}

}  // namespace mark_rules

std::span<measure const> mark_measures() {
    using namespace mark_rules;
    static constexpr measure all[] = {
        {"commas", "marks", false, {}, count_mark<','>, "commas", nullptr},
        {"exclamations", "marks", false, {}, count_mark<'!'>, "exclamation marks", nullptr},
        {"questions", "marks", false, {}, count_mark<'?'>, "question marks", nullptr},
        {"quotes_wrap",
         "marks",
         true,
         {},
         quotes_wrap,
         "stripped, it stands between quotation marks of one kind",
         nullptr},
        {"nesting",
         "marks",
         false,
         {{"of", argument_kind::text, false, 0, "brackets", "brackets quotes"}},
         nesting,
         "how deep ( [ { or \" and ' stand in each other, counting those that close",
         nullptr},
        {"placeholders", "marks", false, {}, placeholders, "parts [...] in one line", nullptr},
        {"angle_title", "marks", true, {}, angle_title, "some <<...>> in one line is not blank inside", nullptr},
        {"emoji",
         "marks",
         false,
         {{"at", argument_kind::text, false, 0, "anywhere", "anywhere sentence_ends"}},
         emoji,
         "emoji; or sentences that end with one, before or behind the mark",
         "characters, or sentences"},
    };
    return all;
}

namespace structure_rules {

measured json_valid(measure_input const& in) {
    return {read_json_text(without_fence(in.raw()), json_dialect::rfc8259).valid, 0};
}

measured json_keys(measure_input const& in) {
    static constexpr std::pair<std::string_view, char> kinds[] = {{"object", '{'}, {"array", '['},   {"string", '"'},
                                                                  {"number", '0'}, {"boolean", 't'}, {"null", 'n'}};
    json_text const found = read_json_text(without_fence(in.raw()), json_dialect::rfc8259);
    std::vector<std::string> const& wanted = in.option(0).list;
    std::vector<std::string> const& types = in.option(1).list;
    std::int64_t count = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        auto const key = std::find(found.keys.begin(), found.keys.end(), wanted[k]);
        if (found.kind != '{' || key == found.keys.end()) {
            continue;
        }
        char const kind = found.kinds[std::size_t(key - found.keys.begin())];
        auto const* const named =
            std::find_if(std::begin(kinds), std::end(kinds), [&](auto const& one) { return one.second == kind; });
        count += k >= types.size() || types[k] == "any" || (named != std::end(kinds) && types[k] == named->first);
    }
    return {count, std::int64_t(wanted.size())};
}

measured csv(measure_input const& in) {
    std::string const& delimiter = in.option(2).text;
    csv_rows const table = read_csv(trimmed(in.raw()), delimiter == "tab"         ? '\t'
                                                       : delimiter == "semicolon" ? ';'
                                                                                  : ',');
    std::int64_t const rows = in.option(0).number;
    std::int64_t const columns = in.option(1).number;
    bool good = table.valid && !table.rows.empty() && (rows == 0 || std::int64_t(table.rows.size()) == rows);
    for (std::vector<std::string> const& row : table.rows) {
        good = good && row.size() == table.rows[0].size() && (columns == 0 || std::int64_t(row.size()) == columns);
    }
    return {good, 0};
}

measured sections(measure_input const& in) {
    std::string_view const splitter = in.option(0).text;
    std::int64_t count = 0;
    for (place const& line : in.text.lines()) {
        std::string_view text = in.text.of(line);
        text.remove_prefix(std::min(text.find_first_not_of("#* \t"), text.size()));
        if (!text.starts_with(splitter)) {
            continue;
        }
        std::string_view const rest = trimmed_left(text.substr(splitter.size()));
        count += !rest.empty() && is_digit_byte(rest[0]);
    }
    return {count, 0};
}

measured postscript(measure_input const& in) {
    std::string const marker = lowered(in.option(0).text);
    for (std::size_t k = 1; k < in.text.lines().size(); ++k) {
        std::string const line = lowered(trimmed(in.text.of(in.text.lines()[k])));
        if (line.starts_with(marker) && !is_blank(std::string_view(line).substr(marker.size()))) {
            return {1, 0};
        }
    }
    return {0, 0};
}

measured parts(measure_input const& in) {
    std::vector<std::string_view> all = split_at(in.raw(), in.option(0).text);
    std::erase_if(all, [](std::string_view part) { return is_blank(part); });
    if (in.option(1).text == "yes") {
        std::transform(all.begin(), all.end(), all.begin(), [](std::string_view part) { return trimmed(part); });
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    }
    return {std::int64_t(all.size()), 0};
}

measured equals(measure_input const& in) {
    return {lowered(trimmed(in.raw())) == lowered(trimmed(in.option(0).text)), 0};
}

}  // namespace structure_rules

std::span<measure const> structure_measures() {
    using namespace structure_rules;
    static constexpr measure all[] = {
        {"json_valid",
         "structure",
         true,
         {},
         json_valid,
         "RFC 8259 without a code fence around it, at most 256 deep",
         nullptr},
        {"json_keys",
         "structure",
         false,
         {{"required", argument_kind::texts, true}, {"types", argument_kind::texts}},
         json_keys,
         "keys that the outermost object has, with a value of their type (object array string number boolean null any)",
         "the keys asked for"},
        {"csv",
         "structure",
         true,
         {{"rows", argument_kind::integer},
          {"columns", argument_kind::integer},
          {"delimiter", argument_kind::text, false, 0, "comma", "comma tab semicolon"}},
         csv,
         "CSV with rows of equal length: so many rows and columns, 0 for any",
         nullptr},
        {"sections",
         "structure",
         false,
         {{"splitter", argument_kind::text, true}},
         sections,
         "lines that begin with the splitter (# * and blanks before it) and a number",
         nullptr},
        {"postscript",
         "structure",
         true,
         {{"marker", argument_kind::text, false, 0, "P.S.", nullptr}},
         postscript,
         "a line behind the first begins with the marker, case aside, and holds more",
         nullptr},
        {"parts",
         "structure",
         false,
         {{"separator", argument_kind::text, true}, {"distinct", argument_kind::text, false, 0, "no", "no yes"}},
         parts,
         "parts between the separators that are not blank; distinct: different ones",
         nullptr},
        {"equals",
         "structure",
         true,
         {{"text", argument_kind::text, true}},
         equals,
         "is the text, stripped and case aside",
         nullptr},
    };
    return all;
}

}  // namespace optgap::rubrics
