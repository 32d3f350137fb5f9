#pragma once
// The batch verbs on one GPU, one file each. A call cuts its rows into slices that fit the arena; a slice is copied in,
// every task present gets its launches, and the results are copied out. Calls from several threads take turns.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/cuda/cuda_device.cuh"
#include "host/cuda/launch_pace.hpp"
#include "host/executor/call_rows.hpp"
#include "host/executor/executor.hpp"
#include "kernels/launch/device_table.cuh"

namespace optgap {

class cuda_executor final : public executor {
public:
    /// `pinned`: cuda_device::pinned_bytes(options.memory_limit).
    cuda_executor(cuda_options const& options, cudaDeviceProp const& card, std::shared_ptr<pinned_memory> pinned)
        : ordinal_(options.ordinal), cores_(options.cores), device_(std::in_place, options, card, std::move(pinned)) {
        name_ = "cuda: " + std::string(card.name) + ", GPU " + std::to_string(options.ordinal) + ", " +
                std::to_string(options.memory_limit >> 20) + " MiB" + device_->multiprocessors(card);
    }
    /// Frees memory and streams while their device is current.
    ~cuda_executor() override {
        try {
            device_scope const here(ordinal_);
            device_.reset();
        } catch (error const&) {  // the context is gone, and they are gone with it
        }
    }
    cuda_executor(cuda_executor const&) = delete;
    cuda_executor& operator=(cuda_executor const&) = delete;

    [[nodiscard]] std::string describe() const override { return name_; }
    /// Runs CUB's kernels for advantages once, as far as the memory lets a call do so (library_rows.hpp).
    void load_library_kernels();
    instance_batch run(generate_call const& call) override;
    std::vector<verdict> run(verify_call const& call) override;
    csr_words run(greedy_call const& call) override;
    csr_words run(floor_call const& call) override;
    improved_batch run(improve_call const& call) override;
    void run(rewards_call const& call) override;
    /// A batch too large for the arena is cut between groups, never inside one.
    void run(advantages_call const& call) override;
    /// As many groups as fit the arena at a time, one warp each. A group of more than 1024 rows is ranked by sorting,
    /// on the CPU: the same bytes, sooner.
    void run(ranks_call const& call) override;
    [[nodiscard]] std::shared_ptr<resident> make_resident(std::int64_t bytes) override;

private:
    using anchor_kernel = cudaError_t (*device_table::*)(launch_site const&, row_list, anchor_batch);

    /// The answers of a policy.
    csr_words anchors(instance_view instances, anchor_kernel policy, verb which);
    /// Rows whose rewards, sorting and results fit a slice.
    [[nodiscard]] std::int64_t max_advantages() const;
    /// The same for rows that fit a slice.
    void advantages_of(advantages_call const& call);

    std::string name_;
    int ordinal_;
    row_runner cores_;
    std::optional<cuda_device> device_;
};

}  // namespace optgap
