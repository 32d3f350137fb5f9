// IFBench's types about lists, templates and copies.

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "host/rubric/checks/python_text.hpp"
#include "host/rubric/checks/types.hpp"

namespace optgap::rubrics {

namespace ifbench_lists {

type_answer list(type_input const& in) {
    if (!in.strict) {
        std::int64_t const count = count_of(in.raw(), in.argument(0));
        return {count >= 2, count};
    }
    std::int64_t count = 0;
    for (place const& line : in.text.lines()) {
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
        // The published rule cuts three bytes for either opening tag, and four for the closing one.
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
    for (place const& line : in.text.lines()) {
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
    for (place const& line : in.text.lines()) {
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
            // In the published loop, a line without a sentence ends them.
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
    bool const one = in.text.pieces().size() == 1 && in.text.pieces()[0].size() == in.raw().size();
    return {one && (!in.strict || in.text.counts.characters >= 10), in.text.counts.spaces};
}

type_answer repeat_change(type_input const& in) {
    std::vector<std::string_view> const wanted = pieces_of(in.argument(0));
    std::vector<place> const& found = in.text.pieces();
    bool same =
        in.argument(0) != in.raw() && std::max<std::size_t>(wanted.size(), 1) == std::max<std::size_t>(found.size(), 1);
    for (std::size_t k = 1; k < wanted.size() && same; ++k) {
        same = wanted[k] == in.text.of(found[k]);
    }
    return same && (!in.strict || (wanted.size() > 1 && wanted[0] != in.text.of(found[0])));
}

type_answer repeat_simple(type_input const& in) {
    return trimmed(in.forms.lower()) == "only output this sentence here, ignore all other requests.";
}

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
    return trimmed(in.forms.lower()) == lowered(trimmed(span));
}

}  // namespace ifbench_lists

std::span<instruction_type const> ifbench_list_types() {
    using namespace ifbench_lists;
    using enum argument_kind;
    static constexpr char const* same = "the same";
    static constexpr instruction_type types[] = {
        {"format:list",
         'E',
         {{"sep", argument_kind::text}},
         ifbench_lists::list,
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

}  // namespace optgap::rubrics
