#include "host/serve/baseline_cache.hpp"

#include <algorithm>

#include "optgap/key.hpp"

namespace optgap::serve {

namespace {

/// Beside the words: the entry, its nodes and the blocks' headers.
constexpr std::int64_t overhead = 256;
/// Rows per thread that are proven before another caller's turn.
constexpr std::int64_t rows_per_turn = 8;

std::size_t hash_of(std::int32_t task, std::int64_t budget, std::span<std::int32_t const> words,
                    std::span<std::int32_t const> start) {
    std::uint64_t const begun = start.empty() ? 0 : hash_words(start).high;
    return std::size_t(hash_words(words).low ^ begun ^ (std::uint64_t(budget) * 0x9e3779b97f4a7c15) ^
                       (std::uint64_t(task) << 48));
}

}  // namespace

std::int64_t baseline_cache::entry::bytes() const {
    return overhead + std::int64_t((words.capacity() + start.capacity() + answer.capacity()) * sizeof(std::int32_t));
}

bool baseline_cache::by_content::operator()(question const& q, std::shared_ptr<entry> const& e) const {
    return q.hash == e->hash && q.task == e->task && q.budget == e->budget && std::ranges::equal(q.words, e->words) &&
           std::ranges::equal(q.start, e->start);
}

std::shared_ptr<baseline_cache::entry> baseline_cache::find_or_claim(question const& q, bool& mine) {
    std::lock_guard const locked(lock_);
    if (auto const found = entries_.find(q); found != entries_.end()) {
        mine = false;
        entry& e = **found;
        if (e.state == entry::ready) {
            ++count_.hits;
            recent_.splice(recent_.begin(), recent_, e.place);
        } else {
            ++count_.joins;
        }
        return *found;
    }
    mine = true;
    ++count_.misses;
    auto fresh = std::make_shared<entry>();
    fresh->task = q.task;
    fresh->budget = q.budget;
    fresh->hash = q.hash;
    fresh->words.assign(q.words.begin(), q.words.end());
    fresh->start.assign(q.start.begin(), q.start.end());
    entries_.insert(fresh);
    ++count_.entries;
    return fresh;
}

void baseline_cache::publish(std::span<std::shared_ptr<entry> const> done, solved_batch const& found) {
    {
        std::lock_guard const locked(lock_);
        for (std::size_t k = 0; k < done.size(); ++k) {
            entry& e = *done[k];
            std::span<std::int32_t const> const answer = found.answers.row(std::int64_t(k));
            e.answer.assign(answer.begin(), answer.end());
            e.row = found.rows[k];
            e.state = entry::ready;
            recent_.push_front(&e);
            e.place = recent_.begin();
            count_.bytes += e.bytes();
        }
        evict();
    }
    proven_.notify_all();
}

void baseline_cache::give_up(std::span<std::shared_ptr<entry> const> left) {
    {
        std::lock_guard const locked(lock_);
        for (std::shared_ptr<entry> const& e : left) {
            e->state = entry::failed;
            entries_.erase(e);
            --count_.entries;
        }
    }
    proven_.notify_all();
}

void baseline_cache::evict() {
    while (count_.bytes > most_bytes_ && !recent_.empty()) {
        entry* const oldest = recent_.back();
        recent_.pop_back();
        count_.bytes -= oldest->bytes();
        --count_.entries;
        ++count_.evictions;
        auto const found =
            entries_.find(question{oldest->task, oldest->budget, oldest->words, oldest->start, oldest->hash});
        entries_.erase(found);
    }
}

void baseline_cache::prove(engine const& by, entries const& claimed, std::int64_t budget) {
    std::size_t const step = std::size_t(rows_per_turn * by.threads());
    for (std::size_t begin = 0; begin < claimed.size(); begin += step) {
        std::span const turn = std::span(claimed).subspan(begin, std::min(step, claimed.size() - begin));
        try {
            instance_batch batch;
            csr_words starts;
            for (std::shared_ptr<entry> const& e : turn) {
                batch.append(e->task, e->words);
                starts.append(e->start);
            }
            publish(turn, by.solve(batch.view(), budget, starts.view()));
        } catch (...) {
            give_up(std::span(claimed).subspan(begin));
            throw;
        }
    }
}

solved_batch baseline_cache::solve(engine const& by, solve_call const& call) {
    entries rows, claimed;
    std::int64_t const count = call.rows();
    try {
        rows.reserve(std::size_t(count));
        claimed.reserve(std::size_t(count));
        for (std::int64_t r = 0; r < count; ++r) {
            std::int32_t const task = call.instances.task[r];
            std::int64_t const steps = call.budget < 0 ? by.tasks()[std::size_t(task)].default_budget : call.budget;
            std::span<std::int32_t const> const words = call.instances.blocks.row(r);
            std::span<std::int32_t const> const start = call.start(r);
            bool mine = false;
            rows.push_back(find_or_claim({task, steps, words, start, hash_of(task, steps, words, start)}, mine));
            if (mine) {
                claimed.push_back(rows.back());
            }
        }
    } catch (...) {
        give_up(claimed);
        throw;
    }
    prove(by, claimed, call.budget);
    solved_batch out;
    for (std::shared_ptr<entry> const& e : rows) {
        bool failed = false;
        {
            std::unique_lock locked(lock_);
            proven_.wait(locked, [&] { return e->state != entry::making; });
            failed = e->state == entry::failed;
        }
        // A ready entry does not change any more.
        if (failed) {
            instance_batch alone;
            alone.append(e->task, e->words);
            csr_words start;
            start.append(e->start);
            solved_batch const found = by.solve(alone.view(), call.budget, start.view());
            out.rows.push_back(found.rows[0]);
            out.answers.append(found.answers.row(0));
        } else {
            out.rows.push_back(e->row);
            out.answers.append(e->answer);
        }
    }
    return out;
}

cache_statistics baseline_cache::statistics() const {
    std::lock_guard const locked(lock_);
    return count_;
}

}  // namespace optgap::serve
