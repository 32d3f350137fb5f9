#pragma once
// Rows of instances, solved chunk by chunk: what `solve` and `certify` share.

#include "host/rows/read/instances.hpp"
#include "tools/cli/prove/start_file.hpp"
#include "tools/cli/rows/row_stream.hpp"

namespace optgap::cli {

/// write(item, instances, solved) for each row of `input`, in their order. A row that is broken, or whose start is, is
/// rejected in its place.
template <class Write>
void each_solved(context& ctx, row_input& input, std::int64_t budget, proof_starts& known, row_output& output,
                 Write const& write) {
    engine const& solver = ctx.get_engine(false);
    instance_set instances(ctx.tasks());
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        instances.resolve(items);
        std::vector<std::string> broken;
        csr_words const starts = known.of(instances.view(), instances.specs(), broken);
        solved_batch const solved = solver.solve(instances.view(), budget, starts.view());
        for (row_item& item : items) {
            if (item.sound() && !broken[std::size_t(item.instance)].empty()) {
                item.reject("start", broken[std::size_t(item.instance)]);
            }
            if (!item.sound()) {
                output.reject(item);
                continue;
            }
            write(item, instances, solved);
            output.end_row();
        }
        output.flush();
    }
    input.finish(ctx);
}

}  // namespace optgap::cli
