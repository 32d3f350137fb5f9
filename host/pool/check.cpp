#include "host/pool/check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/core/rng.hpp"
#include "optgap/proposals/canonical.hpp"
#include "optgap/status.hpp"

namespace optgap::pool {
namespace {

constexpr std::int64_t batch_entries = 1024;
constexpr std::int32_t question_place = -1;           ///< in the place of a task's index
constexpr std::uint32_t sample_purpose = 0x73616d70;  // "samp"

/// Index of an entry's task; -1 where this build does not have it in that version.
std::int32_t task_of(engine const& by, entry const& one) {
    std::span<task_info const> const all = by.tasks();
    for (std::size_t t = 0; t < all.size(); ++t) {
        if (all[t].name == one.task) {
            return all[t].version == one.version ? std::int32_t(t) : -1;
        }
    }
    return -1;
}

/// Faults of one entry that can be found without a batch.
std::string fault_of_form(engine const& by, entry const& one, bool forms) {
    std::int32_t const task = task_of(by, one);
    if (task < 0) {
        return fmt::format("is of {}@{}, which this build does not have", one.task, one.version);
    }
    try {
        by.check(task, one.words);
    } catch (field_error const& broken) {
        return fmt::format("is no instance: {}: {}", broken.field(), broken.rule());
    }
    if (forms) {
        canonical_hash const form = canonical_of(by, task, one.words);
        if (form.hash != one.canonical || form.coarse != one.coarse) {
            return fmt::format("its canonical hash is {}, not {}", hex32(form.hash), hex32(one.canonical));
        }
    }
    if (std::int64_t(one.kind) < 0 || std::size_t(one.kind) >= std::size(origin_names)) {
        return "its origin is none";
    }
    if (one.infeasible ? one.objective != no_objective || !one.answer.empty() : one.objective == no_objective) {
        return "its optimum is not what its proof says: expected one with an answer, or a proof that there is none";
    }
    return {};
}

}  // namespace

namespace {

/// Throws unless each proof's answer has the objective of the proof.
void require_proofs(engine const& by, instance_view instances, solved_batch const& known) {
    auto const refuse = [](std::int64_t row, char const* what) {
        throw field_error("known", fmt::format("row {}: {}", row, what));
    };
    std::int64_t const rows = instances.blocks.rows;
    if (std::int64_t(known.rows.size()) != rows || std::int64_t(known.answers.offsets.size()) != rows + 1) {
        throw field_error("known", fmt::format("expected a proof for each of {} instances", rows));
    }
    instance_batch answered;
    csr_words answers;
    std::vector<std::int64_t> places;
    for (std::int64_t r = 0; r < rows; ++r) {
        baseline const& one = known.rows[std::size_t(r)];
        bool const infeasible = one.status == baseline_status::infeasible;
        if (!one.proven() || infeasible != known.answers.row(r).empty()) {
            refuse(r, "is no proof with its answer");
        }
        if (!infeasible) {
            answered.append(instances.task[r], instances.blocks.row(r));
            answers.append(known.answers.row(r));
            places.push_back(r);
        }
    }
    std::vector<verdict> const found = by.verify(answered.view(), answers.view());
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (!found[k].feasible() || found[k].objective != known.rows[std::size_t(places[k])].objective) {
            refuse(places[k], "its answer is not worth its objective");
        }
    }
}

}  // namespace

std::vector<received> receiver::take(instance_view instances, std::span<lineage const> from,
                                     solved_batch const* known) {
    if (known != nullptr) {
        require_proofs(by_, instances, *known);
    }
    std::vector<received> out(std::size_t(instances.blocks.rows));
    instance_batch fresh;
    std::vector<std::size_t> fresh_rows;
    for (std::size_t r = 0; r < out.size(); ++r) {
        std::int32_t const task = instances.task[r];
        task_info const& info = by_.tasks()[std::size_t(task)];
        std::span<std::int32_t const> const words = instances.blocks.row(std::int64_t(r));
        canonical_hash const form = canonical_of(by_, task, words);
        out[r].canonical = form.hash;
        out[r].coarse = form.coarse;
        out[r].duplicate_of = into_.find({std::string(info.name), info.version, form.hash});
        if (out[r].duplicate_of >= 0 || !had_.emplace(task, hex32(form.hash)).second) {
            out[r].code = reception::duplicate;
            continue;
        }
        fresh.append(task, words);
        fresh_rows.push_back(r);
    }
    solved_batch solved;
    if (known == nullptr) {
        solved = by_.solve(fresh.view(), budget_);
    } else {
        for (std::size_t const r : fresh_rows) {
            solved.rows.push_back(known->rows[r]);
            solved.answers.append(known->answers.row(std::int64_t(r)));
        }
    }
    for (std::size_t i = 0; i < fresh_rows.size(); ++i) {
        received& got = out[fresh_rows[i]];
        got.found = solved.rows[i];
        if (!got.found.proven()) {
            got.code = reception::unproven;
            continue;
        }
        task_info const& info = by_.tasks()[std::size_t(fresh.task[i])];
        std::span<std::int32_t const> const words = fresh.blocks.row(std::int64_t(i));
        entry one;
        one.task = info.name;
        one.version = info.version;
        one.canonical = got.canonical;
        one.coarse = got.coarse;
        one.words.assign(words.begin(), words.end());
        one.infeasible = got.found.status == baseline_status::infeasible;
        one.objective = one.infeasible ? no_objective : got.found.objective;
        one.floor = got.found.floor;
        one.greedy = got.found.greedy;
        one.steps = got.found.steps;
        one.budget = budget_ < 0 ? info.default_budget : budget_;
        if (!one.infeasible) {
            std::span<std::int32_t const> const answer = solved.answers.row(std::int64_t(i));
            one.answer.assign(answer.begin(), answer.end());
        }
        one.kind = from[fresh_rows[i]].kind;
        one.parent = from[fresh_rows[i]].parent;
        one.step = into_.step();
        entries_.push_back(std::move(one));
    }
    return out;
}

received receiver::take(question const& of, lineage from, double quality, double enough) {
    entry one = question_entry(of);
    received out;
    out.canonical = one.canonical;
    out.duplicate_of = into_.find({one.task, one.version, one.canonical});
    if (out.duplicate_of >= 0 || had_.contains({question_place, hex32(one.canonical)})) {
        out.code = reception::duplicate;
    } else if (quality < enough) {
        out.code = reception::low_quality;
    } else {
        had_.emplace(question_place, hex32(one.canonical));
        one.kind = from.kind;
        one.parent = from.parent;
        one.step = into_.step();
        entries_.push_back(std::move(one));
    }
    return out;
}

std::vector<std::string> faults_of(engine const& by, std::span<entry const> all, bool forms) {
    std::vector<std::string> out(all.size());
    instance_batch instances;
    csr_words answers;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < all.size(); ++i) {
        out[i] = is_question(all[i]) ? fault_of_question(all[i]) : fault_of_form(by, all[i], forms);
        if (out[i].empty() && !all[i].infeasible && !is_question(all[i])) {
            instances.append(task_of(by, all[i]), all[i].words);
            answers.append(all[i].answer);
            places.push_back(i);
        }
    }
    if (places.empty()) {
        return out;
    }
    std::vector<verdict> found;
    try {
        found = by.verify(instances.view(), answers.view());
    } catch (error const&) {
        // Some block is malformed; each is checked alone to find it.
        for (std::size_t k = 0; k < places.size(); ++k) {
            instance_batch one;
            csr_words answer;
            one.append(instances.task[k], instances.blocks.row(std::int64_t(k)));
            answer.append(answers.row(std::int64_t(k)));
            try {
                found.push_back(by.verify(one.view(), answer.view())[0]);
            } catch (error const& broken) {
                out[places[k]] = fmt::format("its answer is none: {}", broken.what());
                found.emplace_back();
            }
        }
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
        entry const& one = all[places[k]];
        if (!out[places[k]].empty()) {
            continue;
        }
        if (!found[k].feasible()) {
            out[places[k]] =
                fmt::format("its answer is not feasible: {}", by.code_name(instances.task[k], found[k].code));
        } else if (found[k].objective != one.objective) {
            out[places[k]] =
                fmt::format("its optimum is {}, but its answer is worth {}", one.objective, found[k].objective);
        }
    }
    return out;
}

std::vector<std::string> proof_faults_of(engine const& by, std::span<entry const> all) {
    std::vector<std::string> out(all.size());
    std::map<std::int64_t, std::vector<std::size_t>> by_budget;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!is_question(all[i])) {
            by_budget[all[i].budget].push_back(i);
        }
    }
    for (auto const& [budget, places] : by_budget) {
        instance_batch instances;
        for (std::size_t const i : places) {
            instances.append(by.task_index(all[i].task, all[i].version), all[i].words);
        }
        solved_batch const again = by.solve(instances.view(), budget);
        for (std::size_t k = 0; k < places.size(); ++k) {
            entry const& one = all[places[k]];
            baseline const& found = again.rows[k];
            std::string& fault = out[places[k]];
            bool const infeasible = found.status == baseline_status::infeasible;
            if (!found.proven()) {
                fault = fmt::format("its budget of {} steps proves nothing now", budget);
            } else if (infeasible != one.infeasible || (!infeasible && found.objective != one.objective)) {
                fault = fmt::format("another proof says otherwise: {}",
                                    infeasible ? "there is no answer" : fmt::format("{} is best", found.objective));
            } else if (found.floor != one.floor || found.greedy != one.greedy) {
                fault = "its floor or greedy value is not what its instance gives";
            }
        }
    }
    return out;
}

std::vector<std::int64_t> keyed_sample(instance_hash key, std::int64_t count, std::int64_t all) {
    // Floyd's algorithm: every set of this size is equally likely.
    std::set<std::int64_t> out;
    std::int64_t const wanted = std::min(count, all);
    for (std::int64_t j = all - wanted; j < all; ++j) {
        philox_block const words =
            philox(key.low, std::uint32_t(j), std::uint32_t(key.high), std::uint32_t(key.high >> 32), sample_purpose);
        std::uint64_t const word = std::uint64_t(words.word[0]) << 32 | words.word[1];
        auto const at = std::int64_t(word % (std::uint64_t(j) + 1));
        out.insert(out.contains(at) ? j : at);
    }
    return {out.begin(), out.end()};
}

check_report check(engine const& by, pool const& of, std::int64_t proofs) {
    check_report out;
    std::vector<std::int64_t> const chosen = keyed_sample(of.hash(), proofs < 0 ? of.entries() : proofs, of.entries());
    std::size_t next = 0;
    auto const complain = [&](std::int64_t id, entry const& one, std::string const& fault) {
        if (++out.wrong <= 20) {
            out.sentences.push_back(fmt::format("entry {} ({}): {}", id, key_of(one), fault));
        }
    };
    std::vector<entry> batch, to_prove;
    for (std::int64_t first = 0; first < of.entries(); first += batch_entries) {
        std::int64_t const last = std::min(of.entries(), first + batch_entries);
        batch.clear();
        to_prove.clear();
        std::vector<std::int64_t> ids;
        for (std::int64_t id = first; id < last; ++id) {
            batch.push_back(of.read(id));
        }
        std::vector<std::string> const faults = faults_of(by, batch, false);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            std::int64_t const id = first + std::int64_t(i);
            bool const proves = next < chosen.size() && chosen[next] == id;
            next += proves ? 1 : 0;
            if (!faults[i].empty()) {
                complain(id, batch[i], faults[i]);
            } else if (proves) {
                to_prove.push_back(batch[i]);
                ids.push_back(id);
            }
        }
        std::vector<std::string> const form_faults = faults_of(by, to_prove);
        std::vector<std::string> const proof_faults = proof_faults_of(by, to_prove);
        for (std::size_t i = 0; i < to_prove.size(); ++i) {
            ++out.proved;
            if (std::string const& fault = form_faults[i].empty() ? proof_faults[i] : form_faults[i]; !fault.empty()) {
                complain(ids[i], to_prove[i], fault);
            }
        }
    }
    out.entries = of.entries();
    return out;
}

void require_sound(engine const& by, delta const& parts, std::int64_t proofs) {
    for (auto const& [name, one] : parts.parts()) {
        auto const refuse = [&, &name = name](std::size_t i, entry const& each, std::string const& fault) {
            throw field_error("delta", fmt::format("{}, entry {} ({}): {}", to_string(name), i, key_of(each), fault));
        };
        std::vector<std::string> const faults = faults_of(by, one.entries);
        for (std::size_t i = 0; i < faults.size(); ++i) {
            if (!faults[i].empty()) {
                refuse(i, one.entries[i], faults[i]);
            }
        }
        std::int64_t const all = std::int64_t(one.entries.size());
        for (std::int64_t const at : keyed_sample(digest_of(one), proofs < 0 ? all : proofs, all)) {
            entry const& each = one.entries[std::size_t(at)];
            if (std::string const fault = proof_faults_of(by, {&each, 1})[0]; !fault.empty()) {
                refuse(std::size_t(at), each, fault);
            }
        }
    }
}

posed pose(engine const& by, entry const& one, std::uint64_t label_seed) {
    posed out;
    out.task = by.task_index(one.task, one.version);
    out.words = one.words;
    if (by.tasks()[std::size_t(out.task)].axes.empty()) {
        return out;
    }
    instance_batch original;
    original.append(out.task, one.words);
    relabelled_batch const twin = by.relabel(original.view(), label_seed);
    std::span<std::int32_t const> const words = twin.instances.blocks.row(0);
    out.words.assign(words.begin(), words.end());
    out.relabelled = true;
    return out;
}

}  // namespace optgap::pool
