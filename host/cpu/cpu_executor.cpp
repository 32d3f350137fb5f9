#include <algorithm>
#include <cstring>
#include <utility>

#include "host/cpu/cpu_pool.hpp"
#include "host/executor/call_rows.hpp"
#include "host/executor/executor.hpp"
#include "host/reward/advantage_groups.hpp"
#include "host/reward/ranking.hpp"
#include "kernels/registry/registry.hpp"
#include "kernels/reward/estimator.hpp"
#include "kernels/reward/shape.hpp"
#include "optgap/status.hpp"

namespace optgap {

namespace {

/// Rows a worker takes at a time: large enough to hide the ticket, small enough to balance.
constexpr std::int64_t inexpensive_grain = 64;
constexpr std::int64_t costly_grain = 1;

words_view row_of(csr_view blocks, std::int64_t r) {
    return {blocks.words + blocks.offsets[r], blocks.offsets[r + 1] - blocks.offsets[r]};
}

class cpu_executor final : public executor {
public:
    explicit cpu_executor(cpu_pool& pool) : pool_(pool), isa_(best_instruction_set()) {}

    [[nodiscard]] std::string describe() const override {
        return "cpu: " + std::to_string(pool_.threads()) + (pool_.threads() == 1 ? " thread, " : " threads, ") +
               instruction_sets()[std::size_t(isa_)];
    }

    instance_batch run(generate_call const& call) override {
        std::vector<generation> const items = sources_of(call.specs, version_on_host);
        instance_batch out;
        std::int64_t const rows = std::int64_t(items.size());
        out.task.resize(items.size());
        out.blocks.offsets.resize(items.size() + 1);
        std::vector<generated_size> const sizes = sizes_of(
            items, [&](std::int32_t task) -> task_kernels const& { return kernels(task); },
            [&](std::int64_t count, std::int64_t grain, row_work const& work) {
                pool_.run(count, grain,
                          [&](worker_memory&, std::int64_t begin, std::int64_t end) { work(begin, end); });
            });
        for (std::size_t r = 0; r < items.size(); ++r) {
            out.task[r] = items[r].task;
            out.blocks.offsets[r + 1] = out.blocks.offsets[r] + sizes[r].instance;
        }
        out.blocks.words.resize(std::size_t(out.blocks.offsets.back()));
        pool_.run(rows, inexpensive_grain, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                generation const& item = items[std::size_t(r)];
                kernels(item.task).generate(item.source, item.level,
                                            out.blocks.words.data() + out.blocks.offsets[std::size_t(r)],
                                            memory.scratch.words(sizes[std::size_t(r)].scratch));
            }
        });
        return out;
    }

    std::vector<verdict> run(verify_call const& call) override {
        instance_view const instances = call.instances;
        csr_view const answers = call.answers;
        std::int32_t const* const instance_of = rows_or_null(call.instance_of);
        std::vector<verdict> out(std::size_t(call.rows()));
        pool_.run(call.rows(), inexpensive_grain, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                std::int64_t const i = instance_of == nullptr ? r : instance_of[r];
                task_kernels const& task = kernels(instances.task[i]);
                words_view const instance = row_of(instances.blocks, i);
                out[std::size_t(r)] =
                    task.verify(instance, row_of(answers, r), memory.scratch.words(task.scratch_words(instance)));
            }
        });
        return out;
    }

    csr_words run(greedy_call const& call) override { return anchors(call.instances, &task_kernels::greedy); }
    csr_words run(floor_call const& call) override { return anchors(call.instances, &task_kernels::floor); }

    improved_batch run(improve_call const& call) override {
        std::int32_t const* const instance_of = rows_or_null(call.instance_of);
        std::vector<improve_result> out(std::size_t(call.rows()));
        csr_words answers = collect(call.rows(), costly_grain, [&](worker_memory& memory, std::int64_t r) {
            std::int64_t const i = instance_of == nullptr ? r : instance_of[r];
            task_kernels const& task = kernels(call.instances.task[i]);
            words_view const instance = row_of(call.instances.blocks, i);
            words_view const start = row_of(call.answers, r);
            std::int32_t* const answer = memory.answer.words(std::max(task.answer_words(instance), start.count));
            std::memcpy(answer, start.data, std::size_t(start.count) * sizeof *answer);
            std::int32_t* const scratch = memory.scratch.words(task.improve_scratch_words(instance));
            out[std::size_t(r)] = task.improve(instance, answer, {.answer_words = start.count}, {0, call.steps},
                                               source_of(call), scratch);
            return out[std::size_t(r)].answer_words;
        });
        return columns_of(out, std::move(answers));
    }

    void run(rewards_call const& call) override {
        std::vector<sense> direction;
        for (std::size_t t = 0; t < registry().size(); ++t) {
            direction.push_back(kernels(std::int32_t(t)).objective_sense);
        }
        shape_entry const& shape = shape_of(call.spec.shape);
        std::int64_t const grain = shape.by_process ? std::max<std::int64_t>(call.rows(), 1) : 4096;
        pool_.run(call.rows(), grain, [&](worker_memory&, std::int64_t begin, std::int64_t end) {
            shape.rows(call.in, direction.data(), call.spec, call.out.data(), begin, end);
        });
    }

    void run(advantages_call const& call) override {
        group_index const index = index_groups(call.group);
        estimator_entry const& entry = estimator_of(call.rule.spec.form);
        pool_.run(index.groups(), 512, [&](worker_memory&, std::int64_t begin, std::int64_t end) {
            entry.groups({call.rewards.data(), index.begin.data(), index.order.empty() ? nullptr : index.order.data(),
                          begin, end, call.out.data()},
                         call.rule);
        });
    }

    void run(ranks_call const& call) override {
        pool_.run(std::int64_t(call.in.begin.size()) - 1, 256,
                  [&](worker_memory&, std::int64_t begin, std::int64_t end) {
                      ranking_scratch scratch;
                      for (std::int64_t g = begin; g < end; ++g) {
                          rank_group(call.in, g, call.spec, scratch, call.out);
                      }
                  });
    }

private:
    [[nodiscard]] task_kernels const& kernels(std::int32_t task) const {
        return *registry()[std::size_t(task)].builds[isa_];
    }

    csr_words anchors(instance_view instances, decltype(&task_kernels::greedy) policy) {
        return collect(instances.blocks.rows, inexpensive_grain, [&](worker_memory& memory, std::int64_t r) {
            task_kernels const& task = kernels(instances.task[r]);
            words_view const instance = row_of(instances.blocks, r);
            std::int32_t* const answer = memory.answer.words(task.answer_words(instance));
            return (task.*policy)(instance, answer, memory.scratch.words(task.scratch_words(instance)));
        });
    }

    /// Runs `write(memory, row)`, which leaves a block of the returned size in memory.answer, and joins the blocks.
    template <class Write>
    csr_words collect(std::int64_t rows, std::int64_t grain, Write const& write) {
        std::vector<std::vector<std::int32_t>> blocks(static_cast<std::size_t>(rows));
        pool_.run(rows, grain, [&](worker_memory& memory, std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r) {
                std::int64_t const size = write(memory, r);
                std::int32_t const* const block = memory.answer.words(0);
                blocks[std::size_t(r)].assign(block, block + size);
            }
        });
        csr_words joined;
        for (std::vector<std::int32_t> const& block : blocks) {
            joined.append(block);
        }
        return joined;
    }

    cpu_pool& pool_;
    int isa_;
};

}  // namespace

std::unique_ptr<executor> make_cpu_executor(cpu_pool& pool) { return std::make_unique<cpu_executor>(pool); }

}  // namespace optgap
