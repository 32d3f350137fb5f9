// optgap certify: for each row the best answer and why nothing is better, for a reader who has no engine.

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "host/rows/json/json_text.hpp"
#include "host/rows/read/answers.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/text/certificate.hpp"
#include "tools/cli/prove/proof_tree.hpp"
#include "tools/cli/prove/solved_rows.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/shell/say.hpp"
#include "tools/cli/shell/table.hpp"

namespace optgap::cli {
namespace {

/// The checker refuses larger tables (tools/certificates/kinds/table.py).
constexpr std::int64_t max_sums = 20'000'000;
/// And longer walks (tools/certificates/kinds/walk.py).
constexpr std::int64_t max_cases = 200'000;

struct certify_options {
    std::vector<std::string> files;
    std::int64_t budget = -1;
    std::int64_t max_bytes = 1'000'000;
    std::string start;
};

/// Of one task.
struct tally {
    std::int64_t rows = 0;
    std::vector<std::size_t> sizes;
    std::map<std::string, std::int64_t> reasons;
};

proof_text prove(certificate_form const& form, instance_fields const& instance, certificate_form::goal objective,
                 std::size_t max_bytes) {
    if (form.computed) {
        return {R"({"kind": "computed"})", ""};
    }
    if (form.bound != nullptr && objective && form.bound(instance) == *objective) {
        return {R"({"kind": "bound"})", ""};
    }
    proof_text found{"", "the answer does not meet the bound that follows at sight, and the task has no other kind"};
    if (form.linear != nullptr) {
        found = prove_linear(form.linear(instance, objective), max_bytes);
    }
    if (found.json.empty() && form.search != nullptr && objective) {
        auto const tree = form.search(instance, *objective, std::int64_t(max_bytes / 2));
        found = {tree.empty() ? "" : fmt::format(R"({{"kind": "search", "tree": [{}]}})", fmt::join(tree, ", ")),
                 too_long(max_bytes)};
    }
    if (found.json.empty() && form.distances != nullptr && objective) {
        number_rows const distances = form.distances(instance);
        found = distances.empty() ? proof_text{"", "the checker knows no such distances"}
                                  : prove_one_tree(distances, *objective, max_bytes);
    }
    if (found.json.empty() && form.branch != nullptr) {
        std::string const tree = form.branch(instance, objective, max_bytes);
        found = {tree.empty() ? "" : fmt::format(R"({{"kind": "branch", "tree": [{}]}})", tree), too_long(max_bytes)};
    }
    if (!found.json.empty() && found.json.size() <= max_bytes) {
        return found;
    }
    if (form.sums != nullptr) {
        if (form.sums(instance) <= max_sums) {
            return {R"({"kind": "table"})", ""};
        }
        found = {"", fmt::format("a table of more sums than the checker's {}", max_sums)};
    }
    if (form.cases != nullptr) {
        if (form.cases(instance, objective, max_cases) <= max_cases) {
            return {R"({"kind": "walk"})", ""};
        }
        found = {"", fmt::format("a walk of more cases than the checker's {}", max_cases)};
    }
    return found.json.size() > max_bytes ? proof_text{"", too_long(max_bytes)} : found;
}

std::string key_text(engine const& by, instance_set const& instances, std::int32_t index) {
    task_info const& info = by.tasks()[std::size_t(instances.task(index))];
    instance_spec const& spec = instances.specs()[std::size_t(index)];
    instance_hash const hash = hash_words(instances.words(index));
    return to_string(spec.task < 0 ? explicit_key(info, hash) : key_of(info, spec, hash));
}

void write_certificate(context& ctx, row_output& output, instance_set const& instances, std::int32_t index,
                       baseline const& found, std::span<std::int32_t const> answer, std::size_t max_bytes, tally& all) {
    std::int32_t const task = instances.task(index);
    auto const words = instances.words(index);
    task_info const& info = ctx.get_engine(false).tasks()[std::size_t(task)];
    certificate_form const* const form = registry()[std::size_t(task)].certificate;
    bool const none = found.status == baseline_status::infeasible;
    json const instance = instance_to_json(ctx.text(task), {words.data(), std::int64_t(words.size())});
    proof_text proof;
    if (form == nullptr) {
        proof.reason = "the task has no kind of proof yet";
    } else if (!found.proven()) {
        proof.reason = "not proven by this budget";
    } else {
        proof = prove(*form, instance_fields(instance),
                      none ? certificate_form::goal{} : certificate_form::goal{found.objective}, max_bytes);
    }
    std::size_t const before = output.buffer().size();
    row_writer row(output.buffer(), nullptr);
    row.text("key", key_text(ctx.get_engine(false), instances, index));
    row.text("task", info.name);
    row.raw("instance", instance_json(ctx.text(task), words));
    row.raw("answer", none ? "null" : answer_json(answer, info));
    row.integer_or_null("objective", none ? no_objective : found.objective, no_objective);
    row.boolean("certified", !proof.json.empty());
    proof.json.empty() ? row.text("reason", proof.reason) : row.raw("proof", proof.json);
    row.finish();
    ++all.rows;
    if (proof.json.empty()) {
        ++all.reasons[proof.reason];
    } else {
        all.sizes.push_back(output.buffer().size() - before);
    }
}

std::string summary(std::map<std::string, tally>& tallies) {
    table out({{"task"},
               {"rows", align::right},
               {"certified", align::right},
               {"bytes, median", align::right},
               {"largest", align::right},
               {"not certified, most of all"}});
    for (auto& [name, one] : tallies) {
        std::sort(one.sizes.begin(), one.sizes.end());
        auto const most = std::max_element(one.reasons.begin(), one.reasons.end(),
                                           [](auto const& a, auto const& b) { return a.second < b.second; });
        bool const some = !one.sizes.empty();
        out.add({name, std::to_string(one.rows), fmt::format("{} %", 100 * std::int64_t(one.sizes.size()) / one.rows),
                 some ? std::to_string(one.sizes[one.sizes.size() / 2]) : "",
                 some ? std::to_string(one.sizes.back()) : "", most == one.reasons.end() ? "" : most->first});
    }
    return out.text();
}

void certify(context& ctx, certify_options const& options) {
    engine const& solver = ctx.get_engine(false);
    row_input input(ctx, options.files, "certify", {.rows = std::max(64, 4 * solver.threads())});
    row_output output;
    proof_starts known(ctx, options.start);
    std::map<std::string, tally> tallies;
    each_solved(ctx, input, options.budget, known, output,
                [&](row_item const& item, instance_set const& instances, solved_batch const& solved) {
                    auto const task = std::size_t(instances.task(item.instance));
                    write_certificate(ctx, output, instances, item.instance, solved.rows[std::size_t(item.instance)],
                                      solved.answers.row(item.instance), std::size_t(options.max_bytes),
                                      tallies[std::string(solver.tasks()[task].name)]);
                });
    output.finish(ctx);
    known.finish();
    if (!ctx.quiet && !tallies.empty()) {
        say(summary(tallies));
    }
}

}  // namespace

void add_certify(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "certify",
        "Best answers with a proof that a third party can check: key, task, instance, answer, objective, proof",
        {"optgap generate all --level benchmark --count 20 | optgap certify - > certificates.jsonl",
         "python3 tools/check_certificate.py certificates.jsonl      # needs no optgap",
         "optgap certify rows.jsonl --max-bytes 100000 --quiet > small.jsonl"},
        {"Each row says `certified`: true with `proof`, or false with `reason`, when the budget leaves the optimum",
         "open, the task has no kind of proof (optgap tasks) or the proof is too long; none is shortened. The format,",
         "and what each kind proves: docs/certificates.md. A table of all tasks follows on stderr.", rows_help});
    auto options = std::make_shared<certify_options>();
    add_files(command, options->files, "JSONL with instances, as optgap solve reads it");
    command.add_option("--budget", options->budget, "Steps per instance, counted by the task; -1 is the task's default")
        .at_least(-1)
        .show_default();
    command.add_option("--max-bytes", options->max_bytes, "The longest proof that is written")
        .at_least(1)
        .show_default();
    command.add_option("--start", options->start, "JSONL with answers to begin with, as for optgap solve");
    command.on_run([&ctx, options] { certify(ctx, *options); });
}

}  // namespace optgap::cli
