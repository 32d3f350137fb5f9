#include "host/rows/external/asked_verdicts.hpp"

#include <utility>
#include <vector>

#include "host/rows/external/environment_judge.hpp"
#include "host/rows/read/fields.hpp"
#include "optgap/external.hpp"
#include "optgap/status.hpp"

namespace optgap::rows {
namespace {

/// Those without a verdict of their own, with where their answers stand.
struct open_rows {
    std::vector<std::size_t> items;
    std::vector<environment_judge::question> questions;
};

open_rows open_rows_of(row_batch const& batch) {
    open_rows out;
    std::vector<std::string_view> texts;
    std::vector<std::int32_t> format_of;
    std::vector<finish> finished;
    for (std::size_t const i : batch.mine) {
        if (!has(batch.items[i].row, "external")) {
            out.items.push_back(i);
            texts.push_back(batch.rollouts[i].completion);
            format_of.push_back(batch.rollouts[i].format);
            finished.push_back(batch.rollouts[i].finished);
        }
    }
    if (out.items.empty()) {
        return out;
    }
    std::vector<answer_place_found> const places = find_answers(texts, format_of, finished);
    for (std::size_t k = 0; k < out.items.size(); ++k) {
        json_row const& row = batch.items[out.items[k]].row;
        auto const [begin, end] = places[k].answer;
        out.questions.push_back({.key = *string_of(row, "key"),
                                 .problem = *row.find("problem"),
                                 .answer = std::string(texts[k].substr(std::size_t(begin), std::size_t(end - begin))),
                                 .has_answer = places[k].has_answer});
    }
    return out;
}

/// Throws field_error for a reply that is none.
json_row verdict_of_reply(std::string const& text, std::function<void(json_row const&)> const& check) {
    json_row row, error_row;
    std::string unused;
    row.split(text, unused);
    if (has(row, "error")) {
        error_row.split(*row.find("error"), unused);
        throw field_error(string_of(error_row, "field").value_or("external"),
                          string_of(error_row, "rule").value_or("has no verdict"));
    }
    check(row);
    return row;
}

}  // namespace

asked_verdicts::asked_verdicts(std::string environments, bool trusted)
    : environments_(std::move(environments)), trusted_(trusted) {
    if (trusted_ && environments_.empty()) {
        throw field_error("trusted", "has no effect without environments");
    }
}

void asked_verdicts::ask(row_batch& batch, std::function<void(json_row const&)> const& check) {
    forget(batch);
    open_rows const open = open_rows_of(batch);
    if (open.items.empty()) {
        return;
    }
    verdicts_of_batch& found = batches_[&batch];
    try {
        for (std::string& text : judge_of(environments_, trusted_).ask(open.questions, batch.stop)) {
            found.texts.push_back(std::move(text));
        }
        for (std::size_t k = 0; k < open.items.size(); ++k) {
            try {
                found.rows.emplace(open.items[k], verdict_of_reply(found.texts[k], check));
            } catch (field_error const& broken) {
                batch.items[open.items[k]].reject(broken.field(), broken.rule());
            }
        }
    } catch (error const& none) {
        auto const* const broken = dynamic_cast<field_error const*>(&none);
        for (std::size_t const i : open.items) {
            batch.items[i].reject(broken != nullptr ? broken->field() : "environments",
                                  broken != nullptr ? broken->rule() : none.what());
        }
    }
    batch.drop_rejected();
}

json_row const& asked_verdicts::row_of(row_batch const& batch, std::size_t i) const {
    if (auto const found = batches_.find(&batch); found != batches_.end()) {
        if (auto const one = found->second.rows.find(i); one != found->second.rows.end()) {
            return one->second;
        }
    }
    return batch.items[i].row;
}

}  // namespace optgap::rows
