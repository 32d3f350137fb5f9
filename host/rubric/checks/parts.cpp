#include "host/rubric/checks/parts.hpp"

#include <algorithm>
#include <cmath>

#include "host/rubric/checks/python_text.hpp"

namespace optgap::rubrics {

check::check(std::shared_ptr<part const> compiled) : part_(std::move(compiled)) {}
check::check(check&&) noexcept = default;
check& check::operator=(check&&) noexcept = default;
check::~check() = default;

check_result check::evaluate(check_input const& input) const { return part_->evaluate(input); }
std::string const& check::title() const { return part_->title; }
std::string const& check::kind() const { return part_->kind; }
std::optional<counter_check> check::of_counter() const { return part_->of_counter(); }
std::string check::sentence(check_result const& result) const {
    return part_->title + ": " + (result.known ? part_->counted(result) : "the row has no number for it") +
           (result.passed ? ": passes" : ": fails");
}

bool predicate::holds(measured found) const { return keeps_to(*this, found.value, found.of); }

std::string predicate::words() const {
    std::string out;
    auto const add = [&](std::string const& part) { out += (out.empty() ? "" : ", ") + part; };
    if (low != none && low == high) {
        add("exactly " + std::to_string(low));
    } else if (low != none && high != none) {
        add(std::to_string(low) + " to " + std::to_string(high));
    } else if (low != none) {
        add("at least " + std::to_string(low));
    } else if (high != none) {
        add("at most " + std::to_string(high));
    }
    if (ratio_low != none) {
        add("at least " + std::to_string(ratio_low) + " per mille");
    }
    if (ratio_high != none) {
        add("at most " + std::to_string(ratio_high) + " per mille");
    }
    return out;
}

std::string scope::words() const {
    static constexpr char const* names[] = {"text", "paragraph", "sentence", "line"};
    std::string const name = names[std::size_t(unit)];
    if (unit == scope_unit::text) {
        return "";
    }
    return choice == scope_choice::one ? " in " + name + " " + std::to_string(at)
                                       : (choice == scope_choice::each ? " in each " : " in some ") + name;
}

measured measure_part::value_of(text_pass const& text, check_input const& input) const {
    text_forms& forms = forms_of(text);
    if (of == nullptr) {
        return {expression.count(text.text, forms.folded(), INT64_MAX), 0};
    }
    return of->rule({text, forms, input.prompt, given, sentences});
}

check_result measure_part::evaluate(check_input const& input) const {
    auto const shown = [](measured found, bool passed) {
        return check_result{found.value, found.of > 0 ? found.of : 1, passed, true};
    };
    if (where.unit == scope_unit::text) {
        measured const found = value_of(input.text, input);
        return shown(found, bound.holds(found));
    }
    std::vector<place> const& places = where.unit == scope_unit::paragraph  ? input.text.paragraphs()
                                       : where.unit == scope_unit::sentence ? input.text.sentences()
                                                                            : input.text.lines();
    text_pass& inner = forms_of(input.text).part_pass();
    auto const measure_at = [&](std::size_t k) {
        scan(input.text.of(places[k]), sentences, inner);
        return value_of(inner, input);
    };
    auto const count = std::int64_t(places.size());
    if (where.choice == scope_choice::one) {
        std::int64_t const at = where.at > 0 ? where.at - 1 : count + where.at;
        if (at < 0 || at >= count) {
            return {};
        }
        measured const found = measure_at(std::size_t(at));
        return shown(found, bound.holds(found));
    }
    // Blank lines are not judged.
    std::int64_t judged = 0;
    std::int64_t good = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (where.unit == scope_unit::line && is_blank(input.text.of(places[k]))) {
            continue;
        }
        ++judged;
        good += bound.holds(measure_at(k));
    }
    bool const passed = where.choice == scope_choice::each ? judged > 0 && good == judged : good > 0;
    return {good, judged > 0 ? judged : 1, passed, true};
}

std::string measure_part::counted(check_result const& result) const {
    bool const parts = where.unit != scope_unit::text && where.choice != scope_choice::one;
    std::string const of_what = result.of != 1 || parts ? " of " + std::to_string(result.of) : "";
    return std::to_string(result.value) + of_what;
}

std::optional<counter_check> measure_part::of_counter() const {
    struct named {
        std::string_view name;
        counter value;
        counter of;
    };
    static constexpr counter nothing = counter::count;
    static constexpr named all[] = {
        {"characters", counter::characters, nothing},
        {"bytes", counter::bytes, nothing},
        {"words", counter::words_apart, nothing},
        {"pieces", counter::pieces, nothing},
        {"letters", counter::letters, counter::characters},
        {"digits", counter::digits, counter::characters},
        {"numbers", counter::numbers, nothing},
        {"lines", counter::lines, nothing},
        {"punctuation", counter::punctuation, counter::characters},
    };
    if (of == nullptr || where.unit != scope_unit::text) {
        return std::nullopt;
    }
    auto const found =
        std::find_if(std::begin(all), std::end(all), [&](named const& one) { return one.name == of->name; });
    if (found == std::end(all)) {
        return std::nullopt;
    }
    bool const words = found->value == counter::words_apart;
    if (words && given[0].text == "words") {
        return std::nullopt;  // words by the dictionary are not a counter
    }
    bool const runs = words && given[0].text == "runs";
    return counter_check{runs ? counter::words : found->value, found->of, bound};
}

type_answer type_part::answer(text_pass const& text, check_input const& input) const {
    if (text.counts.pieces == 0) {
        return false;  // a blank text never passes
    }
    bool const strict = rules.mode == check_mode::strict;
    text_pass const& seen = strict && of->by_words ? forms_of(text).spaced() : text;
    return of->rule({seen, forms_of(seen), input.prompt, given, rules.sentences, strict});
}

check_result type_part::evaluate(check_input const& input) const {
    type_answer found = answer(input.text, input);
    if (rules.loose && !found.passed) {
        for (text_pass const& variant : forms_of(input.text).variants(rules.sentences)) {
            if (type_answer const other = answer(variant, input); other.passed) {
                found = other;
                break;
            }
        }
    }
    return {found.value >= 0 ? found.value : std::int64_t(found.passed), 1, found.passed, true};
}

std::string type_part::counted(check_result const& result) const { return "counts " + std::to_string(result.value); }

check_result external_part::evaluate(check_input const& input) const {
    std::optional<double> const number = input.external ? input.external(name) : std::nullopt;
    if (!number || !std::isfinite(*number)) {
        return {0, 1, false, false};
    }
    double const mille = std::clamp(*number * 1000, -9e15, 9e15);
    return {std::llround(mille), 1000, *number >= low && (!has_high || *number <= high), true};
}

std::string external_part::counted(check_result const& result) const {
    return std::to_string(result.value) + " per mille of 1";
}

check_result code_part::evaluate(check_input const& input) const {
    if (input.codes == nullptr) {
        return {0, 1, false, false};
    }
    code_verdict found = input.codes->judge(code, input.text.text);
    return {found.passed ? 1 : 0, 1, found.passed, true, std::move(found.reason)};
}

std::string code_part::counted(check_result const& result) const {
    return result.reason.empty() ? (result.passed ? "says yes" : "says no") : result.reason;
}

check_result combined_part::evaluate(check_input const& input) const {
    check_result result{0, std::int64_t(parts.size()), false, true};
    bool broken = false;
    for (std::shared_ptr<check::part const> const& one : parts) {
        check_result found = one->evaluate(input);
        result.value += found.passed;
        result.known = result.known && found.known;
        broken = broken || !found.reason.empty();
        result.reason = result.reason.empty() ? std::move(found.reason) : std::move(result.reason);
    }
    // Unknown parts never make a combination pass, whether negated or not.
    result.passed = (result.value >= least) != negated && (!negated || (result.known && !broken));
    result.known = result.known || result.passed;
    return result;
}

std::string combined_part::counted(check_result const& result) const {
    return std::to_string(result.value) + " of " + std::to_string(parts.size()) + " pass";
}

}  // namespace optgap::rubrics
