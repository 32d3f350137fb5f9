#include "tools/cli/pay/scorer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/report/fingerprint.hpp"
#include "host/reward/posed_instances.hpp"
#include "optgap/external.hpp"
#include "optgap/programs/codes.hpp"
#include "optgap/reward_rules.hpp"
#include "optgap/run_record.hpp"
#include "tools/cli/shell/whole_file.hpp"

namespace optgap::cli {
namespace {

/// A row of a task of this build.
bool is_ours(row_item const& item) { return item.sound() && !item.external && !item.program; }

}  // namespace

scorer::scorer(context& ctx, score_options const& options)
    : ctx_(ctx),
      options_(options),
      place_(snapshot_of(ctx, options)),
      engine_(ctx.get_engine()),
      reward_(parse_reward_rules(options.reward, engine_.tasks())),
      snapshot_(store::snapshot::opened(place_.path, engine_, OPTGAP_VERSION)),
      roles_(parse_role_table(options.advantage)),
      advantage_(roles_.of[std::size_t(role::solver)].spec),
      fingerprint_(run_fingerprint(record())),
      outbox_(options.outbox),
      outside_(options.external, reward_.specs[0], std::int32_t(engine_.tasks().size())),
      programs_(ctx, options.programs, options.budget, snapshot_.get()),
      chained_(options, reward_.specs[0]),
      proposed_(engine_, options, reward_.specs[0]),
      judged_(options, reward_.specs[0]),
      instances_(ctx) {
    if (options.force_format && options.format.empty()) {
        throw usage_error("--force-format needs --format NAME");
    }
    if (!options.format.empty()) {
        static_cast<void>(parse_format(options.format));
    }
}

std::string scorer::record() const {
    run_settings settings;
    settings.engine_version = OPTGAP_VERSION;
    settings.tasks.assign(engine_.tasks().begin(), engine_.tasks().end());
    settings.format = options_.format;
    settings.force_format = options_.force_format;
    settings.reward = reward_;
    settings.advantage = advantage_;
    std::string const roles = roles_.by_role ? to_json(roles_) : std::string();
    settings.roles = roles;
    settings.judge = options_.judge == score_options().judge ? "" : options_.judge;
    settings.judge_parser = options_.judge_parser == score_options().judge_parser ? "" : options_.judge_parser;
    settings.budget = options_.budget;
    settings.chain_preset = options_.chain_preset;
    settings.proposals = options_.proposals;
    settings.held_out = options_.held_out.empty() ? "" : optgap::fingerprint(read_whole(options_.held_out));
    settings.baselines = snapshot_ == nullptr ? "" : snapshot_->hash();
    return run_record(settings);
}

std::string_view scorer::task_name(scored_row const& row) const {
    auto const tasks = engine_.tasks();
    return std::size_t(row.task) < tasks.size() ? tasks[std::size_t(row.task)].name : outside_.task_name(row.task);
}

std::string_view scorer::code_name(std::int32_t task, std::int32_t code) const {
    return is_program_code(code)         ? program_code_name(code)
           : is_proposal_code(code)      ? proposal_code_name(code)
           : is_judge_code(code)         ? judge_code_name(code)
           : code == code_external_wrong ? "external_wrong"
                                         : engine_.code_name(task, code);
}

std::int32_t scorer::group_id(std::string const& name) {
    return groups_.try_emplace(name, std::int32_t(groups_.size())).first->second;
}

/// One rollout per item, empty for those that are rejected.
std::vector<rollout> scorer::read(std::span<row_item> items, std::string& arena) const {
    std::size_t room = 0;
    for (row_item const& item : items) {
        for (std::string_view const name : {"completion", "proposal"}) {
            std::string_view const* const text = item.row.find(name);
            room += text == nullptr ? 0 : decoded_bound(*text);
        }
    }
    arena.reserve(room);
    std::vector<rollout> rollouts(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!items[i].sound()) {
            continue;
        }
        try {
            if (items[i].proposal) {
                rollouts[i] = proposed_.read(items[i].row, arena);
            } else if (items[i].judgement) {
                rollouts[i] = judged_.read(items[i].row, arena);
            } else {
                rollouts[i] = read_rollout(items[i].row, options_, arena,
                                           items[i].program ? format_use::programs : format_use::answers);
                require_tokens(rollouts[i], reward_);
            }
            role const own = items[i].proposal ? role::proposer : items[i].judgement ? role::judge : role::solver;
            if (reads_lengths(roles_.of[std::size_t(own)].spec) && rollouts[i].length < 0) {
                throw field_error("length", "missing: this estimator weighs rows by their tokens, 0 or more");
            }
        } catch (field_error const& broken) {
            items[i].reject(broken.field(), broken.rule());
        }
    }
    return rollouts;
}

void scorer::solve_missing(std::span<row_item> items, std::span<rollout const> rollouts) {
    instance_batch missing;
    std::vector<instance_spec> specs;
    std::vector<instance_id> ids;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!is_ours(items[i]) || rollouts[i].given) {
            continue;
        }
        instance_id const& id = instances_.id(items[i].instance);
        if (solved_.try_emplace(id).second) {
            missing.append(id.task, instances_.words(items[i].instance));
            specs.push_back(instances_.specs()[std::size_t(items[i].instance)]);
            ids.push_back(id);
        }
    }
    std::vector<store::found_baseline> const found =
        store::baselines_of(engine_, missing.view(), specs, options_.budget, snapshot_.get());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        solved_[ids[i]] = found[i];
    }
    for (std::size_t i = 0; snapshot_ != nullptr && i < items.size(); ++i) {
        if (is_ours(items[i]) && !rollouts[i].given) {
            std::string const& damage = solved_.at(instances_.id(items[i].instance)).damage;
            if (!damage.empty()) {
                items[i].reject("baselines", damage);
            }
        }
    }
}

baseline const& scorer::baseline_of(row_item const& item, rollout const& roll) const {
    return roll.given ? *roll.given : solved_.at(instances_.id(item.instance)).value;
}

std::vector<scored_row> scorer::score(std::span<row_item> items) {
    std::string arena;
    judged_.claim(items);
    judged_.find_truths(
        items, [this](std::span<row_item> answers) { return score(answers); },
        [this](scored_row const& answer) { return std::string(task_name(answer)); });
    proposed_.claim(items);
    chained_.claim(items);
    outside_.claim(items);
    program_rows::claim(items, options_.programs);
    std::vector<rollout> const rollouts = read(items, arena);
    if (options_.programs.estimate) {  // nothing is run, and nothing else is paid
        std::vector<scored_row> nothing(items.size());
        programs_.score(items, rollouts, reward_, false, {}, nothing);
        return nothing;
    }
    instances_.resolve(items);
    solve_missing(items, rollouts);

    posed_instances posed;
    std::vector<std::string_view> texts;
    std::vector<std::int32_t> instance_of, format_of, length;
    std::vector<finish> finished;
    std::vector<std::size_t> item_of;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!is_ours(items[i])) {
            continue;
        }
        std::int32_t const instance = items[i].instance;
        instance_of.push_back(posed.row(std::uint64_t(instance), instances_.task(instance), instances_.words(instance),
                                        baseline_of(items[i], rollouts[i])));
        item_of.push_back(i);
        texts.push_back(rollouts[i].completion);
        format_of.push_back(rollouts[i].format);
        finished.push_back(rollouts[i].finished);
        length.push_back(rollouts[i].length);
    }
    grade_batch const found = engine_.grade({.instances = posed.instances().view(),
                                             .baselines = posed.baselines(),
                                             .texts = texts,
                                             .instance_of = instance_of,
                                             .length = length,
                                             .finished = finished,
                                             .format_of = format_of,
                                             .reward = reward_});

    std::vector<scored_row> out(items.size());
    outside_.score(items, rollouts, out);
    programs_.score(
        items, rollouts, reward_, ranks_scores(advantage_.form),
        [&](std::size_t, std::string const& name) { return group_id(name); }, out);
    chained_.score(items, rollouts, out);
    proposed_.score(items, rollouts, out);
    judged_.score(items, rollouts, out);
    std::size_t next = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].external && items[i].sound()) {
            bool const chained = items[i].chain >= 0, proposal = items[i].proposal, judges = items[i].judgement;
            std::string const own = chained    ? chained_.group_of(items[i])
                                    : proposal ? proposal_rows::group_of(items[i])
                                    : judges   ? judged_.group_of(out[i])
                                               : fmt::format("key {}", *string_of(items[i].row, "key"));
            out[i].group = group_id(rollouts[i].group.empty() ? own : fmt::format("group {}", rollouts[i].group));
            out[i].task = chained    ? outside_.task_number(chained_.task_of(items[i]))
                          : proposal ? outside_.task_number(proposed_.task_of(out[i]))
                          : judges   ? outside_.task_number(judged_.task_of(out[i]))
                                     : out[i].task;
        }
        if (!is_ours(items[i])) {
            continue;
        }
        baseline const& base = baseline_of(items[i], rollouts[i]);
        instance_id const& id = instances_.id(items[i].instance);
        row_facts const facts(found.rows[next], found.verdicts[next]);
        scored_row& row = out[i];
        row.value = found.rows[next];
        row.objective = facts.objective;
        row.violation = facts.violation;
        row.score = facts.objective == no_objective ? 0.0 : double(facts.objective);
        row.direction = engine_.tasks()[std::size_t(id.task)].objective_sense;
        row.answer = found.parsed[next].answer;
        row.baseline_objective = base.objective;
        row.baseline_bound = base.bound;
        row.proven = base.proven();
        row.baseline_kind = row.proven ? "proven" : base.bound == no_objective ? "unknown" : "bounded";
        row.task = id.task;
        row.length = rollouts[i].length;
        row.format = rollouts[i].format;
        row.group = group_id(rollouts[i].group.empty() ? fmt::format("{} {}", id.task, hex32(id.hash))
                                                       : fmt::format("group {}", rollouts[i].group));
        ++next;
    }
    for (std::int64_t const row : found.beaten) {
        std::int32_t const at = instance_of[std::size_t(row)];
        baseline const& base = posed.baselines()[std::size_t(at)];
        std::int32_t const task = posed.instances().task[std::size_t(at)];
        outbox_.add(items[item_of[std::size_t(row)]].row, engine_.tasks()[std::size_t(task)],
                    posed.instances().blocks.row(at), found.answers.row(row),
                    found.verdicts[std::size_t(row)].objective, base);
        beat_proven_ += base.proven() ? 1 : 0;
        beat_unproven_ += !base.proven() && base.objective != no_objective ? 1 : 0;
    }
    require_widths(items, out);
    return out;
}

/// Rows of one group that are ranked have equally many scores: one a hidden instance of their problem, or the one of an
/// answer. The others are rejected.
void scorer::require_widths(std::span<row_item> items, std::span<scored_row> rows) {
    for (std::size_t i = 0; ranks_scores(advantage_.form) && i < rows.size(); ++i) {
        if (!items[i].sound() || rows[i].group < 0) {
            continue;
        }
        program_details const* const program = program_of(rows[i]);
        std::size_t const width = program == nullptr ? 1 : program->scores.size();
        std::size_t const wanted = width_of_.try_emplace(rows[i].group, width).first->second;
        if (wanted != width) {
            items[i].reject("group", fmt::format("its rows before have {} score{}, this one has {}: they cannot be "
                                                 "ranked together",
                                                 wanted, wanted == 1 ? "" : "s", width));
            rows[i] = {};
        }
    }
}

}  // namespace optgap::cli
