#include "host/rubric/content/keyword_table.hpp"

#include <algorithm>
#include <cstring>

namespace optgap::rubrics {

void keyword_table::add(std::string const& form, form_use use) {
    std::vector<form_use>& known = forms_[form];
    for (form_use& one : known) {
        if (one.list == use.list) {
            if (use.order < one.order) {
                one = use;
            }
            return;
        }
    }
    known.push_back(use);
}

void keyword_table::build(text_settings const& how) {
    boundary_ = how.boundary;
    strip_ = how.strip;
    std::fill(std::begin(roots_), std::end(roots_), -1);
    text_settings const as_is{.part = text_part::all,
                              .fold = fold_rule::none,
                              .normal = normal_form::none,
                              .typography = false,
                              .boundary = how.boundary,
                              .strip = false};
    ready_text ready;
    auto const set = [](std::uint64_t* bits, std::uint32_t at) { bits[at / 64] |= std::uint64_t(1) << (at % 64); };
    for (auto const& [form, uses] : forms_) {
        make_ready(form, as_is, ready);
        form_info of;
        of.first_use = std::uint32_t(uses_.size());
        uses_.insert(uses_.end(), uses.begin(), uses.end());
        of.last_use = std::uint32_t(uses_.size());
        each_word(ready, [&](std::size_t, std::size_t) { ++of.words; });
        of.opens_with_word = ready.word[0];
        of.closes_with_word = ready.word[ready.size - 1];
        of.closes_spaceless = ready.is_spaceless(ready.size - 1);
        // U+0345 in a text is a mark, but has the class of iota. Such a form may therefore begin outside of a word.
        any_other_first_ = any_other_first_ || (boundary_ == keyword_boundary::word && form.starts_with("\u03b9"));
        (of.opens_with_word ? any_word_first_ : any_other_first_) = true;
        // White space may occur in many forms, so nothing after it is part of the filter.
        std::size_t const first = strip_ ? std::min(form.size(), form.find(' ')) : form.size();
        std::uint32_t bytes = 0;
        std::memcpy(&bytes, form.data(), std::min<std::size_t>(4, first));
        begins_.shorter = begins_.shorter || first < 4;
        if (first >= 4) {
            set(begins_.by4, hash_of_four(bytes));
        } else if (first >= 2) {
            set(begins_.by2, hash_of_two(bytes & 0xFFFF));
        } else {
            set(begins_.by1, std::uint8_t(form[0]));
        }
        info_.push_back(of);
    }
    lay_out();
    forms_.clear();
}

/// Lays out nodes by depth, each with the edges to its children. The forms are sorted, so those below a node are
/// adjacent.
void keyword_table::lay_out() {
    struct range {
        std::size_t first, last, depth;
        std::int32_t node;
    };
    std::vector<std::string> forms;
    for (auto const& [form, uses] : forms_) {
        forms.push_back(form);
    }
    std::vector<range> open;
    auto const children = [&](std::size_t first, std::size_t last, std::size_t depth, auto const& made) {
        for (std::size_t begin = first; begin < last;) {
            std::size_t end = begin + 1;
            while (end < last && forms[end][depth] == forms[begin][depth]) {
                ++end;
            }
            auto const node = std::int32_t(nodes_.size());
            nodes_.push_back({});
            made(std::uint8_t(forms[begin][depth]), node);
            open.push_back({begin, end, depth + 1, node});
            begin = end;
        }
    };
    children(0, forms.size(), 0, [&](std::uint8_t byte, std::int32_t node) { roots_[byte] = node; });
    for (std::size_t next = 0; next < open.size(); ++next) {
        range at = open[next];
        std::string_view const rest = std::string_view(forms[at.first]).substr(at.depth);
        if (at.last - at.first == 1 && std::none_of(rest.begin(), rest.end(), is_blank_byte)) {
            keyword_node& node = nodes_[std::size_t(at.node)];
            node.only = std::int32_t(at.first);
            node.tail = std::uint32_t(tails_.size());
            node.tail_bytes = std::uint32_t(rest.size());
            tails_ += rest;
        }
        if (forms[at.first].size() == at.depth) {
            nodes_[std::size_t(at.node)].form = std::int32_t(at.first++);
        }
        nodes_[std::size_t(at.node)].first_edge = std::uint32_t(edges_.size());
        children(at.first, at.last, at.depth, [&](std::uint8_t byte, std::int32_t node) {
            edges_.push_back({byte, node});
            ++nodes_[std::size_t(at.node)].edges;
        });
    }
}

}  // namespace optgap::rubrics
