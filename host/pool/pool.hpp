#pragma once
// An open pool: its file, and in memory one row per entry for finding and weighing.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/pool/file.hpp"

namespace optgap::pool {

struct step_counts {
    std::int64_t added = 0;
    std::int64_t repeated = 0;  ///< entries of problems that the pool had, or that the step brought more than once
    std::int64_t outcomes = 0;
    std::int64_t gone = 0;  ///< entries that left a full pool
};

/// What a pool holds: problems of tasks, and questions in free text (question.hpp). Each is drawn by itself.
enum class content { problems, questions };

/// Counts of what a rewind dropped.
struct rewind_counts {
    std::int64_t steps = 0;
    std::int64_t entries = 0;
    std::int64_t outcomes = 0;
    std::int64_t gone = 0;  ///< entries that had left a full pool, and are drawn again
    std::string kept;       ///< the file that has the steps as a delta; empty: there was nothing to drop
};

/// For one thread at a time.
class pool {
public:
    /// Reads all of the file; throws sqlite::failure{damaged} where an entry does not match its digest, or a step does
    /// not match the chain. check.hpp checks the claims of entries.
    explicit pool(std::string const& path, bool writes = false);

    /// Takes in the steps that another process has ended since. Returns false where that process has rewound the file:
    /// then all is read anew, and ids may name other entries.
    bool refresh();

    [[nodiscard]] settings const& made_with() const { return file_.made_with(); }
    [[nodiscard]] file const& kept() const { return file_; }
    /// The step that draws now, which is the number of ended steps.
    [[nodiscard]] std::int64_t step() const { return now_.step; }
    /// The number of all entries that ever came in. Those that are gone keep their ids, still make duplicates, and are
    /// not drawn.
    [[nodiscard]] std::int64_t entries() const { return std::int64_t(now_.standings.size()); }
    /// The newest link of the chain: pools of equal content and history have equal hashes, whichever ranks brought it.
    [[nodiscard]] instance_hash hash() const { return now_.link; }
    [[nodiscard]] std::vector<standing> const& standings() const { return now_.standings; }
    /// The id of a problem's entry; -1: none.
    [[nodiscard]] std::int64_t find(problem_name const& name) const;
    [[nodiscard]] entry read(std::int64_t id) const { return file_.read(id); }
    [[nodiscard]] std::vector<std::uint64_t> weights(policy by) const {
        return weights_of(by, now_.standings, now_.step, made_with().window);
    }
    /// The weights for draws of one content alone, 0 for all others; throws field_error{"pool"} where there is none.
    [[nodiscard]] std::vector<std::uint64_t> weights(policy by, content of) const;
    [[nodiscard]] bool is_of(std::size_t id, content of) const;
    /// Whether some entry of this content is drawn.
    [[nodiscard]] bool holds(content of) const;

    /// Whether all parts of an earlier step are in; throws field_error{"delta"} for one of a step that ended without
    /// it, of a step to come, or of another pool.
    [[nodiscard]] bool is_in(delta const& parts) const;
    /// Ends the step with these parts, in one transaction. The caller must have checked their claims. Throws
    /// field_error{"delta"} and changes nothing for parts of another step or pool, or impossible outcomes.
    step_counts end_step(delta const& parts);

    /// Restores the pool to its state when `step` steps had ended, in one transaction: entries, outcomes and parts of
    /// later steps are removed, and the entries that those steps let go are back. Before that they are written as a
    /// delta to a file beside the pool, PATH.dropped-STEP-HASH8 with the hash before the rewind; ending the step with
    /// this delta gives the same pool again. The chain of hashes proves both sides; sqlite::failure{damaged}, and no
    /// change, where it does not. Throws field_error{"step"} for a step that is to come, field_error{"hash"} where the
    /// pool then had another hash than `expected`.
    rewind_counts rewind(std::int64_t step, std::optional<instance_hash> expected = std::nullopt);

private:
    struct problem_hash {
        std::size_t operator()(std::pair<std::int32_t, instance_hash> const& of) const {
            return std::size_t(of.second.low ^ std::uint64_t(of.first) * 0x9e3779b97f4a7c15u);
        }
    };
    /// The state of the file in memory.
    struct memory {
        std::int64_t step = 0;
        instance_hash link = {};
        std::vector<std::pair<std::string, std::int32_t>> tasks = {};
        std::vector<standing> standings = {};
        std::vector<std::int32_t> task_of = {};  ///< place in tasks, of each entry
        std::unordered_map<std::pair<std::int32_t, instance_hash>, std::int64_t, problem_hash> ids = {};
    };
    [[noreturn]] void damaged(std::string const& sentence) const;
    /// Takes in the file's steps after the last known one.
    void read_on();
    [[nodiscard]] std::int32_t task_place(std::string const& task, std::int32_t version) const;
    void take(step_record const& step);
    /// Takes in a step's outcomes and entries, as far as weights read them.
    void take_in(step_record const& step);
    /// The entries that a full pool lets go at the end of the step: for a task with more than `capacity` entries, those
    /// of the lowest weights by the pool's policy at the next step; among equals, the oldest.
    [[nodiscard]] std::vector<std::int64_t> leaving(step_record const& step);
    [[nodiscard]] step_record record_of(delta const& parts, std::int64_t& repeated) const;

    file file_;
    memory now_;
};

}  // namespace optgap::pool
