// Finds the places of answers in texts, for callers that read them themselves.

#include "host/parse/scanner.hpp"
#include "optgap/external.hpp"
#include "optgap/status.hpp"

namespace optgap {

std::vector<answer_place_found> find_answers(std::span<std::string_view const> texts,
                                             std::span<std::int32_t const> format_of,
                                             std::span<finish const> finished) {
    std::span<format_spec const> const known = known_formats();
    if (format_of.size() != texts.size() || (!finished.empty() && finished.size() != texts.size())) {
        throw error(status::invalid_argument, "format_of, finished: expected one entry per text");
    }
    std::vector<answer_place_found> out;
    out.reserve(texts.size());
    for (std::size_t r = 0; r < texts.size(); ++r) {
        if (format_of[r] < 0 || std::size_t(format_of[r]) >= known.size()) {
            throw error(status::invalid_argument, "format_of: " + std::to_string(format_of[r]) + " is no known format");
        }
        finish const how = finished.empty() ? finish::unknown : finished[r];
        text::found_parts const parts = text::find_parts(texts[r], known[std::size_t(format_of[r])], how);
        bool const cut = how == finish::length || how == finish::abort;
        bool const lacks =
            parts.format_code == code_format_missing_answer || parts.format_code == code_format_missing_reasoning;
        out.push_back({cut && lacks ? std::int32_t(code_truncated) : parts.format_code, parts.has_answer,
                       parts.has_answer ? parts.answer : text_span{}});
    }
    return out;
}

}  // namespace optgap
