#include "tools/cli/shell/help.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace optgap::cli {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t text_begin = 28;  ///< the column where meanings begin

/// Characters of UTF-8.
std::size_t width_of(std::string_view text) {
    return std::size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Words of `text`, the lines after the first indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used) {
    std::string out;
    while (!text.empty()) {
        std::string_view const word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        bool const first = used <= indent;
        if (!first && used + 1 + width_of(word) > page_width) {
            out += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (!first) {
            out += ' ';
            ++used;
        }
        out += word;
        used += width_of(word);
    }
    return out;
}

std::string line_text(std::string_view label, std::string_view text) {
    std::string out = fmt::format("  {}", label);
    std::size_t const used = width_of(out);
    if (used + 2 > text_begin) {
        out += '\n' + std::string(text_begin, ' ');
    } else {
        out += std::string(text_begin - used, ' ');
    }
    return out + wrapped(text, text_begin, text_begin) + '\n';
}

std::string option_name(help_line const& line) { return line.label.substr(0, line.label.find(' ')); }

/// Lines under their headings, which stand in the order in which they appear first.
template <class Chosen>
std::string under_headings(std::vector<help_line> const& lines, Chosen const& is_chosen) {
    std::string out;
    std::vector<std::string> headings;
    for (help_line const& line : lines) {
        if (is_chosen(line) && std::ranges::find(headings, line.heading) == headings.end()) {
            headings.push_back(line.heading);
        }
    }
    for (std::string const& heading : headings) {
        out += fmt::format("\n{}:\n", heading);
        for (help_line const& line : lines) {
            if (is_chosen(line) && line.heading == heading) {
                out += line_text(line.label, line.text);
            }
        }
    }
    return out;
}

}  // namespace

std::vector<std::string> topics_of(help_page const& page) {
    std::vector<std::string> out;
    for (help_line const& line : page.lines) {
        if (!line.topic.empty() && std::ranges::find(out, line.topic) == out.end()) {
            out.push_back(line.topic);
        }
    }
    return out;
}

std::string help_text(help_page const& page) {
    std::string out = wrapped(page.summary, 0, 0) + '\n';
    out += fmt::format("Usage: {}\n", wrapped(page.command + page.usage, 7, 7));
    out += under_headings(page.lines, [](help_line const& line) { return line.topic.empty(); });
    std::vector<std::string> const topics = topics_of(page);
    if (!topics.empty()) {
        out += fmt::format("\nOptions of {} ({} --help NAME):\n", page.topics, page.command);
        for (std::string const& topic : topics) {
            std::string names;
            for (help_line const& line : page.lines) {
                if (line.topic == topic) {
                    names += fmt::format("{}{}", names.empty() ? "" : " ", option_name(line));
                }
            }
            out += line_text(topic, names);
        }
    }
    return page.closing.empty() ? out : fmt::format("{}\n{}\n", out, page.closing);
}

std::string help_of_topic(help_page const& page, std::string_view topic) {
    auto const is_chosen = [&](help_line const& line) {
        return !line.topic.empty() && (topic == "all" || line.topic == topic);
    };
    return fmt::format("Usage: {}\n", page.command + page.usage) + under_headings(page.lines, is_chosen);
}

}  // namespace optgap::cli
