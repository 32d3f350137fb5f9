#include "host/programs/extract.hpp"

#include <xxhash.h>

#include <algorithm>

#include "host/parse/fences.hpp"
#include "optgap/key.hpp"
#include "optgap/programs/codes.hpp"

namespace optgap::programs {
namespace {

constexpr std::string_view python_tags[] = {"python", "python3", "py"};
constexpr std::string_view cpp_tags[] = {"cpp", "c++", "cc", "cxx"};

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

bool same_word(std::string_view word, std::string_view tag) {
    return std::equal(word.begin(), word.end(), tag.begin(), tag.end(),
                      [](char a, char b) { return lower_case(a) == b; });
}

/// The lines without the fence's indent and with LF at their ends. Blanks at the end of the source are removed.
std::string source_of(std::string_view content, std::int32_t indent) {
    std::string out;
    out.reserve(content.size() + 1);
    while (!content.empty()) {
        std::size_t const end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        for (std::int32_t k = 0; k < indent && line.starts_with(' '); ++k) {
            line.remove_prefix(1);
        }
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        out += line;
        out += '\n';
    }
    std::size_t const last = out.find_last_not_of(" \t\r\n");
    out.resize(last == std::string::npos ? 0 : last + 1);
    return out;
}

}  // namespace

bool has_tag(std::string_view info, program_language language) {
    std::string_view const word = info.substr(0, info.find_first_of(" \t"));
    std::span<std::string_view const> const tags =
        language == program_language::python ? std::span<std::string_view const>(python_tags) : cpp_tags;
    return std::any_of(tags.begin(), tags.end(), [&](std::string_view tag) { return same_word(word, tag); });
}

found_program extract_program(std::string_view completion, format_spec const& format, program_language language,
                              finish finished, std::int64_t max_bytes) {
    bool const cut_off = finished == finish::length || finished == finish::abort;
    found_program found;
    auto const with_code = [&](std::int32_t code) {
        found.code = code;
        return found;
    };
    text::found_reasoning const reasoning = text::find_reasoning(completion, format);
    std::int32_t const nothing = cut_off ? std::int32_t(code_truncated) : std::int32_t(code_program_missing);
    if (reasoning.format_code == code_format_missing_reasoning) {
        return with_code(cut_off ? std::int32_t(code_truncated) : reasoning.format_code);
    }
    if (reasoning.open) {
        return with_code(nothing);
    }
    text::fence_reader reader(completion, reasoning.behind, format.ends);
    text::fenced_block block, last;
    std::int64_t of_language = 0, of_others = 0;
    while (reader.next(block)) {
        if (has_tag(block.info, language) || (format.untagged && block.info.empty())) {
            last = block;
            ++of_language;
        } else {
            ++of_others;
        }
    }
    if (reader.open()) {
        return with_code(nothing);
    }
    if (of_language == 0) {
        return with_code(of_others > 0 && !cut_off ? std::int32_t(code_program_language) : nothing);
    }
    found.span = last.content;
    std::string_view const content =
        completion.substr(std::size_t(last.content.begin), std::size_t(last.content.end - last.content.begin));
    found.source = source_of(content, last.indent);
    if (found.source.empty()) {
        return with_code(code_program_missing);
    }
    if (reasoning.format_code != code_ok) {
        return with_code(reasoning.format_code);
    }
    if (format.one_block && of_language > 1) {
        return with_code(code_program_repeated);
    }
    bool const alone = (format.tail == tail_rule::lenient && !cut_off) ||
                       text::nothing_follows(completion.substr(last.behind), format.ends);
    if (!alone) {
        return with_code(code_program_trailing);
    }
    return with_code(std::int64_t(found.source.size()) > max_bytes ? std::int32_t(code_program_too_long)
                                                                   : std::int32_t(code_ok));
}

std::string source_hash(std::string_view source) {
    XXH128_hash_t const hash = XXH3_128bits(source.data(), source.size());
    return hex32({hash.high64, hash.low64});
}

}  // namespace optgap::programs
