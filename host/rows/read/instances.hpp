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

/// Identifies an instance wherever it came from: same task, same words.
struct instance_id {
    std::int32_t task = 0;
    instance_hash hash;
    friend bool operator==(instance_id const&, instance_id const&) = default;
};

struct instance_id_hash {
    std::size_t operator()(instance_id const& id) const { return std::size_t(id.hash.low); }
};

/// The instances of one batch of rows. Each is generated or read once and then shared.
class instance_set {
public:
    explicit instance_set(task_table const& tasks) : tasks_(tasks) {}

    /// Sets row_item::instance of the sound rows from `key`, `task`, `instance` and `hash`, which must agree. Rejects
    /// the others. Forgets the previous batch.
    void resolve(std::span<row_item> items);
    /// Resolves the items at the places `mine`, which must be sound.
    void resolve(std::span<row_item> items, std::span<std::size_t const> mine);

    [[nodiscard]] instance_view view() const { return batch_.view(); }
    [[nodiscard]] std::int64_t size() const { return batch_.size(); }
    [[nodiscard]] instance_id const& id(std::int32_t index) const { return ids_[std::size_t(index)]; }
    [[nodiscard]] std::int32_t task(std::int32_t index) const { return batch_.task[std::size_t(index)]; }
    [[nodiscard]] std::span<std::int32_t const> words(std::int32_t index) const { return batch_.blocks.row(index); }
    /// How each instance is generated. The task is -1 where no row names the instance by its key.
    [[nodiscard]] std::span<instance_spec const> specs() const { return specs_; }
    /// Adds words unless they are there already. Returns their index.
    std::int32_t add(std::int32_t task, std::span<std::int32_t const> words);

private:
    /// What a row states about its instance, and the result. Rows with the same raw texts share one.
    struct claim {
        std::optional<instance_key> key;
        std::int32_t task = -1;
        std::vector<std::int32_t> words;  ///< from the field `instance`
        bool has_words = false;
        std::string hash;
        std::int32_t instance = -1;
        std::string field, rule;
    };

    /// The spec of a claim whose key names a generated instance.
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
