#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/rows/read/row_item.hpp"
#include "host/rows/read/task_table.hpp"
#include "optgap/batch.hpp"
#include "optgap/key.hpp"

namespace optgap::rows {

/// Says which instance it is, wherever it came from: same task, same words.
struct instance_id {
    std::int32_t task = 0;
    instance_hash hash;
    friend bool operator==(instance_id const&, instance_id const&) = default;
};

struct instance_id_hash {
    std::size_t operator()(instance_id const& id) const { return std::size_t(id.hash.low); }
};

/// The instances one batch of rows talks about, each generated or read once and then shared.
class instance_set {
public:
    explicit instance_set(task_table const& tasks) : tasks_(tasks) {}

    /// Sets row_item::instance of the sound rows from `key`, `task`, `instance` and `hash`, which must agree; rejects
    /// the others. Forgets the batch before.
    void resolve(std::span<row_item> items);
    /// Of those at the places `mine`, which are sound.
    void resolve(std::span<row_item> items, std::span<std::size_t const> mine);

    [[nodiscard]] instance_view view() const { return batch_.view(); }
    [[nodiscard]] std::int64_t size() const { return batch_.size(); }
    [[nodiscard]] instance_id const& id(std::int32_t index) const { return ids_[std::size_t(index)]; }
    [[nodiscard]] std::int32_t task(std::int32_t index) const { return batch_.task[std::size_t(index)]; }
    [[nodiscard]] std::span<std::int32_t const> words(std::int32_t index) const { return batch_.blocks.row(index); }
    /// How each is generated; task -1 for one that no row names by its key.
    [[nodiscard]] std::span<instance_spec const> specs() const { return specs_; }
    /// Adds words unless they are there already; returns their index.
    std::int32_t add(std::int32_t task, std::span<std::int32_t const> words);

private:
    /// What a row says about its instance, and what became of it. Rows with the same raw texts share one.
    struct claim {
        std::optional<instance_key> key;
        std::int32_t task = -1;
        std::vector<std::int32_t> words;  ///< of `instance`
        bool has_words = false;
        std::string hash;
        std::int32_t instance = -1;
        std::string field, rule;
    };

    /// Of a claim whose key names a generated instance.
    static instance_spec spec_of(claim const& of) { return {of.task, of.key->level, of.key->part, of.key->seed}; }
    void read(row_item const& item, claim& out);
    void generate(std::span<claim* const> claims);
    void settle(claim& out, std::span<std::int32_t const> generated);

    task_table const& tasks_;
    instance_batch batch_;
    std::vector<instance_id> ids_;
    std::vector<instance_spec> specs_;
    std::unordered_map<instance_id, std::int32_t, instance_id_hash> index_;
};

}  // namespace optgap::rows
