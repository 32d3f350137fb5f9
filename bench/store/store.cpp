// Stores of baselines: what writing a label costs beside making it, and what reading it from a snapshot costs instead.

#include <unistd.h>

#include <filesystem>
#include <string>

#include "bench/bench.hpp"
#include "host/store/snapshot.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t store_batch = 1024;         ///< as many as recompute puts into a transaction
constexpr char const* store_engine = "benchmark";  ///< the version that its rows bear

/// A file that is gone when the measurement ends.
class scratch_store {
public:
    scratch_store()
        : path_((std::filesystem::temp_directory_path() / ("optgap-bench-" + std::to_string(::getpid()) + ".db"))
                    .string()) {
        remove();
    }
    ~scratch_store() { remove(); }
    scratch_store(scratch_store const&) = delete;
    scratch_store& operator=(scratch_store const&) = delete;

    void remove() const {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    std::string path_;
};

store::row row_from(baseline const& found, std::span<std::int32_t const> answer, instance_spec const& spec,
                    task_info const& info, instance_hash hash) {
    store::row out;
    out.key = store::key_of(key_of(info, spec, hash), hash);
    out.hash = hash;
    out.floor = found.floor;
    out.greedy = found.greedy;
    out.objective = found.objective;
    out.answer.assign(answer.begin(), answer.end());
    out.bound = found.bound;
    out.bound_kind = info.bound_kinds[std::size_t(found.bound_kind)];
    out.found = out.bounded = {found.steps, info.default_budget, "exact", store_engine};
    return out;
}

void write(std::string const& path, std::vector<store::row> const& rows, sense direction) {
    store::file out(path, sqlite::access::create);
    for (std::size_t first = 0; first < rows.size(); first += std::size_t(store_batch)) {
        sqlite::transaction all(out.base());
        for (std::size_t i = first; i < std::min(rows.size(), first + std::size_t(store_batch)); ++i) {
            out.put(rows[i], direction);
        }
        all.commit();
    }
}

}  // namespace

measurement bench_store(setting const& at) {
    setting of = at;
    of.task = at.by.task_index("tsp");
    task_info const& info = at.by.tasks()[std::size_t(of.task)];
    std::int64_t const count = at.batch > 0 ? at.batch : store_batch;
    measurement made = start_of(of, "store", "rows written", count);
    std::vector<instance_spec> const specs = specs_of(of, count);
    instance_batch const instances = at.by.generate(specs);
    csr_words const plants = at.by.planted(specs);

    solved_batch solved;
    std::vector<double> const label =
        sample(at.seconds, [&] { solved = at.by.solve(instances.view(), -1, plants.view()); });
    std::vector<store::row> rows;
    for (std::int64_t r = 0; r < count; ++r) {
        rows.push_back(row_from(solved.rows[std::size_t(r)], solved.answers.row(r), specs[std::size_t(r)], info,
                                hash_words(instances.blocks.row(r))));
    }

    scratch_store const scratch;
    made.seconds = sample(at.seconds, [&] {
        scratch.remove();
        write(scratch.path(), rows, info.objective_sense);
    });
    {
        store::file written(scratch.path(), sqlite::access::write);
        expect(written.rows() == count, "store: a row is missing");
        sqlite::transaction all(written.base());
        written.set_meta("snapshot", "of a benchmark");
        all.commit();
    }
    store::snapshot frozen(scratch.path(), at.by, store_engine);
    std::int64_t right = 0;
    std::vector<double> const lookup = sample(at.seconds, [&] {
        right = 0;
        for (std::int64_t r = 0; r < count; ++r) {
            auto const found = frozen.find(of.task, specs[std::size_t(r)], instances.blocks.row(r));
            right += found && *found == solved.rows[std::size_t(r)] ? 1 : 0;
        }
    });
    expect(right == count, "store: a snapshot gives another baseline than it was written with");

    double const labels = quantile(label, 0.5);
    made.stages = {{"label", labels}, {"write", quantile(made.seconds, 0.5)}, {"lookup", quantile(lookup, 0.5)}};
    made.ratios = {{"write / label", quantile(made.seconds, 0.5) / labels},
                   {"lookup / label", quantile(lookup, 0.5) / labels}};
    return made;
}

}  // namespace optgap::bench
