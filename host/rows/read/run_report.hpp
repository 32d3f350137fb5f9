#pragma once

#include <string>
#include <vector>

namespace optgap::rows {

/// What a run reports beside its rows.
struct run_report {
    struct sentence {
        std::string text;
        bool alarm = false;  ///< shown even where remarks are switched off
    };
    std::vector<sentence> sentences;
    std::string page;   ///< the answer to a question that is asked instead of scoring, as a table
    std::string json;   ///< the same as JSON
    bool lost = false;  ///< some rows have no reward, through no fault of their own

    void note(std::string text) { sentences.push_back({std::move(text), false}); }
    void warn(std::string text) { sentences.push_back({std::move(text), true}); }
};

}  // namespace optgap::rows
