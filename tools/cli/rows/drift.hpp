#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "host/rows/json/jsonl.hpp"

namespace optgap::cli {

class command_entry;  // tools/cli/shell/command_line.hpp

/// Lets no rows with different fingerprints into one result, nor rows whose words different versions of ICU broke, nor
/// rows of a user's own problem whose files differ. Rows without a fingerprint pass.
class drift_guard {
public:
    explicit drift_guard(bool allowed) : allowed_(allowed) {}

    /// Throws usage_error that names what differs.
    void check(json_row const& row, std::int64_t number);
    void check(std::string_view fingerprint, std::int64_t number);
    /// Refuses the answers of a second model, where rows name theirs in `model`.
    void check_model(json_row const& row, std::int64_t number);
    /// The first one, empty when no row had any.
    [[nodiscard]] std::string const& fingerprint() const { return first_; }

private:
    void check_problem(json_row const& row, std::int64_t number);

    bool allowed_;
    std::string first_;
    std::int64_t first_row_ = 0;
    std::string words_by_;  ///< the first ICU that broke words for a row's checks
    std::int64_t words_row_ = 0;
    /// The first digest of each own problem, by the problem's path.
    std::map<std::string, std::pair<std::string, std::int64_t>> problems_;
    std::string model_;
    std::int64_t model_row_ = 0;
};

void add_drift_option(command_entry command, bool& allowed);

}  // namespace optgap::cli
