// Reads texts of judges on one core.

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "optgap/roles/judge.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t judgement_rows = 64;
/// A judge's comments on an answer: tags of other kinds and comparisons, but no score.
constexpr std::string_view argument =
    "Each city is visited once, and the tour ends where it began. Its length is 2020 < 2100, so the claim <b>holds</b> "
    "for "
    "the first part; step 3 / step 4 are in the wrong order, and I would not call it optimal.\n";

}  // namespace

measurement bench_judgements(setting const& at) {
    std::int64_t const count = at.batch > 0 ? at.batch : judgement_rows;
    std::string text;
    while (std::int64_t(text.size()) < at.text_bytes) {
        text += argument;
    }
    std::vector<std::string> without(std::size_t(count), text), with;
    for (std::string const& each : without) {
        with.push_back(each + "<score>7</score>");
    }
    double bytes = 0;
    for (std::string const& each : without) {
        bytes += double(each.size());
        expect(read_judgement(each, score_parser::strict).code == code_no_score,
               "judgements: a score that is not there");
    }
    expect(read_judgement(with.front(), score_parser::strict).code == code_ok, "judgements: a score is not read");
    measurement out = start_of(at, "judgements", "bytes of judges' texts without a score, on one core", count);
    out.task = "mixed";
    out.items = bytes;
    out.needs = {{"read", bytes}};
    std::int64_t seen = 0;
    auto const read = [&](std::vector<std::string> const& texts, score_parser by) {
        return sample(at.seconds / 3, [&seen, &texts, by] {
            for (std::string const& each : texts) {
                seen += read_judgement(each, by).code;
            }
        });
    };
    out.seconds = read(without, score_parser::strict);
    out.stages = {{"with a score", quantile(read(with, score_parser::strict), 0.5)},
                  {"mae_repo", quantile(read(without, score_parser::mae_repo), 0.5)}};
    expect(seen > 0, "judgements: nothing was read");
    return out;
}

}  // namespace optgap::bench
