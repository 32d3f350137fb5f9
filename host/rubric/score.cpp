// The score of a text: points, checks, gates, and their sum.

#include <algorithm>
#include <cmath>
#include <limits>

#include <xxhash.h>

#include "host/rubric/compiled.hpp"
#include "host/rubric/content/visible.hpp"
#include "host/rubric/words/dictionary.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

/// The mean as numpy computes it: in order below eight numbers, from eight on in eight parallel sums. At most 128
/// numbers.
double numpy_mean(std::vector<point_score> const& points) {
    std::size_t const count = points.size();
    double sum = 0;
    std::size_t next = 0;
    if (count >= 8) {
        double lane[8];
        for (std::size_t k = 0; k < 8; ++k) {
            lane[k] = points[k].value();
        }
        for (next = 8; next + 8 <= count; next += 8) {
            for (std::size_t k = 0; k < 8; ++k) {
                lane[k] += points[next + k].value();
            }
        }
        sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    for (; next < count; ++next) {
        sum += points[next].value();
    }
    return sum / double(count);
}

double content_of(compiled const& rubric, std::vector<point_score> const& points) {
    if (points.empty()) {
        return 0;
    }
    if (rubric.data.which == preset::repo) {
        return numpy_mean(points);
    }
    double sum = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
        sum += (rubric.data.open() ? double(rubric.data.points[p].weight) : 1.0) * points[p].value();
    }
    return sum / (rubric.data.open() ? double(rubric.point_weights) : double(points.size()));
}

double style_of(compiled const& rubric, std::vector<check_score> const& checks) {
    std::int64_t passed = 0;
    double sum = 0;  // in order, as Python adds
    for (std::size_t i = 0; i < checks.size(); ++i) {
        if (checks[i].passed) {
            passed += rubric.data.style[i].weight;
            sum += double(rubric.data.style[i].weight) / double(micro);
        }
    }
    if (rubric.data.which == preset::repo) {
        return sum;
    }
    return double(passed) / double(rubric.data.open() && !checks.empty() ? rubric.check_weights : micro);
}

/// Whether one score exceeds another as a fraction. Both denominators are positive.
bool above(list_score const& one, point_score const& other) {
    return std::int64_t(one.numerator) * other.denominator > std::int64_t(other.numerator) * one.denominator;
}

void score_points(compiled const& rubric, score_buffers& by, std::vector<point_score>& out) {
    out.assign(rubric.data.points.size(), {});
    for (std::size_t p = 0; p < out.size(); ++p) {
        for (std::size_t r = 0; r < rubric.lists.references_of(p); ++r) {
            list_score const& one = by.lists[rubric.lists.list_of(p, r)];
            if (out[p].reference < 0 ? one.numerator > 0 : above(one, out[p])) {
                out[p] = {one.numerator, one.denominator, std::int32_t(r)};
            }
        }
    }
}

/// The share that the references copy from the prompt whose shingles `by` holds. Without their texts it is the rubric's
/// own value.
std::int64_t copy_limit(compiled const& rubric, score_buffers& by) {
    if (rubric.reference_words.empty()) {
        return rubric.own.copy;
    }
    if (by.copy_serial != rubric.serial) {
        by.copy_serial = rubric.serial;
        by.copy_limit = 0;
        for (std::vector<std::uint64_t> const& words : rubric.reference_words) {
            by.copy_limit = std::max(by.copy_limit, copied_share(words, by.prompt_shingles));
        }
    }
    return by.copy_limit;
}

void score_gates(compiled const& rubric, text_input const& input, score_buffers& by, text_score& out) {
    rubric_data const& data = rubric.data;
    bool const counts =
        data.gated(gate::density) || data.gated(gate::length) || data.gated(gate::repetition) || data.gated(gate::copy);
    if (counts) {
        hash_words(by.ready, by.words);
    }
    auto const words = std::int64_t(by.words.size());
    auto const add = [&](gate which, std::int64_t value, std::int64_t own, std::int32_t factor) {
        out.gates.push_back({which, value, factor, own});
        out.factor = std::min(out.factor, factor);
    };
    if (data.gated(gate::density)) {
        std::int64_t matched[limits::references] = {};
        for (std::size_t p = 0; p < data.points.size(); ++p) {
            for (std::size_t r = 0; r < rubric.lists.references_of(p); ++r) {
                matched[data.points[p].references[r].of] += by.lists[rubric.lists.list_of(p, r)].matched_words;
            }
        }
        std::int64_t const most = *std::max_element(std::begin(matched), std::end(matched));
        std::int64_t const value = words == 0 ? 0 : 1000 * most / words;
        add(gate::density, value, rubric.own.density, density_factor(value, rubric.own));
    }
    if (data.gated(gate::length)) {
        length_gate const found = gate_of_length(words, rubric.own);
        add(gate::length, words, found.own, found.factor);
    }
    if (data.gated(gate::repetition)) {
        std::int64_t const value = distinct_share(by.words, by.shingles);
        add(gate::repetition, value, rubric.own.repetition, repetition_factor(value, rubric.own));
    }
    if (data.gated(gate::copy)) {
        std::string_view const prompt = input.prompt.empty() ? std::string_view(data.prompt) : input.prompt;
        std::int64_t const value = prompt.empty() ? 0 : copied_share(by.words, prompt_shingles(prompt, data.text, by));
        std::int64_t const own = prompt == data.prompt ? rubric.own.copy : copy_limit(rubric, by);
        add(gate::copy, value, own, copy_factor(value, own));
    }
    if (data.gated(gate::hidden)) {
        std::int64_t const value = hidden_share(by.ready);
        add(gate::hidden, value, rubric.own.hidden, hidden_factor(value, rubric.own));
    }
}

void score_checks(compiled const& rubric, text_input const& input, std::string_view checked, score_buffers& by,
                  std::vector<check_score>& out) {
    out.clear();
    if (rubric.checks.empty()) {
        return;
    }
    scan(checked, rubric.data.rules.sentences, by.pass);
    check_input given{.text = by.pass,
                      .prompt = input.prompt.empty() ? std::string_view(rubric.data.prompt) : input.prompt};
    if (!input.external.empty()) {
        given.external = [&](std::string_view name) -> std::optional<double> {
            for (auto const& [own, value] : input.external) {
                if (own == name) {
                    return value;
                }
            }
            return std::nullopt;
        };
    }
    given.codes = input.codes;
    for (check const& one : rubric.checks) {
        try {
            check_result found = one.evaluate(given);
            out.push_back({found.value, found.of, found.passed, found.known, std::move(found.reason)});
        } catch (no_word_breaker const&) {
            // One text in another script must not end a training run.
            out.push_back({.passed = false, .known = true, .reason = needs_icu});
        }
    }
}

/// A pseudorandom number in [0, 1) with 53 bits.
double drawn(std::string const& key, std::string_view text) {
    std::uint64_t const seed = XXH3_64bits(key.data(), key.size());
    return double(XXH3_64bits_withSeed(text.data(), text.size(), seed) >> 11) * 0x1p-53;
}

double normalized(rubric_data const& rubric, double total) {
    double const top = double(rubric.content_weight + rubric.style_weight) / double(rubric.divide);
    double floor = 0;
    for (auto const& [name, value] : rubric.floors) {
        bool const constant =
            name != "reference" && name != "keyword_list" && name != "telegraphic" && name != "shuffled";
        floor = constant ? std::max(floor, value) : floor;
    }
    if (!(top > floor)) {
        return total >= top ? 1 : 0;
    }
    return std::clamp((total - floor) / (top - floor), -1.0, 1.0);
}

}  // namespace

score_buffers& buffers_of_thread() {
    static thread_local score_buffers own;
    return own;
}

bool has_pieces(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        decoded const one = decode(text, at);
        if (one.broken || !is_a(one.point, is_space)) {
            return true;
        }
        at += one.size;
    }
    return false;
}

bool read_input(rubric_data const& rubric, text_input const& input, score_buffers& by, std::string_view& checked) {
    if (input.text.size() > longest_text) {
        throw field_error("completion", "has 2 GiB or more");
    }
    bool const there = answer_text(input.text, rubric.text.part, input.format, checked);
    checked = there ? checked : std::string_view();
    std::string_view seen = checked;
    if (rubric.text.part == text_part::outside_fences) {
        seen = outside_fences(seen, by.without_fences);
    }
    make_ready(seen, rubric.text, by.ready);
    return there && !checked.empty();
}

hash_set const& prompt_shingles(std::string_view prompt, text_settings const& how, score_buffers& by) {
    if (!by.prompt_known || by.prompt != prompt || !(by.prompt_settings == how)) {
        make_ready(prompt, how, by.prompt_ready);
        std::vector<std::uint64_t> words;
        hash_words(by.prompt_ready, words);
        by.prompt_shingles.clear(words.size());
        each_shingle(words, copy_words, [&](std::uint64_t hash) { by.prompt_shingles.insert(hash); });
        by.prompt = prompt;
        by.prompt_settings = how;
        by.prompt_known = true;
        by.copy_serial = 0;
    }
    return by.prompt_shingles;
}

void require_input(compiled const& rubric, text_input const& input) {
    if (!rubric.codes.empty() && input.codes == nullptr) {
        throw field_error("chain.style",
                          "has a check in Python, which runs in a sandbox alone: expected an isolation (`optgap score "
                          "--isolation auto`, `Rubrics.score(isolation=\"auto\")`), or a rubric without checks of "
                          "kind `code`");
    }
    if (input.prompt.empty() && rubric.data.needs_prompt()) {
        throw field_error("prompt", "missing: the gate `copy` compares with it, and the rubric has none either");
    }
}

float reward_of(text_score const& score, finish how, truncation policy) {
    bool const cut = how == finish::length || how == finish::abort;
    if (!cut || policy == truncation::penalise) {
        return float(score.total);
    }
    return policy == truncation::zero ? 0.0f : std::numeric_limits<float>::quiet_NaN();
}

text_score text_rubric::score(text_input const& input) const {
    text_score out;
    score(input, out);
    return out;
}

void text_rubric::score(text_input const& input, text_score& out) const {
    compiled const& rubric = *known_;
    rubric_data const& data = rubric.data;
    require_input(rubric, input);
    score_buffers& by = buffers_of_thread();
    std::string_view checked;
    out.content = out.style = out.total = out.normalized = 0;
    out.factor = full_factor;
    out.gates.clear();
    std::uint64_t const broken_before = runs_broken();
    out.has_text = read_input(data, input, by, checked);
    rubric.lists.run(by.ready, by.state, by.lists);
    score_points(rubric, by, out.points);
    score_checks(rubric, input, checked, by, out.checks);
    score_gates(rubric, input, by, out);
    out.words_by = runs_broken() > broken_before ? std::string_view(word_breaker()) : std::string_view();
    out.content = content_of(rubric, out.points);
    out.style = style_of(rubric, out.checks);
    if (out.factor < full_factor) {
        out.content = out.content * out.factor / full_factor;
        out.style = out.style * out.factor / full_factor;
    }
    if (data.which == preset::random) {
        out.total = drawn(rubric.key, input.text);
    } else if (data.which == preset::bleu) {
        out.total = bleu(checked, data.references);
    } else {
        double const content = double(data.content_weight) / double(micro) * out.content;
        double const style = double(data.style_weight) / double(micro) * out.style;
        out.total = (content + style) / (double(data.divide) / double(micro));
    }
    if (data.grid > 0) {
        out.total = std::nearbyint(out.total / data.grid) * data.grid;
    }
    out.normalized = normalized(data, out.total);
}

}  // namespace optgap::rubrics
