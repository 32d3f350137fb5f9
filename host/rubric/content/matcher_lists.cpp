// Compiles a rubric's lists into forms, symbols, and the bits of each sequence.

#include <algorithm>

#include <fmt/format.h>

#include "host/rubric/content/matcher.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

/// A keyword in the form that is matched; under `strip` with single blanks and none at its ends.
std::string folded_keyword(std::string const& keyword, text_settings const& how, ready_text& ready) {
    make_ready(keyword, how, ready);
    if (!how.strip) {
        return std::string(ready.view());
    }
    std::string out;
    for (char const byte : ready.view()) {
        if (!is_blank_byte(byte)) {
            out += byte;
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    while (!out.empty() && out.back() == ' ') {
        out.pop_back();
    }
    return out;
}

std::int32_t words_in(std::string const& text, ready_text& ready) {
    make_ready(text, {.fold = fold_rule::none, .typography = false, .strip = false}, ready);
    std::int32_t words = 0;
    each_word(ready, [&](std::size_t, std::size_t) { ++words; });
    return words;
}

/// Keywords that Python's re never finds. It joins alternatives that differ in one last character into a set. Under
/// IGNORECASE it compares the text's lower case with the set's unchanged members beyond U+FFFF, so capitals there match
/// nothing (CPython 3.11, re._parser._parse_sub and re._compiler._optimize_charset).
std::vector<std::uint8_t> never_found(std::vector<std::vector<std::string>> const& keywords) {
    std::vector<std::u32string> points;
    std::size_t shortest = limits::keyword_bytes;
    for (std::vector<std::string> const& keyword : keywords) {
        std::u32string of;
        for (std::size_t at = 0; at < keyword[0].size();) {
            decoded const one = decode(keyword[0], at);
            of += one.point;
            at += one.size;
        }
        shortest = std::min(shortest, of.size());
        points.push_back(std::move(of));
    }
    std::vector<std::uint8_t> never(keywords.size(), 0);
    std::size_t shared = 0;
    auto const same = [&](std::u32string const& other) { return other[shared] == points[0][shared]; };
    while (shared < shortest && std::all_of(points.begin(), points.end(), same)) {
        ++shared;
    }
    auto const one_more = [&](std::u32string const& of) { return of.size() == shared + 1; };
    if (points.size() > 1 && std::all_of(points.begin(), points.end(), one_more)) {
        for (std::size_t k = 0; k < points.size(); ++k) {
            char32_t const last = points[k][shared];
            never[k] = last > 0xFFFF && simple_lower(last) != last ? 1 : 0;
        }
    }
    return never;
}

}  // namespace

std::int32_t matcher::symbol_named(list_info& list, std::string const& name) const {
    auto const found = std::find(list.symbols.begin(), list.symbols.end(), name);
    if (found != list.symbols.end()) {
        return std::int32_t(found - list.symbols.begin());
    }
    ready_text ready;
    list.symbols.push_back(name);
    list.keyword_of.push_back(-1);
    list.words_of.push_back(words_in(name, ready));
    return std::int32_t(list.symbols.size() - 1);
}

matcher::matcher(rubric_data const& rubric) : measure_(rubric.measure), text_(rubric.text) {
    ready_text ready;
    first_list_.push_back(0);
    for (point_data const& point : rubric.points) {
        for (reference_data const& reference : point.references) {
            auto const index = std::int32_t(lists_.size());
            list_info list;
            bool const by_text = text_.fold == fold_rule::python;
            std::vector<std::uint8_t> const never =
                by_text ? never_found(reference.keywords) : std::vector<std::uint8_t>(reference.keywords.size(), 0);
            for (std::size_t k = 0; k < reference.keywords.size(); ++k) {
                for (std::string const& surface : reference.keywords[k]) {
                    std::string const form = folded_keyword(surface, text_, ready);
                    if (!by_text && form.empty()) {
                        throw field_error(fmt::format("content.points[{}].references[{}].keywords[{}]",
                                                      first_list_.size() - 1, lists_.size() - first_list_.back(), k),
                                          "holds nothing that is matched: white space or hidden characters alone");
                    }
                    std::string name = form;
                    if (by_text) {  // str.lower() of the keyword; that of a match may differ
                        python_lower(surface, name);
                    } else {
                        name = std::to_string(k);
                    }
                    std::int32_t const own = symbol_named(list, name);
                    if (list.keyword_of[std::size_t(own)] < 0) {
                        list.keyword_of[std::size_t(own)] = std::int32_t(k);
                    }
                    if (!by_text) {  // a sequence names keywords, not forms: the longest one counts
                        std::int32_t& most = list.words_of[std::size_t(own)];
                        most = std::max(&surface == reference.keywords[k].data() ? 0 : most, words_in(form, ready));
                    }
                    list.ordered.push_back(form);
                    list.has_empty = list.has_empty || form.empty();
                    if (!form.empty() && never[k] == 0) {
                        table_.add(form, {index, std::int32_t(k), by_text ? symbol_named(list, form) : own});
                    }
                }
            }
            list.has_empty = list.has_empty || (by_text && reference.keywords.empty());
            if (reference.keywords.empty() && by_text) {
                list.ordered.emplace_back();
            }
            if (list.has_empty) {
                static_cast<void>(symbol_named(list, ""));
            } else {
                list.ordered.clear();
            }
            lists_.push_back(std::move(list));
        }
        first_list_.push_back(lists_.size());
    }
    table_.build(text_);
    set_sequences(rubric);
}

void matcher::set_sequences(rubric_data const& rubric) {
    masks_.clear();
    open_blocks_ = seen_flags_ = 0;
    std::size_t index = 0;
    for (point_data const& point : rubric.points) {
        for (reference_data const& reference : point.references) {
            list_info& list = lists_[index++];
            list.sequence.clear();
            list.reference_words = 0;
            for (sequence_item const& item : reference.sequence) {
                if (std::int32_t const* const keyword = std::get_if<std::int32_t>(&item)) {
                    auto const at = std::find(list.keyword_of.begin(), list.keyword_of.end(), *keyword);
                    list.sequence.push_back(at == list.keyword_of.end() ? -1
                                                                        : std::int32_t(at - list.keyword_of.begin()));
                } else {
                    list.sequence.push_back(symbol_named(list, std::get<std::string>(item)));
                }
            }
            std::vector<std::int32_t> counted;
            std::vector<std::uint8_t> seen(list.symbols.size(), 0);
            for (std::int32_t const symbol : list.sequence) {
                list.reference_words += list.words_of[std::size_t(symbol)];
                if (measure_ != content_measure::order || seen[std::size_t(symbol)] == 0) {
                    counted.push_back(symbol);
                }
                seen[std::size_t(symbol)] = 1;
            }
            list.length = counted.size();
            list.distinct = std::size_t(std::count(seen.begin(), seen.end(), 1));
            list.blocks = std::max<std::size_t>(1, (list.length + 63) / 64);
            list.open_at = open_blocks_;
            list.masks_at = masks_.size();
            list.seen_at = seen_flags_;
            open_blocks_ += list.blocks;
            seen_flags_ += list.symbols.size();
            masks_.resize(masks_.size() + list.symbols.size() * list.blocks, 0);
            for (std::size_t i = 0; i < counted.size(); ++i) {
                masks_[list.masks_at + std::size_t(counted[i]) * list.blocks + i / 64] |= std::uint64_t(1) << (i % 64);
            }
        }
    }
}

}  // namespace optgap::rubrics
