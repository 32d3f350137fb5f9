#pragma once
// The keywords of all lists of a rubric in one trie over folded bytes. A filter before it rejects most words by their
// first bytes. kernels/rubric/keywords.hpp walks a text with it.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/rubric/content/ready_text.hpp"

namespace optgap::rubrics {

class keyword_table {
public:
    /// Adds a form to a list; it is folded and not empty. Of equal forms in a list, the one of smaller order stays.
    void add(std::string const& form, form_use use);
    /// `how` defines word boundaries, and whether white space is one blank.
    void build(text_settings const& how);

    /// The table as flat arrays, valid while the table lives and is not moved.
    [[nodiscard]] keyword_view view() const {
        return {info_.data(), uses_.data(), nodes_.data(), edges_.data(),   tails_.data(),   roots_,
                &begins_,     boundary_,    strip_,        any_word_first_, any_other_first_};
    }
    [[nodiscard]] bool empty() const { return info_.empty(); }
    [[nodiscard]] form_info const& info(std::int32_t form) const { return info_[std::size_t(form)]; }
    [[nodiscard]] std::span<form_use const> uses(std::int32_t form) const {
        form_info const& of = info(form);
        return std::span(uses_).subspan(of.first_use, of.last_use - of.first_use);
    }

private:
    void lay_out();

    std::map<std::string, std::vector<form_use>> forms_;  ///< until build
    std::vector<form_info> info_;
    std::vector<form_use> uses_;
    std::vector<keyword_node> nodes_;
    std::vector<keyword_edge> edges_;
    std::string tails_;
    std::int32_t roots_[256];
    keyword_begins begins_;
    keyword_boundary boundary_ = keyword_boundary::automatic;
    bool strip_ = false;
    bool any_word_first_ = false, any_other_first_ = false;
};

}  // namespace optgap::rubrics
