// IFEval's types about content, format, beginnings and ends.

#include "host/rubric/checks/json_text.hpp"
#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/splits.hpp"
#include "host/rubric/checks/types.hpp"
#include "host/rubric/words/boundaries.hpp"

namespace optgap::rubrics {

namespace ifeval_format {

type_answer placeholders(type_input const& in) {
    std::int64_t const count = count_brackets(in.raw());
    return {count >= in.number(0), count};
}

/// Finds the letters of a marker in lower-cased text, with at most one white space between them: p\.\s?s\. and
/// p\.\s?p\.\s?s.
bool has_marker(std::string_view text, std::string_view letters) {
    for (std::size_t at = 0; (at = text.find(letters[0], at)) != std::string_view::npos; ++at) {
        std::size_t next = at + 1;
        bool all = true;
        for (std::size_t k = 1; k < letters.size() && all; ++k) {
            if (letters[k] == ' ') {
                next += next < text.size() ? space_size(text, next) : 0;
                continue;
            }
            all = next < text.size() && text[next] == letters[k];
            ++next;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

type_answer postscript(type_input const& in) {
    std::string const& lower = in.forms.lower();
    std::string const& marker = in.argument(0);
    if (marker == "P.P.S") {
        return has_marker(lower, "p. p. s");
    }
    if (marker == "P.S.") {
        return has_marker(lower, "p. s.");
    }
    return in.given[0].patterns[0].found(lower, lower);
}

type_answer bullets(type_input const& in) {
    std::int64_t const count = count_bullets(in.raw(), '*') + count_bullets(in.raw(), '-');
    return {count == in.number(0) && in.enough(2), count};
}

type_answer constrained(type_input const& in) {
    std::string_view const text = in.raw();
    return contains(text, "My answer is yes.") || contains(text, "My answer is no.") ||
           contains(text, "My answer is maybe.");
}

type_answer highlights(type_input const& in) {
    std::int64_t const count = count_highlights(in.raw(), false) + count_highlights(in.raw(), true);
    return {count >= in.number(0), count};
}

/// \s?SPLITTER\s?\d+\s?
type_answer sections(type_input const& in) {
    std::string_view const text = in.raw();
    std::string_view const splitter = in.argument(0);
    std::int64_t count = 0;
    for (std::size_t at = 0; (at = text.find(splitter, at)) != std::string_view::npos;) {
        std::size_t next = at + splitter.size();
        next += next < text.size() ? space_size(text, next) : 0;
        std::size_t const digits = next;
        for (std::size_t size = 0; next < text.size() && (size = digit_size(text, next)) > 0;) {
            next += size;
        }
        count += next > digits;
        at = next > digits ? next : at + 1;
    }
    return {count >= in.number(1) && in.enough(), count};
}

type_answer json(type_input const& in) {
    json_text const found =
        read_json_text(without_fence(in.raw()), in.strict ? json_dialect::rfc8259 : json_dialect::python);
    return found.valid && (!in.strict || found.kind == '{' || found.kind == '[');
}

type_answer title(type_input const& in) { return has_angle_title(in.raw()); }

type_answer two_responses(type_input const& in) {
    std::vector<std::string_view> const parts = split_at(in.raw(), "******");
    if (counted_parts(parts, in.strict) != 2) {
        return false;
    }
    std::string_view first;
    for (std::string_view const part : parts) {
        if (is_blank(part)) {
            continue;
        }
        if (first.empty()) {
            first = trimmed(part);
        } else {
            return trimmed(part) != first;
        }
    }
    return false;
}

/// Whether a text has two pieces, where each word of a script without blanks is one.
bool has_two_words(std::string_view text) {
    std::string spaced;
    space_words(text, spaced);
    return pieces_of(spaced).size() >= 2;
}

type_answer repeat_prompt(type_input const& in) {
    std::string const wanted = lowered(trimmed(in.argument(0)));
    std::string_view const found = trimmed(in.forms.lower());
    return found.starts_with(wanted) && (!in.strict || has_two_words(found.substr(wanted.size())));
}

type_answer end(type_input const& in) {
    std::string_view const found = without_ends(trimmed(in.forms.lower()), '"');
    std::string const wanted = lowered(trimmed(in.argument(0)));
    return found.ends_with(wanted) && (!in.strict || found.size() > wanted.size());
}

type_answer quotation(type_input const& in) {
    std::string_view const text = in.forms.stripped();
    return text.size() > 1 && text.front() == '"' && text.back() == '"' &&
           (!in.strict || pieces_of(text.substr(1, text.size() - 2)).size() >= 2);
}

type_answer no_comma(type_input const& in) {
    std::int64_t const count = count_of(in.raw(), ",");
    return {count == 0 && in.enough(), count};
}

}  // namespace ifeval_format

std::span<instruction_type const> ifeval_format_types() {
    using namespace ifeval_format;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"detectable_content:number_placeholders",
         'E',
         {{"num_placeholders", integer}},
         placeholders,
         "parts [...] in one line are at least n",
         same},
        {"detectable_content:postscript",
         'E',
         {{"postscript_marker", keyword}},
         postscript,
         "the lower-cased text has p. p. s for P.P.S, p. s. for P.S. (one white space may stand behind a full stop), "
         "else the "
         "lower-cased marker as an expression",
         "another marker stands for itself"},
        {"detectable_format:number_bullet_lists",
         'E',
         {{"num_bullets", integer}},
         bullets,
         "lines that begin with * (not **) and lines that begin with - are n; white space before them may cross lines",
         "two words"},
        {"detectable_format:constrained_response",
         'E',
         {},
         constrained,
         "contains My answer is yes., My answer is no. or My answer is maybe.",
         same},
        {"detectable_format:number_highlighted_sections",
         'E',
         {{"num_highlights", integer}},
         highlights,
         "parts *...* that are not blank and parts **...** that are not blank, in one line, are at least n",
         same},
        {"detectable_format:multiple_sections",
         'E',
         {{"section_spliter", argument_kind::text}, {"num_sections", integer}},
         sections,
         "the splitter with a number behind it stands at least n times",
         "five words"},
        {"detectable_format:json_format",
         'E',
         {},
         ifeval_format::json,
         "without white space and a code fence around it Python's json.loads takes it, NaN too",
         "RFC 8259, and an object or a list"},
        {"detectable_format:title", 'E', {}, title, "some <<...>> in one line is not blank inside", same},
        {"combination:two_responses",
         'E',
         {},
         two_responses,
         "parts between ******: empty ones between fail; exactly two are not blank, and they differ",
         "each part of two pieces",
         true},
        {"combination:repeat_prompt",
         'E',
         {{"prompt_to_repeat", argument_kind::text}},
         repeat_prompt,
         "begins with the prompt, stripped and lower-cased",
         "two more pieces follow"},
        {"startend:end_checker",
         'E',
         {{"end_phrase", argument_kind::text}},
         ifeval_format::end,
         "stripped, without \" around it and lower-cased, it ends with the phrase",
         "something stands before it"},
        {"startend:quotation",
         'E',
         {},
         quotation,
         "stripped, it is longer than one character and begins and ends with \"",
         "two pieces stand between",
         true},
        {"punctuation:no_comma", 'E', {}, no_comma, "no ,", "five words"},
    };
    return types;
}

}  // namespace optgap::rubrics
