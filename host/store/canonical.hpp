#pragma once
// The content of a store as text: one JSON object per row, its names in alphabetical order, rows in the order of their
// keys. The content hash is XXH3-128 over that text, so `optgap store export PATH | xxhsum -H2` prints it.

#include <memory>
#include <string>

#include "host/store/file.hpp"
#include "optgap/engine.hpp"

namespace optgap::store {

/// Appends a line. `own` is the user's own instance of an explicit key.
void append_line(std::string& out, row const& one, own_instance const* own, engine const& by);

/// An answer's block as JSON.
std::string answer_text(std::vector<std::int32_t> const& block, task_info const* info);

/// The direction of a task's better values; throws error for a task that this build does not have.
sense direction_of(engine const& by, std::string const& task);
/// The task of this name and version; nullptr where this build has none.
task_info const* find_task(engine const& by, std::string const& task, std::int32_t version);

/// The hash of a sequence of lines.
class content_hash {
public:
    content_hash();
    ~content_hash();
    void add(std::string_view text);
    [[nodiscard]] std::string text() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// The content hash of a store.
std::string hash_of(std::string const& path, engine const& by);

}  // namespace optgap::store
