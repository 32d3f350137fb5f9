#include <nlohmann/json.hpp>

#include "host/program_runs/runner_state.hpp"
#include "host/scheduler/state.hpp"

namespace optgap {

namespace {

using json = nlohmann::ordered_json;

json report(latency const& of) {
    return {{"count", of.count()},
            {"p50_s", of.quantile_seconds(0.5)},
            {"p99_s", of.quantile_seconds(0.99)},
            {"max_s", of.worst_seconds()}};
}

json report(cache_counters const& of, std::int64_t limit) {
    return {{"entries", of.entries}, {"bytes", of.bytes},   {"limit_bytes", limit},
            {"hits", of.hits},       {"misses", of.misses}, {"evictions", of.evictions}};
}

}  // namespace

std::string scheduler::statistics() const {
    state_->require_own_process();
    json device = json::parse(to_json(state_->by.device_status()));
    program_counts const ran = state_->runner->counts();
    std::int32_t const busy = state_->runner->internals().sandboxes->slots_busy();
    row_lines::depths const of_json = state_->row_work.now();
    std::lock_guard const locked(state_->lock);
    state const& own = *state_;
    counters const& n = own.count;
    json out;
    out["tickets"] = {{"open", own.tickets.open_count()},
                      {"issued", n.issued},
                      {"submitted", n.submitted_tickets},
                      {"refused", n.refused}};
    out["rows"] = {{"submitted", n.submitted_rows}};
    for (outcome const how : {outcome::scored, outcome::expired, outcome::cancelled, outcome::failed}) {
        out["tickets"][outcome_name(how)] = n.ended_tickets[std::size_t(how)];
        out["rows"][outcome_name(how)] = n.ended_rows[std::size_t(how)];
    }
    out["queue"] = {{"rows", own.room.rows()},
                    {"bytes", own.room.bytes()},
                    {"ready_rows", own.ready.rows},
                    {"waiting_for_baseline_rows", own.waiting_rows},
                    {"blocked_submitters", own.room.waiting.size()},
                    {"baseline_jobs", own.proofs.size()},
                    {"limit_rows", own.options.queue_rows},
                    {"limit_bytes", own.options.queue_bytes}};
    out["batches"] = {
        {"count", n.batches}, {"by_callers", n.by_callers}, {"rows", n.batch_rows}, {"largest", n.largest_batch}};
    out["instances"] = report(own.problems.words(), own.options.instance_cache_bytes);
    out["instances"]["generated"] = n.generated;
    baseline_counts const known = own.source->counts();
    out["baselines"] = {{"entries", known.entries},
                        {"bytes", known.bytes},
                        {"limit_bytes", own.source->options().bytes},
                        {"hits", own.problems.baseline_hits()},
                        {"misses", own.problems.baseline_misses()},
                        {"evictions", known.evicted},
                        {"solved", n.solved},
                        {"snapshot", known.from_snapshot},
                        {"store", known.from_store},
                        {"damaged", known.damaged}};
    out["programs"] = {{"slots", own.runner->slots()},
                       {"slots_busy", busy},
                       {"waiting", own.programs.waiting},
                       {"waiting_runs", own.programs.waiting_runs},
                       {"executing", own.programs.executing},
                       {"programs", ran.programs},
                       {"runs", ran.runs},
                       {"core_seconds", ran.core_seconds},
                       {"compiled", ran.compiled},
                       {"compile_cached", ran.compile_cached},
                       {"copied", ran.copied},
                       {"retried", ran.retried},
                       {"suspected", ran.suspected},
                       {"masked", ran.masked}};
    out["proposals"] = {{"in_line", own.proposals.in_line()},
                        {"running", own.proposals.running()},
                        {"checked", n.checked},
                        {"sound", n.sound}};
    out["row_tickets"] = {{"waiting", of_json.waiting}, {"grading", of_json.grading}};
    out["callback_failures"] = n.callback_failures;
    out["stages"] = {{"generate", report(own.times.generate)},
                     {"solve", report(own.times.solve)},
                     {"baseline_wait", report(own.times.baseline)},
                     {"queue", report(own.times.queue)},
                     {"score", report(own.times.score)},
                     {"parse", report(own.times.parse)},
                     {"verify", report(own.times.verify)},
                     {"reward", report(own.times.reward)},
                     {"program_queue", report(own.times.program_queue)},
                     {"execute", report(own.times.execute)},
                     {"proposal_queue", report(own.times.proposal_queue)},
                     {"check", report(own.times.check)},
                     {"total", report(own.times.total)}};
    out["device"] = std::move(device);
    return out.dump();
}

}  // namespace optgap
