// optgap verify: answers against their instances.

#include <memory>

#include "host/rows/read/answers.hpp"
#include "host/rows/read/instances.hpp"
#include "kernels/text/task_text.hpp"
#include "tools/cli/rows/row_stream.hpp"
#include "tools/cli/shell/commands.hpp"

namespace optgap::cli {
namespace {

constexpr std::string_view verify_columns[] = {"feasible", "objective", "code", "where", "violation", "violation_max"};

void write_verdict(row_writer& row, verdict const& found, std::string_view code) {
    row.boolean("feasible", found.feasible());
    row.integer_or_null("objective", found.feasible() ? found.objective : no_objective, no_objective);
    row.text("code", code);
    row.integer("where", found.where);
    row.integer("violation", found.violation);
    row.integer("violation_max", found.violation_max);
    row.finish();
}

void verify(context& ctx, std::vector<std::string> const& files) {
    engine const& verifier = ctx.get_engine();
    row_input input(ctx, files, "verify");
    row_output output;
    instance_set instances(ctx.tasks());
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        instances.resolve(items);
        csr_words answers;
        std::vector<std::int32_t> instance_of;
        std::vector<parsed_text> parsed;
        for (row_item& item : items) {
            if (item.sound()) {
                parsed_text const read = read_answer(item, ctx.text(instances.task(item.instance)), answers.words);
                if (item.sound()) {
                    answers.offsets.push_back(std::int64_t(answers.words.size()));
                    instance_of.push_back(item.instance);
                    parsed.push_back(read);
                }
            }
        }
        std::vector<verdict> found = verifier.verify(instances.view(), answers.view(), instance_of);
        std::size_t next = 0;
        for (row_item const& item : items) {
            if (!item.sound()) {
                output.reject(item);
                continue;
            }
            verdict& verdict_of = found[next];
            if (parsed[next].answer_code != code_ok) {
                verdict_of.code = parsed[next].answer_code;
                verdict_of.where = parsed[next].where;
                verdict_of.violation = verdict_of.violation_max;
            }
            ++next;
            row_writer row = output.begin(item, verify_columns);
            write_verdict(row, verdict_of, verifier.code_name(instances.task(item.instance), verdict_of.code));
            output.end_row();
        }
        output.flush();
    }
    input.finish(ctx);
    output.finish(ctx);
}

}  // namespace

void add_verify(command_line& app, context& ctx) {
    command_entry const command = app.add_command(
        "verify", "Check answers: feasible, objective, code, where, violation, violation_max",
        {"optgap generate tsp --level hard --count 100 | optgap solve - | optgap verify - > checked.jsonl",
         R"(echo '{"key": "knapsack@1:test:easy:7", "answer": "[0, 3, 5]"}' | optgap verify -)"},
        {"Each row holds `key`, or `task` and `instance`, and an `answer`: text, or a nested JSON list.", rows_help});
    auto files = std::make_shared<std::vector<std::string>>();
    add_files(command, *files, "JSONL with instances and answers");
    command.on_run([&ctx, files] { verify(ctx, *files); });
}

}  // namespace optgap::cli
