// Stores of baselines: the cost of writing a label beside making it, and of reading it from a snapshot instead.

#include <unistd.h>

#include <filesystem>
#include <string>

#include "bench/bench.hpp"
#include "host/store/snapshot.hpp"

namespace optgap::bench {
namespace {

constexpr std::int64_t store_batch = 1024;    ///< as in a transaction of recompute
constexpr std::int64_t max_rows = 1'000'000;  ///< of the large snapshot
constexpr std::int64_t large_share = 50;
constexpr char const* store_engine = "benchmark";  ///< the engine version of its rows

/// A file that is removed when the measurement ends.
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

/// Writes a snapshot of many rows: the labels repeatedly, under the seeds that follow theirs.
void write_large(std::string const& path, std::vector<store::row> const& rows, std::int64_t count) {
    store::file out(path, sqlite::access::create);
    sqlite::transaction all(out.base());
    store::row one;
    for (std::int64_t seed = 0; seed < count; ++seed) {
        one = rows[std::size_t(seed) % rows.size()];
        one.key.seed = seed;
        out.append(one);
    }
    out.set_meta("snapshot", "of a benchmark");
    all.commit();
}

/// Seconds to open a snapshot, and to look up random rows, as many as there are labels.
struct snapshot_times {
    double open = 0, lookup = 0;
};

snapshot_times times_of(setting const& of, std::string const& path, std::int64_t rows, instance_view instances,
                        std::vector<baseline> const& wanted) {
    auto const labels = std::int64_t(wanted.size());
    snapshot_times out;
    out.open = quantile(sample(of.seconds, [&] { store::snapshot const opened(path, of.by, store_engine); }), 0.5);
    store::snapshot frozen(path, of.by, store_engine);
    std::int64_t right = 0;
    std::vector<double> const lookup = sample(of.seconds, [&] {
        right = 0;
        for (std::int64_t r = 0; r < labels; ++r) {
            auto const seed = std::int64_t(std::uint64_t(r) * 0x9e3779b97f4a7c15u % std::uint64_t(rows));
            instance_spec const spec{of.task, of.level, split::test, std::uint64_t(seed)};
            auto const found = frozen.find(of.task, spec, instances.blocks.row(seed % labels));
            right += found && *found == wanted[std::size_t(seed % labels)] ? 1 : 0;
        }
    });
    expect(right == labels, "store: a snapshot gives another baseline than it was written with");
    out.lookup = quantile(lookup, 0.5);
    return out;
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
    snapshot_times const small = times_of(of, scratch.path(), count, instances.view(), solved.rows);
    std::int64_t const many = std::min(max_rows, large_share * count);
    scratch.remove();
    write_large(scratch.path(), rows, many);
    snapshot_times const large = times_of(of, scratch.path(), many, instances.view(), solved.rows);

    double const labels = quantile(label, 0.5);
    std::string const name = std::to_string(many) + " rows";
    made.stages = {{"label", labels},
                   {"write", quantile(made.seconds, 0.5)},
                   {"lookup", small.lookup},
                   {"open " + name, large.open},
                   {"lookup in " + name, large.lookup}};
    made.ratios = {{"write / label", quantile(made.seconds, 0.5) / labels},
                   {"lookup / label", small.lookup / labels},
                   {"open " + name + " / a label", large.open / (labels / double(count))},
                   {"lookup in " + name + " / label", large.lookup / labels},
                   {"lookup in " + name + " / lookup", large.lookup / small.lookup}};
    return made;
}

}  // namespace optgap::bench
