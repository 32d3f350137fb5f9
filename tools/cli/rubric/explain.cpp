// optgap rubric explain: one row, for people.

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "host/rows/read/fields.hpp"
#include "host/rows/read/instances.hpp"
#include "host/rows/read/shown_text.hpp"
#include "optgap/status.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/rubric/code_answers.hpp"

namespace optgap::cli {
namespace {

struct rubric_explain_options : rubric_row_options {
    std::string file;
    std::int64_t row = 1;
};

constexpr std::size_t longest_marked = 20000;

/// The text with every match in brackets: [[…]] on the longest common subsequence of a point, [-…-] beside it.
std::string marked_matches(rubrics::matched_text const& found, painter const& paint) {
    struct span {
        std::uint32_t begin, end;
        bool on_path;
    };
    std::vector<span> spans;
    for (rubrics::match_found const& match : found.matches) {
        spans.push_back({match.begin, match.end, match.on_path});
    }
    std::sort(spans.begin(), spans.end(), [](span const& a, span const& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end != b.end ? a.end > b.end : a.on_path && !b.on_path;
    });
    std::string out;
    std::uint32_t behind = 0;
    for (span const& one : spans) {
        if (one.begin < behind || one.begin == one.end) {
            continue;  // of spans that overlap the first is shown
        }
        bool path = one.on_path;
        for (span const& other : spans) {
            path = path || (other.begin == one.begin && other.end == one.end && other.on_path);
            if (other.begin > one.begin) {
                break;
            }
        }
        out += printable(found.text.substr(behind, one.begin - behind));
        std::string const words = printable(found.text.substr(one.begin, one.end - one.begin));
        out += path ? paint.good("[[" + words + "]]") : paint.bad("[-" + words + "-]");
        behind = one.end;
    }
    out += printable(std::string_view(found.text).substr(behind));
    return out.size() > longest_marked ? shortened(out, longest_marked) : out;
}

std::string rubric_points_text(rubrics::text_rubric const& rubric, rubrics::text_score const& score,
                               rubrics::matched_text const& found) {
    std::string out;
    for (std::size_t p = 0; p < score.points.size(); ++p) {
        rubrics::point_score const& point = score.points[p];
        std::string const name = rubric.point_name(p).empty() ? fmt::format("point {}", p) : rubric.point_name(p);
        std::string path, beside, missing;
        auto const reference = std::size_t(std::max(0, point.reference));
        std::vector<std::string> const& keywords = rubric.keywords(p, reference);
        std::vector<bool> seen(keywords.size());
        auto const add = [](std::string& list, std::string const& words) {
            if (list.size() < 400) {
                list += (list.empty() ? "" : ", ") + words;
            }
        };
        for (rubrics::match_found const& match : found.matches) {
            if (match.point == std::int32_t(p) && match.reference == std::int32_t(reference)) {
                add(match.on_path ? path : beside, found.text.substr(match.begin, match.end - match.begin));
                if (match.keyword >= 0) {
                    seen[std::size_t(match.keyword)] = true;
                }
            }
        }
        for (std::size_t k = 0; k < keywords.size(); ++k) {
            if (!seen[k]) {
                add(missing, keywords[k]);
            }
        }
        out += fmt::format("  {} / {} = {:.4f}  {}{}\n", point.numerator, point.denominator, point.value(),
                           printable(name), point.reference > 0 ? fmt::format(" (reference {})", point.reference) : "");
        out += path.empty() ? "" : fmt::format("      on the path: {}\n", printable(path));
        out += beside.empty() ? "" : fmt::format("      beside it:   {}\n", printable(beside));
        out += missing.empty() ? "" : fmt::format("      not there:   {}\n", printable(missing));
    }
    return out;
}

void explain_rubric(context& ctx, rubric_explain_options const& options) {
    row_input input(ctx, {options.file}, "rubric explain");
    painter const paint(isatty(1) != 0);
    std::int64_t number = 0;
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        for (row_item& item : items) {
            if (++number != options.row) {
                continue;
            }
            if (!item.sound()) {
                throw usage_error(fmt::format("row {}: {}: {}", number, item.field, item.rule));
            }
            try {
                rubrics::text_rubric const rubric = row_rubric(item.row, options.preset);
                auto const completion = string_of(item.row, "completion");
                if (!completion) {
                    throw field_error("completion", "missing: what the model wrote");
                }
                code_answers codes(options);
                codes.require(rubric, "rubric explain");
                std::string const prompt = prompt_of(item.row);
                rubrics::text_input const text{.text = *completion,
                                               .prompt = prompt,
                                               .codes = rubric.codes().empty() ? nullptr : &codes.answering()};
                rubrics::text_score const score = rubric.score(text);
                rubrics::matched_text const found = rubric.explain(text);
                std::string out =
                    paint.title(fmt::format("{}, preset {}\n", rubric.key(), rubrics::name_of(rubric.which())));
                out += paint.title("\nText as keywords are matched on it") + "\n" + marked_matches(found, paint) + "\n";
                if (!score.points.empty()) {
                    out += paint.title(fmt::format("\nContent {:.4f}\n", score.content));
                    out += rubric_points_text(rubric, score, found);
                }
                if (!score.checks.empty()) {
                    out += paint.title(fmt::format("\nStyle {:.4f}\n", score.style));
                    for (std::size_t i = 0; i < score.checks.size(); ++i) {
                        std::string const sentence = printable(rubric.check_sentence(i, score.checks[i]));
                        out += fmt::format("  weight {:<8} {}\n", rubric.check_weight(i),
                                           score.checks[i].passed ? paint.good(sentence) : paint.bad(sentence));
                    }
                }
                if (!score.gates.empty()) {
                    out += paint.title(fmt::format("\nGates {} / {}\n", score.factor, rubrics::full_factor));
                    for (rubrics::gate_score const& gate : score.gates) {
                        std::string const line = rubrics::sentence_of(gate);
                        out += fmt::format("  factor {:<8} {}\n", gate.factor,
                                           gate.factor == rubrics::full_factor ? paint.good(line) : paint.bad(line));
                    }
                }
                out += paint.title(fmt::format("\nTotal {:.6g}, normalized {:.4f}\n", score.total, score.normalized));
                write_stdout(out);
            } catch (field_error const& broken) {
                throw usage_error(fmt::format("row {}: {}: {}", number, broken.field(), broken.rule()));
            }
            return;
        }
    }
    throw usage_error(fmt::format("there are {} rows, and no row {}", number, options.row));
}

}  // namespace

void add_rubric_explain(command_entry rubric, context& ctx) {
    auto options = std::make_shared<rubric_explain_options>();
    command_entry const command = rubric.add_command(
        "explain", "Why a text earns what it earns: its matches, its checks beside their bounds, its gates",
        {"optgap rubric explain rubrics.jsonl --row 1",
         "optgap rubric explain rollouts.jsonl --row 1 --isolation auto"},
        {"Matches on a longest common subsequence stand in [[ ]], others in [- -]. The text is shown as keywords are "
         "matched",
         "on it: folded, and without fenced code, comments and link targets."});
    command.add_option("FILE", options->file, "JSONL with `rubric` and `completion` in each row; - is stdin")
        .required();
    command.add_option("--row", options->row, "Which row, from 1").at_least(1).show_default();
    command.add_option("--rubric-preset", options->preset, "Instead of the preset that the rubric names");
    add_code_options(command, *options);
    command.on_run([&ctx, options] { explain_rubric(ctx, *options); });
}

}  // namespace optgap::cli
