// Why a row has what it has.

#include <fmt/format.h>

#include "host/rows/scorer.hpp"

namespace optgap::rows {
namespace {

void require_sound(row_item const& item) {
    if (!item.sound()) {
        throw field_error(item.field, item.rule);
    }
}

void require_graded(row_item const& item, graded_row const& row) {
    require_sound(item);
    if (row.group < 0) {
        misuse("an option such as --estimate has rows read and not graded: there is nothing to explain");
    }
}

}  // namespace

std::optional<explanation> scorer::explain_unscored(row_item& item) {
    std::int32_t const kind = item.sound() ? kind_claiming(item.row) : -1;
    std::optional<explanation> out = kind < 0 ? std::nullopt : kinds_[std::size_t(kind)]->explain_unscored(item);
    require_sound(item);
    return out;
}

explanation scorer::explain(std::span<row_item> items, std::size_t own, std::int32_t instance) {
    std::optional<explanation> unscored = explain_unscored(items[own]);
    std::vector<graded_row> graded;
    if (!unscored) {
        graded = run(items).rows;
        require_graded(items[own], graded[own]);
    }
    std::int32_t const kind = unscored ? -1 : graded[own].kind;
    std::int32_t const count = kind < 0 ? 0 : kinds_[std::size_t(kind)]->hidden_instances(graded[own]);
    if (instance >= 0 && count == 0) {
        misuse("--instance belongs to rows whose completion is a program");
    }
    if (instance >= count && instance >= 0) {
        misuse(fmt::format("--instance {}: the problem has instances 0 to {}", instance, count - 1));
    }
    if (unscored) {
        return std::move(*unscored);
    }
    return kinds_[std::size_t(kind)]->explain(
        {items, graded, own, code_name(graded[own]), task_name(graded[own]), instance});
}

finding scorer::find(std::span<row_item> items, std::size_t own) {
    if (std::optional<explanation> unscored = explain_unscored(items[own])) {
        return std::move(unscored->found);
    }
    std::vector<graded_row> const graded = run(items).rows;
    require_graded(items[own], graded[own]);
    return kinds_[std::size_t(graded[own].kind)]->find(
        {items, graded, own, code_name(graded[own]), task_name(graded[own])});
}

}  // namespace optgap::rows
