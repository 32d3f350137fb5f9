// The public interface of a compiled rubric.

#include <algorithm>
#include <stdexcept>

#include "host/cpu/cpu_pool.hpp"
#include "host/rubric/compiled.hpp"
#include "host/rubric/content/visible.hpp"
#include "optgap/status.hpp"

namespace optgap::rubrics {

text_rubric::text_rubric(std::string_view text, std::optional<preset> as)
    : known_(std::make_shared<compiled const>(read_rubric(text, as))) {}

preset text_rubric::which() const { return known_->data.which; }
std::string const& text_rubric::key() const { return known_->key; }
std::string text_rubric::to_json(bool texts) const { return write_rubric(known_->data, texts, true); }
std::size_t text_rubric::points() const { return known_->data.points.size(); }
std::size_t text_rubric::checks() const { return known_->checks.size(); }
std::string const& text_rubric::point_name(std::size_t point) const { return known_->data.points.at(point).name; }
std::span<std::string const> text_rubric::references() const { return known_->data.references; }
std::string const& text_rubric::prompt() const { return known_->data.prompt; }
std::span<std::pair<std::string, double> const> text_rubric::floors() const { return known_->data.floors; }
std::span<std::string const> text_rubric::codes() const { return known_->codes; }
std::string_view text_rubric::checked_part(text_input const& input) const {
    std::string_view checked;
    return answer_text(input.text, known_->data.text.part, input.format, checked) ? checked : std::string_view();
}
bool text_rubric::hackable() const { return known_->data.hackable; }
std::size_t text_rubric::references_of(std::size_t point) const { return known_->lists.references_of(point); }

std::vector<std::string> const& text_rubric::keywords(std::size_t point, std::size_t reference) const {
    return known_->first_forms.at(point).at(reference);
}

std::vector<gate> text_rubric::gates() const {
    std::vector<gate> out;
    for (std::size_t i = 0; i < std::size_t(gate::count); ++i) {
        if (known_->data.has_gate[i]) {
            out.push_back(gate(i));
        }
    }
    return out;
}

bool text_rubric::needs_prompt() const { return known_->data.needs_prompt(); }

std::string text_rubric::check_sentence(std::size_t at, check_score const& found) const {
    return known_->checks.at(at).sentence(
        {.value = found.value, .of = found.of, .passed = found.passed, .known = found.known, .reason = found.reason});
}

std::string const& text_rubric::check_title(std::size_t at) const { return known_->checks.at(at).title(); }

double text_rubric::check_weight(std::size_t at) const {
    return double(known_->data.style.at(at).weight) / double(micro);
}

matched_text text_rubric::explain(text_input const& input) const {
    score_buffers& by = buffers_of_thread();
    std::string_view checked;
    read_input(known_->data, input, by, checked);
    std::vector<match_event> events;
    by.state.events = &events;
    known_->lists.run(by.ready, by.state, by.lists);
    by.state.events = nullptr;
    matched_text out{.text = std::string(by.ready.view()), .matches = {}};
    for (std::size_t p = 0; p < points(); ++p) {
        for (std::size_t r = 0; r < references_of(p); ++r) {
            auto const list = known_->lists.list_of(p, r);
            std::vector<std::int32_t> symbols;
            std::size_t const first = out.matches.size();
            for (match_event const& event : events) {
                if (std::size_t(event.list) == list) {
                    symbols.push_back(event.symbol);
                    out.matches.push_back({std::int32_t(p), std::int32_t(r),
                                           known_->lists.keyword_of(list, event.symbol), event.begin, event.end});
                }
            }
            std::vector<std::uint8_t> const path = common_path(known_->lists.sequence(list), symbols);
            for (std::size_t i = 0; i < path.size(); ++i) {
                out.matches[first + i].on_path = path[i] != 0;
            }
        }
    }
    return out;
}

text_rubric text_rubric::with_floors(std::span<std::pair<std::string, double> const> floors) const {
    auto changed = std::make_shared<compiled>(known_->data);
    changed->data.floors.assign(floors.begin(), floors.end());
    double reference = 0, telegraphic = 0;
    for (auto const& [name, value] : floors) {
        reference = name == "reference" ? value : reference;
        telegraphic = name == "telegraphic" ? value : telegraphic;
    }
    changed->data.hackable = reference > 0 && telegraphic >= hackable_from * reference;
    return text_rubric(std::shared_ptr<compiled const>(std::move(changed)));
}

std::vector<text_score> score_all(batch_input const& batch) {
    bool const paired = batch.rubric_of.empty();
    if ((paired ? batch.rubrics.size() : batch.rubric_of.size()) != batch.texts.size()) {
        misuse("rubric_of needs an entry for each text");
    }
    for (std::int32_t const at : batch.rubric_of) {
        if (at < 0 || std::size_t(at) >= batch.rubrics.size()) {
            misuse("rubric_of names a rubric that is not there");
        }
    }
    for (std::size_t i = 0; i < batch.texts.size(); ++i) {
        require_input(batch.rubrics[paired ? i : std::size_t(batch.rubric_of[i])].inner(), batch.texts[i]);
    }
    std::vector<text_score> out(batch.texts.size());
    cpu_pool pool(batch.threads > 0 ? batch.threads : default_threads());
    pool.run(std::int64_t(out.size()), 16, [&](worker_memory&, std::int64_t begin, std::int64_t end) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
            batch.rubrics[paired ? i : std::size_t(batch.rubric_of[i])].score(batch.texts[i], out[i]);
        }
    });
    return out;
}

}  // namespace optgap::rubrics
