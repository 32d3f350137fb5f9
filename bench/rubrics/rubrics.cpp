// Free text against rubrics, on one core: rollouts of 4 kB in groups of eight. Each group has a rubric of 18 lists of
// six keywords, as RLVRR's labels have. Also the instruction types of IFEval and IFBench as published.

#include "optgap/rubrics/rubric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/bench.hpp"
#include "bench/rubrics/some_argument.hpp"
#include "host/rubric/checks.hpp"
#include "kernels/core/rng.hpp"

namespace optgap::bench {
namespace {

using json = nlohmann::ordered_json;

constexpr std::int64_t rubric_rollouts = 8192, rubric_group = 8, rubric_texts = 64;
constexpr std::size_t rubric_points = 6, rubric_references = 3, list_keywords = 6, text_words = 620;

/// Random draws from one seed, the same in every process.
class draws {
public:
    explicit draws(std::uint64_t place) : place_(place) {}
    std::uint32_t below(std::uint32_t bound) {
        philox_block const block = philox(7, std::uint32_t(next_++), std::uint32_t(place_), 0, 0);
        return std::uint32_t(std::uint64_t(block.word[0]) * bound >> 32);
    }

private:
    std::uint64_t place_;
    std::uint64_t next_ = 0;
};

/// Made-up words, the most frequent first.
std::vector<std::string> vocabulary() {
    draws draw(1);
    std::vector<std::string> words(3000);
    for (std::string& word : words) {
        for (std::uint32_t left = 2 + draw.below(9); left > 0; --left) {
            word += "etaoinshrdlucmfwypvbgkqjxz"[std::min(draw.below(26), draw.below(26))];
        }
    }
    return words;
}

/// Sentences of fourteen words and paragraphs of ninety; the n-th word of the vocabulary once in some n.
std::string some_text(draws& draw, std::vector<std::string> const& words) {
    std::string text;
    for (std::size_t at = 0; at < text_words; ++at) {
        double const share = double(draw.below(1 << 24)) / double(1 << 24);
        std::string word = words[std::size_t(std::pow(double(words.size()), share)) - 1];
        if (at % 14 == 0) {
            word[0] = char(word[0] - 'a' + 'A');
        }
        text += word;
        text += at % 14 == 13 ? ". " : at % 90 == 89 ? "\n\n" : " ";
    }
    return text;
}

/// The words between two blanks.
std::unordered_set<std::string_view> inner_words(std::string_view text) {
    std::unordered_set<std::string_view> words;
    for (std::size_t begin = text.find(' '), end; begin < text.size(); begin = end) {
        end = text.find(' ', begin + 1);
        if (end < text.size()) {
            words.insert(text.substr(begin + 1, end - begin - 1));
        }
    }
    return words;
}

json made_rubric(draws& draw, std::vector<std::string> const& words) {
    json references = json::array(), points = json::array();
    std::vector<std::vector<std::string>> rare(rubric_references);
    for (auto& of : rare) {
        std::string const text = some_text(draw, words);
        std::unordered_set<std::string_view> const inner = inner_words(text);
        for (std::string const& word : words) {
            if (word.size() > 4 && inner.contains(word)) {
                of.push_back(word);
            }
        }
        references.push_back(text);
    }
    for (std::size_t point = 0; point < rubric_points; ++point) {
        json lists = json::array();
        for (auto const& of : rare) {
            json keywords = json::array();
            for (std::size_t k = 0; k < list_keywords; ++k) {
                keywords.push_back(of[draw.below(std::uint32_t(of.size()))]);
            }
            lists.push_back({{"keywords", keywords}});
        }
        points.push_back({{"references", lists}});
    }
    return {{"chain", 1}, {"references", references}, {"content", {{"points", points}}}};
}

json six_checks() {
    return json::parse(R"([{"check": "words", "in": [300, 900]}, {"check": "sentences", "min": 10},
        {"check": "paragraphs", "min": 3}, {"check": "bullets", "max": 20}, {"check": "headings", "max": 5},
        {"check": "contains", "any": ["as an AI"], "min": 0}])");
}

/// Style-only rubrics that together contain the types of IFEval and IFBench, since one rubric cannot have so many
/// checks.
std::vector<rubrics::text_rubric> instruction_rubrics(std::size_t& types) {
    std::vector<rubrics::text_rubric> rubrics;
    json style = json::array();
    auto const close = [&] {
        rubrics.emplace_back(json{{"chain", 1}, {"rules", {{"mode", "peer"}}}, {"style", style}}.dump());
        style.clear();
    };
    types = 0;
    for (rubrics::type_suite const& suite : rubrics::instruction_suites()) {
        for (rubrics::instruction_type const& type : suite.types) {
            bool const normal = std::string_view(type.name).starts_with("custom:");
            if (std::string_view(suite.name) == "IF-RLVR" || (normal && !rubrics::has_normal_forms())) {
                continue;
            }
            json one = {{"check", type.name}};
            for (rubrics::argument_spec const& spec : type.arguments) {
                if (spec.name != nullptr) {
                    one[spec.name] = some_argument(spec.kind, 20, "shore");
                }
            }
            style.push_back(one);
            ++types;
            if (style.size() == rubrics::limits::checks) {
                close();
            }
        }
    }
    close();
    return rubrics;
}

std::vector<rubrics::text_rubric> compiled(std::vector<json> const& rubrics, json const& more) {
    std::vector<rubrics::text_rubric> out;
    out.reserve(rubrics.size());
    for (json one : rubrics) {
        one.update(more);
        out.emplace_back(one.dump());
    }
    return out;
}

}  // namespace

measurement bench_rubrics(setting const& at) {
    std::int64_t const rows = at.batch > 0 ? at.batch : rubric_rollouts;
    std::vector<std::string> const words = vocabulary();
    std::vector<json> rubrics;
    for (std::int64_t k = 0; k * rubric_group < rows; ++k) {
        draws draw(std::uint64_t(2 + k));
        rubrics.push_back(made_rubric(draw, words));
    }
    std::vector<std::string> texts(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < texts.size(); ++k) {
        draws draw(std::uint64_t(1) << 31 | k);
        texts[k] = some_text(draw, words);
    }
    measurement made;
    made.workload = "chains";
    made.task = "any";
    made.level = "-";
    made.unit = "rollouts of 4 kB on one core: content and six checks (preset paper)";
    made.batch = rows;
    made.items = double(rows);
    rubrics::text_score row;
    double content = 0, style = 0;
    auto const measured = [&](std::vector<rubrics::text_rubric> const& by, double seconds) {
        return sample(seconds, [&] {
            content = style = 0;
            for (std::size_t k = 0; k < texts.size(); ++k) {
                by[k / rubric_group].score({.text = texts[k]}, row);
                content += row.content;
                style += row.style;
            }
        });
    };
    double const count = double(rows);
    json const paper = {{"preset", "paper"}, {"style", six_checks()}};
    made.seconds = measured(compiled(rubrics, paper), at.seconds);
    expect(content > 0 && content < count && style > count, "rubrics: no text matches, or all do, or no check passes");
    double const alone = quantile(measured(compiled(rubrics, {{"preset", "paper"}}), at.seconds / 4), 0.5) / count;
    json const ours = {{"preset", "ours"}, {"style", six_checks()}};
    double const gated = quantile(measured(compiled(rubrics, ours), at.seconds / 4), 0.5) / count;

    std::size_t types = 0;
    std::vector<rubrics::text_rubric> const instructions = instruction_rubrics(types);
    auto const typed = [&](std::size_t some) {
        std::vector<double> const seconds = sample(at.seconds / 4, [&] {
            for (std::size_t k = 0; k < rubric_texts; ++k) {
                for (rubrics::text_rubric const& of : instructions) {
                    of.score({.text = texts[k % some]}, row);
                }
            }
        });
        return quantile(seconds, 0.5) / double(rubric_texts);
    };
    made.stages = {
        {"content", alone},
        {"with six checks", quantile(made.seconds, 0.5) / count},
        {"with gates, too", gated},
        {std::to_string(types) + " instruction types", typed(std::min(texts.size(), std::size_t(rubric_texts)))},
        {"these on one text", typed(1)}};
    return made;
}

}  // namespace optgap::bench
