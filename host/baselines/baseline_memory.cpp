// The memory of a source: which caller fills an entry, and which entry is evicted.

#include <algorithm>
#include <utility>

#include "host/baselines/baseline_entry.hpp"

namespace optgap {

std::size_t baseline_source::by_content::operator()(asked_entry const& q) const { return q.hash(); }
std::size_t baseline_source::by_content::operator()(std::shared_ptr<entry> const& e) const { return e->hash; }

bool baseline_source::by_content::operator()(asked_entry const& q, std::shared_ptr<entry> const& e) const {
    return q.words == e->words && q.start == e->start && q.of.task == e->task && q.budget == e->budget &&
           q.keyed == e->keyed && (e->whole_words.empty() || std::ranges::equal(q.of.words, e->whole_words)) &&
           (e->whole_start.empty() || std::ranges::equal(q.of.start, e->whole_start));
}

baseline_source::asked_entry baseline_source::entry_of(baseline_question const& one, instance_hash words) const {
    asked_entry out;
    out.of = one;
    out.budget = one.budget < 0 ? by_.tasks()[std::size_t(one.task)].default_budget : one.budget;
    out.keyed = one.spec.task >= 0 && one.start.empty();
    out.words = words;
    out.start = one.start.empty() ? instance_hash{} : hash_words(one.start);
    return out;
}

/// Under the lock.
void baseline_source::touch(entry& one) {
    if (!one.pinned) {
        recent_.splice(recent_.begin(), recent_, one.place);
    }
}

/// Under the lock. An unfinished entry belongs to the caller that makes it, and counts no bytes yet.
std::shared_ptr<baseline_source::entry> baseline_source::find_or_claim(asked_entry const& one, bool& mine) {
    mine = false;
    if (auto const known = entries_.find(one); known != entries_.end()) {
        entry& e = **known;
        if (e.state == entry::settled) {
            ++count_.from_memory;
            touch(e);
        } else if (e.state == entry::making) {
            ++count_.joined;
        } else {
            recent_.erase(e.place);
            count_.bytes -= std::exchange(e.counted, 0);
            e.state = entry::making;
            mine = true;
            ++count_.claimed;
        }
        return *known;
    }
    auto fresh = std::make_shared<entry>();
    fresh->task = one.of.task;
    fresh->keyed = one.keyed;
    fresh->budget = one.budget;
    fresh->words = one.words;
    fresh->start = one.start;
    fresh->hash = one.hash();
    if (options_.whole) {
        fresh->whole_words.assign(one.of.words.begin(), one.of.words.end());
        fresh->whole_start.assign(one.of.start.begin(), one.of.start.end());
    }
    entries_.insert(fresh);
    mine = true;
    ++count_.claimed;
    ++count_.entries;
    return fresh;
}

/// Under the lock.
void baseline_source::settle(entry& one, sourced_baseline&& found, bool fixed, std::span<std::int32_t const> answer) {
    one.value = found.value;
    one.from = found.from;
    one.damage = std::move(found.damage);
    one.answer.assign(answer.begin(), answer.end());
    one.state = entry::settled;
    one.pinned = !fixed;
    if (!one.pinned) {
        recent_.push_front(&one);
        one.place = recent_.begin();
    }
    count_.bytes += one.counted = one.bytes();
    count_.damaged += one.damage.empty() ? 0 : 1;
    if (one.damage.empty()) {
        ++(one.from == baseline_from::proof      ? count_.proven
           : one.from == baseline_from::snapshot ? count_.from_snapshot
                                                 : count_.from_store);
    }
}

/// Under the lock.
void baseline_source::evict() {
    while (count_.bytes > options_.bytes && !recent_.empty()) {
        entry& oldest = *recent_.back();
        recent_.pop_back();
        count_.bytes -= oldest.counted;
        --count_.entries;
        ++count_.evicted;
        asked_entry const it{.of = {.task = oldest.task, .words = oldest.whole_words, .start = oldest.whole_start},
                             .budget = oldest.budget,
                             .keyed = oldest.keyed,
                             .words = oldest.words,
                             .start = oldest.start};
        entries_.erase(entries_.find(it));
    }
}

void baseline_source::give_up(std::span<claim const> left) {
    {
        std::lock_guard const locked(lock_);
        for (claim const& one : left) {
            if (one.of->state == entry::making) {
                one.of->state = entry::failed;
                entries_.erase(one.of);
                --count_.entries;
            }
        }
    }
    settled_.notify_all();
}

std::optional<baseline> baseline_source::recall(baseline_question const& one, instance_hash words) {
    asked_entry const wanted = entry_of(one, words);
    std::lock_guard const locked(lock_);
    auto const known = entries_.find(wanted);
    if (known == entries_.end() || (*known)->state != entry::settled || !(*known)->damage.empty()) {
        return std::nullopt;
    }
    ++count_.from_memory;
    touch(**known);
    return (*known)->value;
}

baseline_counts baseline_source::counts() const {
    std::lock_guard const locked(lock_);
    return count_;
}

}  // namespace optgap
