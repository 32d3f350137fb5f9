// Evaluates checks on texts for the comparisons with other implementations (tests/oracle/check_peers.py). A program of
// the tests. Rows on stdin: {"check": ..., "mode"?, "loose"?, "sentences"?, "prompt"?, "texts": [...]}. On stdout a
// line per row: {"passed": "0101", "values": [...]}, {"error": ...} for a refused check, or with --pass the results of
// the structural pass.
// With --kinds it prints every type and every measure with its options instead.
// With --time and --rubrics it measures a row's checks or rubrics (bench_checks.py, bench/rubrics/bench_rubrics.py).

#include <algorithm>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "host/rubric/checks.hpp"
#include "host/rubric/checks/measures.hpp"
#include "host/rubric/checks/types.hpp"
#include "optgap/rubrics/rubric.hpp"
#include "optgap/status.hpp"

namespace {

using json = nlohmann::ordered_json;
using namespace optgap::rubrics;

json all_kinds() {
    json out;
    for (type_suite const& suite : instruction_suites()) {
        for (instruction_type const& type : suite.types) {
            json arguments = json::array();
            for (argument_spec const& spec : type.arguments) {
                if (spec.name != nullptr) {
                    arguments.push_back({spec.name, int(spec.kind)});
                }
            }
            out["types"].push_back({{"name", type.name},
                                    {"suite", suite.name},
                                    {"evidence", std::string(1, type.evidence)},
                                    {"arguments", arguments},
                                    {"peer", type.peer},
                                    {"strict", type.strict}});
        }
    }
    for (std::span<measure const> const family : measure_families()) {
        for (measure const& one : family) {
            json options = json::array();
            for (measure_option const& option : one.options) {
                if (option.name != nullptr) {
                    options.push_back({{"name", option.name},
                                       {"kind", int(option.kind)},
                                       {"required", option.required},
                                       {"number", option.number},
                                       {"text", option.text},
                                       {"choices", option.choices != nullptr ? json(option.choices) : json()}});
                }
            }
            out["measures"].push_back({{"name", one.name},
                                       {"family", one.family},
                                       {"yes_no", one.yes_no},
                                       {"options", options},
                                       {"prose", one.prose},
                                       {"share", one.share != nullptr ? json(one.share) : json()}});
        }
    }
    out["patterns"] = patterns_lack().empty();
    out["normal_forms"] = has_normal_forms();
    return out;
}

json places_of(std::vector<place> const& places) {
    json out = json::array();
    for (place const& one : places) {
        out.push_back({one.begin, one.end});
    }
    return out;
}

json pass_of(json const& row) {
    json out = json::array();
    text_pass pass;
    std::string prepared;
    for (std::string const text : row["texts"]) {
        scan(text, row.value("sentences", "plain") == "regex" ? sentence_rule::regex : sentence_rule::plain, pass);
        text_counts const& c = pass.counts;
        std::string folds[2];
        prepare(text, {.fold = fold_rule::simple}, folds[0]);
        prepare(text, {.fold = fold_rule::python}, folds[1]);
        std::string lower;
        python_lower(text, lower);
        out.push_back({{"counts",
                        {c.bytes, c.characters, c.letters, c.upper, c.lower, c.digits, c.numbers, c.spaces,
                         pass.nonempty_lines(), pass.longest_line(), pass.longest_word()}},
                       {"words", places_of(pass.words())},
                       {"pieces", places_of(pass.pieces())},
                       {"lines", places_of(pass.lines())},
                       {"paragraphs", places_of(pass.paragraphs())},
                       {"sentences", places_of(pass.sentences())},
                       {"simple", folds[0]},
                       {"python", folds[1]},
                       {"lower", lower}});
    }
    return out;
}

json evaluated(json const& row) {
    check_rules rules;
    rules.mode = row.value("mode", "strict") == "peer" ? check_mode::peer : check_mode::strict;
    rules.loose = row.value("loose", false);
    rules.sentences = row.value("sentences", "plain") == "regex" ? sentence_rule::regex : sentence_rule::plain;
    try {
        check const one = compile_check(row["check"], "check", rules);
        std::string const prompt = row.value("prompt", "");
        text_pass pass;
        std::string passed;
        json values = json::array();
        for (std::string const text : row["texts"]) {
            scan(text, rules.sentences, pass);
            check_result const result = one.evaluate({.text = pass, .prompt = prompt});
            passed += result.passed ? '1' : '0';
            values.push_back({result.value, result.of});
        }
        return {{"passed", passed}, {"values", values}};
    } catch (optgap::error const& refused) {
        return {{"error", refused.what()}};
    }
}

std::int64_t processor_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The minimum time of the rounds for one text, averaged over the texts.
json timed(json const& row) {
    check_mode const mode = row.value("mode", "strict") == "peer" ? check_mode::peer : check_mode::strict;
    std::vector<check> checks;
    for (json const& one : row["checks"]) {
        checks.push_back(compile_check(one, "check", {.mode = mode}));
    }
    std::vector<std::string> const texts = row["texts"];
    std::int64_t const rounds = row.value("rounds", 20);
    text_pass pass;
    std::int64_t best_pass = INT64_MAX;
    std::int64_t best_checks = INT64_MAX;
    std::vector<std::int64_t> each(checks.size(), INT64_MAX);
    for (std::int64_t round = 0; round < rounds; ++round) {
        std::int64_t const begin = processor_ns();
        for (std::string const& text : texts) {
            scan(text, sentence_rule::plain, pass);
        }
        std::int64_t const scanned = processor_ns();
        std::int64_t evaluating = 0;
        for (std::string const& text : texts) {
            scan(text, sentence_rule::plain, pass);
            std::int64_t const before = processor_ns();
            for (check const& one : checks) {
                static_cast<void>(one.evaluate({.text = pass}));
            }
            evaluating += processor_ns() - before;
        }
        best_pass = std::min(best_pass, scanned - begin);
        best_checks = std::min(best_checks, evaluating);
        if (row.value("each", false)) {
            for (std::size_t c = 0; c < checks.size(); ++c) {
                std::int64_t const start = processor_ns();
                for (int k = 0; k < 10; ++k) {
                    static_cast<void>(checks[c].evaluate({.text = pass}));
                }
                each[c] = std::min(each[c], (processor_ns() - start) / 10);
            }
        }
    }
    auto const count = std::int64_t(texts.size());
    json out = {{"pass_ns", best_pass / count}, {"checks_ns", best_checks / count}};
    if (row.value("each", false)) {
        out["each_ns"] = each;
    }
    return out;
}

/// Microseconds per text of scoring texts against rubrics: the minimum of the rounds.
json rubrics_timed(json const& row) {
    std::vector<text_rubric> rubrics;
    for (json const& one : row["chains"]) {
        rubrics.emplace_back(one.dump());
    }
    std::vector<std::string> const texts = row["texts"];
    std::vector<std::size_t> const rubric_of = row["chain_of"];
    text_score out;
    std::int64_t best = INT64_MAX;
    double total = 0;
    for (std::int64_t round = row.value("rounds", 5); round > 0; --round) {
        std::int64_t const begin = processor_ns();
        total = 0;
        for (std::size_t k = 0; k < texts.size(); ++k) {
            rubrics[rubric_of[k]].score({.text = texts[k]}, out);
            total += out.total;
        }
        best = std::min(best, processor_ns() - begin);
    }
    return {{"microseconds", double(best) / 1000 / double(texts.size())}, {"total", total}};
}

}  // namespace

int main(int argc, char** argv) {
    std::string const option = argc > 1 ? argv[1] : "";
    auto const write = [](json const& value) {
        std::cout << value.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
    };
    if (option == "--kinds") {
        write(all_kinds());
        return 0;
    }
    for (std::string line; std::getline(std::cin, line);) {
        json const row = json::parse(line);
        write(option == "--pass"      ? pass_of(row)
              : option == "--time"    ? timed(row)
              : option == "--rubrics" ? rubrics_timed(row)
                                      : evaluated(row));
    }
    return 0;
}
