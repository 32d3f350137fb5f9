// Compiles a rubric's data: makes or checks sequences, and measures limits on the references.

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include <xxhash.h>

#include "host/rubric/compiled.hpp"
#include "host/rubric/content/visible.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {
namespace {

std::string item_text(sequence_item const& item) {
    std::int32_t const* const place = std::get_if<std::int32_t>(&item);
    return place != nullptr ? std::to_string(*place) : "\"" + std::get<std::string>(item) + "\"";
}

std::string short_list(std::vector<sequence_item> const& items) {
    std::string out = "[";
    for (std::size_t i = 0; i < items.size() && out.size() < 160; ++i) {
        out += (i == 0 ? "" : ", ") + item_text(items[i]);
    }
    return out + (out.size() < 160 ? "]" : ", …]");
}

/// Makes missing sequences and checks that given ones equal the reference's own.
void settle_sequences(rubric_data& rubric, matcher const& lists) {
    std::vector<std::vector<std::vector<sequence_item>>> made;
    std::vector<std::uint8_t> blank;
    ready_text ready;
    std::string fences;
    for (std::string const& text : rubric.references) {
        std::string_view seen;
        // A reference is an answer, so no format's parts are searched for in it.
        bool const there = answer_text(text, rubric.text.part, {}, seen);
        if (rubric.text.part == text_part::outside_fences) {
            seen = outside_fences(seen, fences);
        }
        make_ready(there ? seen : std::string_view(), rubric.text, ready);
        made.push_back(lists.sequences(ready));
        // The authors' function fails for a reference without words, and a failure scores 0.
        blank.push_back(rubric.which == preset::repo && !has_pieces(text) ? 1 : 0);
    }
    for (std::size_t p = 0; p < rubric.points.size(); ++p) {
        for (std::size_t r = 0; r < rubric.points[p].references.size(); ++r) {
            reference_data& reference = rubric.points[p].references[r];
            std::string const field = fmt::format("content.points[{}].references[{}].sequence", p, r);
            if (rubric.references.empty()) {
                if (!reference.has_sequence) {
                    throw field_error(field, "missing, and there are no `references` to make it from");
                }
                continue;
            }
            std::vector<sequence_item> own = blank[std::size_t(reference.of)] != 0
                                                 ? std::vector<sequence_item>()
                                                 : made[std::size_t(reference.of)][lists.list_of(p, r)];
            if (reference.has_sequence && reference.sequence != own) {
                throw field_error(field, fmt::format("is {}, but the reference gives {}",
                                                     short_list(reference.sequence), short_list(own)));
            }
            if (own.size() > limits::sequence) {
                throw field_error(field,
                                  fmt::format("has {} keywords, expected at most {}", own.size(), limits::sequence));
            }
            reference.sequence = std::move(own);
            reference.has_sequence = true;
        }
    }
}

void settle_limit(char const* field, std::int64_t& said, std::int64_t measured) {
    if (said >= 0 && said != measured) {
        throw field_error(field, fmt::format("is {}, but the references give {}", said, measured));
    }
    said = measured;
}

/// Measures the references' own words and shares, from their texts or from the rubric's data.
void measure_references(rubric_data& rubric, matcher const& lists, gate_limits& own,
                        std::vector<std::vector<std::uint64_t>>& reference_words) {
    ready_text ready, prompt;
    std::string fences;
    std::vector<std::uint64_t> hashes, asked;
    hash_set set, known;
    if (!rubric.prompt.empty()) {
        text_settings all = rubric.text;
        all.part = text_part::all;
        make_ready(rubric.prompt, all, prompt);
        hash_words(prompt, asked);
        known.clear(asked.size());
        each_shingle(asked, copy_words, [&](std::uint64_t hash) { known.insert(hash); });
    }
    std::int64_t repetition = 1000, copy = 0, hidden = 0;
    for (std::size_t i = 0; i < rubric.references.size(); ++i) {
        std::string_view seen;
        bool const there = answer_text(rubric.references[i], rubric.text.part, {}, seen);
        if (rubric.text.part == text_part::outside_fences) {
            seen = outside_fences(seen, fences);
        }
        make_ready(there ? seen : std::string_view(), rubric.text, ready);
        hash_words(ready, hashes);
        repetition = std::min(repetition, distinct_share(hashes, set));
        copy = std::max(copy, rubric.prompt.empty() ? std::int64_t(0) : copied_share(hashes, known));
        hidden = std::max(hidden, hidden_share(ready));
        if (rubric.gated(gate::copy)) {
            reference_words.push_back(hashes);
        }
        for (std::size_t p = 0; p < rubric.points.size(); ++p) {
            for (std::size_t r = 0; r < rubric.points[p].references.size(); ++r) {
                reference_data& reference = rubric.points[p].references[r];
                if (std::size_t(reference.of) != i) {
                    continue;
                }
                if (reference.words >= 0 && reference.words != std::int64_t(hashes.size()) && rubric.open()) {
                    throw field_error(fmt::format("content.points[{}].references[{}].words", p, r),
                                      fmt::format("is {}, but the reference has {}", reference.words, hashes.size()));
                }
                reference.words = std::int64_t(hashes.size());
            }
        }
    }
    if (!rubric.references.empty() && rubric.open()) {
        settle_limit("limits.repetition", rubric.own_repetition, repetition);
        settle_limit("limits.copy", rubric.own_copy, copy);
        settle_limit("limits.hidden", rubric.own_hidden, hidden);
    }
    own.repetition = rubric.own_repetition >= 0 ? rubric.own_repetition : 1000;
    own.copy = std::max<std::int64_t>(0, rubric.own_copy);
    own.hidden = std::max<std::int64_t>(0, rubric.own_hidden);
    // Compares the matched words of one reference over all points with its length. A list's position does not identify
    // its reference, since a point may lack one.
    std::size_t const most = limits::references;
    std::vector<std::int64_t> matched(most, 0), words(most, -1);
    for (std::size_t p = 0; p < rubric.points.size(); ++p) {
        for (std::size_t r = 0; r < rubric.points[p].references.size(); ++r) {
            reference_data const& reference = rubric.points[p].references[r];
            auto const of = std::size_t(reference.of);
            matched[of] += lists.reference_words(lists.list_of(p, r));
            words[of] = std::max(words[of], reference.words);
            bool const wanted = rubric.gated(gate::length) || rubric.gated(gate::density);
            if (wanted && reference.words < 0) {
                throw field_error(
                    fmt::format("content.points[{}].references[{}].words", p, r),
                    "missing: the gates `length` and `density` measure by it; or give `references`, or name "
                    "the `gates` that there are");
            }
        }
    }
    for (std::size_t r = 0; r < most; ++r) {
        if (words[r] >= 0) {
            own.words.push_back(words[r]);
            own.density = std::max(own.density, words[r] == 0 ? 1000 : 1000 * matched[r] / words[r]);
        }
    }
}

/// Refuses a gate that has nothing to compare with, and names it. Such a gate would silently have no effect.
void require_measures(rubric_data const& rubric, gate_limits const& own) {
    bool const lists_hold_some = std::any_of(rubric.points.begin(), rubric.points.end(), [](point_data const& point) {
        return std::any_of(point.references.begin(), point.references.end(),
                           [](reference_data const& one) { return !one.keywords.empty(); });
    });
    if (rubric.gated(gate::density) && !lists_hold_some) {
        throw field_error("gates", "density counts keywords, and no list of this rubric has one");
    }
    bool const wordless = std::find(own.words.begin(), own.words.end(), 0) != own.words.end();
    for (gate const one : {gate::density, gate::length}) {
        if (rubric.gated(one) && wordless) {
            throw field_error("gates",
                              fmt::format("{} measures by a reference's words, and one has none", name_of(one)));
        }
    }
    for (auto const& [one, measured] : {std::pair{gate::repetition, rubric.own_repetition},
                                        {gate::copy, rubric.own_copy},
                                        {gate::hidden, rubric.own_hidden}}) {
        if (rubric.gated(one) && measured < 0) {
            throw field_error(fmt::format("limits.{}", name_of(one)),
                              fmt::format("missing: the gate `{}` measures by it; or give `references`, or name the "
                                          "`gates` that there are",
                                          name_of(one)));
        }
    }
}

/// Collects the codes of a check and of the checks that it combines.
void collect_codes(json const& value, std::vector<std::string>& out) {
    if (value.is_object() && value.contains("code") && value["code"].is_string()) {
        std::string const code = value["code"].get<std::string>();
        if (std::find(out.begin(), out.end(), code) == out.end()) {
            out.push_back(code);
        }
    }
    for (char const* const key : {"all", "any", "of", "not"}) {
        if (value.is_object() && value.contains(key)) {
            if (value[key].is_array()) {
                for (json const& one : value[key]) {
                    collect_codes(one, out);
                }
            } else {
                collect_codes(value[key], out);
            }
        }
    }
}

std::string key_of(rubric_data const& rubric) {
    std::string const text = write_rubric(rubric, rubric.which == preset::bleu, false);
    XXH128_hash_t const hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("chain:{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

compiled::compiled(rubric_data given) : data(std::move(given)), lists(data) {
    if (data.which == preset::bleu && data.references.empty()) {
        throw field_error("references", "missing: preset bleu compares with their texts");
    }
    for (std::size_t gate_at = 0; gate_at < std::size_t(gate::count); ++gate_at) {
        if (data.has_gate[gate_at] && data.points.empty() && gate_at <= std::size_t(gate::length)) {
            throw field_error("gates",
                              fmt::format("{} needs content, which this rubric does not have", name_of(gate(gate_at))));
        }
    }
    settle_sequences(data, lists);
    lists.set_sequences(data);
    measure_references(data, lists, own, reference_words);
    require_measures(data, own);
    static std::atomic<std::uint64_t> made{0};
    serial = ++made;
    for (point_data const& point : data.points) {
        point_weights += point.weight;
        std::vector<std::vector<std::string>> of_point;
        for (reference_data const& reference : point.references) {
            std::vector<std::string> forms;
            for (std::vector<std::string> const& keyword : reference.keywords) {
                forms.push_back(keyword[0]);
            }
            of_point.push_back(std::move(forms));
        }
        first_forms.push_back(std::move(of_point));
    }
    for (std::size_t i = 0; i < data.style.size(); ++i) {
        check_weights += data.style[i].weight;
        try {
            checks.push_back(compile_check(data.style[i].value, fmt::format("style[{}]", i), data.rules));
        } catch (field_error const&) {
            throw;
        } catch (error const& refused) {
            throw field_error(fmt::format("style[{}]", i), refused.what());
        }
        collect_codes(data.style[i].value, codes);  // compiled before, so the nesting is limited
    }
    if (data.open() && !data.style.empty() && check_weights == 0) {
        throw field_error("style", "weighs nothing: all weights are 0");
    }
    key = key_of(data);
}

}  // namespace optgap::rubrics
