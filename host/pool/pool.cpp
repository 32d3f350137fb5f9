#include "host/pool/pool.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "host/pool/question.hpp"
#include "optgap/status.hpp"

namespace optgap::pool {

pool::pool(std::string const& path, bool writes) : file_(path, writes) {
    now_.link = first_link(made_with());
    now_.standings.reserve(std::size_t(file_.base().integer("SELECT count(*) FROM entry")));
    now_.ids.reserve(now_.standings.capacity());
    sqlite::snapshot const moment(file_.base());
    read_on();
}

bool pool::refresh() {
    sqlite::snapshot const moment(file_.base());
    if (now_.step == 0 || file_.link_after(now_.step - 1) == now_.link) {
        read_on();
        return true;
    }
    memory before = std::exchange(now_, {.link = first_link(made_with())});
    try {
        read_on();
    } catch (...) {
        now_ = std::move(before);
        throw;
    }
    return false;
}

void pool::damaged(std::string const& sentence) const {
    throw sqlite::failure(sqlite::problem::damaged, file_.path(), sentence);
}

void pool::read_on() {
    file_.each_step(now_.step, entries(), [&](step_record const& one, instance_hash link) {
        if (next_link(now_.link, one) != link) {
            damaged(fmt::format("step {} is not what the chain of hashes says: expected what was written at its end",
                                one.number));
        }
        for (outcome const& each : one.outcomes) {
            if (each.entry < 0 || each.entry >= entries()) {
                damaged(fmt::format("step {} has an outcome of entry {}, which came later or never", one.number,
                                    each.entry));
            }
            if (std::string const fault = fault_of(each); !fault.empty()) {
                damaged(fmt::format("step {}, entry {}: {}", one.number, each.entry, fault));
            }
        }
        for (std::int64_t const id : one.gone) {
            if (id < 0 || id >= entries() + std::int64_t(one.entries.size())) {
                damaged(fmt::format("step {} lets go of entry {}, which it does not have", one.number, id));
            }
        }
        take(one);
    });
}

std::int32_t pool::task_place(std::string const& task, std::int32_t version) const {
    for (std::size_t t = 0; t < now_.tasks.size(); ++t) {
        if (now_.tasks[t].second == version && now_.tasks[t].first == task) {
            return std::int32_t(t);
        }
    }
    return -1;
}

bool pool::is_of(std::size_t id, content of) const {
    bool const question = now_.tasks[std::size_t(now_.task_of[id])].first == question_task;
    return question == (of == content::questions);
}

bool pool::holds(content of) const {
    for (std::size_t id = 0; id < now_.standings.size(); ++id) {
        if (!now_.standings[id].gone && is_of(id, of)) {
            return true;
        }
    }
    return false;
}

std::vector<std::uint64_t> pool::weights(policy by, content of) const {
    bool const has_these = holds(of);
    if (has_these && !holds(of == content::questions ? content::problems : content::questions)) {
        return weights(by);
    }
    if (!has_these && entries() > 0) {
        throw field_error("pool", of == content::questions
                                      ? "has no questions: expected one to draw; optgap pool add puts some in"
                                      : "has no problems of tasks, but questions, which are drawn by themselves");
    }
    std::vector<standing> these = now_.standings;
    for (std::size_t id = 0; id < these.size(); ++id) {
        these[id].gone = these[id].gone || !is_of(id, of);
    }
    return weights_of(by, these, now_.step, made_with().window);
}

std::int64_t pool::find(problem_name const& name) const {
    auto const found = now_.ids.find({task_place(name.task, name.version), name.canonical});
    return found == now_.ids.end() ? -1 : found->second;
}

void pool::take_in(step_record const& step) {
    for (outcome const& one : step.outcomes) {
        standing& of = now_.standings[std::size_t(one.entry)];
        of.sums += one;
        of.seen = step.number;
    }
    for (entry const& one : step.entries) {
        std::int32_t place = task_place(one.task, one.version);
        if (place < 0) {
            place = std::int32_t(now_.tasks.size());
            now_.tasks.emplace_back(one.task, one.version);
        }
        now_.standings.push_back({step.number, -1, false, {entries(), 0, 0, 0, 0}});
        now_.task_of.push_back(place);
    }
}

void pool::take(step_record const& step) {
    std::int64_t id = entries();
    take_in(step);
    for (entry const& one : step.entries) {
        now_.ids.emplace(std::pair(now_.task_of[std::size_t(id)], one.canonical), id);
        ++id;
    }
    for (std::int64_t const left : step.gone) {
        now_.standings[std::size_t(left)].gone = true;
    }
    now_.link = next_link(now_.link, step);
    now_.step = step.number + 1;
}

bool pool::is_in(delta const& parts) const {
    bool all = true;
    for (auto const& [name, one] : parts.parts()) {
        auto const refuse = [&, &name = name](std::string const& what) {
            throw field_error("delta", to_string(name) + " " + what);
        };
        if (name.step > now_.step) {
            refuse(fmt::format("is of a step to come: expected step {}, which the pool is at", now_.step));
        }
        if (name.step == now_.step) {
            if (one.base != now_.link) {
                refuse(
                    "was made beside another pool, or another past of this one: expected one made at this step's "
                    "beginning");
            }
            all = false;
            continue;
        }
        auto const known = file_.part_digest(name);
        if (!known) {
            refuse(
                fmt::format("came late: that step ended without it, and the pool is at step {}; expected it made "
                            "anew",
                            now_.step));
        }
        if (*known != digest_of(one)) {
            refuse("is in with other content: expected the same part when it comes again");
        }
    }
    return all;
}

step_record pool::record_of(delta const& parts, std::int64_t& repeated) const {
    step_record out;
    out.number = now_.step;
    struct candidate {
        entry const* what;
        instance_hash digest;
    };
    std::vector<entry> copies;
    std::map<std::int64_t, outcome> sums;
    for (auto const& [name, one] : parts.parts()) {
        if (name.step != now_.step) {
            throw field_error("delta", fmt::format("{}: expected parts of step {} alone", to_string(name), now_.step));
        }
        for (entry const& each : one.entries) {
            copies.push_back(each);
            copies.back().step = now_.step;
        }
        for (outcome const& each : one.outcomes) {
            std::string fault = fault_of(each);
            if (each.entry < 0 || each.entry >= entries()) {
                fault = fmt::format("expected an entry from 0 to {}", entries() - 1);
            } else if (fault.empty()) {
                outcome& sum = sums.try_emplace(each.entry, outcome{each.entry, 0, 0, 0, 0}).first->second;
                if (now_.standings[std::size_t(each.entry)].sums.attempts + sum.attempts + each.attempts >
                    max_attempts) {
                    fault = fmt::format("expected no more than {} attempts in all", max_attempts);
                } else {
                    sum += each;
                }
            }
            if (!fault.empty()) {
                throw field_error("delta",
                                  fmt::format("{}, outcome of entry {}: {}", to_string(name), each.entry, fault));
            }
        }
    }
    std::vector<candidate> order;
    for (entry const& one : copies) {
        order.push_back({&one, digest_of(one)});
    }
    std::ranges::sort(order, [](candidate const& a, candidate const& b) {
        return comes_before(*a.what, a.digest, *b.what, b.digest);
    });
    auto const same = [](entry const& a, entry const& b) {
        return a.canonical == b.canonical && a.version == b.version && a.task == b.task;
    };
    for (candidate const& one : order) {
        bool const known = find({one.what->task, one.what->version, one.what->canonical}) >= 0;
        if (known || (!out.entries.empty() && same(out.entries.back(), *one.what))) {
            ++repeated;
            continue;
        }
        out.entries.push_back(*one.what);
        out.digests.push_back(one.digest);
    }
    for (auto const& [id, sum] : sums) {
        out.outcomes.push_back(sum);
    }
    return out;
}

std::vector<std::int64_t> pool::leaving(step_record const& step) {
    std::int64_t const capacity = made_with().capacity;
    std::vector<std::int64_t> out;
    if (capacity == 0) {
        return out;
    }
    // The standings as they will be when the step has ended; the destructor undoes the change.
    struct as_after {
        pool& of;
        std::size_t const entries = of.now_.standings.size(), tasks = of.now_.tasks.size();
        std::vector<std::pair<std::int64_t, standing>> before = {};
        ~as_after() {
            of.now_.standings.resize(entries);
            of.now_.task_of.resize(entries);
            of.now_.tasks.resize(tasks);
            for (auto const& [id, known] : before) {
                of.now_.standings[std::size_t(id)] = known;
            }
        }
    } changed{*this};
    for (outcome const& one : step.outcomes) {
        changed.before.emplace_back(one.entry, now_.standings[std::size_t(one.entry)]);
    }
    take_in(step);
    std::vector<std::vector<std::int64_t>> of_task(now_.tasks.size());
    for (std::size_t i = 0; i < now_.standings.size(); ++i) {
        if (!now_.standings[i].gone) {
            of_task[std::size_t(now_.task_of[i])].push_back(std::int64_t(i));
        }
    }
    bool const full = std::ranges::any_of(
        of_task, [&](std::vector<std::int64_t> const& ids) { return std::int64_t(ids.size()) > capacity; });
    if (!full) {
        return out;
    }
    std::vector<std::uint64_t> const weights =
        weights_of(made_with().by, now_.standings, step.number + 1, made_with().window);
    for (std::vector<std::int64_t>& ids : of_task) {
        std::ptrdiff_t const excess = std::ptrdiff_t(ids.size()) - std::ptrdiff_t(capacity);
        if (excess > 0) {
            std::ranges::nth_element(ids, ids.begin() + excess, {},
                                     [&](std::int64_t id) { return std::pair(weights[std::size_t(id)], id); });
            out.insert(out.end(), ids.begin(), ids.begin() + excess);
        }
    }
    std::ranges::sort(out);
    return out;
}

step_counts pool::end_step(delta const& parts) {
    if (is_in(parts) && !parts.empty()) {
        throw field_error("delta", fmt::format("is in already: expected parts of step {}", now_.step));
    }
    step_counts counts;
    step_record made = record_of(parts, counts.repeated);
    made.gone = leaving(made);
    file_.write(made, next_link(now_.link, made), entries(), parts);
    take(made);
    counts.added = std::int64_t(made.entries.size());
    counts.outcomes = std::int64_t(made.outcomes.size());
    counts.gone = std::int64_t(made.gone.size());
    return counts;
}

}  // namespace optgap::pool
