#include "tools/cli/prove/start_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "host/rows/read/answers.hpp"
#include "host/rows/read/fields.hpp"
#include "kernels/text/task_text.hpp"

namespace optgap::cli {
namespace {

std::string name_of(std::int32_t task, std::string_view hash) { return fmt::format("{} {}", task, hash); }

/// A user's own instance that a row names by its key alone: its hash says which.
std::optional<instance_key> bare_explicit_key(json_row const& row) {
    auto const text = string_of(row, "key");
    if (!text || row.find("instance") != nullptr) {
        return std::nullopt;
    }
    instance_key key = parse_key(*text);
    return key.is_explicit ? std::optional(std::move(key)) : std::nullopt;
}

}  // namespace

proof_starts::proof_starts(context& ctx, std::string const& path) : ctx_(ctx), path_(path) {
    if (path.empty()) {
        return;
    }
    row_input input(ctx, {path}, "starts");
    for (auto items = input.next(); !items.empty(); items = input.next()) {
        read(items);
    }
}

void proof_starts::read(std::span<row_item> items) {
    instance_set instances(ctx_.tasks());
    std::vector<std::string> names(items.size());
    std::vector<std::size_t> with_instance;
    for (std::size_t i = 0; i < items.size(); ++i) {
        row_item& item = items[i];
        if (!item.sound()) {
            continue;
        }
        try {
            if (auto const key = bare_explicit_key(item.row)) {
                names[i] = name_of(ctx_.task_named(fmt::format("{}@{}", key->task, key->version)), key->hash);
            } else {
                with_instance.push_back(i);
            }
        } catch (field_error const& broken) {
            item.reject(broken.field(), broken.rule());
        }
    }
    instances.resolve(items, with_instance);
    for (std::size_t i = 0; i < items.size(); ++i) {
        row_item& item = items[i];
        start made;
        made.row = item.number;
        if (item.sound()) {
            if (names[i].empty()) {
                names[i] = name_of(instances.task(item.instance), hex32(instances.id(item.instance).hash));
            }
            std::string_view const* const answer = item.row.find("answer");
            if (answer != nullptr && is_json_null(*answer)) {
                continue;  // as `solve` writes where it knows none
            }
            std::int32_t const task = std::stoi(names[i]);
            parsed_text const found = read_answer(item, ctx_.text(task), made.block);
            if (item.sound() && found.answer_code != code_ok) {
                item.reject("answer", fmt::format("is none to start from: {}",
                                                  ctx_.get_engine(false).code_name(task, found.answer_code)));
            }
        }
        if (!item.sound()) {
            throw usage_error(fmt::format("{}, row {}: {}: {}", path_, item.number, item.field, item.rule));
        }
        auto const [known, is_new] = by_instance_.try_emplace(names[i], std::move(made));
        if (!is_new && known->second.block != made.block) {
            throw usage_error(
                fmt::format("{}, row {}: another answer to the instance of row {}; a proof begins with one", path_,
                            item.number, known->second.row));
        }
    }
}

csr_words proof_starts::of(instance_view instances, std::span<instance_spec const> specs,
                           std::vector<std::string>& broken) {
    engine const& by = ctx_.get_engine(false);
    csr_words const plants = by.planted(specs);
    std::vector<start*> given(std::size_t(instances.blocks.rows), nullptr);
    csr_words answers;
    std::vector<std::int32_t> rows;
    for (std::int64_t r = 0; !by_instance_.empty() && r < instances.blocks.rows; ++r) {
        auto const found = by_instance_.find(name_of(instances.task[r], hex32(hash_words(instances.blocks.row(r)))));
        if (found != by_instance_.end()) {
            given[std::size_t(r)] = &found->second;
            found->second.used = true;
            answers.append(found->second.block);
            rows.push_back(std::int32_t(r));
        }
    }
    broken.assign(given.size(), std::string());
    std::vector<verdict> const worth = by.verify(instances, answers.view(), rows);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!worth[k].feasible()) {
            std::int32_t const r = rows[k];
            broken[std::size_t(r)] =
                fmt::format("{}, row {}: not a feasible answer: {}", path_, given[std::size_t(r)]->row,
                            by.code_name(instances.task[r], worth[k].code));
            given[std::size_t(r)] = nullptr;
        }
    }
    csr_words out;
    for (std::int64_t r = 0; r < instances.blocks.rows; ++r) {
        start const* const own = given[std::size_t(r)];
        out.append(own != nullptr ? std::span<std::int32_t const>(own->block) : plants.row(r));
    }
    return out;
}

void proof_starts::finish() const {
    std::int64_t unused = 0, first = 0;
    for (auto const& [name, one] : by_instance_) {
        if (!one.used) {
            first = unused == 0 ? one.row : std::min(first, one.row);
            ++unused;
        }
    }
    if (unused > 0) {
        ctx_.warn(
            fmt::format("{}: {} row{} to start from of instances that were not among those to solve, first row {}",
                        path_, unused, unused == 1 ? "" : "s", first));
        ctx_.end_with(exit_rejected);
    }
}

}  // namespace optgap::cli
