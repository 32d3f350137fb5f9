#pragma once
// The batch verbs on one GPU, one file each. A call cuts its rows into slices that fit the arena; a slice is copied in,
// every task present gets its launches, and the results are copied out. Calls from several threads take turns.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/cuda/cuda_device.cuh"
#include "host/executor/executor.hpp"
#include "kernels/launch/device_table.cuh"

namespace optgap {

class cuda_executor final : public executor {
public:
    cuda_executor(cuda_options const& options, cudaDeviceProp const& card)
        : name_("cuda: " + std::string(card.name) + ", GPU " + std::to_string(options.ordinal) + ", " +
                std::to_string(options.memory_limit >> 20) + " MiB"),
          ordinal_(options.ordinal),
          device_(std::in_place, options, card) {}
    /// Memory and streams go while their device is current.
    ~cuda_executor() override {
        try {
            device_scope const here(ordinal_);
            device_.reset();
        } catch (error const&) {  // the context is gone, and they with it
        }
    }
    cuda_executor(cuda_executor const&) = delete;
    cuda_executor& operator=(cuda_executor const&) = delete;

    [[nodiscard]] std::string describe() const override { return name_; }
    /// The kernels of CUB's sort and selection have no names to load them by: runs them once.
    void load_library_kernels();
    instance_batch generate(std::span<generation const> items) override;
    void verify(instance_view instances, csr_view answers, std::int32_t const* instance_of,
                std::span<verdict> out) override;
    csr_words anchors(instance_view instances, anchor_policy policy) override;
    csr_words improve(instance_view instances, csr_view answers, std::int32_t const* instance_of, std::int64_t steps,
                      draw source, std::span<improve_result> out) override;
    void rewards(reward_inputs const& in, reward_spec const& spec, std::span<reward_row> out) override;
    /// A batch too large for the arena is cut between groups, never inside one.
    void advantages(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                    std::span<float> out) override;
    /// As many groups as fit the arena at a time, one warp each. A group of more than 1024 rows is ranked by sorting,
    /// on the CPU: the same bytes, sooner.
    void ranks(rank_inputs const& in, advantage_spec const& spec, std::span<double> out) override;

private:
    [[nodiscard]] std::vector<generated_size> measure(std::span<generation const> items,
                                                      std::span<std::int32_t const> task);
    /// Rows whose rewards, sorting and results fit a slice.
    [[nodiscard]] std::int64_t most_advantages() const;
    void advantages_of(std::span<float const> rewards, std::span<std::int32_t const> group, group_rule const& rule,
                       std::span<float> out);

    std::string name_;
    int ordinal_;
    std::optional<cuda_device> device_;
};

}  // namespace optgap
