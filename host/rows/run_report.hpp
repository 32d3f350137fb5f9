#pragma once

#include <string>
#include <vector>

namespace optgap::rows {

/// What a run says beside its rows.
struct run_report {
    struct sentence {
        std::string text;
        bool alarm = false;  ///< is said even where remarks are not wanted
    };
    std::vector<sentence> sentences;
    std::string page;   ///< an answer to what was asked instead of rows, as a table
    std::string json;   ///< the same as JSON
    bool lost = false;  ///< some rows have no reward, by no fault of theirs

    void note(std::string text) { sentences.push_back({std::move(text), false}); }
    void warn(std::string text) { sentences.push_back({std::move(text), true}); }
};

}  // namespace optgap::rows
