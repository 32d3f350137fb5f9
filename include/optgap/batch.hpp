#pragma once  // Stable.

#include <cstdint>
#include <span>
#include <vector>

#include "optgap/difficulty.hpp"
#include "optgap/key.hpp"

namespace optgap {

/// Where a batch's words live.
enum class memory : std::int32_t { host = 0, device = 1 };

/// Rows of int32 words, borrowed: row r is words[offsets[r], offsets[r + 1]).
struct csr_view {
    std::int32_t const* words = nullptr;
    std::int64_t const* offsets = nullptr;
    std::int64_t rows = 0;
    memory space = memory::host;

    /// Host memory only.
    [[nodiscard]] std::span<std::int32_t const> row(std::int64_t r) const {
        return {words + offsets[r], std::size_t(offsets[r + 1] - offsets[r])};
    }
};

/// Rows of int32 words, owned.
struct csr_words {
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> offsets{0};

    [[nodiscard]] std::int64_t rows() const { return std::int64_t(offsets.size()) - 1; }
    [[nodiscard]] std::span<std::int32_t const> row(std::int64_t r) const { return view().row(r); }
    [[nodiscard]] csr_view view() const { return {words.data(), offsets.data(), rows()}; }
    void append(std::span<std::int32_t const> row) {
        words.insert(words.end(), row.begin(), row.end());
        offsets.push_back(std::int64_t(words.size()));
    }
    friend bool operator==(csr_words const&, csr_words const&) = default;
};

/// Which instance to generate. `task` is an index into engine::tasks().
struct instance_spec {
    std::int32_t task = 0;
    difficulty level;
    split part = split::train;
    std::uint64_t seed = 0;
};

/// Instances of any mix of tasks.
struct instance_view {
    std::int32_t const* task = nullptr;  ///< index into engine::tasks(), one per row
    csr_view blocks;
};

struct instance_batch {
    std::vector<std::int32_t> task;
    csr_words blocks;

    [[nodiscard]] std::int64_t size() const { return blocks.rows(); }
    [[nodiscard]] instance_view view() const { return {task.data(), blocks.view()}; }
    void append(std::int32_t row_task, std::span<std::int32_t const> words) {
        task.push_back(row_task);
        blocks.append(words);
    }
};

}  // namespace optgap
