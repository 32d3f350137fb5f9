// optgap store import, take-improved: answers of others. Each is verified, our own bound is computed beside it, and no
// bound or proof is taken on anybody's word.

#include <memory>

#include <fmt/format.h>

#include "host/rows/read/answers.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"
#include "tools/cli/store/formats/import_files.hpp"
#include "tools/cli/store/store_commands.hpp"
#include "tools/cli/store/store_rows.hpp"

namespace optgap::cli {
namespace {

struct import_options {
    std::string store, name, from = "jsonl", task;
    std::vector<std::string> files, instances;
    std::int64_t budget = -1;
};

/// `published` of a row: an integer.
std::int64_t published_of(json_row const& row) {
    std::string_view const* const value = row.find("published");
    if (value == nullptr || is_json_null(*value)) {
        return no_objective;
    }
    char* end = nullptr;
    std::string const text(*value);
    std::int64_t const number = std::strtoll(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0') {
        throw field_error("published", "is no integer");
    }
    return number;
}

void import_rows(context& ctx, import_options const& options, std::string const& solver) {
    engine const& by = ctx.get_engine(false);
    sqlite::writer_lock const lock(options.store);
    store::file out(options.store, sqlite::access::create);
    row_input input(ctx, options.files, "import");
    instance_set instances(ctx.tasks());
    std::int64_t taken = 0, changed = 0, rejected = 0;
    for (auto rows = input.next(); !rows.empty(); rows = input.next()) {
        instances.resolve(rows);
        std::vector<store_item> items;
        std::vector<std::pair<row_item*, std::int64_t>> published;
        csr_words answers;
        std::vector<std::int32_t> instance_of;
        std::vector<row_item*> row_of;
        for (row_item& row : rows) {
            if (!row.sound()) {
                continue;
            }
            std::string_view const* const answer = row.row.find("answer");
            try {
                if (std::int64_t const value = published_of(row.row); value != no_objective) {
                    published.emplace_back(&row, value);
                }
            } catch (field_error const& broken) {
                row.reject(broken.field(), broken.rule());
                continue;
            }
            if (answer == nullptr || is_json_null(*answer)) {
                if (published.empty() || published.back().first != &row) {
                    row.reject("answer", "missing: expected an answer, or a published value");
                }
                continue;
            }
            std::vector<std::int32_t> block;
            std::int32_t const task = instances.task(row.instance);
            parsed_text const read = read_answer(row, ctx.text(task), block);
            if (row.sound() && read.answer_code != code_ok) {
                row.reject("answer", std::string(by.code_name(task, read.answer_code)));
            }
            if (row.sound()) {
                answers.append(block);
                instance_of.push_back(row.instance);
                row_of.push_back(&row);
            }
        }
        std::vector<verdict> const found = by.verify(instances.view(), answers.view(), instance_of);
        for (std::size_t i = 0; i < found.size(); ++i) {
            std::int32_t const at = instance_of[i];
            if (!found[i].feasible()) {
                row_of[i]->reject("answer",
                                  fmt::format("is not feasible: {}", by.code_name(instances.task(at), found[i].code)));
                continue;
            }
            store_item item;
            item.task = instances.task(at);
            item.spec = instances.specs()[std::size_t(at)];
            std::span<std::int32_t const> const words = instances.words(at), start = answers.row(std::int64_t(i));
            item.words.assign(words.begin(), words.end());
            item.start.assign(start.begin(), start.end());
            item.solver = solver;
            items.push_back(std::move(item));
        }
        // An instance at a time of a batch stands once: the same answer twice, or two answers, one after the other.
        changed += solve_into(out, by, items, options.budget).changed;
        taken += std::int64_t(items.size());
        if (!published.empty()) {
            sqlite::transaction all(out.base());
            for (auto const& [row, value] : published) {
                if (!row->sound()) {
                    continue;
                }
                store_item item;
                item.task = instances.task(row->instance);
                item.spec = instances.specs()[std::size_t(row->instance)];
                store::row one;
                one.hash = instances.id(row->instance).hash;
                one.key = key_of_item(by, item, one.hash);
                one.published = value;
                changed += out.put(one, by.tasks()[std::size_t(item.task)].objective_sense) ? 1 : 0;
                if (item.spec.task < 0) {
                    std::span<std::int32_t const> const words = instances.words(row->instance);
                    out.put_instance(one.key, {"", {words.begin(), words.end()}});
                }
                ++taken;
            }
            forget_hash(out);
            all.commit();
        }
        for (row_item const& row : rows) {
            if (!row.sound()) {
                ctx.warn(fmt::format("row {}, {}: {}; left out", row.number, row.field, row.rule));
                ++rejected;
            }
        }
    }
    if (rejected > 0) {
        ctx.end_with(exit_rejected);
    }
    ctx.note(fmt::format("{}: {} taken, {} rows changed, {} left out; content {}", options.store, taken, changed,
                         rejected, kept_hash(out, by)));
}

}  // namespace

void add_store_import(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "import", "Answers of other solvers: each verified, our own bound beside it, no proof on their word",
        {"optgap store import tsp.db answers.jsonl --name concorde",
         "optgap store import real.db pr1002.tour --from lkh --instance pr1002.tsp",
         "optgap store import all.db cut.part --from kahip --instance bisection@1:test:hard:7 --budget 0"},
        {"Rows of JSONL have `answer` and `key`, or `task` and `instance`; `published` is a value without an answer, "
         "kept "
         "as a bound of",
         "the kind published, which proves nothing. A file of another solver's is one answer: lkh a TSPLIB tour, kahip "
         "a block a line,",
         "highs a raw solution, cuopt the service's JSON (docs/scale.md). What breaks its format or is infeasible is "
         "left out, with code 1."});
    auto options = std::make_shared<import_options>();
    command.add_option("STORE", options->store, "The file to write").required();
    command.add_option("FILE", options->files, "JSONL, or what --from says; - is stdin").required();
    std::vector<std::string> known = answer_formats();
    known.emplace_back("jsonl");
    command.add_option("--from", options->from, "Whose files these are").one_of(known).show_default();
    command.add_option("--instance", options->instances,
                       "What a file is the answer to, a key or an instance file: one for each file, or one for all");
    command.add_option("--task", options->task, "The task of instance files whose extension several tasks know");
    command.add_option("--name", options->name, "Who found the answers; kept as import:NAME, --from's word by default");
    command.add_option("--budget", options->budget, "Steps for our own bound; -1 is the task's default")
        .at_least(-1)
        .show_default();
    command.on_run([&ctx, options] {
        std::string const solver = "import:" + (options->name.empty() ? options->from : options->name);
        if (options->from != "jsonl") {
            import_files(ctx, {options->store, options->from, solver, options->files, options->instances, options->task,
                               options->budget});
            return;
        }
        if (!options->instances.empty() || !options->task.empty()) {
            throw usage_error(
                "rows of JSONL name their own instances: --instance and --task are for --from lkh, kahip, "
                "highs and cuopt");
        }
        import_rows(ctx, *options, solver);
    });
}

void add_store_take_improved(command_entry store, context& ctx) {
    command_entry const command = store.add_command(
        "take-improved", "Answers that beat their baselines while scoring (score --improved), each verified first",
        {"optgap store take-improved tsp.db improved-baselines file.jsonl"},
        {"An answer better than a proven optimum ends with code 3: the baseline or a verifier is wrong, and nothing is "
         "written."});
    auto options = std::make_shared<import_options>();
    options->budget = 0;
    command.add_option("STORE", options->store, "The file to write").required();
    command.add_option("FILE", options->files, "Outboxes").required();
    command.on_run([&ctx, options] { import_rows(ctx, *options, "improved"); });
}

}  // namespace optgap::cli
