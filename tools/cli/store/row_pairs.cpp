#include "tools/cli/store/row_pairs.hpp"

namespace optgap::cli {

void for_pairs(engine const& by, store::reader* old, store::reader& now,
               std::function<void(store::row const*, store::row const*)> const& visit) {
    auto const direction = [&by](std::string const& task) { return store::direction_of(by, task); };
    auto const next_old = [&] { return old == nullptr ? std::nullopt : old->next(direction); };
    auto one = next_old(), other = now.next(direction);
    while (one || other) {
        bool const has_old = one && (!other || one->key <= other->key);
        bool const has_now = other && (!one || other->key <= one->key);
        visit(has_old ? &*one : nullptr, has_now ? &*other : nullptr);
        if (has_old) {
            one = next_old();
        }
        if (has_now) {
            other = now.next(direction);
        }
    }
}

row_change change_of(store::row const& old, store::row const& now, engine const& by) {
    sense const direction = store::direction_of(by, old.key.task);
    std::string first, second;
    store::append_line(first, old, nullptr, by);
    store::append_line(second, now, nullptr, by);
    row_change out;
    out.same = first == second;
    out.better = store::better(direction, now.objective, old.objective);
    out.worse = store::better(direction, old.objective, now.objective);
    out.newly_proven = now.proven() && !old.proven();
    out.no_longer_proven = old.proven() && !now.proven();
    return out;
}

}  // namespace optgap::cli
