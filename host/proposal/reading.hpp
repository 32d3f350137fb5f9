#pragma once
// Reads an instance from a proposal's text. These gates depend only on the text and its limits.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "kernels/text/flat/flat_json.hpp"
#include "optgap/engine.hpp"
#include "optgap/proposals/proposal.hpp"

namespace optgap::proposals {

using json = nlohmann::ordered_json;

/// The gate that fails and the reason. It ends the reading of one text.
struct gate_failed {
    std::int32_t code;
    std::string field;
    std::string rule;
    std::int64_t where = -1;
};

using parent_source = std::function<std::vector<std::int32_t>(std::string_view parent, std::int32_t& task)>;

class text_reader {
public:
    text_reader(engine const& by, std::vector<proposal_limits> limits, parent_source parents);

    [[nodiscard]] checked_proposal read(std::string_view text) const;

private:
    [[nodiscard]] proposal_limits const& limits_of(std::int32_t task) const { return limits_[std::size_t(task)]; }
    void read_object(std::string_view text, flat_json const& read, checked_proposal& out) const;
    void read_spec(flat_value const& found, checked_proposal& out) const;
    void read_child(flat_value const& found, checked_proposal& out) const;
    void constrain(json& instance, json const& require, json const& forbid, checked_proposal& out) const;
    [[nodiscard]] std::vector<std::int32_t> parent_words(std::string_view parent, std::int32_t& task) const;
    [[nodiscard]] std::vector<std::int32_t> generated(std::int32_t task, instance_spec const& spec) const;
    /// The words of an instance in JSON, whose number is already known to be within the limit.
    [[nodiscard]] std::vector<std::int32_t> words_of(std::int32_t task, flat_value const& instance) const;
    void require_small(checked_proposal const& of) const;

    engine const& engine_;
    std::vector<proposal_limits> limits_;  ///< one per task
    std::int64_t longest_ = 0;             ///< bytes of the longest text allowed for any task
    parent_source parents_;
};

/// An upper bound on the words of an instance from its fields' lengths and sizes, whatever the lists contain.
std::int64_t max_words(std::int32_t task, flat_value const& instance);

/// Changes an instance in place; throws gate_failed.
void apply_edits(json& instance, json const& edits);

}  // namespace optgap::proposals
